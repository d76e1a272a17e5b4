//! What every interface needs to know of an operation without running it.

use schemars::{JsonSchema, Schema};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    detail::{DetailParameter, add_detail, takes_detail},
    diagnosis::{add_diagnosis, takes_diagnosis},
    records::DiagnosisField,
    schema::{
        derived_schema, documented_parameters, documented_reply, parameters_schema, reply_schema,
    },
    tool_facts::ToolFacts,
};

/// An HTTP method of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads too, with parameters too large for a query string; or starts a fetch.
    Post,
}

impl Method {
    /// The method as in a request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// A part of a request that contains parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterLocation {
    /// A segment of the path.
    Path,
    /// The query string.
    Query,
    /// The JSON body.
    Body,
}

impl ParameterLocation {
    /// The name in the contract, which is the first element of the `loc` of a fault.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Body => "body",
        }
    }
}

/// The part of a request that carries the parameters outside of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterCarrier {
    /// The query string.
    Query,
    /// The JSON body.
    Body,
}

/// Where an operation is served, and how a request carries its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with the names of its parameters in braces: `/documents/{document_id}`.
    pub path: &'static str,
    /// What carries the other parameters.
    pub carrier: ParameterCarrier,
}

impl Route {
    /// A GET, with its parameters in the query string.
    pub const fn get(path: &'static str) -> Self {
        Self { method: Method::Get, path, carrier: ParameterCarrier::Query }
    }

    /// A POST, with its parameters in a JSON body.
    pub const fn post(path: &'static str) -> Self {
        Self { method: Method::Post, path, carrier: ParameterCarrier::Body }
    }

    /// A POST for an operation with an effect, with its parameters in the query string.
    pub const fn post_query(path: &'static str) -> Self {
        Self { method: Method::Post, path, carrier: ParameterCarrier::Query }
    }

    /// The names in the path, in their order.
    pub fn path_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.path
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{').and_then(|name| name.strip_suffix('}')))
    }

    /// The part of a request that contains the parameter of this name.
    pub fn parameter_location(&self, name: &str) -> ParameterLocation {
        match self.carrier {
            _ if self.path_names().any(|path_name| path_name == name) => ParameterLocation::Path,
            ParameterCarrier::Query => ParameterLocation::Query,
            ParameterCarrier::Body => ParameterLocation::Body,
        }
    }
}

/// What HTTP answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// The reply as JSON.
    Json,
    /// Only the picture; the reply as JSON is for other interfaces.
    Png,
}

impl Media {
    /// The content type.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Png => "image/png",
        }
    }
}

/// Declares an operation. The implementing type is its parameters struct, whose doc comment is the description of the operation.
/// Everything that clients, guides and documentation say of it is here, but for the fields of its reply.
pub trait OperationDeclaration: DeserializeOwned + Serialize + JsonSchema + Send + 'static {
    /// Name of the operation, the tool and the command.
    const NAME: &'static str;
    /// Where HTTP serves it.
    const ROUTE: Route;
    /// Whether it is served without a key.
    const OPEN: bool = false;
    /// Whether a call counts against the allowance.
    const METERED: bool = true;
    /// What HTTP answers with.
    const MEDIA: Media = Media::Json;
    /// How it is described to a model; `None` if it is not a tool.
    const TOOL: Option<ToolFacts>;
    /// The statuses of its own refusals.
    const STATUSES: &'static [u16] = &[];
    /// The fields of the rows of a list that a tool prints once if they are the same in all rows.
    const ROW_CONSTANTS: &'static [&'static str] = &[];
    /// Its row in the table of operations (docs/operations.md).
    const ANSWERS: &'static str;
    /// Its rows in the guide for agents (docs/skill.md): what the agent has, and what it should use.
    const GUIDE: &'static [(&'static str, &'static str)] = &[];
    /// A request on the sample corpus, as JSON, which documentation shows and tests repeat.
    const EXAMPLE: &'static str = "{}";
    /// Whether the sample corpus answers that request.
    const IS_ANSWERED: bool = true;
    /// Its reply.
    type Reply: Serialize + JsonSchema + Send + 'static;
}

/// One operation as its clients see it: an [`OperationDeclaration`] as data.
#[derive(Debug, Clone)]
pub struct OperationDescriptor {
    /// The name: of the tool, the command and the `operationId`.
    pub name: &'static str,
    /// Where it is served.
    pub route: Route,
    /// One line on what it does.
    pub summary: String,
    /// The full description.
    pub description: String,
    /// The JSON Schema of its parameters, complete in itself; the input schema of the tool.
    pub params: Schema,
    /// The JSON Schema of its reply, with named records under `$defs`.
    pub reply: Schema,
    /// Both again, as the OpenAPI document has them: with the widths of numbers.
    pub(crate) documented_params: Schema,
    pub(crate) documented_reply: Schema,
    /// Whether it has the parameter `detail`.
    pub takes_detail: bool,
    /// Whether it is served without a credential.
    pub open: bool,
    /// Whether a call counts against the allowance.
    pub metered: bool,
    /// What HTTP answers with.
    pub media: Media,
    /// What a model reads; `None` if the operation is not a tool.
    pub tool: Option<ToolFacts>,
    /// Its own errors, by status, in addition to those that follow from the other fields.
    pub statuses: &'static [u16],
    /// Its row in the table of operations.
    pub answers: &'static str,
    /// Its rows in the guide for agents: what the agent has, and what it should use.
    pub guide: &'static [(&'static str, &'static str)],
    /// A request on the sample corpus, as JSON.
    pub example: &'static str,
    /// Whether the sample corpus answers that request.
    pub is_answered: bool,
}

/// One parameter of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Parameter<'a> {
    /// The name.
    pub name: &'a str,
    /// The part of a request that contains it.
    pub location: ParameterLocation,
    /// Whether a request must have it.
    pub required: bool,
    /// The JSON Schema of its value: type, bounds, default, description.
    pub schema: &'a Map<String, Value>,
}

/// Whether an operation has the parameter `detail`.
fn declares_detail<O: OperationDeclaration>() -> bool {
    takes_detail(O::TOOL.is_some_and(|facts| facts.is_record), &reply_schema::<O::Reply>())
}

/// A schema of the parameters of an operation, with that of `detail` if it has it.
fn with_detail<O: OperationDeclaration>(schema: Schema, detail: &Schema) -> Schema {
    if declares_detail::<O>() { add_detail(schema, detail) } else { schema }
}

/// A schema of the replies of an operation, with the field that says why one is empty or thin if they are records with a list.
fn with_diagnosis<O: OperationDeclaration>(schema: Schema, diagnosis: &Schema) -> Schema {
    if declares_detail::<O>() && takes_diagnosis(&schema) {
        add_diagnosis(schema, diagnosis)
    } else {
        schema
    }
}

/// The schema of the parameters of an operation, for clients.
fn operation_parameters<O: OperationDeclaration>() -> Schema {
    with_detail::<O>(parameters_schema::<O>(), &parameters_schema::<DetailParameter>())
}

/// The same as derived, for its validator.
pub(crate) fn derived_parameters<O: OperationDeclaration>() -> Schema {
    with_detail::<O>(derived_schema::<O>(), &derived_schema::<DetailParameter>())
}

impl OperationDescriptor {
    /// What a declaration says; its texts are the doc comment of the parameters struct.
    pub fn of<O: OperationDeclaration>() -> Self {
        let params = operation_parameters::<O>();
        let description =
            params.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        let summary = description.split("\n\n").next().unwrap_or_default();
        Self {
            name: O::NAME,
            route: O::ROUTE,
            summary: summary.trim_end_matches('.').to_owned(),
            description,
            params,
            reply: with_diagnosis::<O>(
                reply_schema::<O::Reply>(),
                &reply_schema::<DiagnosisField>(),
            ),
            documented_params: with_detail::<O>(
                documented_parameters::<O>(),
                &documented_parameters::<DetailParameter>(),
            ),
            documented_reply: with_diagnosis::<O>(
                documented_reply::<O::Reply>(),
                &documented_reply::<DiagnosisField>(),
            ),
            takes_detail: declares_detail::<O>(),
            open: O::OPEN,
            metered: O::METERED,
            media: O::MEDIA,
            tool: O::TOOL,
            statuses: O::STATUSES,
            answers: O::ANSWERS,
            guide: O::GUIDE,
            example: O::EXAMPLE,
            is_answered: O::IS_ANSWERED,
        }
    }

    /// Whether it searches with models, which takes longer than a lookup.
    pub fn is_search(&self) -> bool {
        self.name.starts_with("search_") || self.route.path.starts_with("/search/")
    }

    /// The parameters in the order of their declaration.
    pub fn parameters(&self) -> impl Iterator<Item = Parameter<'_>> {
        self.parameters_of(&self.params)
    }

    /// The same, as the OpenAPI document has them.
    pub(crate) fn documented_parameters(&self) -> impl Iterator<Item = Parameter<'_>> {
        self.parameters_of(&self.documented_params)
    }

    fn parameters_of<'a>(&self, params: &'a Schema) -> impl Iterator<Item = Parameter<'a>> {
        let properties = params.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().filter_map(|(name, schema)| {
            let required = params.get("required").and_then(Value::as_array);
            Some(Parameter {
                name,
                location: self.route.parameter_location(name),
                required: required.is_some_and(|names| names.iter().any(|other| other == name)),
                schema: schema.as_object()?,
            })
        })
    }

    /// Every status a call may end with, in ascending order.
    pub fn all_statuses(&self) -> Vec<u16> {
        let mut statuses = vec![200, 500, 503];
        statuses.extend_from_slice(self.statuses);
        let implied = [
            (401, !self.open),
            (402, self.metered),
            (403, !self.open),
            (413, self.route.carrier == ParameterCarrier::Body),
            (415, self.route.carrier == ParameterCarrier::Body),
            (422, self.parameters().next().is_some()),
            (431, self.parameters().any(|parameter| parameter.location != ParameterLocation::Body)),
        ];
        statuses.extend(implied.iter().filter(|(_, applies)| *applies).map(|(status, _)| *status));
        statuses.sort_unstable();
        statuses.dedup();
        statuses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{GetDocument, GetImage, Health, ListSections, ListTdocs, SearchText};

    #[test]
    fn the_path_names_its_parameters() {
        let route = Route::get("/images/{doc_number}/{version}/{image_index}");
        let names: Vec<&str> = route.path_names().collect();
        assert_eq!(names, ["doc_number", "version", "image_index"]);
        assert_eq!(route.parameter_location("version"), ParameterLocation::Path);
        assert_eq!(route.parameter_location("prefix"), ParameterLocation::Query);
        assert_eq!(
            Route::post("/search/text").parameter_location("query"),
            ParameterLocation::Body
        );
    }

    #[test]
    fn a_descriptor_takes_its_texts_from_the_parameters_struct() {
        let search = OperationDescriptor::of::<SearchText>();
        assert!(!search.summary.is_empty() && !search.summary.contains('\n'));
        assert!(search.description.starts_with(&search.summary));
        let first = search.parameters().next().expect("it has parameters");
        assert_eq!(
            (first.name, first.required, first.location),
            ("query", true, ParameterLocation::Body)
        );
        assert_eq!(search.all_statuses(), [200, 401, 402, 403, 413, 415, 422, 500, 503]);
        let get = OperationDescriptor::of::<GetDocument>();
        assert_eq!(
            get.all_statuses(),
            [200, 202, 401, 402, 403, 404, 422, 431, 500, 503],
            "404 is its own"
        );
    }

    #[test]
    fn the_input_schema_is_complete_and_plain() {
        let get = OperationDescriptor::of::<GetDocument>();
        let text = get.params.as_value().to_string();
        assert!(!text.contains("$ref") && !text.contains("$schema") && !text.contains("int64"));
    }

    #[test]
    fn lists_and_searches_take_it_and_a_picture_does_not() {
        let taken = [
            declares_detail::<ListTdocs>(),
            declares_detail::<SearchText>(),
            declares_detail::<ListSections>(),
        ];
        assert_eq!(taken, [true; 3]);
        assert_eq!([declares_detail::<GetImage>(), declares_detail::<Health>()], [false; 2]);
    }

    #[test]
    fn its_default_is_the_reply_as_the_contract_has_it() {
        for schema in [operation_parameters::<SearchText>(), derived_parameters::<SearchText>()] {
            assert_eq!(schema.as_value()["properties"]["detail"]["default"], "full");
        }
    }
}
