//! Parts of the search that can be run alone.

use std::{fmt, str::FromStr};

/// A part of the search; evaluation measures each separately.
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
