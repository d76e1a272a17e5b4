//! Parameters of `health`: none.

use schemars::JsonSchema;
use serde::Deserialize;

/// Tells whether the service is well, its version, and the models it uses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Health {}
