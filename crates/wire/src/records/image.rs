//! Figures: as results of searches, and single ones.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{NameDefinition, TextResult, VectorCoverage};
use crate::values::{DocumentType, SearchShortfall};

/// The figures that an image search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageSearchReply {
    /// The query.
    pub query: String,
    /// The figures, best first.
    pub results: Vec<ImageResult>,
    /// Number of results.
    pub total: usize,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
}

/// The figures that look like a given figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarImagesReply {
    /// The requested document number.
    pub doc_number: String,
    /// The requested version.
    pub version: String,
    /// The requested index.
    pub image_index: i64,
    /// The figures, most similar first; `similarity` is the cosine of the two pictures.
    pub results: Vec<ImageResult>,
    /// Number of results.
    pub total: usize,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
}

/// A figure in search results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageResult {
    /// The index of the figure in the document.
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
    /// The caption of the figure.
    pub caption: Option<String>,
    /// The text immediately before it.
    pub context_before: Option<String>,
    /// The text immediately after it.
    pub context_after: Option<String>,
    /// The path of its picture; null if it could not be drawn.
    #[schemars(example = &"/images/38.331/18.1.0/3")]
    pub image_path: Option<String>,
    /// Similarity to the query, 0 to 1. Half of it is the cosine similarity of the query and the figure text (averaged with that
    /// of the query expanded with technical terms, if any). The other half is the share of the query's words that occur in the
    /// figure text. With an image model that also embeds queries, a matching picture adds up to half of the remaining difference
    /// from 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The labels in the figure (at most 100).
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub labels: Vec<String>,
    /// Other versions that show the same figure.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub also_in: Vec<ImageOccurrence>,
    /// The release of the first later version in which no figure has the caption; only with `versions=newest`.
    #[schemars(extend("x-addition" = true), example = &"Rel-17")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed_since: Option<String>,
}

/// Another occurrence of a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImageOccurrence {
    /// The number of the document.
    pub doc_number: String,
    /// The version of the document.
    pub version: String,
    /// The release of the document.
    pub release: String,
    /// The index of the figure in that version.
    pub id: u64,
    /// The path of its picture; null if it could not be drawn.
    pub image_path: Option<String>,
}

/// The passages and figures that a combined search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CombinedSearchReply {
    /// The query.
    pub query: String,
    /// The passages, best first.
    pub text_results: Vec<TextResult>,
    /// The figures, best first.
    pub image_results: Vec<ImageResult>,
    /// Number of passages.
    pub text_total: usize,
    /// Number of figures.
    pub image_total: usize,
    /// Whether the passages were reranked.
    pub reranked: bool,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
    /// Number of passages that the reranker read before its deadline.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub rerank_scored: usize,
    /// Identifiers, quoted phrases and words of the query that occur in no document.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub unknown_terms: Vec<String>,
    /// How likely it is that the passages contain an answer, 0 to 1; null if not reranked.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Whether the passages probably contain no answer; false says nothing.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub answer_unlikely: bool,
    /// Documents that the query names and that are not indexed; others may cite them.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub missing_documents: Vec<String>,
    /// Why the passage search was limited; empty if it was not.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub degraded: Vec<SearchShortfall>,
    /// Number of passages with vectors; absent if all of them have vectors.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// The best definition of the query, if it is a name that a protocol defines; otherwise absent.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_name: Option<NameDefinition>,
}

/// One figure with its picture, for clients that accept JSON. HTTP serves the picture alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImageRecord {
    /// The number of the document, without TS or TR.
    pub doc_number: String,
    /// The version of the document.
    pub version: String,
    /// The release of the document.
    pub release: String,
    /// The index of the figure in the document.
    pub image_index: u64,
    /// The number of the section that contains it.
    pub section_number: Option<String>,
    /// The caption of the figure.
    pub caption: Option<String>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `image/png`.
    pub mime_type: String,
    /// The bytes of the picture in base64.
    pub data: String,
}
