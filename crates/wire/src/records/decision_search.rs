//! Records of decisions over several meetings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DecisionRecord, OrganizationResolution, TdocMeeting};

/// Decisions of several meetings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSearchReply {
    /// The decisions in the order that was asked for.
    pub items: Vec<MeetingDecisionRecord>,
    /// How many of them each meeting has, on all pages; the oldest meeting first.
    pub timeline: Vec<TimelineEntry>,
    /// Which meetings were searched.
    pub coverage: DecisionSearchCoverage,
    /// How many there are on all pages.
    pub total: u64,
    /// What to give as `offset` for the next page; none on the last one.
    pub next_offset: Option<u32>,
    /// How the name of the company was understood, where one was given.
    pub resolution: Option<OrganizationResolution>,
}

/// A decision with its meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingDecisionRecord {
    /// The meeting that took it.
    pub meeting: TdocMeeting,
    /// The decision, as `list_meeting_decisions` has it.
    #[serde(flatten)]
    pub decision: DecisionRecord,
}

/// A meeting and how many of the decisions found it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    /// The meeting.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// What people call it.
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// Its first day (YYYY-MM-DD), when it is known.
    #[schemars(example = &"2024-08-19")]
    pub start_date: Option<String>,
    /// How many of the decisions found are its.
    pub count: u64,
}

/// Which meetings a search of decisions reaches.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSearchCoverage {
    /// Meetings whose notes or reports were searched.
    pub meetings: Vec<String>,
    /// Meetings that fit the filters and of which no notes or report were read.
    pub meetings_without_notes: Vec<String>,
    /// Meetings that were left out because their date is not known.
    pub undated_meetings: Vec<String>,
    /// With `q`, the meetings whose decisions have no vectors yet: only their words were searched.
    pub by_words_only: Vec<String>,
}
