//! The ways by which passages of TDocs are searched and found.

/// A way to search TDocs; where one fails, the other answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TdocSearchPath {
    /// By meaning, with vectors.
    Meaning,
    /// By exact words.
    Words,
}

/// A way by which a passage was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TdocMatchWay {
    /// By meaning, with vectors.
    Meaning,
    /// By exact words.
    Words,
    /// The question names the number of its document.
    Number,
}

/// How a content was found, and the identifiers of the question in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchedWays {
    pub(crate) by_vector: bool,
    pub(crate) by_words: bool,
    pub(crate) by_number: bool,
    pub(crate) identifiers: Vec<String>,
    pub(crate) leads: usize,
}

impl MatchedWays {
    /// The ways, at least one: by words where none is noted.
    pub(crate) fn to_match_ways(&self) -> Vec<TdocMatchWay> {
        let ways = [
            (self.by_vector, TdocMatchWay::Meaning),
            (self.by_words, TdocMatchWay::Words),
            (self.by_number, TdocMatchWay::Number),
        ];
        let matched: Vec<TdocMatchWay> =
            ways.into_iter().filter(|(is_by, _)| *is_by).map(|(_, way)| way).collect();
        if matched.is_empty() { vec![TdocMatchWay::Words] } else { matched }
    }
}
