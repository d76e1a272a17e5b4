//! Words of searches: how something was found, and what could not be searched.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What one result of a search represents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ResultGrouping {
    /// A passage.
    #[default]
    Passage,
    /// A section of a document version, with all its matching passages.
    Section,
}

/// How one vector file was searched.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum VectorPlan {
    /// No row is allowed.
    Nothing,
    /// The 8-bit quantized codes of all allowed rows were scored.
    Exact,
    /// The graph was searched.
    Graph,
    /// The binary codes of all allowed rows were scored.
    Signs,
    /// The graph search exceeded its budget; then the binary codes of all allowed rows were scored.
    GraphThenSigns,
}

/// Why a search did not use everything it could.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SearchShortfall {
    /// Some passages have no vectors yet: those are found by their words alone. `coverage` counts them.
    MissingVectors,
    /// The text model is unavailable: all passages are found by their words alone.
    TextModel,
    /// The reranker is unavailable: the results are not reranked.
    Reranker,
    /// The server is busy: the results are not reranked.
    Busy,
}

/// One of the two ways in which meeting documents are searched.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SearchPath {
    /// By meaning.
    Vector,
    /// By exact words.
    Lexical,
}

/// How a passage of a meeting document was found.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum TdocMatch {
    /// By meaning.
    Vector,
    /// By exact words.
    Lexical,
    /// The query names the number of its document.
    TdocId,
}

/// What a passage of a meeting document is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum UnitType {
    /// A numbered proposal.
    Proposal,
    /// A numbered observation.
    Observation,
    /// Other text.
    Body,
}

/// State of the service.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum HealthStatus {
    /// Everything works.
    Ok,
    /// A model is missing, or `faults` lists a problem.
    Degraded,
}
