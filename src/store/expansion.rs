//! Another wording of a piece of a query.

/// A wording that is searched beside the query's own words and counts for less.
#[derive(Debug, Clone, PartialEq)]
pub struct Expansion {
    /// The piece of the query that it words anew; wordings of one piece do not add up.
    pub source: String,
    /// A word or a phrase.
    pub text: String,
    /// How much it counts beside the query's own words, above 0 and at most 1.
    pub weight: f32,
    /// The documents it holds in; all of them where none are named.
    pub documents: Option<Vec<u32>>,
}
