//! Parameters of `trace_clause`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Traces a clause to the change requests, contributions and decisions that name it.
///
/// Change requests and their outcomes come from registers, and from the cover pages of change requests that were read.
/// Contributions are passages of documents that were read. Decisions come from notes and reports. `coverage` says how complete
/// each list is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct TraceClause {
    /// The specification number.
    #[schemars(length(min = 1, max = 50), example = &"38.214")]
    pub doc_number: String,
    /// The clause number. Change requests to its subclauses and parent clauses are also listed.
    #[schemars(length(min = 1, max = 50), example = &"5.2.2.5")]
    pub section_number: String,
    /// Only documents of meetings of these groups, such as `R1` or `RAN2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1")]
    pub group: Option<String>,
    /// Maximum number of items in each list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
}

impl Default for TraceClause {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            section_number: String::new(),
            group: None,
            limit: default_limit(),
        }
    }
}

fn default_limit() -> u32 {
    20
}

impl OperationDeclaration for TraceClause {
    const NAME: &'static str = "trace_clause";
    const ROUTE: Route = Route::get("/sections/trace");
    const STATUSES: &'static [u16] = &[400, 502, 503];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Trace a clause to its changes",
        group: ToolGroup::Meetings,
        in_read_profile: false,
        advice: "Use this to find the origin of a clause's text: which change requests changed it and with which \
            outcomes, and which decisions and contributions name it. An empty list means only that nothing was found \
            in the sources in coverage. For only the versions in which the clause changed, use section_history.",
        rest: "Request fewer items with limit, or only one group with group.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "change requests, decisions and contributions that name a clause";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a clause, and you want to know who changed it, when and why",
        "`trace_clause`, `GET /sections/trace?doc_number=38.214&section_number=5.2.2.5`",
    )];
    const EXAMPLE: &'static str =
        r#"{"doc_number": "38.990", "section_number": "5.3.1.4a", "limit": 1}"#;
    type Reply = records::TraceReply;
}
