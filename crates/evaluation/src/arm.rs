//! The ranker as evaluation sees it: a question and an arm in, ranked clauses out.

use std::{fmt, str::FromStr, time::Duration};

use super::ClauseId;
use domain::Version;

/// A part of the search, measured separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arm {
    /// The word index alone.
    Words,
    /// The vectors alone.
    Vectors,
    /// Both, fused.
    Both,
    /// Both, fused and reranked: the default search.
    Reranked,
}

impl Arm {
    /// All, cheapest first.
    pub const ALL: [Self; 4] = [Self::Words, Self::Vectors, Self::Both, Self::Reranked];

    /// Its name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Vectors => "vectors",
            Self::Both => "both",
            Self::Reranked => "reranked",
        }
    }

    /// Whether it needs the models.
    pub fn needs_vectors(self) -> bool {
        self != Self::Words
    }
}

impl fmt::Display for Arm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Arm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let arm = Self::ALL.into_iter().find(|known| known.as_str() == text);
        arm.ok_or_else(|| format!("'{text}' is not one of words, vectors, both, reranked"))
    }
}

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

/// Ranks sections for queries.
pub trait Ranker {
    /// Why ranking failed.
    type Error;

    /// The best passages for a query, at least `depth` of them if there are that many.
    fn rank_sections(&self, query: &str, arm: Arm, depth: usize) -> Result<Ranking, Self::Error>;
}
