//! Organizations and their contributions to meetings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{OrganizationResolution, TdocRecord};
use crate::values::{DocKind, RegisterStatus, SourceRole};

/// An organization and its contributions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationRecord {
    /// The ID of the organization.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// The name of the organization.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// How the requested name was interpreted.
    #[schemars(extend("x-addition" = true))]
    pub resolution: OrganizationResolution,
    /// Other names of the organization.
    pub aliases: Vec<String>,
    /// The contributions of the organization.
    pub activity: OrganizationActivity,
}

/// The contributions of an organization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationActivity {
    /// Number of documents that list it as a source.
    pub tdoc_count: u64,
    /// Number of documents by role.
    pub by_role: BTreeMap<SourceRole, u64>,
    /// Number of documents by meeting ID.
    pub by_meeting: BTreeMap<String, u64>,
    /// Number of documents by kind.
    pub by_kind: BTreeMap<DocKind, u64>,
    /// Number of documents by status, according to registers.
    #[schemars(extend("x-addition" = true))]
    pub by_status: BTreeMap<RegisterStatus, u64>,
    /// The newest documents of the organization.
    pub recent_tdocs: Vec<TdocRecord>,
}
