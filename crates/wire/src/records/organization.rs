//! Organizations and their contributions to meetings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{OrganizationResolution, TdocRecord};
use crate::values::{DocKind, RegisterStatus, SourceRole};

/// An organization and what it brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationRecord {
    /// Its id.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// What it is called.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// How the name asked for was understood. (An addition to the contract.)
    pub resolution: OrganizationResolution,
    /// Other names of it.
    pub aliases: Vec<String>,
    /// What it brought.
    pub activity: OrganizationActivity,
}

/// What an organization brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationActivity {
    /// How many documents it is a party of.
    pub tdoc_count: u64,
    /// How many in each role.
    pub by_role: BTreeMap<SourceRole, u64>,
    /// How many at each meeting, by its id.
    pub by_meeting: BTreeMap<String, u64>,
    /// How many of each kind.
    pub by_kind: BTreeMap<DocKind, u64>,
    /// How many of each status: what became of them, as registers say it. (An addition to the contract.)
    pub by_status: BTreeMap<RegisterStatus, u64>,
    /// The newest.
    pub recent_tdocs: Vec<TdocRecord>,
}
