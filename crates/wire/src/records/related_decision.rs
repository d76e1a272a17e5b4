//! The links between decisions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DecisionRelation;

/// An earlier or a later decision to which a decision is linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelatedDecision {
    /// How this decision relates to the other one.
    #[schemars(example = &"confirmed_by")]
    pub relation: DecisionRelation,
    /// The meeting of the other decision.
    #[schemars(example = &"R1-119")]
    pub meeting_id: String,
    /// The ID of the other decision.
    #[schemars(example = &"R1-119-4f1d8a02c3")]
    pub decision_id: String,
    /// The words of the later one of the two that prove the link.
    pub words: String,
}

/// The decision that a text repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuotedDecision {
    /// Its meeting.
    #[schemars(example = &"R1-117")]
    pub meeting_id: String,
    /// Its ID.
    #[schemars(example = &"R1-117-4f1d8a02c3")]
    pub decision_id: String,
}
