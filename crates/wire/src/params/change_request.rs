//! Parameters of `get_change_request`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DifferenceForm;

/// Returns a change request with its changes: each clause before and after its tracked changes.
///
/// Each clause is compared with the indexed version that the change request was written against. The reply also lists its mirror
/// change requests in other releases, the versions that record it, and the clauses that cite the changed clauses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetChangeRequest {
    /// The TDoc number of the change request.
    #[schemars(length(min = 1, max = 50), example = &"R2-2405780")]
    pub tdoc_id: String,
    /// Format of the changes: one marked-up text for each clause, or hunks for programs.
    #[serde(default)]
    pub form: DifferenceForm,
    /// Maximum number of clauses to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Number of clauses to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: u32,
}

impl Default for GetChangeRequest {
    fn default() -> Self {
        let form = DifferenceForm::default();
        Self { tdoc_id: String::new(), form, limit: default_limit(), offset: 0 }
    }
}

fn default_limit() -> u32 {
    20
}

impl OperationDeclaration for GetChangeRequest {
    const NAME: &'static str = "get_change_request";
    const ROUTE: Route = Route::get("/tdocs/{tdoc_id}/changes");
    const STATUSES: &'static [u16] = &[400, 404, 410];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Read what a change request changes",
        group: ToolGroup::Tdocs,
        in_read_profile: false,
        advice: "Use this with the TDoc number of a change request. It shows the words inserted and deleted in each \
            clause, whether the indexed version still has the text to be changed, the mirror change requests in other \
            releases, and the version that implements the change request. If tracked_changes is not_retrieved, call \
            fetch_tdoc first.",
        rest: "Request the next clauses with offset, or fewer with limit.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "what a change request changes: each clause before and after, whether the indexed version still has that text, its mirrors, the version that implements it";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a change request, and you want its changes by clause, and whether they still apply",
        "`get_change_request`, `GET /tdocs/R2-2405780/changes`",
    )];
    const EXAMPLE: &'static str = r#"{"tdoc_id": "R1-2600107", "limit": 1}"#;
    type Reply = records::ChangeRequestDetails;
}
