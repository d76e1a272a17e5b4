//! The requests of the tests of costs.

use serde_json::{Map, Value, json};

use crate::cost_shapes::{Shape, Version};
use wire::{OperationDescriptor, ParameterLocation, find_example};

/// Two documents, or meetings, of one shape.
pub(crate) struct Pair {
    pub(crate) shape: &'static Shape,
    /// The numbers of the documents, or the ids of the meetings.
    pub(crate) subjects: [String; 2],
}

impl Pair {
    pub(crate) fn is_of_meetings(&self) -> bool {
        self.subjects[0].starts_with("R1-")
    }
}

/// A request that is sent as often as it is measured.
pub(crate) enum Request {
    Operation { method: &'static str, target: String, body: Option<Value> },
    Page(String),
}

impl Request {
    /// A request that asks an operation for as much as it gives of a document or meeting.
    pub(crate) fn to_operation(
        operation: &OperationDescriptor,
        pair: &Pair,
        subject: &str,
    ) -> Self {
        let example = find_example(operation.name)
            .map(|example| example.parameters.clone())
            .unwrap_or_default();
        let mut target = operation.route.path.to_owned();
        let (mut query, mut body) =
            (url::form_urlencoded::Serializer::new(String::new()), Map::new());
        let mut has_body = false;
        for parameter in operation.parameters() {
            has_body |= parameter.location == ParameterLocation::Body;
            let own = value_of(parameter.name, parameter.schema, pair, subject);
            let Some(value) = own.or_else(|| example.get(parameter.name).cloned()) else {
                continue;
            };
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match parameter.location {
                ParameterLocation::Path => {
                    target = target.replace(&format!("{{{}}}", parameter.name), &text);
                }
                ParameterLocation::Query => {
                    query.append_pair(parameter.name, &text);
                }
                ParameterLocation::Body => {
                    body.insert(parameter.name.to_owned(), value);
                }
            }
        }
        let query = query.finish();
        if !query.is_empty() {
            target = format!("{target}?{query}");
        }
        let method = operation.route.method.as_str();
        Self::Operation { method, target, body: has_body.then_some(Value::Object(body)) }
    }
}

/// The value of a parameter that leads to the document or meeting, and to as much of it as there is; none for one that restricts what
/// is found or goes elsewhere.
fn value_of(name: &str, schema: &Map<String, Value>, pair: &Pair, subject: &str) -> Option<Value> {
    let is_a = |wanted: &str| {
        schema.get("type").is_some_and(|kind| {
            kind == wanted || kind.as_array().is_some_and(|all| all.contains(&json!(wanted)))
        })
    };
    Some(match name {
        "meeting_id" | "meeting" if pair.is_of_meetings() => subject.into(),
        "doc_number" | "filter_doc_number" | "document" if !pair.is_of_meetings() => subject.into(),
        "version" | "to" => Version::Second.as_str().into(),
        "from" => Version::First.as_str().into(),
        "section_number" => "1".into(),
        "name" | "text" | "query" | "quote" | "q" => pair.shape.text.into(),
        "rerank" => false.into(),
        _ if is_a("boolean") => true.into(),
        "document_id" | "image_index" | "offset" | "char_offset" => return None,
        _ if is_a("integer") => schema.get("maximum")?.clone(),
        _ => return None,
    })
}
