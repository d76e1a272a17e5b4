//! The MCP handler: operations as tools, the guide as a resource, and nothing else.

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
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::{
    answer::{ListShape, Shape, TextShape, build_tool_error, build_tool_result},
    declared_tool::{DeclaredTool, MAX_ECHOED_CHARS},
    guides::{MARKDOWN_TYPE, server_instructions, skill_guide},
};
use crate::{
    http::{Edge, owner_of, record_request},
    service::{Service, explain_nothing, internal_failure, is_empty_list, operations},
};
use accounts::Caller;
use wire::{
    Failure, Media, OperationDescriptor, Route, ToolEffect, ToolFacts, Validator, parameters_schema,
};

/// The URI of the guide.
const GUIDE_URI: &str = "specbox://skill-guide";

/// What the protocol serves; built once, for all clients.
pub(super) struct ToolCatalogue {
    tools: Vec<DeclaredTool>,
    config: ServerConfig,
    guide: String,
}

/// Handles the requests of the protocol; cloned for each.
#[derive(Clone)]
pub(super) struct McpHandler {
    edge: Arc<Edge>,
    catalogue: Arc<ToolCatalogue>,
}

impl ToolCatalogue {
    pub(super) fn new(base_url: &str) -> Self {
        let declared = operations().iter().filter_map(|operation| {
            let facts = operation.descriptor.tool?;
            let shapes = build_shape_schemas(&operation.descriptor, &facts);
            let tool = describe_tool(&operation.descriptor, &facts, &shapes);
            Some(DeclaredTool { operation, facts, tool, shapes })
        });
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let server = Implementation::new("specbox", env!("CARGO_PKG_VERSION"))
            .with_title("specbox: telecom standards")
            .with_website_url(base_url);
        Self {
            tools: declared.collect(),
            config: ServerConfig::new(capabilities)
                .with_server_info(server)
                .with_instructions(server_instructions(base_url)),
            guide: skill_guide(base_url),
        }
    }

    fn find_tool(&self, name: &str) -> Option<&DeclaredTool> {
        self.tools.iter().find(|declared| declared.tool.name == name)
    }
}

/// Marks what is not in the interface specification.
const ADDITION: &str = "x-addition";
/// A larger reply is parsed and shortened on a blocking thread: on this one it would delay other clients.
const MAX_INLINE_REPLY_BYTES: usize = 64 << 10;

/// Faults in the arguments that a tool adds are reported as faults in a body.
const SHAPE_ROUTE: Route = Route::post("/");

/// The arguments that a tool adds: how long its answer may be, and where its lists and texts begin.
fn build_shape_schemas(
    operation: &OperationDescriptor,
    facts: &ToolFacts,
) -> Vec<(Schema, Validator)> {
    fn compile_shape<T: JsonSchema>() -> (Schema, Validator) {
        let validator = Validator::from_route::<T>(&SHAPE_ROUTE).expect("plain numbers compile");
        (parameters_schema::<T>(), validator)
    }
    let mut shapes = vec![compile_shape::<Shape>()];
    if operation.media == Media::Json && !facts.is_record {
        shapes.push(compile_shape::<ListShape>());
    }
    if facts.continuable_field.is_some() {
        shapes.push(compile_shape::<TextShape>());
    }
    shapes
}

/// A tool as clients see it.
fn describe_tool(
    operation: &OperationDescriptor,
    facts: &ToolFacts,
    shapes: &[(Schema, Validator)],
) -> Tool {
    let description = format!("{}\n\n{}", operation.description, facts.advice);
    let mut input = standard_keywords(&operation.params);
    // The tool has a title and a description of its own.
    input.shift_remove("description");
    input.shift_remove("title");
    let properties = input.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    if let Some(properties) = properties.as_object_mut() {
        let own = shapes.iter().filter_map(|(schema, _)| schema.get("properties")?.as_object());
        for (name, schema) in own.flatten() {
            let hidden = properties.insert(name.clone(), schema.clone());
            assert!(hidden.is_none(), "{} has a parameter {name} of its own", operation.name);
        }
        properties.values_mut().for_each(drop_null_type);
    }
    let reads = facts.effect == ToolEffect::Reads;
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
    let mut reply = standard_keywords(&operation.reply);
    reply.shift_remove("description");
    reply.shift_remove("title");
    let properties = reply.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(JsonObject::values_mut).for_each(split_nullable_type);
    tool.with_raw_output_schema(Arc::new(reply))
}

/// A schema without the keywords that are not of JSON Schema: some clients do not support them.
fn standard_keywords(schema: &Schema) -> JsonObject {
    fn drop_additions(schema: &mut Value) {
        match schema {
            Value::Object(keywords) => {
                keywords.shift_remove(ADDITION);
                keywords.values_mut().for_each(drop_additions);
            }
            Value::Array(schemas) => schemas.iter_mut().for_each(drop_additions),
            _ => {}
        }
    }
    let mut keywords = schema.as_object().cloned().unwrap_or_default();
    keywords.values_mut().for_each(drop_additions);
    keywords
}

/// Describes a nullable field by `anyOf`: some clients do not support a list of types.
fn split_nullable_type(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    let Some(Value::Array(types)) = keywords.get("type") else { return };
    let alternatives: Vec<Value> = types.iter().map(|name| json!({ "type": name })).collect();
    keywords.shift_remove("type");
    keywords.insert("anyOf".to_owned(), Value::Array(alternatives));
}

/// Describes an optional parameter without its null type: a model leaves out what it does not need, and
/// some clients do not support a list of types.
fn drop_null_type(schema: &mut Value) {
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
    let inner = keywords.get_mut("properties").and_then(Value::as_object_mut);
    inner.into_iter().flat_map(JsonObject::values_mut).for_each(drop_null_type);
}

/// Arguments without those that are null: several clients send each optional parameter that a model left out as null.
fn without_nulls(arguments: JsonObject) -> Value {
    let given = arguments.into_iter().filter(|(_, value)| !value.is_null());
    let given = given.map(|(name, value)| match value {
        Value::Object(inner) => (name, without_nulls(inner)),
        value => (name, value),
    });
    Value::Object(given.collect())
}

impl McpHandler {
    pub(super) fn new(edge: Arc<Edge>, catalogue: Arc<ToolCatalogue>) -> Self {
        Self { edge, catalogue }
    }

    /// Runs an operation with the arguments of a tool.
    async fn call_operation(
        &self,
        declared: &DeclaredTool,
        arguments: Value,
        unknown: Option<String>,
        parts: &Parts,
    ) -> Result<CallToolResult, Failure> {
        let DeclaredTool { operation, facts, .. } = declared;
        let caller = parts.extensions.get::<Caller>().cloned();
        let caller = caller.ok_or_else(|| internal_failure("a request without a caller"))?;
        // Pictures are free of charge: each address has the same limits as over REST.
        let _permit = match operation.descriptor.media {
            Media::Png => Some(self.edge.admit_picture(parts)?),
            Media::Json => None,
        };
        let owner = owner_of(&caller);
        let arguments = declared.validate_arguments(&arguments)?;
        let parameters = arguments.parameters.clone();
        let reply = self.edge.run_operation(operation, caller, parameters).await.outcome?;
        let (operation, facts) = (*operation, *facts);
        let unknown = match unknown {
            None if is_empty_list(&reply) => {
                explain_nothing(self.edge.service(), &arguments.parameters)?
            }
            other => other,
        };
        if reply.len() <= MAX_INLINE_REPLY_BYTES {
            return build_tool_result(operation, &facts, &reply, &arguments, unknown);
        }
        let work =
            move |_: &Service| build_tool_result(operation, &facts, &reply, &arguments, unknown);
        self.edge.run_blocking(owner, work).await
    }
}

impl ServerHandler for McpHandler {
    fn get_info(&self) -> ServerConfig {
        self.catalogue.config.clone()
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.catalogue.find_tool(name).map(|declared| declared.tool.clone())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let service = self.edge.service();
        let available = self.catalogue.tools.iter();
        let available = available.filter(|declared| declared.operation.is_available(service));
        let tools = available.map(|declared| declared.tool.clone()).collect();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let started = Instant::now();
        let Some(declared) = self.catalogue.find_tool(&request.name) else {
            let known = self.catalogue.tools.iter().map(|declared| &*declared.tool.name);
            let known = known.collect::<Vec<_>>().join(", ");
            let name: String = request.name.chars().take(MAX_ECHOED_CHARS).collect();
            let message = format!("unknown tool '{name}'; known tools: {known}");
            return Err(ErrorData::invalid_params(message, None));
        };
        let Some(parts) = context.extensions.get::<Parts>() else {
            return Err(ErrorData::internal_error("a request without a head", None));
        };
        let arguments = without_nulls(request.arguments.unwrap_or_default());
        let unknown = declared.describe_unknown(&arguments);
        let outcome = self.call_operation(declared, arguments, unknown.clone(), parts).await;
        let status = outcome.as_ref().map_or_else(Failure::status, |_| 200);
        let status = StatusCode::from_u16(status).unwrap_or_default();
        record_request(declared.operation.descriptor.name, status, started.elapsed());
        Ok(outcome.unwrap_or_else(|failure| build_tool_error(&failure, unknown)).into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let guide = Resource::new(GUIDE_URI, "skill-guide")
            .with_title("How to search, read and cite with specbox")
            .with_description(
                "Which tool to use, how to search and cite, and what to do if nothing is found.",
            )
            .with_mime_type(MARKDOWN_TYPE)
            .with_size(self.catalogue.guide.len() as u64);
        Ok(ListResourcesResult { resources: vec![guide], ..ListResourcesResult::default() })
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != GUIDE_URI {
            let data = json!({ "uri": request.uri });
            return Err(ErrorData::resource_not_found("unknown resource", Some(data)));
        }
        let guide = ResourceContents::text(self.catalogue.guide.clone(), GUIDE_URI);
        Ok(ReadResourceResult::new(vec![guide.with_mime_type(MARKDOWN_TYPE)]).into())
    }

    // Undeclared capabilities are errors; by default rmcp would answer with empty lists.

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

    /// Also gets requests of a known method whose parameters do not parse.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" | "resources/read" => {
                Err(ErrorData::invalid_params("invalid parameters for this method", None))
            }
            method => Err(ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                method.to_owned(),
                None,
            )),
        }
    }
}
