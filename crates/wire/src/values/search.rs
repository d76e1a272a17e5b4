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

/// Which versions of a clause or figure a search returns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum VersionScope {
    /// Every version whose text matches.
    #[default]
    All,
    /// The newest version of each clause or figure that the filters allow; `also_in` lists older ones that match.
    Newest,
}

/// How much each row of a list repeats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum Detail {
    /// Every field of every row.
    #[default]
    Full,
    /// Fields with a value; those that all rows share once for the list.
    Low,
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
