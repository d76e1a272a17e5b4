//! Records of decisions over several meetings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DecisionRecord, OrganizationResolution, TdocMeeting};

/// Decisions of several meetings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSearchReply {
    /// The decisions in the requested order.
    pub items: Vec<MeetingDecisionRecord>,
    /// The number of decisions for each meeting, on all pages; oldest meeting first.
    pub timeline: Vec<TimelineEntry>,
    /// The agenda topics of the decisions on all pages, that of the first decision first: the same title in several
    /// meetings is one topic. At most 20.
    pub agenda_topics: Vec<AgendaTopic>,
    /// Which meetings were searched.
    pub coverage: DecisionSearchCoverage,
    /// Total number of decisions on all pages.
    pub total: u64,
    /// The `offset` of the next page; null on the last page.
    pub next_offset: Option<u32>,
    /// How the company name was interpreted; null if none was set.
    pub resolution: Option<OrganizationResolution>,
}

/// A decision with its meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingDecisionRecord {
    /// The meeting that made it.
    pub meeting: TdocMeeting,
    /// The decision, as `list_meeting_decisions` returns it.
    #[serde(flatten)]
    pub decision: DecisionRecord,
}

/// A meeting and its number of matching decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimelineEntry {
    /// The meeting.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// The common name of the meeting.
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// The first day of the meeting (YYYY-MM-DD), if known.
    #[schemars(example = &"2024-08-19")]
    pub start_date: Option<String>,
    /// Number of matching decisions of the meeting.
    pub count: u64,
}

/// A title of the agenda, over all meetings that discussed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgendaTopic {
    /// The title, as the newest of these meetings has it.
    #[schemars(example = &"LP-WUS and LP-SS design")]
    pub title: String,
    /// The meetings with matching decisions under it; oldest first.
    #[schemars(extend("examples" = [["R1-118", "R1-122"]]))]
    pub meeting_ids: Vec<String>,
    /// Number of matching decisions under it.
    pub count: u64,
}

/// The meetings that a decision search covered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSearchCoverage {
    /// Meetings whose notes or reports were searched.
    pub meetings: Vec<String>,
    /// Meetings that match the filters, but whose notes and reports were not read.
    pub meetings_without_notes: Vec<String>,
    /// Meetings that were left out because their date is unknown.
    pub undated_meetings: Vec<String>,
    /// With `q`, the meetings whose decisions have no vectors yet and were searched by words only.
    pub by_words_only: Vec<String>,
}
