//! Parameters of `health`: none.

use crate::{OperationDeclaration, Route, ToolFacts, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the state of the service, its version, and the models it uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Health {}

impl OperationDeclaration for Health {
    const NAME: &'static str = "health";
    const ROUTE: Route = Route::get("/health");
    const OPEN: bool = true;
    const METERED: bool = false;
    const TOOL: Option<ToolFacts> = None;
    const ANSWERS: &'static str = "`ok`, or `degraded` if a model is missing or the operator must solve a problem (`faults`); interface version, models";
    type Reply = records::HealthResponse;
}
