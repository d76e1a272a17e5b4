//! The organizations that a name may mean.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::OrganizationResolutionStatus;

/// The interpretation of an organization name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationResolution {
    /// The requested name.
    pub query: String,
    /// How certain the interpretation is.
    #[schemars(example = &"fuzzy")]
    pub status: OrganizationResolutionStatus,
    /// The ID of the organization, if the name is unambiguous.
    pub org_id: Option<String>,
    /// Possible organizations, best first.
    pub candidates: Vec<OrganizationCandidate>,
}

/// A possible organization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OrganizationCandidate {
    /// The ID of the organization.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// The name of the organization.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// Similarity of its closest name to the requested name, 0 to 1.
    #[schemars(example = 0.94)]
    pub score: f64,
    /// Number of documents that list it as a source.
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
