//! The cover of a change request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The data on the cover of a change request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ChangeCoverRecord")]
pub struct ChangeCover {
    /// The specification to be changed.
    pub spec: Option<String>,
    /// The number of the change request.
    pub number: Option<String>,
    /// The revision of the change request.
    pub revision: Option<String>,
    /// The version to be changed.
    pub version: Option<String>,
    /// The title of the change request.
    pub title: Option<String>,
    /// The work item.
    pub work_item: Option<String>,
    /// The category of the change request, A to F.
    pub category: Option<String>,
    /// The release.
    pub release: Option<String>,
    /// The clauses that are changed.
    pub clauses: Option<String>,
    /// Reason for change.
    pub reason: Option<String>,
    /// Summary of change.
    pub summary: Option<String>,
    /// Consequences if not approved.
    pub consequences: Option<String>,
}
