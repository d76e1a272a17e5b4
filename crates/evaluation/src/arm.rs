//! What ranks, seen from here: a question and an arm in, clauses out.

use std::{fmt, str::FromStr, time::Duration};

use super::ClauseId;
use domain::Version;

/// A part of the search, measured by itself.
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
    /// All, from the cheapest to the dearest.
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
    /// The version of the document, where that is known.
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
    /// How sure the ranker is that there is an answer at all; higher is surer, the scale is its
    /// own. None where it does not say.
    pub confidence: Option<f64>,
}

/// What ranks.
pub trait Ranker {
    /// Why it could not.
    type Error;

    /// The best passages for a query, at least `depth` of them where there are so many.
    fn rank_sections(&self, query: &str, arm: Arm, depth: usize) -> Result<Ranking, Self::Error>;
}
