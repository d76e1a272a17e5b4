//! Parameters of `resolve_organization` and `get_organization`.

use crate::{OperationDeclaration, Route, ToolEffect, ToolFacts, ToolGroup, records};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Finds the organization that a name refers to.
///
/// Recognises other names, legal forms and typos. `status` is `exact`, `fuzzy`, `ambiguous` or `not_found`; the best candidates
/// come first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ResolveOrganization {
    /// The name.
    #[schemars(length(min = 1, max = 200), example = &"Erricson")]
    pub q: String,
}

/// Returns an organization: its names, the number of meeting documents it contributed by role, meeting and kind, and the newest
/// of these documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetOrganization {
    /// Its ID or one of its names.
    #[schemars(length(min = 1, max = 200), example = &"ericsson")]
    pub org_id: String,
}

impl OperationDeclaration for ResolveOrganization {
    const NAME: &'static str = "resolve_organization";
    const ROUTE: Route = Route::get("/organizations");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Find an organization by name",
        group: ToolGroup::Tdocs,
        in_read_profile: false,
        advice: "Use this if you are not sure of a company's name, before you filter by it. list_tdocs and \
            search_tdocs tolerate typos themselves.",
        rest: "Enter a longer part of the name.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: true,
    });
    const ANSWERS: &'static str = "the company that a name refers to";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a company name you are not sure of",
        "`resolve_organization`, `GET /organizations?q=Erricson`",
    )];
    const EXAMPLE: &'static str = r#"{"q": "Borealis Wireles"}"#;
    type Reply = records::OrganizationResolution;
}

impl OperationDeclaration for GetOrganization {
    const NAME: &'static str = "get_organization";
    const ROUTE: Route = Route::get("/organizations/{org_id}");
    const STATUSES: &'static [u16] = &[404, 409];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show an organization's contributions",
        group: ToolGroup::Tdocs,
        in_read_profile: false,
        advice: "Use this for an overview of a company: its names, the number of documents it submitted, \
            co-submitted and edited, the number at each meeting, and the newest documents. Use list_tdocs with \
            source for the documents themselves.",
        rest: "Use list_tdocs with source for the documents.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    const ANSWERS: &'static str = "a company: its names, and its meeting contributions";
    const GUIDE: &'static [(&'static str, &'static str)] = &[(
        "a company, and you want its contributions to meetings",
        "`get_organization`, `GET /organizations/ericsson`",
    )];
    const EXAMPLE: &'static str = r#"{"org_id": "cascade-networks"}"#;
    type Reply = records::OrganizationRecord;
}
