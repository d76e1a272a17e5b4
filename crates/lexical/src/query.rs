//! Queries to the word index, and its hits.

/// A query to the word index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LexicalQuery {
    /// The query's own words, matched by word, part and form. A section named in it ("5.3.5 of
    /// 38.331") ranks first.
    pub text: String,
    /// Identifiers and quoted phrases: matched literally, on top of their words.
    pub phrases: Vec<String>,
    /// Expansions of words in `text`: they can find what the words did not, and never score more than the words they
    /// replace.
    pub expansions: Vec<QueryExpansion>,
}

/// A synonym or another spelling of words in the query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryExpansion {
    /// The words of the query that it replaces, as written there. Only the best of all expansions of one source
    /// counts.
    pub source: String,
    /// A word or a phrase.
    pub text: String,
    /// Weight relative to the source, 0 to 1.
    pub weight: f32,
    /// Documents in which it means the same; all if `None`.
    pub documents: Option<Vec<u32>>,
}

/// A content that contains words of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// A passage with the content: the one with the lowest id that matches the filters.
    pub passage: u64,
    /// Content id.
    pub content: u64,
    /// Sum over the query's words; comparable within one query only.
    pub score: f32,
}
