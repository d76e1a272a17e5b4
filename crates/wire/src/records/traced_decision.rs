//! A decision that leads from a document or a clause to what a meeting said.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DecisionSource, RelatedDecision};
use crate::values::{DecisionLink, DecisionStanding, DecisionType, DocumentOutcome};

/// A decision that names a clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedDecision {
    /// The ID of the decision.
    pub decision_id: String,
    /// The meeting.
    pub meeting_id: String,
    /// The type of decision.
    #[schemars(example = &"agreement")]
    pub decision_type: DecisionType,
    /// The outcome, if the decision is the outcome of a document.
    pub outcome: Option<DocumentOutcome>,
    /// The text of the decision, word for word.
    pub quote: String,
    /// The source of the decision.
    pub source: DecisionSource,
    /// The document it was recorded under.
    pub recorded_under: Option<String>,
    /// Whether it still holds, as far as the notes that were read say.
    #[schemars(extend("x-addition" = true), example = &"in_force")]
    pub standing: DecisionStanding,
    /// Links to earlier and later decisions, those to later ones first.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub links: Vec<RelatedDecision>,
    /// How it is linked to the clause.
    #[schemars(example = &"names")]
    pub via: DecisionLink,
}
