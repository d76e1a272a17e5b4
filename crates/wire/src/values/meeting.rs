//! Words of meetings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// State of a meeting.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum MeetingState {
    /// It is over.
    Ended,
    /// It is in progress.
    Ongoing,
    /// It is in the future.
    Upcoming,
    /// It was cancelled.
    Cancelled,
    /// Its dates are unknown.
    Unknown,
}

impl MeetingState {
    /// Every state.
    pub const ALL: [Self; 5] =
        [Self::Ended, Self::Ongoing, Self::Upcoming, Self::Cancelled, Self::Unknown];
}

/// How much of a meeting its register covers.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum MeetingCoverage {
    /// The whole meeting.
    FullRegister,
    /// A part of it, or nothing.
    Partial,
}

/// How much of the meeting its registers cover.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum RegisterCoverage {
    /// The whole meeting.
    FullRegister,
    /// A part of it.
    Partial,
    /// None of its documents.
    None,
}

impl From<MeetingCoverage> for RegisterCoverage {
    fn from(coverage: MeetingCoverage) -> Self {
        match coverage {
            MeetingCoverage::FullRegister => Self::FullRegister,
            MeetingCoverage::Partial => Self::Partial,
        }
    }
}

/// Kind of a key document of a meeting. The most informative kinds come first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transform = list_words)]
pub enum KeyDocumentKind {
    /// A report of a meeting.
    #[serde(rename = "meeting report")]
    MeetingReport,
    /// Chair notes of a session.
    #[serde(rename = "chair notes")]
    ChairNotes,
    /// An agenda or a schedule.
    #[serde(rename = "agenda")]
    Agenda,
    /// A summary of a moderator or feature lead.
    #[serde(rename = "summary")]
    Summary,
    /// A way forward, by its title.
    #[serde(rename = "way forward")]
    WayForward,
}
