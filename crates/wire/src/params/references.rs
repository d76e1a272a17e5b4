//! Parameters of `list_references`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::ReferenceDirection;

/// Lists what a section cites and what cites it, across all indexed documents.
///
/// Citations are resolved through the document's own list of references. A section that is the same in several versions of a
/// document is listed once, from the newest of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListReferences {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The section number: `5.3.5`, `A` or `B.2.1`.
    #[schemars(length(min = 1, max = 200), example = &"5.3.5")]
    pub section_number: String,
    /// The version whose citations to list. Default: the newest.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The newest version of this release. Default: the newest of all.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Which citations to list: those in the section, those that refer to it, or both.
    #[serde(default)]
    pub direction: ReferenceDirection,
    /// Whether to include subsections.
    #[serde(default)]
    pub prefix: bool,
    /// Maximum number of citations to return in each direction.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u32,
}

impl Default for ListReferences {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            section_number: String::new(),
            version: None,
            release: None,
            direction: ReferenceDirection::default(),
            prefix: false,
            limit: default_limit(),
        }
    }
}

fn default_limit() -> u32 {
    100
}

impl OperationDeclaration for ListReferences {
    const NAME: &'static str = "list_references";
    const ROUTE: Route = Route::get("/sections/references");
    const STATUSES: &'static [u16] = &[404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List the citations of a section",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to follow citations: what a clause refers to, and which clauses of which documents refer \
            to it, each with the citing sentence. To read a target, use get_sections.",
        rest: "Request fewer citations with limit, or only one direction with direction.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "what a section cites and what cites it, across all documents, with the citing sentences";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a clause, and you want what it cites or what cites it",
        "`list_references`, `GET /sections/references?doc_number=38.331&section_number=5.3.5`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "version": "19.0.0", "section_number": "5.3", "prefix": true, "limit": 1}"#;
    type Reply = records::ReferenceReply;
}
