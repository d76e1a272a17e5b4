//! Parameters of `list_documents` and `get_document`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lists the indexed document versions.
///
/// Filters combine. Without filters, all versions are listed. Results are sorted by document number, newest version first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListDocuments {
    /// Only the document with this number, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only documents of this release.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Only documents of this series.
    #[serde(default)]
    #[schemars(example = &"38")]
    pub series: Option<String>,
    /// Only documents of this type, `TS` or `TR`.
    #[serde(default)]
    #[schemars(example = &"TS")]
    pub doc_type: Option<String>,
    /// Maximum number of documents to return. Default: all.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 1, max = 10_000), example = 1_000)]
    pub limit: Option<u32>,
    /// Where to continue: `doc_number` and `version` of the last document on the previous page, separated by a slash.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(length(max = 100), example = &"38.331/18.3.0")]
    pub cursor: Option<String>,
}

/// Returns the record of one document version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetDocument {
    /// The ID of the document version, from a list of documents.
    #[schemars(example = 12, extend("x-minimum" = 0, "x-maximum" = u32::MAX))]
    pub document_id: i64,
}
