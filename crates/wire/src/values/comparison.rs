//! Words of comparisons.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Format of the differences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DifferenceForm {
    /// One text for each section: `[-deleted-]`, `{+inserted+}`, a marker before each block.
    #[default]
    Text,
    /// Hunks of blocks, rows, cells, lines and words.
    Hunks,
}

/// Kind of change to a section.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SectionChangeKind {
    /// Only the new version has it.
    Added,
    /// Only the old version has it.
    Removed,
    /// Its title changed.
    Renamed,
    /// Its number changed.
    Renumbered,
    /// It moved into another section.
    Moved,
    /// Its text was removed and its number kept: "Void".
    Voided,
    /// Its content changed.
    Changed,
    /// Only the form of its content changed: style, bullets, or paragraphs that became list items.
    Reformatted,
}

/// Kind of change to a block, a row or a line.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum HunkKind {
    /// Only the new version has it.
    Inserted,
    /// Only the old version has it.
    Deleted,
    /// Both have it, with differences.
    Changed,
    /// It was here; the new version has it elsewhere.
    MovedAway,
    /// It is here; the old version has it elsewhere.
    MovedHere,
}

impl HunkKind {
    /// Whether the old version has it here.
    pub fn has_old(self) -> bool {
        matches!(self, Self::Deleted | Self::Changed | Self::MovedAway)
    }

    /// Whether the new version has it here.
    pub fn has_new(self) -> bool {
        matches!(self, Self::Inserted | Self::Changed | Self::MovedHere)
    }
}

/// How certain it is that a change request changed a section.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum AttributionCertainty {
    /// No other change can have caused the difference.
    Certain,
    /// The available evidence points to it.
    Likely,
    /// Its words match, or it is one of several that name a nearby clause.
    Possible,
}

/// Evidence for a change request.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum AttributionEvidence {
    /// Everything that its tracked changes touch in the section changed in exactly that way.
    TrackedChanges,
    /// Most of what its tracked changes touch in the section changed in exactly that way.
    TrackedChangesInPart,
    /// Its tracked changes touch the section.
    ChangesClause,
    /// It is the only change that the annex records between the two versions.
    OnlyChange,
    /// It is the only change request among the changes that the annex records between the two versions.
    OnlyChangeRequest,
    /// Its register entry or its cover names the clause.
    NamesClause,
    /// Its register entry or its cover names a clause that contains this one, or one within it.
    NamesNearbyClause,
    /// Words of its subject occur in what changed, or in the title of the section.
    SubjectWords,
}
