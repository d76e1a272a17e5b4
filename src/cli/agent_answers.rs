//! What answers agents in the process that holds the data folder.

use std::sync::{Arc, OnceLock};

use crate::{
    control::{AgentRequest, AnswerAgent},
    mcp::{OwnerEndpoint, ToolProfile},
    service::Service,
};

/// Answers the requests of agents on this machine. The tools are described once the first agent asks: few commands are asked by one.
pub(super) fn answer_agents(service: &Arc<Service>) -> AnswerAgent {
    let service = service.clone();
    let endpoint = OnceLock::new();
    Arc::new(move |request: &AgentRequest| {
        let endpoint = endpoint.get_or_init(|| OwnerEndpoint::new(service.clone()));
        // A process of another version may have passed a name on that this one does not know.
        let profile = match request.tools.parse::<ToolProfile>() {
            Ok(profile) => profile,
            Err(error) => return OwnerEndpoint::refuse_request(&request.message, &error),
        };
        let revision = request.revision.as_deref();
        let answer = endpoint.answer_request(&request.message, revision, profile);
        match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime.block_on(answer),
            Err(error) => OwnerEndpoint::refuse_request(&request.message, &error.to_string()),
        }
    })
}
