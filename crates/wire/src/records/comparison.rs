//! Differences between versions of a document, and its recorded changes.

use domain::DifferenceCounts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TracedDecision;
use crate::values::{
    AttributionCertainty, AttributionEvidence, BlockKind, DifferencePieceKind, HunkKind,
    RegisterStatus, SectionChangeKind,
};

/// The differences between two versions of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentComparison {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The old version.
    #[schemars(example = &"17.8.0")]
    pub from: String,
    /// The new version.
    #[schemars(example = &"18.1.0")]
    pub to: String,
    /// A warning if the new version is not based on the old one, because they belong to different
    /// branches; otherwise null.
    pub branch_warning: Option<String>,
    /// Number of sections that differ, by kind of change. A section may be counted under several kinds.
    pub section_counts: SectionCounts,
    /// Size of the differences in all sections.
    pub counts: DifferenceCounts,
    /// Number of matching sections that differ.
    pub total: u64,
    /// The sections that differ, in the order of the new version.
    pub sections: Vec<SectionDifferenceSummary>,
}

/// How many sections differ between two versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionCounts {
    /// Number of sections that only the new version has.
    pub added: u64,
    /// Number of sections that only the old version has.
    pub removed: u64,
    /// Number of sections whose title changed.
    pub renamed: u64,
    /// Number of sections whose number changed.
    pub renumbered: u64,
    /// Number of sections that moved into another section.
    pub moved: u64,
    /// Number of sections whose text was removed but whose number was kept.
    pub voided: u64,
    /// Number of sections whose content differs.
    pub changed: u64,
    /// Number of sections of whose content only the form differs. They are not counted as changed.
    pub reformatted: u64,
    /// Number of sections without any difference.
    pub unchanged: u64,
}

/// A section that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionDifferenceSummary {
    /// Kind of change.
    pub changes: Vec<SectionChangeKind>,
    /// The section number in the new version; null if the section was removed.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// The section title in the new version.
    pub section_title: Option<String>,
    /// The section number in the old version; null if the section was added.
    #[schemars(example = &"5.3.5")]
    pub old_section_number: Option<String>,
    /// The section title in the old version.
    pub old_section_title: Option<String>,
    /// Size of the differences in the section.
    pub counts: DifferenceCounts,
    /// The section of the old version that contained most of an added section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_from: Option<String>,
    /// The section of the new version that contains most of a removed section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<String>,
}

impl SectionDifferenceSummary {
    /// Its number and title, with what they were where that differs: `5.4 Access (was 5.3 Access)`.
    pub fn print_heading(&self) -> String {
        let text = |number: &Option<String>, title: &Option<String>| {
            let (number, title) = (number.as_deref()?, title.as_deref().unwrap_or_default());
            Some(if number == title { number.to_owned() } else { format!("{number} {title}") })
        };
        let new = text(&self.section_number, &self.section_title);
        let old = text(&self.old_section_number, &self.old_section_title);
        match (old, new) {
            (Some(old), Some(new)) if old != new => format!("{new} (was {old})"),
            (old, new) => new.or(old).unwrap_or_default(),
        }
    }
}

/// The differences of a section and its subsections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionComparison {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The old version.
    #[schemars(example = &"17.8.0")]
    pub from: String,
    /// The new version.
    #[schemars(example = &"18.1.0")]
    pub to: String,
    /// A warning if the new version is not based on the old one, because they belong to different
    /// branches; otherwise null.
    pub branch_warning: Option<String>,
    /// What was not compared, and how to compare it, if the section is only a heading; otherwise null.
    #[serde(default)]
    pub note: Option<String>,
    /// Number of matching sections that differ.
    pub total: u64,
    /// Number of sections that are unchanged.
    pub unchanged: u64,
    /// The sections that differ, in the order of the new version.
    pub sections: Vec<SectionDifference>,
}

/// The differences of one section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionDifference {
    /// Kind of change, and size of the differences.
    #[serde(flatten)]
    pub summary: SectionDifferenceSummary,
    /// The differences as text. A mark precedes each block: `+` inserted, `-` deleted, `~` changed, `<` moved away, `>` moved
    /// here. Changed blocks contain `[-deleted-]` and `{+inserted+}` words. Null if hunks are requested.
    pub text: Option<String>,
    /// The differences, in the order of both versions; null if text is requested.
    pub hunks: Option<Vec<DifferenceHunk>>,
}

/// A block that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceHunk {
    /// Kind of change.
    pub kind: HunkKind,
    /// Kind of block.
    pub block: BlockKind,
    /// Index among the blocks and figures of the old section; null if the old section does not contain the block.
    pub old_index: Option<u64>,
    /// Index among the blocks and figures of the new section; null if the new section does not contain the block.
    pub new_index: Option<u64>,
    /// The words of the block, or of the caption of a table or figure.
    pub pieces: Vec<DifferencePiece>,
    /// Whether only the form of the block changed: its words are the same, and its style, bullet or kind is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub formatting_only: bool,
    /// The header row of a table in the version shown: the new one if it has the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The rows that differ; only for tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<RowHunk>,
    /// The lines that differ; only for code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineHunk>,
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DifferencePiece {
    /// Kind of piece: unchanged, inserted or deleted.
    pub kind: DifferencePieceKind,
    /// The text.
    pub text: String,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowHunk {
    /// Kind of change.
    pub kind: HunkKind,
    /// Index of the row in the old table; null if the row was inserted.
    pub old_index: Option<u64>,
    /// Index of the row in the new table; null if the row was deleted.
    pub new_index: Option<u64>,
    /// The words of the cells.
    pub cells: Vec<Vec<DifferencePiece>>,
}

/// A line of code that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LineHunk {
    /// Kind of change.
    pub kind: HunkKind,
    /// Index of the line in the old listing; null if the line was inserted.
    pub old_index: Option<u64>,
    /// Index of the line in the new listing; null if the line was deleted.
    pub new_index: Option<u64>,
    /// The words of the line.
    pub pieces: Vec<DifferencePiece>,
}

/// The recorded changes of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeList {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version whose annex was read.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The number of the section that contains the history; null if there is none.
    #[schemars(example = &"A")]
    pub section_number: Option<String>,
    /// Number of matching changes.
    pub total: u64,
    /// Number of rows of the annex that could not be read.
    pub unread_rows: u64,
    /// The changes, newest first.
    pub changes: Vec<RecordedChange>,
}

/// A row of the annex "Change history".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedChange {
    /// Year and month, with the day if printed; null if there is no date.
    #[schemars(example = &"2024-03")]
    pub date: Option<String>,
    /// The meeting, as printed.
    #[schemars(example = &"RAN#103")]
    pub meeting: Option<String>,
    /// The meeting documents, usually those of the plenary.
    pub meeting_tdocs: Vec<String>,
    /// The document of the working group, if the annex names one.
    pub working_group_tdoc: Option<String>,
    /// The number of the change request; null if the row is about something else.
    #[schemars(example = &"4521")]
    pub cr_number: Option<String>,
    /// The revision of the change request.
    #[schemars(example = &"1")]
    pub cr_revision: Option<String>,
    /// The category of the change request.
    #[schemars(example = &"F")]
    pub category: Option<String>,
    /// The subject, as printed.
    pub subject: Option<String>,
    /// The version to which the change was made, if printed.
    #[schemars(example = &"18.0.0")]
    pub old_version: Option<String>,
    /// The version that contains the change.
    #[schemars(example = &"18.1.0")]
    pub new_version: Option<String>,
    /// Register entries of this change request and its revisions, newest meeting first.
    pub registered: Vec<RegisteredChange>,
}

/// A change request in a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RegisteredChange {
    /// The TDoc number.
    #[schemars(example = &"R2-2401234")]
    pub tdoc_id: String,
    /// The title of the change request.
    pub title: String,
    /// The source, as printed in the register.
    pub sources: Option<String>,
    /// The outcome of the change request.
    pub status: RegisterStatus,
    /// The meeting.
    #[schemars(example = &"RAN2#125")]
    pub meeting_id: String,
    /// The work items, as printed.
    pub work_items: Option<String>,
    /// The revision of the change request.
    pub cr_revision: Option<String>,
    /// Whether the revision is the one that the annex records.
    pub is_recorded_revision: bool,
    /// The decision of the TSG, if its register was imported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tsg_decision: Option<String>,
}

/// The versions in which a section changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionHistoryReply {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The section number in the last version of the history.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The title of the section in that version.
    pub section_title: Option<String>,
    /// The last version of the history.
    #[schemars(example = &"18.1.0")]
    pub to: String,
    /// The indexed versions that led to this one, newest first; each is based on the next.
    pub versions: Vec<String>,
    /// Older indexed versions that the compared ones are not based on, such as later versions of an earlier release.
    pub other_versions: Vec<String>,
    /// What this history does not cover, and where it is, if the section is only a heading; otherwise null.
    #[serde(default)]
    pub note: Option<String>,
    /// Number of compared versions in which the section changed.
    pub total: u64,
    /// The versions in which it changed, newest first.
    pub changes: Vec<SectionHistoryEntry>,
}

/// A version in which the section changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionHistoryEntry {
    /// The previous indexed version. The change was made in one of the versions after it, up to `to`.
    #[schemars(example = &"18.0.0")]
    pub from: String,
    /// The version that contains the change.
    #[schemars(example = &"18.1.0")]
    pub to: String,
    /// Kind of change to the section, and size of the differences.
    #[serde(flatten)]
    pub difference: SectionDifferenceSummary,
    /// The changes in one sentence.
    #[schemars(example = &"12 words inserted, 3 words deleted; 1 table changed.")]
    pub summary: String,
    /// The changes that the annex records between the two versions.
    pub recorded_changes: u64,
    /// Whether no change request is a certain or likely cause.
    pub is_unattributed: bool,
    /// The change requests that may be responsible, most certain first.
    pub attributions: Vec<AttributedChange>,
}

/// A change request that may have changed a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttributedChange {
    /// How certain it is that the change request changed the section.
    pub certainty: AttributionCertainty,
    /// The evidence for it.
    pub evidence: Vec<AttributionEvidence>,
    /// The change as the annex records it.
    #[serde(flatten)]
    pub change: RecordedChange,
    /// The clauses that its register entry or its cover names.
    pub clauses: Option<String>,
    /// The reason for the change, from its cover.
    pub reason: Option<String>,
    /// Meeting decisions about it, if the meeting notes were imported.
    pub decisions: Vec<TracedDecision>,
}
