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
    /// that reads texts, a matching picture raises the score by up to half of the
    /// difference to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The words in it, by label (at most 100 labels). (Not in the interface specification.)
    #[serde(default)]
    pub labels: Vec<String>,
    /// Other versions that show the same figure. (Not in the interface specification.)
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
    /// How many passages the reranker read before its deadline. (Not in the interface
    /// specification.)
    #[serde(default)]
    pub rerank_scored: usize,
    /// Identifiers, quoted phrases and words of the query that occur in no document. (Not in the
    /// interface specification.)
    #[serde(default)]
    pub unknown_terms: Vec<String>,
    /// How likely the passages contain an answer, 0 to 1; null if not reranked. (Not in the
    /// interface specification.)
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// What the passage search could not use; empty if it used everything. (Not in the interface
    /// specification.)
    #[serde(default)]
    pub degraded: Vec<SearchShortfall>,
    /// How many passages have vectors; absent if all have them. (Not in the interface
    /// specification.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<VectorCoverage>,
    /// The best definition of the query, if it is a name that a protocol defines; otherwise absent.
    /// (Not in the interface specification.)
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
