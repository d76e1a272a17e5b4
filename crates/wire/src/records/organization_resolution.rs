//! The organizations that a name may mean.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::OrganizationResolutionStatus;

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

impl OrganizationCandidate {
    /// Two to show.
    pub fn samples() -> Vec<Self> {
        let candidates = [("cmcc", "CMCC", 0.9), ("china-telecom", "China Telecom", 0.9)];
        candidates
            .map(|(id, name, score)| Self {
                org_id: id.to_owned(),
                display_name: name.to_owned(),
                score,
                tdoc_count: 12,
            })
            .into()
    }
}
