//! Parameters of `list_documents` and `get_document`.

use super::defaults;
use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The largest ID: those of versions that are not indexed begin above the 32 bits of the others, and are exact in JSON.
const MAX_DOCUMENT_ID: i64 = (1 << 53) - 1;

/// Lists the indexed document versions.
///
/// Filters combine. Without filters, all versions are listed. Results are sorted by document number, newest version first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListDocuments {
    /// Only the document with this number, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only documents of this release.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Only documents of this series, or of several, such as `36,38`.
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
    /// Whether to list what is indexed. If false: the published versions that the configured source lists and that are not
    /// indexed, as far as the source was read, with `listing`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default = "defaults::yes")]
    pub indexed: bool,
}

impl Default for ListDocuments {
    fn default() -> Self {
        Self {
            doc_number: None,
            release: None,
            series: None,
            doc_type: None,
            limit: None,
            cursor: None,
            indexed: true,
        }
    }
}

/// Returns the record of one document version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetDocument {
    /// The ID of the document version, from a list of documents.
    #[schemars(example = 12, extend("x-minimum" = 0, "x-maximum" = MAX_DOCUMENT_ID))]
    pub document_id: i64,
}

impl OperationDeclaration for ListDocuments {
    const NAME: &'static str = "list_documents";
    const ROUTE: Route = Route::get("/documents");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List indexed documents",
        group: ToolGroup::Specs,
        in_read_profile: true,
        advice: "Use this to see which documents, versions and releases are indexed. Use a filter: without filters, \
            the list is long. To find a document by its subject, use search_text.",
        rest: "Narrow the list with doc_number, release, series or doc_type, or continue after the last document \
            with cursor.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const STATUSES: &'static [u16] = &[400];
    const ANSWERS: &'static str = "indexed document versions";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "nothing yet: you want the indexed documents and versions",
        "`list_documents`, `GET /documents?doc_number=38.331`; one of them by its `id`: `get_document`, `GET /documents/17`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "release": "Rel-19"}"#;
    type Reply = records::DocumentList;
}

impl OperationDeclaration for GetDocument {
    const NAME: &'static str = "get_document";
    const ROUTE: Route = Route::get("/documents/{document_id}");
    const STATUSES: &'static [u16] = &[202, 404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a document's record",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this when you have the ID of a document version from list_documents. For its content, use \
            list_sections and get_sections.",
        rest: "A record is never shortened.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: true,
    });
    const ANSWERS: &'static str = "one indexed document version";
    const EXAMPLE: &'static str = r#"{"document_id": 10}"#;
    type Reply = records::DocumentInfo;
}
