//! Words of decisions and of what they are written down in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Kind of source of decisions.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionSourceKind {
    /// The report of a meeting.
    MeetingReport,
    /// The report of a session.
    SessionReport,
    /// The notes of the chair.
    ChairNotes,
    /// The notes of a session chair.
    SessionNotes,
    /// The summary of a feature lead or moderator.
    FeatureLeadSummary,
    /// The register of the meeting.
    Register,
}

impl From<domain::NotesKind> for DecisionSourceKind {
    fn from(kind: domain::NotesKind) -> Self {
        match kind {
            domain::NotesKind::MeetingReport => Self::MeetingReport,
            domain::NotesKind::SessionReport => Self::SessionReport,
            domain::NotesKind::ChairNotes => Self::ChairNotes,
            domain::NotesKind::SessionNotes => Self::SessionNotes,
            domain::NotesKind::Summary => Self::FeatureLeadSummary,
        }
    }
}

/// Whether a source of decisions was read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionSourceStatus {
    /// It was read.
    Processed,
    /// It is known but was not read.
    NotRetrieved,
}

/// How the decisions of a source were read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionSourceReading {
    /// All of its decisions, by rules for the notes of this group that come from real files.
    Verified,
    /// Some of its decisions, or all, by forms that all groups use, or that only descriptions name: decisions may be
    /// missing. `decision_origins` counts them.
    General,
}

/// Standing of a decision relative to the final report of its meeting.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReportStanding {
    /// The final report contains it.
    Final,
    /// There is no final report yet.
    Provisional,
    /// The final report does not contain it.
    NotInFinalReport,
}

/// The order of decisions over several meetings.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionOrder {
    /// The best match first.
    Relevance,
    /// The newest meeting first.
    Newest,
    /// The oldest meeting first.
    Oldest,
}

/// Kind of element that a quote lacks.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum LeftOutElement {
    /// A picture: `[figure]` marks it in the quote.
    Figure,
    /// An equation that exists only as a picture: `[equation]` marks it in the quote.
    Equation,
}

/// How an adopted proposal was recognised.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum AdoptionMatch {
    /// The decision names it.
    Label,
    /// The wording matches that of the decision.
    Text,
}
