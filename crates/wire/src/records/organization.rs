//! Organizations and their contributions to meetings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{OrganizationResolution, TdocRecord};
use crate::values::{DocKind, RegisterStatus, SourceRole};

/// An organization and its contributions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationRecord {
    /// Its ID.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// Its name.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// How the requested name was interpreted. (An addition to the contract.)
    pub resolution: OrganizationResolution,
    /// Other names of it.
    pub aliases: Vec<String>,
    /// Its contributions.
    pub activity: OrganizationActivity,
}

/// The contributions of an organization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationActivity {
    /// Number of documents in which it takes part.
    pub tdoc_count: u64,
    /// Number in each role.
    pub by_role: BTreeMap<SourceRole, u64>,
    /// Number at each meeting, by its ID.
    pub by_meeting: BTreeMap<String, u64>,
    /// Number of each kind.
    pub by_kind: BTreeMap<DocKind, u64>,
    /// Number with each status, according to registers. (An addition to the contract.)
    pub by_status: BTreeMap<RegisterStatus, u64>,
    /// The newest.
    pub recent_tdocs: Vec<TdocRecord>,
}
