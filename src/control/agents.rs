//! Requests of agents that started a specbox process and speak to it: the one that holds the data folder answers them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request of the protocol that agents speak, and what the process that passes it on knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRequest {
    /// The request, as the agent sent it.
    pub message: Value,
    /// The revision of the protocol that the agent and the process agreed upon; none before that, and where each request names
    /// its own.
    pub revision: Option<String>,
    /// The tools that the agent chose, as `specbox mcp --tools` takes them.
    pub tools: String,
}

/// What answers them: the protocol belongs to a higher module.
pub type AnswerAgent = Arc<dyn Fn(&AgentRequest) -> Value + Send + Sync>;

impl AgentRequest {
    /// Whether the request can be repeated: everything but a fetch only reads.
    pub(super) fn only_asks(&self) -> bool {
        self.message.pointer("/params/name").and_then(Value::as_str) != Some("fetch_tdoc")
    }
}
