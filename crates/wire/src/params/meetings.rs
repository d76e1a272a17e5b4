//! Parameters of `list_meetings`, `get_meeting` and `list_meeting_decisions`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Lists meetings with their dates, document counts and register coverage.
///
/// The newest meetings come first. Filters combine; separate the members of a list with commas.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListMeetings {
    /// Only meetings of these groups, such as `R1`, `RAN2` or `S2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1,S2")]
    pub group: Option<String>,
    /// Only meetings that began on or after this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only meetings that began on or before this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
    /// Only meetings in one of these states: `ended`, `ongoing`, `upcoming`, `cancelled`, `unknown`.
    #[serde(default)]
    #[schemars(length(max = 100), example = &"ended")]
    pub state: Option<String>,
    /// Maximum number of meetings to return.
    #[schemars(extend("x-addition" = true))]
    #[serde(default = "default_meetings")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u32,
    /// Where to continue: `next_offset` of the previous page.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub offset: u32,
}

impl Default for ListMeetings {
    fn default() -> Self {
        Self {
            group: None,
            since: None,
            until: None,
            state: None,
            limit: default_meetings(),
            offset: 0,
        }
    }
}

/// Returns a meeting: its agenda with counts, key documents, sources of decisions, and the number of decisions of each type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetMeeting {
    /// The meeting, such as `R1-126` or `RAN1#126`.
    #[schemars(length(min = 1, max = 100), example = &"R1-118")]
    pub meeting_id: String,
}

/// Lists the decisions of a meeting: agreements, working assumptions, conclusions, open items, and outcomes of documents.
///
/// Each decision is quoted word for word from chair notes, session notes or a report, with its anchor. The outcome of a document
/// is also in the register; if the two differ, both are returned. `coverage` names the sources that were read, and known sources
/// that were not. An empty list means only that nothing was found in the sources that were read.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListMeetingDecisions {
    /// The meeting, such as `R1-126` or `RAN1#126`.
    #[schemars(length(min = 1, max = 100), example = &"R1-118")]
    pub meeting_id: String,
    /// Only decisions under this agenda item or its sub-items.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"9.1")]
    pub agenda_item: Option<String>,
    /// Only decisions of these types: `agreement`, `working_assumption`, `conclusion`, `ffs` (open items), `cr`, `ls`,
    /// `way_forward`, `document` (outcomes of other documents), `noted`. Default: every type except `noted`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"agreement,working_assumption")]
    pub decision_type: Option<String>,
    /// Topic. Returns the decisions about it, best first.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"associated ID for beam management")]
    pub q: Option<String>,
    /// Only decisions from these sources: `meeting_report`, `session_report`, `chair_notes`, `session_notes`,
    /// `feature_lead_summary`, `register`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"meeting_report,chair_notes")]
    pub source_kind: Option<String>,
    /// Only the decision with this ID, with its parts, of any type.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(length(max = 100), example = &"R1-118-4f1d8a02c3")]
    pub decision_id: Option<String>,
    /// Maximum number of decisions to return.
    #[schemars(extend("x-addition" = true))]
    #[serde(default = "default_decisions")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Where to continue: `next_offset` of the previous page, with the same filters.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub offset: u32,
}

impl Default for ListMeetingDecisions {
    fn default() -> Self {
        Self {
            meeting_id: String::new(),
            agenda_item: None,
            decision_type: None,
            q: None,
            source_kind: None,
            decision_id: None,
            limit: default_decisions(),
            offset: 0,
        }
    }
}

fn default_meetings() -> u32 {
    100
}

fn default_decisions() -> u32 {
    50
}

impl OperationDeclaration for ListMeetings {
    const NAME: &'static str = "list_meetings";
    const ROUTE: Route = Route::get("/meetings");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List meetings",
        group: ToolGroup::Meetings,
        in_read_profile: false,
        advice: "Use this to find a meeting by group and date, and to see how much is known about it: its \
            document numbers, how many documents were read, and how many decisions were found. For one meeting, use get_meeting.",
        rest: "Continue with offset=next_offset and the same filters, or request one group.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "meetings with dates, document counts and register coverage";
    const EXAMPLE: &'static str = r#"{"group": "RAN1", "until": "2026-03-01"}"#;
    type Reply = records::MeetingListReply;
}

impl OperationDeclaration for GetMeeting {
    const NAME: &'static str = "get_meeting";
    const ROUTE: Route = Route::get("/meetings/{meeting_id}");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a meeting",
        group: ToolGroup::Meetings,
        in_read_profile: false,
        advice: "Use this for one meeting: its agenda with counts, its key documents (chair notes, reports, \
            summaries, ways forward), which sources of decisions were read, and how many decisions of \
            each type were found. Use list_meeting_decisions for the decisions themselves.",
        rest: "Use list_tdocs with meeting and agenda_item for the documents, and list_meeting_decisions for \
            the decisions.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "a meeting: agenda, key documents, sources of decisions, counts";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a meeting, or you want the list of meetings",
        "`get_meeting`, `list_meetings`, `GET /meetings/R1-118`",
    )];
    const EXAMPLE: &'static str = r#"{"meeting_id": "R1-190"}"#;
    type Reply = records::MeetingDetail;
}

impl OperationDeclaration for ListMeetingDecisions {
    const NAME: &'static str = "list_meeting_decisions";
    const ROUTE: Route = Route::get("/meetings/{meeting_id}/decisions");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List meeting decisions",
        group: ToolGroup::Meetings,
        in_read_profile: false,
        advice: "Use this to find what was agreed, assumed, concluded or left open at a meeting, and the outcomes of \
            documents; q is a topic. Quote the decision with its source and anchor. A proposal is not a decision, \
            nor is anything under doubtful; standing says whether it still holds, links what changed it, and \
            report_standing whether the final report contains it. An empty list means \
            only that nothing was found in the sources in coverage.",
        rest: "Narrow the list with agenda_item, decision_type or q, or continue with offset=next_offset.",
        continuable_field: Some("quote"),
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "its decisions, quoted with source and anchor, by type, agenda item or topic";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a meeting, and you want what it agreed, concluded or left open",
        "`list_meeting_decisions`, `GET /meetings/R1-118/decisions?q=associated%20ID`",
    )];
    const EXAMPLE: &'static str =
        r#"{"meeting_id": "R1-190", "q": "waiting time after a refusal", "limit": 1}"#;
    type Reply = records::DecisionListReply;
}
