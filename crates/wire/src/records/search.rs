//! Passages as results of searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NameDefinition;
use crate::values::{DocumentType, PassageContentType, SearchShortfall, VectorPlan};

/// The passages that a text search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextSearchReply {
    /// The query as it was given.
    pub query: String,
    /// The passages, best first.
    pub results: Vec<TextResult>,
    /// How many results there are.
    pub total: usize,
    /// Whether they were reranked.
    pub reranked: bool,
    /// Milliseconds that the service took.
    pub elapsed_ms: f64,
    /// Addition: how many candidates the reranker read before its deadline; the others are ordered
    /// by the evidence of words and vectors.
    #[serde(default)]
    pub rerank_scored: usize,
    /// Addition: identifiers, quoted phrases and words of the query that occur in no document. A
    /// query that has any may be about a thing that does not exist.
    #[serde(default)]
    pub unknown_terms: Vec<String>,
    /// Addition: how likely the results hold an answer, 0 to 1; null when not reranked.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Addition: why the search did not use all that it could; empty where it did.
    #[serde(default)]
    pub degraded: Vec<SearchShortfall>,
    /// Addition, only where passages have no vectors yet: how many do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// Addition, only where asked for: how each vector file was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<Vec<VectorSearch>>,
    /// Addition, only where the query is a name that a protocol defines: its best definition. `lookup_name` has the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_name: Option<NameDefinition>,
}

/// How many passages can be found by their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorCoverage {
    /// Different passages of the documents that were searched.
    pub passages: u64,
    /// Those with vectors; the others are found by their words until they have some.
    pub with_vectors: u64,
}

/// How one vector file was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorSearch {
    /// How it was searched.
    pub plan: VectorPlan,
    /// Rows of the file.
    pub rows: u32,
    /// Rows that the filters allowed.
    pub allowed: u32,
    /// Rows whose signs were scored.
    pub signs_scored: u64,
    /// Rows whose 8-bit codes were scored.
    pub codes_scored: u64,
    /// Rows that got their exact cosine.
    pub rescored: u64,
}

/// One found passage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextResult {
    /// The id of the passage; it changes when its document is extracted anew.
    pub id: u64,
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// What the document is.
    #[schemars(example = &"TS")]
    pub doc_type: DocumentType,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release of the document.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The number of the section it stands in.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// The title of that section.
    pub section_title: Option<String>,
    /// Addition: for a section without a number, such as an information element of TS 38.331, the nearest clause
    /// with one, by which it can be cited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The passage.
    pub content: String,
    /// What the passage consists of.
    #[schemars(example = &"text")]
    pub content_type: Option<PassageContentType>,
    /// The cosine similarity of the passage and the headings above it to the query, 0 to 1; 0 where the passage has no
    /// vector yet.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The probability that the passage answers the query, 0 to 1; null when not reranked.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance_score: Option<f64>,
    /// The text of the whole section; null when not asked for.
    pub section_text: Option<String>,
    /// The length of that section in tokens.
    pub section_token_count: Option<u64>,
    /// Addition: other versions that hold the same passage, or with `collapse_versions` other
    /// found passages of the same clause.
    #[serde(default)]
    pub also_in: Vec<Occurrence>,
    /// Addition, only with `group_by`: the other found passages of the section, best first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_passages: Option<Vec<FoundPassage>>,
}

/// Another found passage of the section of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundPassage {
    /// The id of the passage.
    pub id: u64,
    /// The passage.
    pub content: String,
    /// What the passage consists of.
    pub content_type: PassageContentType,
    /// The cosine similarity of the passage and the headings above it to the query, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The probability that the passage answers the query, 0 to 1; null when not reranked.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance_score: Option<f64>,
}

/// Where else a passage stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Occurrence {
    /// The number of the document.
    pub doc_number: String,
    /// The version of the document.
    pub version: String,
    /// The release of the document.
    pub release: String,
    /// The number of the section there.
    pub section_number: Option<String>,
}
