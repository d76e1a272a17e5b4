//! The answer of a ranker to a question: ranked clauses.

use std::time::Duration;

use super::ClauseId;
use domain::Version;

/// One retrieved section.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedSection {
    /// The clause.
    pub clause: ClauseId,
    /// The version of the document, if known.
    pub version: Option<Version>,
    /// The score by which it was ranked; its scale is the ranker's own.
    pub score: f64,
}

/// The results for a question, best first. A section may occur several times.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The sections of the retrieved passages.
    pub results: Vec<RankedSection>,
    /// How long it took.
    pub elapsed: Duration,
    /// The ranker's confidence that there is an answer at all, on a scale of its own; higher is more confident.
    /// `None` if it does not report any.
    pub confidence: Option<f64>,
}
