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
    /// How many results there are.
    pub total: usize,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
}

/// The figures that look like a given one.
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
    /// How many results there are.
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
    /// Its caption.
    pub caption: Option<String>,
    /// The text immediately before it.
    pub context_before: Option<String>,
    /// The text immediately after it.
    pub context_after: Option<String>,
    /// The path of its picture; null if it could not be drawn.
    #[schemars(example = &"/images/38.331/18.1.0/3")]
    pub image_path: Option<String>,
    /// Match with the query, 0 to 1: half of it is the cosine similarity of query and figure text (averaged with that of the
    /// query expanded with technical terms, if any), half the share of the query's words that occur in it. With an image model
    /// that reads texts, a matching picture adds half of what is missing to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// Addition: the words in it, label by label; the first hundred.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Addition: other versions that show the same figure.
    #[serde(default)]
    pub also_in: Vec<ImageOccurrence>,
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
    /// The index of the figure there.
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
    /// How many passages there are.
    pub text_total: usize,
    /// How many figures there are.
    pub image_total: usize,
    /// Whether the passages were reranked.
    pub reranked: bool,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
    /// Addition: how many passages the reranker read before its deadline.
    #[serde(default)]
    pub rerank_scored: usize,
    /// Addition: identifiers, quoted phrases and words of the query that occur in no document.
    #[serde(default)]
    pub unknown_terms: Vec<String>,
    /// Addition: how likely the passages contain an answer, 0 to 1; null if not reranked.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Addition: what the passage search could not use; empty if it used everything.
    #[serde(default)]
    pub degraded: Vec<SearchShortfall>,
    /// Addition, only if some passages have no vectors yet: how many have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// Addition, only if the query is a name that a protocol defines: its best definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub defined_name: Option<NameDefinition>,
}

/// One figure with its picture, for clients that take JSON. HTTP serves the picture alone.
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
    /// Its caption.
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
