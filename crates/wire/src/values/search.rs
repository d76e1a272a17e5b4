//! Words of searches: how something was found, and what could not be searched.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What each search result represents.
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
    /// The filters allow no rows.
    Nothing,
    /// The 8-bit quantized codes of all allowed rows were scored.
    Exact,
    /// The graph was searched.
    Graph,
    /// The binary codes of all allowed rows were scored.
    Signs,
    /// The graph search exceeded its budget, so the binary codes of all allowed rows were scored.
    GraphThenSigns,
}

/// Why a search was limited.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SearchShortfall {
    /// Some passages have no vectors yet and are found only by their words. `coverage` counts them.
    MissingVectors,
    /// The text model is unavailable, so all passages are found only by their words.
    TextModel,
    /// The reranker is unavailable, so the results are not reranked.
    Reranker,
    /// The server is busy, so the results are not reranked.
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

/// Kind of passage of a meeting document.
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
