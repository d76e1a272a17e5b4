//! Parameters of `compare_documents`,
//! `compare_sections`, `list_changes` and `section_history`.

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
