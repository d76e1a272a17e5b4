//! The state of the service.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::VectorCoverage;
use crate::values::HealthStatus;

/// The version of the interface.
pub const INTERFACE_VERSION: &str = "0.2.0";

/// The example of [`HealthResponse::faults`].
const EXAMPLE_FAULTS: [&str; 1] = ["The disk has only 12 MB left."];

/// The state of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HealthResponse {
    /// State of the service.
    #[schemars(example = &"ok")]
    pub status: HealthStatus,
    /// The version of the interface.
    #[schemars(example = INTERFACE_VERSION)]
    pub version: String,
    /// The models in use.
    pub models: ModelNames,
    /// Number of passages that can be found by meaning; the others are found only by their words.
    #[schemars(extend("x-addition" = true))]
    pub vectors: VectorCoverage,
    /// What has no vectors yet, of any kind; absent if nothing lacks them.
    #[schemars(extend("x-addition" = true))]
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub without_vectors: Option<WithoutVectors>,
    /// State of a replica; absent on other servers.
    #[schemars(extend("x-addition" = true))]
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replica: Option<ReplicaHealth>,
    /// Faults that the operator must fix, one sentence each; absent if there are none.
    #[schemars(extend("x-addition" = true))]
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(example = EXAMPLE_FAULTS)]
    pub faults: Vec<String>,
}

/// What has no vectors yet, and is found only by its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithoutVectors {
    /// Versions of specifications.
    pub documents: u64,
    /// TDocs.
    pub tdocs: u64,
    /// Reports and notes of meetings, for their decisions.
    pub notes: u64,
}

/// State of a replica.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplicaHealth {
    /// The name of its current manifest; null before the first one.
    pub manifest: Option<String>,
    /// When that manifest was created.
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub created_at: Option<String>,
    /// When the depot was last reached.
    #[schemars(example = &"2026-01-31T12:00:30Z")]
    pub checked_at: Option<String>,
    /// Whether the last check of the depot succeeded.
    pub follows: bool,
}

/// The names of the models in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelNames {
    /// The model that embeds text.
    pub text_embedding: String,
    /// The model that embeds figures; `none` if figures are found only by their text.
    pub image_embedding: String,
    /// The model that embeds queries for picture search; `none` if pictures can be compared only with other pictures.
    #[schemars(extend("x-addition" = true))]
    pub image_text_tower: String,
    /// The model that reranks passages.
    pub reranker: String,
}
