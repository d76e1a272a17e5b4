//! Parameters of `search_decisions`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DecisionOrder;

/// Finds decisions of all meetings by topic, group, date, agenda item, work item, type and company.
///
/// Decisions come from chair notes, session notes and reports, as in `list_meeting_decisions`. An abbreviation and its long form
/// are equivalent. Filters combine; separate the members of a list with commas. `total` counts all matches, `timeline` counts the
/// matches of each meeting, and `coverage` names the meetings whose notes were read. An empty list means only that nothing was
/// found in those meetings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct SearchDecisions {
    /// A topic or a question. An abbreviation and its long form are equivalent.
    #[serde(default)]
    #[schemars(length(max = 1000), example = &"low-power wake-up signal")]
    pub q: Option<String>,
    /// Only decisions of these groups, such as `R1` or `RAN2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1")]
    pub group: Option<String>,
    /// Only decisions of these meetings.
    #[serde(default)]
    #[schemars(length(max = 500), example = &"R1-118")]
    pub meeting: Option<String>,
    /// Only meetings that began on or after this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-01-01")]
    pub since: Option<String>,
    /// Only meetings that began on or before this day (YYYY-MM-DD).
    #[serde(default)]
    #[schemars(length(max = 20), example = &"2024-12-31")]
    pub until: Option<String>,
    /// Only decisions under this agenda item or its sub-items.
    #[serde(default)]
    #[schemars(length(max = 50), example = &"9.1")]
    pub agenda_item: Option<String>,
    /// Only decisions on this work item: those that name one of its documents, are recorded under one, or are under one of its
    /// agenda items.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"NR_LPWUS-Core")]
    pub work_item: Option<String>,
    /// Only decisions of these types, as in `list_meeting_decisions`. Default: every type except `noted`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"agreement,working_assumption")]
    pub decision_type: Option<String>,
    /// Only decisions from these sources: `meeting_report`, `session_report`, `chair_notes`, `session_notes`,
    /// `feature_lead_summary`. For outcomes that are only in the register, use `list_meeting_decisions`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"meeting_report,chair_notes")]
    pub source_kind: Option<String>,
    /// Only decisions that adopt a proposal of this company. Only proposals in documents that were read are compared.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"Ericsson")]
    pub company: Option<String>,
    /// The order. Default: `relevance` with `q`, otherwise `newest`.
    #[serde(default)]
    #[schemars(example = &"newest")]
    pub order: Option<DecisionOrder>,
    /// Maximum number of decisions to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Where to continue: `next_offset` of the previous page, with the same filters.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000))]
    pub offset: u32,
}

impl Default for SearchDecisions {
    fn default() -> Self {
        Self {
            q: None,
            group: None,
            meeting: None,
            since: None,
            until: None,
            agenda_item: None,
            work_item: None,
            decision_type: None,
            source_kind: None,
            company: None,
            order: None,
            limit: default_limit(),
            offset: 0,
        }
    }
}

fn default_limit() -> u32 {
    20
}

impl OperationDeclaration for SearchDecisions {
    const NAME: &'static str = "search_decisions";
    const ROUTE: Route = Route::get("/decisions");
    const STATUSES: &'static [u16] = &[400, 409];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Search decisions of all meetings",
        group: ToolGroup::Meetings,
        in_read_profile: true,
        advice: "Use this to find what was agreed on a topic if you do not know the meeting, or how a topic \
            developed: timeline counts the decisions of each meeting. For one meeting, with its outcomes from the \
            register, use list_meeting_decisions. Quote a decision with its source and anchor; standing says whether it still holds, links what changed it, and \
            report_standing whether the final report contains it. An empty list means only that nothing was found in the meetings in \
            coverage.",
        rest: "Narrow the list with group, since, agenda_item or decision_type, or continue with offset=next_offset.",
        continuable_field: Some("quote"),
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str =
        "decisions of all meetings by topic, group, date, work item or company, with a timeline";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a topic, and you want the decisions of all meetings on it",
        "`search_decisions`, `GET /decisions?q=LP-WUS`",
    )];
    const EXAMPLE: &'static str =
        r#"{"q": "waiting time after a refusal", "group": "RAN1", "limit": 1}"#;
    type Reply = records::DecisionSearchReply;
}
