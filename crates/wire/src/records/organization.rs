//! Organizations: who is meant by a name, and what they brought to meetings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TdocRecord;
use crate::values::{DocKind, OrganizationResolutionStatus, RegisterStatus, SourceRole};

/// How a name of an organization was understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationResolution {
    /// The name.
    pub query: String,
    /// How sure it is who is meant.
    #[schemars(example = &"fuzzy")]
    pub status: OrganizationResolutionStatus,
    /// The id of the organization that is meant, where that is clear.
    pub org_id: Option<String>,
    /// Who may be meant, best first.
    pub candidates: Vec<OrganizationCandidate>,
}

/// An organization that may be meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationCandidate {
    /// Its id.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// What it is called.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// How much one of its names is like the one given, 0 to 1.
    #[schemars(example = 0.94)]
    pub score: f64,
    /// How many documents it is a party of.
    pub tdoc_count: u64,
}

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

impl OrganizationCandidate {
    /// Two to show.
    pub fn samples() -> Vec<Self> {
        let made = [("cmcc", "CMCC", 0.9), ("china-telecom", "China Telecom", 0.9)];
        made.map(|(id, name, score)| Self {
            org_id: id.to_owned(),
            display_name: name.to_owned(),
            score,
            tdoc_count: 12,
        })
        .into()
    }
}
