//! The state of the service.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VectorCoverage;
use crate::values::HealthStatus;

/// The version of the interface.
pub const INTERFACE_VERSION: &str = "0.2.0";

/// The state of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HealthResponse {
    /// How the service is.
    #[schemars(example = &"ok")]
    pub status: HealthStatus,
    /// The version of the interface.
    #[schemars(example = INTERFACE_VERSION)]
    pub version: String,
    /// The models in use.
    pub models: ModelNames,
    /// Addition: how many passages can be found by their meaning; the others are found by their words.
    pub vectors: VectorCoverage,
    /// Addition: how far a replica is; not of other servers.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replica: Option<ReplicaHealth>,
    /// Addition: what the operator must look after, one sentence each; absent where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(example = &["The disk has only 12 MB left."])]
    pub faults: Vec<String>,
}

/// How far a replica is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaHealth {
    /// The name of the list of packs that it has; null before the first one.
    pub manifest: Option<String>,
    /// When that list was made.
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub created_at: Option<String>,
    /// When the source was last reached.
    #[schemars(example = &"2026-01-31T12:00:30Z")]
    pub checked_at: Option<String>,
    /// Whether the last look at the source succeeded.
    pub follows: bool,
}

/// The names of the models in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelNames {
    /// The model that embeds text.
    pub text_embedding: String,
    /// The model that embeds figures; `none` where they are found by their texts alone.
    pub image_embedding: String,
    /// Addition: the model that puts a query among the pictures of figures; `none` where pictures
    /// are compared with pictures only.
    pub image_text_tower: String,
    /// The model that reranks passages.
    pub reranker: String,
}
