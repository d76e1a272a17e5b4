//! Citations of sections, in both directions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{ReferenceKind, ReferenceTargetStatus};

/// What a section cites and what cites it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceReply {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version whose citations are listed.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// What the section cites, in the order of its text.
    pub cites: Vec<OutgoingReference>,
    /// Number of citations in the section.
    pub cites_total: u64,
    /// How many of these refer to something that does not exist: their `target_status` is `missing`.
    pub cites_missing: u64,
    /// What cites the section: first the document itself, then other documents by number.
    pub cited_by: Vec<IncomingReference>,
    /// Number of citations of the section.
    pub cited_by_total: u64,
}

/// A citation in the section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutgoingReference {
    /// The section that contains it: the requested one or a subsection.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The citation as written.
    #[schemars(example = &"clause 8.1 of TS 38.213 [13]")]
    pub text: String,
    /// The kind of target.
    pub kind: ReferenceKind,
    /// The cited document: a specification number, `RFC 7519`, the text in the list of references, or the label in brackets
    /// if the list does not have it.
    #[schemars(example = &"38.213")]
    pub target_document: String,
    /// The number of the cited clause, annex, table, figure or equation; null for a document.
    #[schemars(example = &"8.1")]
    pub target: Option<String>,
    /// The end of a range, as in "clauses 5.2 to 5.4".
    pub target_end: Option<String>,
    /// The section that contains the target; null if it is not indexed.
    #[schemars(example = &"8.1")]
    pub target_section: Option<String>,
    /// The title of that section.
    pub target_title: Option<String>,
    /// The indexed version: of the same release if there is one, otherwise the newest. Null if the document is not indexed.
    #[schemars(example = &"18.1.0")]
    pub target_version: Option<String>,
    /// Whether the target exists. A citation that is `missing` leads nowhere: it is printed so in the document.
    pub target_status: ReferenceTargetStatus,
    /// The sentence that contains the citation.
    pub sentence: String,
}

/// A citation of the section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IncomingReference {
    /// The citing document.
    #[schemars(example = &"38.300")]
    pub doc_number: String,
    /// The version of the citing document.
    #[schemars(example = &"18.0.0")]
    pub version: String,
    /// The section that contains the citation.
    #[schemars(example = &"7.3.1")]
    pub section_number: String,
    /// The title of that section.
    pub section_title: Option<String>,
    /// The citation as written.
    #[schemars(example = &"TS 38.331 [12], clause 5.3.5")]
    pub text: String,
    /// The kind of target.
    pub kind: ReferenceKind,
    /// The number of the cited clause, annex, table, figure or equation; null for a document.
    #[schemars(example = &"5.3.5")]
    pub target: Option<String>,
    /// The sentence that contains the citation.
    pub sentence: String,
}
