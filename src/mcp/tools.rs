//! The MCP handler: operations as tools; sections and the guide as resources; prompts, and completion of arguments.

use std::{sync::Arc, time::Instant};

use axum::http::{StatusCode, request::Parts};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
        CompleteResult, CustomRequest, CustomResult, Extensions, GetPromptRequestParams,
        GetPromptResponse, Implementation, JsonObject, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::Value;

use super::{
    answer::{ToolNotes, build_tool_error, build_tool_result},
    call_origin::CallOrigin,
    completion::complete_argument,
    declared_tool::{DeclaredTool, MAX_ECHOED_CHARS},
    guides::{MARKDOWN_TYPE, server_instructions, skill_guide},
    profiles::ToolProfile,
    prompts::{get_prompt, list_prompts},
    resources::{GUIDE_URI, list_resources, list_templates, read_section},
    tool_finder::{FIND_TOOL, FinderOutcome, describe_finder, find_tool},
    tool_schema::{build_shape_schemas, describe_tool},
};
use crate::{
    http::record_request,
    service::{OperationReply, Service, may_call, operations},
};
use accounts::Caller;
use wire::Failure;

/// What the protocol serves; built once, for all clients.
pub(super) struct ToolCatalogue {
    tools: Vec<DeclaredTool>,
    finder: Tool,
    config: ServerConfig,
    guide: String,
}

/// Handles the requests of the protocol; cloned for each.
#[derive(Clone)]
pub(super) struct McpHandler {
    origin: CallOrigin,
    catalogue: Arc<ToolCatalogue>,
    profile: ToolProfile,
}

impl ToolCatalogue {
    pub(super) fn new(base_url: &str) -> Self {
        let declared = operations().iter().filter_map(|operation| {
            let facts = operation.descriptor.tool?;
            let shapes = build_shape_schemas(&operation.descriptor, &facts);
            let tool = describe_tool(&operation.descriptor, &facts, &shapes);
            Some(DeclaredTool { operation, facts, tool, shapes })
        });
        let tools: Vec<DeclaredTool> = declared.collect();
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_prompts()
            .enable_resources()
            .enable_tools()
            .build();
        let server = Implementation::new("specbox", env!("CARGO_PKG_VERSION"))
            .with_title("specbox: telecom standards")
            .with_website_url(base_url);
        Self {
            finder: describe_finder(&tools),
            tools,
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

/// A larger reply is parsed and shortened on a blocking thread: on this one it would delay other clients.
const MAX_INLINE_REPLY_BYTES: usize = 64 << 10;

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
    pub(super) fn new(origin: CallOrigin, catalogue: Arc<ToolCatalogue>) -> Self {
        Self { origin, catalogue, profile: ToolProfile::EVERY_TOOL }
    }

    /// The same for requests whose address does not name a profile.
    pub(super) fn with_profile(&self, profile: ToolProfile) -> Self {
        Self { profile, ..self.clone() }
    }

    /// The profile that the address of a request names.
    fn profile_of(&self, context: &RequestContext<RoleServer>) -> ToolProfile {
        let parts = context.extensions.get::<Parts>();
        let named = parts.and_then(|parts| parts.extensions.get::<ToolProfile>());
        named.copied().unwrap_or(self.profile)
    }

    /// The tools that the caller may use, and that can answer with the models that are there.
    fn offered_tools(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> impl Iterator<Item = &DeclaredTool> {
        let caller = context.extensions.get::<Parts>();
        let caller = caller.and_then(|parts| parts.extensions.get::<Caller>()).cloned();
        let service = self.origin.service();
        self.catalogue.tools.iter().filter(move |DeclaredTool { operation, .. }| {
            operation.is_available(service)
                && caller.as_ref().is_none_or(|caller| may_call(caller, operation.descriptor.name))
        })
    }

    /// Runs an operation with the arguments of a tool.
    async fn call_operation(
        &self,
        declared: &DeclaredTool,
        arguments: Value,
        unknown: Option<String>,
        extensions: &Extensions,
    ) -> Result<CallToolResult, Failure> {
        let DeclaredTool { operation, facts, .. } = declared;
        let call = self.origin.admit_call(extensions, operation.descriptor.media)?;
        let arguments = declared.validate_arguments(&arguments)?;
        let parameters = arguments.parameters.clone();
        let OperationReply { outcome, diagnosis, .. } =
            call.run_operation(operation, parameters).await;
        let reply = outcome?;
        let (operation, facts) = (*operation, *facts);
        let notes = ToolNotes { unknown, diagnosis };
        if reply.len() <= MAX_INLINE_REPLY_BYTES {
            return build_tool_result(operation, &facts, &reply, &arguments, notes);
        }
        let work =
            move |_: &Service| build_tool_result(operation, &facts, &reply, &arguments, notes);
        call.run_blocking(work).await
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
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let profile = self.profile_of(&context);
        let shown = self.offered_tools(&context);
        let shown = shown.filter(|declared| profile.shows(&declared.facts));
        let shown = shown.map(|declared| declared.as_shown_in(profile));
        let finder = profile.has_finder().then(|| self.catalogue.finder.clone());
        let tools = shown.chain(finder).collect();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let started = Instant::now();
        let profile = self.profile_of(&context);
        let (mut name, mut arguments) =
            (request.name.into_owned(), request.arguments.unwrap_or_default());
        if name == FIND_TOOL && profile.has_finder() {
            let tools: Vec<_> = self.offered_tools(&context).collect();
            match find_tool(&tools, arguments) {
                FinderOutcome::Answer(result) => return Ok(result.into()),
                FinderOutcome::Call(called, given) => (name, arguments) = (called, given),
            }
        }
        let Some(declared) = self.catalogue.find_tool(&name) else {
            let known = self.catalogue.tools.iter().map(|declared| &*declared.tool.name);
            let known = known.collect::<Vec<_>>().join(", ");
            let name: String = name.chars().take(MAX_ECHOED_CHARS).collect();
            let message = format!("unknown tool '{name}'; known tools: {known}");
            return Err(ErrorData::invalid_params(message, None));
        };
        let mut arguments = without_nulls(arguments);
        profile.fill_defaults(&mut arguments, |parameter| declared.has_argument(parameter));
        let unknown = declared.describe_unknown(&arguments);
        let (asked, extensions) = (unknown.clone(), &context.extensions);
        let outcome = self.call_operation(declared, arguments, asked, extensions).await;
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
        Ok(list_resources(&self.catalogue.guide))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(list_templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != GUIDE_URI {
            let read = read_section(&self.origin, &context.extensions, &request.uri).await;
            return read.map(ReadResourceResponse::from);
        }
        let guide = ResourceContents::text(self.catalogue.guide.clone(), GUIDE_URI);
        Ok(ReadResourceResult::new(vec![guide.with_mime_type(MARKDOWN_TYPE)]).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(list_prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        get_prompt(&request.name, request.arguments.as_ref()).map(GetPromptResponse::from)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        complete_argument(&self.origin, &context.extensions, request).await
    }

    /// Also gets requests of a known method whose parameters do not parse.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match request.method.as_str() {
            "tools/call" | "resources/read" | "prompts/get" | "completion/complete" => {
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
