//! What is asked of the word index, and what it answers.

/// A question to the word index.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LexicalQuery {
    /// The query's own words, matched by word, part and form. A section named in it ("5.3.5 of
    /// 38.331") comes first.
    pub text: String,
    /// Identifiers and quoted phrases: matched literally, on top of their words.
    pub phrases: Vec<String>,
    /// Other wordings of words in `text`: they can find what the words did not, and never count
    /// for more than the words they stand for.
    pub expansions: Vec<QueryExpansion>,
}

/// Another wording of something in the query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryExpansion {
    /// The words of the query it stands for, as written there. Of all expansions of one source
    /// the best alone counts.
    pub source: String,
    /// A word or a phrase.
    pub text: String,
    /// Worth in comparison with the source, 0 to 1.
    pub weight: f32,
    /// Documents in which it means the same; everywhere when none.
    pub documents: Option<Vec<u32>>,
}

/// A content that holds words of a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// A passage with the content: of those that pass the filters the one with the lowest id.
    pub passage: u64,
    /// Content id.
    pub content: u64,
    /// Sum over the query's words; comparable within one query only.
    pub score: f32,
}
