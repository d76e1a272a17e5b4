//! The document as a whole: information, servers, paths, components.

use serde_json::{Map, Value, json};

use super::{components::Components, errors::refusal_schema, low_detail::low_detail_schema};
use crate::{
    Example, LOW_DETAIL_MEDIA,
    failure::describe_status,
    find_example,
    operation::{Media, OperationDescriptor, Parameter, ParameterCarrier, ParameterLocation},
    records::INTERFACE_VERSION,
};

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// The OpenAPI document of these operations, served at `base_url`.
pub fn openapi_document(base_url: &str, operations: &[OperationDescriptor]) -> Value {
    let mut components = Components::default();
    let mut paths = Map::new();
    for operation in operations {
        let method = operation.route.method.as_str().to_ascii_lowercase();
        let item = paths.entry(operation.route.path).or_insert_with(|| json!({}));
        item[method] = operation_object(operation, &mut components);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "specbox",
            "summary": "Search and read telecom standards.",
            "description": "Searches telecom standards by meaning and by exact words, and returns \
                passages, figures, sections and tables of contents. Every operation except those \
                marked open needs an API key. Errors are `{\"detail\": ...}`.",
            "version": INTERFACE_VERSION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
            "contact": {"name": "The operator of this server", "url": format!("{base_url}/docs")},
        },
        "externalDocs": {"description": "Documentation", "url": format!("{base_url}/docs")},
        "servers": [{"url": base_url, "description": "This server"}],
        "tags": tag_objects(operations),
        "paths": paths,
        "components": {
            "schemas": components.into_value(),
            "securitySchemes": {
                BEARER: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key, `sk-...`, created in the dashboard.",
                },
            },
        },
    })
}

fn operation_object(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut object = Map::new();
    object.insert("operationId".to_owned(), json!(operation.name));
    object.insert("tags".to_owned(), json!([tag_name(operation)]));
    object.insert("summary".to_owned(), json!(operation.summary));
    object.insert("description".to_owned(), json!(operation.description));
    let outside_of_body: Vec<Value> = operation
        .documented_parameters()
        .filter(|parameter| parameter.location != ParameterLocation::Body)
        .map(|parameter| parameter_object(&parameter, find_example(operation.name)))
        .collect();
    if !outside_of_body.is_empty() {
        object.insert("parameters".to_owned(), Value::Array(outside_of_body));
    }
    if operation.route.carrier == ParameterCarrier::Body {
        object.insert("requestBody".to_owned(), request_body(operation, components));
    }
    object.insert("responses".to_owned(), response_objects(operation, components));
    let security = if operation.open { json!([]) } else { json!([{BEARER: []}]) };
    object.insert("security".to_owned(), security);
    Value::Object(object)
}

/// The groups of operations, with their descriptions.
const TAGS: &[(&str, &str)] = &[
    ("health", "State of the service, and the models in use."),
    ("search", "Search for passages and figures, by meaning and by exact words."),
    ("documents", "The indexed document versions."),
    ("sections", "Texts and tables of contents of documents."),
    ("images", "Pictures of figures."),
    ("terms", "Meanings of abbreviations and terms."),
    ("names", "Messages, types, fields, timers and other names that protocols define."),
    ("suggest", "Completions for typed text."),
    ("tdocs", "Meeting contributions (TDocs): register entries, texts and search."),
    ("meetings", "Meetings and their decisions."),
    ("decisions", "Decisions of all meetings."),
    ("quotes", "Verification of quotes."),
    ("organizations", "Companies and other organizations, by any of their names."),
];

fn tag_objects(operations: &[OperationDescriptor]) -> Vec<Value> {
    let mut tags: Vec<Value> = Vec::new();
    for operation in operations {
        let name = tag_name(operation);
        if tags.iter().any(|tag| tag["name"] == name) {
            continue;
        }
        let about = TAGS.iter().find(|(known, _)| *known == name).map_or("", |(_, about)| about);
        tags.push(json!({"name": name, "description": about}));
    }
    tags
}

/// The first word of the path groups operations on the documentation pages.
fn tag_name(operation: &OperationDescriptor) -> &'static str {
    operation.route.path.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// A parameter outside of a body: it cannot be null there, only absent.
fn parameter_object(parameter: &Parameter<'_>, example: Option<&Example>) -> Value {
    let mut schema = parameter.schema.clone();
    let description = schema.shift_remove("description").unwrap_or_default();
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        let name = types.iter().find(|name| *name != "null").cloned().unwrap_or_default();
        schema.insert("type".to_owned(), name);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.shift_remove("default");
    }
    let mut object = json!({
        "name": parameter.name,
        "in": parameter.location.as_str(),
        "required": parameter.required,
        "description": description,
        "schema": schema,
    });
    if let Some(value) = example.and_then(|example| example.parameters.get(parameter.name)) {
        object["example"] = value.clone();
    }
    object
}

/// The body is the parameters struct without the parameters of the path.
fn request_body(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut params = operation.documented_params.clone();
    for name in operation.route.path_names() {
        if let Some(Value::Object(properties)) = params.get_mut("properties") {
            properties.shift_remove(name);
        }
        if let Some(Value::Array(required)) = params.get_mut("required") {
            required.retain(|other| other != name);
        }
    }
    let mut content = json_content(components.extract_records(&params));
    if let Some(example) = find_example(operation.name) {
        let is_in_body =
            |name: &&String| operation.route.parameter_location(name) == ParameterLocation::Body;
        let body = example.parameters.iter().filter(|(name, _)| is_in_body(name));
        let body: Map<String, Value> = body.map(|(n, value)| (n.clone(), value.clone())).collect();
        content["application/json"]["example"] = Value::Object(body);
    }
    json!({"required": true, "content": content})
}

fn response_objects(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut responses = Map::new();
    for status in operation.all_statuses() {
        let mut content = match (status, operation.media) {
            (200, Media::Json) => {
                json_content(components.extract_records(&operation.documented_reply))
            }
            (200, Media::Png) => {
                json!({Media::Png.as_str(): {"schema": {"type": "string", "format": "binary"}}})
            }
            _ => json_content(refusal_schema(components, status)),
        };
        if let (200, Media::Json, Some(Example { reply: Some(reply), .. })) =
            (status, operation.media, find_example(operation.name))
        {
            content["application/json"]["example"] = reply.clone();
        }
        if status == 200 && operation.takes_detail {
            content[LOW_DETAIL_MEDIA] = json!({"schema": low_detail_schema(components)});
        }
        let description = describe_status(status).unwrap_or("An error.");
        // The connection answers 431 itself, before the request is routed, without a body.
        let mut response = match status {
            431 => json!({"description": description}),
            _ => json!({"description": description, "content": content}),
        };
        let headers = response_headers(operation, status);
        if !headers.is_empty() {
            response["headers"] = Value::Object(headers);
        }
        responses.insert(status.to_string(), response);
    }
    Value::Object(responses)
}

/// The headers of an answer that programs act on.
fn response_headers(operation: &OperationDescriptor, status: u16) -> Map<String, Value> {
    let integer = |about: &str| json!({"description": about, "schema": {"type": "integer", "format": "int64"}});
    let mut headers = Map::new();
    if operation.metered && matches!(status, 200 | 400 | 402 | 404) {
        for (name, about) in [
            (
                "X-RateLimit-Limit",
                "Requests per month that the plan includes; absent if there is no limit.",
            ),
            ("X-RateLimit-Remaining", "Requests left this month."),
            ("X-RateLimit-Reset", "When the next month begins, in seconds since 1970."),
        ] {
            headers.insert(name.to_owned(), integer(about));
        }
    }
    if status == 200 && operation.reply.get("type").is_some_and(|kind| kind == "array") {
        let about = "If the list is empty: why, as JSON, a list of `DiagnosisReason`.";
        let text = json!({"description": about, "schema": {"type": "string"}});
        headers.insert("specbox-diagnosis".to_owned(), text);
    }
    if matches!(status, 429 | 503) {
        headers.insert("Retry-After".to_owned(), integer("Seconds to wait before retrying."));
    }
    headers
}

fn json_content(schema: Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

#[cfg(test)]
mod tests;
