//! MCP for the owner of the data folder: one request at a time, without a connection, a key or an allowance.
//!
//! The process that holds the folder answers, whichever process the agent speaks to (`src/cli/agent`).

use std::sync::Arc;

use rmcp::{
    model::{
        ClientCapabilities, ClientJsonRpcMessage, Implementation, InitializeRequestParams,
        ProtocolVersion,
    },
    service::serve_directly,
    transport::OneshotTransport,
};
use serde_json::Value;

use super::{
    call_origin::CallOrigin,
    profiles::ToolProfile,
    rpc_error::{INTERNAL_ERROR, INVALID_REQUEST, rpc_error_message},
    tools::{McpHandler, ToolCatalogue},
};
use crate::service::Service;

/// Answers the requests of agents on this machine.
pub struct OwnerEndpoint {
    handler: McpHandler,
}

impl OwnerEndpoint {
    /// Over a service whose address is known.
    pub fn new(service: Arc<Service>) -> Self {
        let catalogue = Arc::new(ToolCatalogue::new(service.address.base_url()));
        Self { handler: McpHandler::new(CallOrigin::Owner(service), catalogue) }
    }

    /// Answers a request; `revision` is what `initialize` agreed upon, if that came before. Needs an asynchronous runtime around
    /// it, whose thread does the work.
    pub async fn answer_request(
        &self,
        request: &Value,
        revision: Option<&str>,
        profile: ToolProfile,
    ) -> Value {
        let id = request.get("id").cloned().unwrap_or_default();
        let message = serde_json::from_value(request.clone());
        let Ok(message @ ClientJsonRpcMessage::Request(_)) = message else {
            return rpc_error_message(id, INVALID_REQUEST, "This is not an MCP request.");
        };
        let revision = requested_revision(request).or(revision);
        let client =
            InitializeRequestParams::new(ClientCapabilities::default(), Implementation::default());
        let client = match revision.and_then(parse_revision) {
            Some(revision) => client.with_protocol_version(revision),
            None => client,
        };
        let (transport, mut replies) = OneshotTransport::new(message);
        let _running = serve_directly(self.handler.with_profile(profile), transport, Some(client));
        let reply = replies.recv().await.and_then(|reply| serde_json::to_value(reply).ok());
        reply.unwrap_or_else(|| {
            rpc_error_message(id, INTERNAL_ERROR, "The request was not answered.")
        })
    }

    /// The answer to a request that cannot be answered.
    pub fn refuse_request(request: &Value, message: &str) -> Value {
        let id = request.get("id").cloned().unwrap_or_default();
        rpc_error_message(id, INTERNAL_ERROR, message)
    }
}

/// The revision that `initialize` asks for.
fn requested_revision(request: &Value) -> Option<&str> {
    request.pointer("/params/protocolVersion")?.as_str()
}

fn parse_revision(text: &str) -> Option<ProtocolVersion> {
    serde_json::from_value(text.into()).ok()
}
