//! Parameters of `health`: none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the state of the service, its version, and the models it uses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Health {}
