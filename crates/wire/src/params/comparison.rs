//! Parameters of `compare_documents`,
//! `compare_sections`, `list_changes` and `section_history`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DifferenceForm;

/// Compares two versions of a document section by section.
///
/// Sections are paired by number, title and text, even if they were renumbered, renamed or moved.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CompareDocuments {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The old version, or a release for its newest version. Default: the predecessor of `to` in its change history.
    #[serde(default)]
    #[schemars(example = &"17.8.0")]
    pub from: Option<String>,
    /// The new version, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub to: Option<String>,
    /// Only this section and its subsections, by its number in either version.
    #[serde(default)]
    #[schemars(example = &"5.3")]
    pub section_number: Option<String>,
    /// Maximum number of sections to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: u32,
    /// Number of sections to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: u32,
}

/// Compares one section in two versions of a document: what was inserted, deleted, changed or moved.
///
/// Compares paragraphs, list items, table rows and cells, lines of code, formulas and figures.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct CompareSections {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The section number in the new version, or in the old one if the section was removed.
    #[schemars(length(min = 1, max = 200), example = &"5.3.5")]
    pub section_number: String,
    /// The old version, or a release for its newest version. Default: the predecessor of `to` in its change history.
    #[serde(default)]
    #[schemars(example = &"17.8.0")]
    pub from: Option<String>,
    /// The new version, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub to: Option<String>,
    /// Whether to include subsections.
    #[serde(default)]
    pub prefix: bool,
    /// Format of the differences: one marked-up text for each section, or hunks for programs.
    #[serde(default)]
    pub form: DifferenceForm,
    /// Maximum number of sections with differences to return.
    #[serde(default = "default_section_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Number of sections with differences to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: u32,
}

/// Lists the change requests that a document's annex "Change history" records.
///
/// Reads the annex of one version. Rows are combined with the entries of meeting registers that were imported.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListChanges {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// Only changes after this version, or after the newest version of this release.
    #[serde(default)]
    #[schemars(example = &"17.8.0")]
    pub from: Option<String>,
    /// The version whose annex to read, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub to: Option<String>,
    /// Only changes whose subject contains these words.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"timer T310")]
    pub subject: Option<String>,
    /// Only the change request with this number.
    #[serde(default)]
    #[schemars(length(max = 20), example = &"4321")]
    pub cr_number: Option<String>,
    /// Maximum number of changes to return, newest first.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: u32,
    /// Number of changes to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: u32,
}

/// Lists the versions in which a section changed, the size of each change, and the responsible change requests.
///
/// Follows the versions back from `to` through the annex "Change history". For each change request, the reply shows the evidence
/// and how certain the attribution is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SectionHistory {
    /// The document number, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The section number in the last version of the history.
    #[schemars(length(min = 1, max = 200), example = &"5.3.5")]
    pub section_number: String,
    /// The last version of the history, or a release for its newest version. Default: the newest.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub to: Option<String>,
    /// Maximum number of versions with changes to return, newest first.
    #[serde(default = "default_section_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
}

impl Default for SectionHistory {
    fn default() -> Self {
        let limit = default_section_limit();
        Self { doc_number: String::new(), section_number: String::new(), to: None, limit }
    }
}

impl Default for CompareDocuments {
    fn default() -> Self {
        let limit = default_limit();
        let (from, to, section_number) = (None, None, None);
        Self { doc_number: String::new(), from, to, section_number, limit, offset: 0 }
    }
}

impl Default for CompareSections {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            section_number: String::new(),
            from: None,
            to: None,
            prefix: false,
            form: DifferenceForm::default(),
            limit: default_section_limit(),
            offset: 0,
        }
    }
}

impl Default for ListChanges {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            from: None,
            to: None,
            subject: None,
            cr_number: None,
            limit: default_limit(),
            offset: 0,
        }
    }
}

fn default_limit() -> u32 {
    100
}

fn default_section_limit() -> u32 {
    20
}

impl OperationDeclaration for CompareDocuments {
    const NAME: &'static str = "compare_documents";
    const ROUTE: Route = Route::get("/documents/compare");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Compare two versions of a document",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to see which clauses differ between two versions or releases, and how much. To read the \
            differences in a clause, use compare_sections; for the change requests behind them, use list_changes.",
        rest: "Request one part with section_number, or the next page with offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "which sections differ between two versions, and how much: added, removed, renamed, renumbered, moved, changed";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "two versions or releases, and you want the clauses that differ",
        "`compare_documents`, `GET /documents/compare?doc_number=38.331&from=Rel-17&to=Rel-18`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "from": "18.1.0", "limit": 2}"#;
    type Reply = records::DocumentComparison;
}

impl OperationDeclaration for ListChanges {
    const NAME: &'static str = "list_changes";
    const ROUTE: Route = Route::get("/documents/changes");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List the recorded changes of a document",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to see which change requests each version of a document implements: the annex \"Change \
            history\" as data, with the meeting documents behind each entry. To see what changed in a clause, use \
            compare_sections; to see who proposed a change, use get_tdoc.",
        rest: "Narrow the list with from, to, subject or cr_number, or request the next page with offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "the annex \"Change history\" as data: change requests by version, joined with the registers of meetings";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a version, and you want the change requests in it",
        "`list_changes`, `GET /documents/changes?doc_number=38.331&from=18.0.0`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "limit": 2}"#;
    type Reply = records::ChangeList;
}

impl OperationDeclaration for CompareSections {
    const NAME: &'static str = "compare_sections";
    const ROUTE: Route = Route::get("/sections/compare");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Compare a clause in two versions",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to see exactly what changed in a clause between two versions or releases: words, table \
            cells, code lines, figures. Set prefix to include its subclauses. Without from and to, the newest \
            version is compared with its predecessor.",
        rest: "Request the next sections with offset, or fewer with limit.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "what differs in a section between two versions: words, rows, cells, lines of code, figures";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a clause, and you want exactly what changed",
        "`compare_sections`, `GET /sections/compare?doc_number=38.331&section_number=5.3.5`",
    )];
    const EXAMPLE: &'static str =
        r#"{"doc_number": "38.990", "section_number": "6.3.1", "from": "18.1.0"}"#;
    type Reply = records::SectionComparison;
}

impl OperationDeclaration for SectionHistory {
    const NAME: &'static str = "section_history";
    const ROUTE: Route = Route::get("/sections/history");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show the history of a clause",
        group: ToolGroup::Specs,
        in_read_profile: false,
        advice: "Use this to see when and why the wording of a clause was introduced: the indexed versions in which \
            it changed, with the change requests behind each change and how certain each attribution is. If an \
            attribution is only likely or possible, say so. To read the changed words, use compare_sections; for \
            the decisions and contributions that name the clause, use trace_clause.",
        rest: "Request fewer versions with limit.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "the versions in which a section changed, with the change requests that changed it and how certain that is";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a clause, and you want to know when its wording was introduced, and by which change request",
        "`section_history`, `GET /sections/history?doc_number=38.331&section_number=5.3.5`",
    )];
    const EXAMPLE: &'static str = r#"{"doc_number": "38.990", "section_number": "5.3.1.4a"}"#;
    type Reply = records::SectionHistoryReply;
}
