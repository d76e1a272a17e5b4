//! The protocol: tools, the guide as a resource, and nothing else.

use std::{sync::Arc, time::Instant};

use axum::http::{StatusCode, request::Parts};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
        CompleteRequestParams, CompleteResult, CustomRequest, CustomResult, Implementation,
        JsonObject, ListPromptsRequestMethod, ListPromptsResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig, Tool,
        ToolAnnotations,
    },
    service::RequestContext,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    answer::{LongShape, Shape, refused, replied},
    guides::{MARKDOWN, instructions, skill},
};
use crate::{
    access::Caller,
    http::{Edge, answered},
    service::{Declared, internal, operations},
    wire::{
        Effect, Failure, Fault, OperationDescriptor, Route, ToolFacts, Validator, parameters_schema,
    },
};

/// The guide, as clients name it.
const GUIDE: &str = "specbox://skill-guide";

/// What the protocol serves; made once, for all clients.
pub(super) struct Catalogue {
    tools: Vec<DeclaredTool>,
    shape: Validator,
    long_shape: Validator,
    config: ServerConfig,
    guide: String,
}

/// An operation as a tool.
struct DeclaredTool {
    operation: &'static Declared,
    facts: ToolFacts,
    tool: Tool,
}

/// One request's view of the protocol.
#[derive(Clone)]
pub(super) struct Tools {
    edge: Arc<Edge>,
    catalogue: Arc<Catalogue>,
}

impl Catalogue {
    pub(super) fn new(base_url: &str) -> Self {
        let declared = operations().iter().filter_map(|operation| {
            let facts = operation.descriptor.tool?;
            let tool = tool_of(&operation.descriptor, &facts);
            Some(DeclaredTool { operation, facts, tool })
        });
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let server = Implementation::new("specbox", env!("CARGO_PKG_VERSION"))
            .with_title("specbox: telecom standards")
            .with_website_url(base_url);
        Self {
            tools: declared.collect(),
            shape: Validator::of::<Shape>(&SHAPE_ROUTE).expect("plain numbers compile"),
            long_shape: Validator::of::<LongShape>(&SHAPE_ROUTE).expect("plain numbers compile"),
            config: ServerConfig::new(capabilities)
                .with_server_info(server)
                .with_instructions(instructions(base_url)),
            guide: skill(base_url),
        }
    }

    fn tool(&self, name: &str) -> Option<&DeclaredTool> {
        self.tools.iter().find(|declared| declared.tool.name == name)
    }
}

/// Faults of what a tool takes by itself are told as of a body.
const SHAPE_ROUTE: Route = Route::post("/");

/// A tool as clients see it.
fn tool_of(operation: &OperationDescriptor, facts: &ToolFacts) -> Tool {
    let description = format!("{}\n\n{}", operation.description, facts.advice);
    let mut input = operation.params.as_object().cloned().unwrap_or_default();
    // The tool says it in its own description.
    input.shift_remove("description");
    input.shift_remove("title");
    let own = |schema: schemars::Schema| schema.get("properties").cloned();
    let mut added = own(parameters_schema::<Shape>()).into_iter().collect::<Vec<_>>();
    if facts.reads_on.is_some() {
        added.extend(own(parameters_schema::<LongShape>()));
    }
    let properties = input.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    if let Some(properties) = properties.as_object_mut() {
        for added in added.into_iter().filter_map(|added| added.as_object().cloned()) {
            properties.extend(added);
        }
        properties.values_mut().for_each(without_null);
    }
    let reads = facts.effect == Effect::Reads;
    let annotations = ToolAnnotations::with_title(facts.title)
        .read_only(reads)
        .destructive(false)
        .idempotent(true)
        .open_world(!reads);
    let tool = Tool::new(operation.name, description, Arc::new(input))
        .with_title(facts.title)
        .with_annotations(annotations);
    if !facts.is_record {
        return tool;
    }
    let mut reply = operation.reply.as_object().cloned().unwrap_or_default();
    reply.shift_remove("description");
    reply.shift_remove("title");
    let properties = reply.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(JsonObject::values_mut).for_each(with_null_apart);
    tool.with_raw_output_schema(Arc::new(reply))
}

/// Says that a field may be null as one of two schemas: some clients know no types of two names.
fn with_null_apart(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let Some(Value::Array(types)) = keywords.get("type") else { return };
    let either: Vec<Value> = types.iter().map(|name| json!({ "type": name })).collect();
    keywords.shift_remove("type");
    keywords.insert("anyOf".to_owned(), Value::Array(either));
}

/// Says of an optional parameter what it is and not that it may be null: a model leaves out what it does
/// not need, and some clients know no types of two names.
fn without_null(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            keywords.insert("type".to_owned(), only);
        }
    }
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.shift_remove("default");
    }
}

impl Tools {
    pub(super) fn new(edge: Arc<Edge>, catalogue: Arc<Catalogue>) -> Self {
        Self { edge, catalogue }
    }

    /// Runs an operation with the arguments of a tool.
    async fn call(
        &self,
        declared: &DeclaredTool,
        arguments: Value,
        caller: Caller,
    ) -> Result<CallToolResult, Failure> {
        let DeclaredTool { operation, facts, .. } = declared;
        let Catalogue { shape, long_shape, .. } = &*self.catalogue;
        let mut faults = Vec::new();
        let valid = checked(operation.validator.validate_value(&arguments), &mut faults);
        let shape = checked(shape.validate_value(&arguments), &mut faults);
        let long_shape = match facts.reads_on {
            Some(_) => checked(long_shape.validate_value(&arguments), &mut faults),
            None => Value::default(),
        };
        if !faults.is_empty() {
            return Err(Failure::Validation(faults));
        }
        let shape: Shape = read(shape)?;
        let read_on = match facts.reads_on {
            Some(_) => read::<LongShape>(long_shape)?.read_on(facts),
            None => None,
        };
        let reply = self.edge.run(operation, caller, valid).await.outcome?;
        replied(&operation.descriptor, facts, &reply, &shape, read_on)
    }
}

fn checked(checked: Result<Value, Vec<Fault>>, faults: &mut Vec<Fault>) -> Value {
    checked.unwrap_or_else(|more| {
        faults.extend(more);
        Value::default()
    })
}

fn read<T: DeserializeOwned>(valid: Value) -> Result<T, Failure> {
    serde_json::from_value(valid).map_err(internal)
}

/// Who calls; put there before the protocol saw the request.
fn caller_of(context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
    let parts = context.extensions.get::<Parts>();
    let caller = parts.and_then(|parts| parts.extensions.get::<Caller>().cloned());
    caller.ok_or_else(|| ErrorData::internal_error("nobody is signed in", None))
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        self.catalogue.config.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.catalogue.tool(name).map(|declared| declared.tool.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.catalogue.tools.iter().map(|declared| declared.tool.clone()).collect();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let started = Instant::now();
        let Some(declared) = self.catalogue.tool(&request.name) else {
            let known = self.catalogue.tools.iter().map(|declared| &*declared.tool.name);
            let known = known.collect::<Vec<_>>().join(", ");
            return Err(ErrorData::invalid_params(
                format!("unknown tool: there are {known}"),
                None,
            ));
        };
        let caller = caller_of(&context)?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let outcome = self.call(declared, arguments, caller).await;
        let status = outcome.as_ref().map_or_else(Failure::status, |_| 200);
        let status = StatusCode::from_u16(status).unwrap_or_default();
        answered(declared.operation.descriptor.name, status, started.elapsed());
        Ok(outcome.unwrap_or_else(|failure| refused(&failure)).into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let guide = Resource::new(GUIDE, "skill-guide")
            .with_title("How to search, read and cite with specbox")
            .with_description("Which tool when, how to ask well, how to cite, and what to do when nothing is found.")
            .with_mime_type(MARKDOWN)
            .with_size(self.catalogue.guide.len() as u64);
        Ok(ListResourcesResult { resources: vec![guide], ..ListResourcesResult::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != GUIDE {
            let data = json!({ "uri": request.uri });
            return Err(ErrorData::resource_not_found("there is no such resource", Some(data)));
        }
        let guide = ResourceContents::text(self.catalogue.guide.clone(), GUIDE);
        Ok(ReadResourceResult::new(vec![guide.with_mime_type(MARKDOWN)]).into())
    }

    // What is not declared is not there; the library would answer with empty lists.

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// Also what has a method of the protocol and parameters that are not its own.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" | "resources/read" | "initialize" => Err(ErrorData::invalid_params(
                "the parameters do not have the form of this method",
                None,
            )),
            method => Err(ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                method.to_owned(),
                None,
            )),
        }
    }
}
