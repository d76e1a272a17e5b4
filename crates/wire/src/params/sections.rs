//! Parameters of `get_sections` and `list_sections`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the text of sections by section number.
///
/// Section numbers repeat across documents, so add `doc_number`. If nothing matches, the list is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetSections {
    /// The section number: `5.3.5`, `5.3.5.13a`, `A` or `B.2.1`.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The document number, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only this version, or `latest`. Default: all versions.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// Only versions of this release. Default: all releases.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Whether to include subsections.
    #[serde(default)]
    pub prefix: bool,
    /// Only the part about this, in `parts`, without the rest of the text: a name (`T310`), a number (`#62`, `cause 62`), the
    /// label of a list item (`5>`), a table (`Table 7.1-1`), other words, or the anchor of a part (`p2.7`).
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), example = &"T310")]
    pub around: Option<String>,
    /// Only the table rows with this key, below their header row: `T310`, `n77, 30`, `Table 7.5-1: #26`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), example = &"T310")]
    pub table_row: Option<String>,
}

/// Returns the table of contents of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListSections {
    /// The document number, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// Only this version, or `latest`. Default: all versions.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// Only sections down to this level; level 1 is a clause such as `5` or an annex.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    pub max_level: Option<u32>,
    /// Only this section and its subsections.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(example = &"5.3")]
    pub under: Option<String>,
}

impl OperationDeclaration for GetSections {
    const NAME: &'static str = "get_sections";
    const ROUTE: Route = Route::get("/sections");
    const STATUSES: &'static [u16] = &[202, 400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Read sections",
        group: ToolGroup::Specs,
        in_read_profile: true,
        advice: "Use this when you know the clause: it returns the full text for quoting. Set doc_number, and \
            version (latest for the newest) or release, because clause numbers repeat across documents and versions. \
            For one row, item, note or cause, set around: the answer is many times shorter. To find the number, use \
            search_text or list_sections.",
        rest: "Continue the list with result_offset, or one section of one version with char_offset.",
        continuable_field: Some("full_text"),
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "full text of sections; `prefix` adds their subsections; `around` and `table_row` give only the row, item, note or cause that they name";
    const GUIDE: &'static [(&'static str, &'static str)] = &[
        (
            "a clause number",
            "`get_sections`, `GET /sections?doc_number=38.331&section_number=5.3.5`",
        ),
        (
            "a clause number, and you want one row, item or cause of it",
            "`get_sections` with `around`, `GET /sections?doc_number=38.331&section_number=7.1.1&around=T310`",
        ),
    ];
    const EXAMPLE: &'static str =
        r#"{"doc_number": "38.990", "version": "19.0.0", "section_number": "3.2"}"#;
    type Reply = Vec<records::SectionResult>;
}

impl OperationDeclaration for ListSections {
    const NAME: &'static str = "list_sections";
    const ROUTE: Route = Route::get("/sections/toc");
    const STATUSES: &'static [u16] = &[202];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a table of contents",
        group: ToolGroup::Specs,
        in_read_profile: true,
        advice: "Use this to see the structure of a document and to find the number of a clause for get_sections. \
            Set version (latest for the newest): without it, all versions are listed. Use max_level=2 for an \
            overview, and under=5.3 for one part in full.",
        rest: "Request one part with under or fewer levels with max_level, or continue with result_offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ROW_CONSTANTS: &'static [&'static str] = &["doc_number", "version", "release"];
    const ANSWERS: &'static str = "table of contents";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a document, and you want its structure",
        "`list_sections` with `version=latest` and `max_level=2`, `GET /sections/toc?doc_number=38.331&version=latest&max_level=2`; one part in full: `under=5.3`; then `get_sections`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "version": "19.0.0"}"#;
    type Reply = Vec<records::SectionSummary>;
}
