//! A line in a form of its group.

use super::grammar::{LinePlace, LineReading};
use domain::{DecisionType, DocumentOutcome};

/// A line in a form of the group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FormLine<'a> {
    pub(crate) reading: LineReading,
    pub(crate) place: LinePlace,
    /// The words that mark it.
    pub(crate) words: &'a str,
    /// The text after them.
    pub(crate) text: &'a str,
    /// The outcome that the rule names.
    pub(crate) outcome: Option<DocumentOutcome>,
}

impl FormLine<'_> {
    /// The kind of the decision that it is.
    pub(crate) fn kind(&self) -> DecisionType {
        match self.reading {
            LineReading::WorkingAssumption | LineReading::AssumptionLead => {
                DecisionType::WorkingAssumption
            }
            LineReading::Conclusion | LineReading::ConclusionLead => DecisionType::Conclusion,
            LineReading::OpenItem => DecisionType::OpenItem,
            _ => DecisionType::Agreement,
        }
    }

    /// Whether it is the lead of the text below it.
    pub(crate) fn is_lead(&self) -> bool {
        matches!(
            self.reading,
            LineReading::AgreementLead | LineReading::AssumptionLead | LineReading::ConclusionLead
        )
    }
}
