//! Passages as results of searches.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NameDefinition;
use crate::values::{DocumentType, PassageContentType, SearchShortfall, VectorPlan};

/// The passages that a text search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextSearchReply {
    /// The query.
    pub query: String,
    /// The passages, best first.
    pub results: Vec<TextResult>,
    /// Number of results.
    pub total: usize,
    /// Whether they were reranked.
    pub reranked: bool,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
    /// Number of candidates that the reranker read before its deadline; the others are ordered by their word and vector scores.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub rerank_scored: usize,
    /// Identifiers, quoted phrases and words of the query that occur in no document. If there are any, the query may be about
    /// something that does not exist.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub unknown_terms: Vec<String>,
    /// How likely it is that the results contain an answer, 0 to 1; null if not reranked.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Whether the results probably contain no answer. It is true only where at least nine of ten such questions had none when
    /// this was measured; false says nothing.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub answer_unlikely: bool,
    /// Documents that the query names and that are not indexed; others may cite them.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub missing_documents: Vec<String>,
    /// Why the search was limited; empty if it was not.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub degraded: Vec<SearchShortfall>,
    /// Number of passages with vectors; absent if all of them have vectors.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// How each vector file was searched; absent if not requested.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<Vec<VectorSearch>>,
    /// The best definition of the query, if it is a name that a protocol defines; otherwise absent. Use `lookup_name` for the
    /// others.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_name: Option<NameDefinition>,
}

/// Number of passages that can be found by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorCoverage {
    /// Number of distinct passages in the searched documents.
    pub passages: u64,
    /// Number of passages with vectors; until the others have vectors, they are found only by their words.
    pub with_vectors: u64,
}

/// How one vector file was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VectorSearch {
    /// How it was searched.
    pub plan: VectorPlan,
    /// Number of rows of the file.
    pub rows: u32,
    /// Number of rows that the filters allowed.
    pub allowed: u32,
    /// Number of rows whose binary codes were scored.
    pub signs_scored: u64,
    /// Number of rows whose 8-bit quantized codes were scored.
    pub codes_scored: u64,
    /// Number of rows whose exact cosine was computed.
    pub rescored: u64,
}

/// A passage in search results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TextResult {
    /// The ID of the passage; it changes when its document is read again.
    pub id: u64,
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The document type.
    #[schemars(example = &"TS")]
    pub doc_type: DocumentType,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release of the document.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The number of the section that contains it.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// The title of that section.
    pub section_title: Option<String>,
    /// For a section without a number, such as an information element of TS 38.331, the nearest numbered clause, for citation.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The passage.
    pub content: String,
    /// The kind of content.
    #[schemars(example = &"text")]
    pub content_type: Option<PassageContentType>,
    /// The cosine similarity of the passage and the headings above it to the query, 0 to 1; 0 if the passage has no vector yet.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The probability that the passage answers the query, 0 to 1; null if not reranked.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance_score: Option<f64>,
    /// False if the reranker did not read the passage: `relevance_score` is then what the first stage makes of its meaning and
    /// words. Absent if it was read, or if nothing was reranked.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranked: Option<bool>,
    /// The text of the whole section; null if not requested.
    pub section_text: Option<String>,
    /// The length of that section in tokens.
    pub section_token_count: Option<u64>,
    /// Other versions that contain the same passage; with `collapse_versions`, other matching passages of the same clause; with
    /// `versions=newest`, versions in which the clause matches, perhaps with another text.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub also_in: Vec<Occurrence>,
    /// The release since which the clause has this passage, if an older version that the filters allow has another text; only
    /// with `versions=newest`.
    #[schemars(extend("x-addition" = true), example = &"Rel-16")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs_since: Option<String>,
    /// The release of the first later version that has no such clause, by number and title, and has its text nowhere; only with
    /// `versions=newest`. The result is then the last version with the clause.
    #[schemars(extend("x-addition" = true), example = &"Rel-17")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_since: Option<String>,
    /// The other matching passages of the section, best first; only with `group_by`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_passages: Option<Vec<FoundPassage>>,
}

/// Another matching passage of the section of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FoundPassage {
    /// The ID of the passage.
    pub id: u64,
    /// The passage.
    pub content: String,
    /// The kind of content.
    pub content_type: PassageContentType,
    /// The cosine similarity of the passage and the headings above it to the query, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The probability that the passage answers the query, 0 to 1; null if not reranked.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub relevance_score: Option<f64>,
    /// False if the reranker did not read the passage: `relevance_score` is then what the first stage makes of its meaning and
    /// words. Absent if it was read, or if nothing was reranked.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranked: Option<bool>,
}

/// Another occurrence of a passage.
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
