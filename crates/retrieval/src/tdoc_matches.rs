//! The search paths of TDocs, and how a passage matched a query.

use domain::TdocMatch;

/// A way to search TDocs; if one fails, the other answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TdocSearchPath {
    /// By meaning, with vectors.
    Vector,
    /// By exact words.
    Lexical,
}

/// How a content matched, and the identifiers of the query in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct TdocMatches {
    pub(crate) by_vector: bool,
    pub(crate) by_words: bool,
    pub(crate) by_tdoc_id: bool,
    pub(crate) identifiers: Vec<String>,
    /// How many of them lead: a passage with more of these comes first.
    pub(crate) leads: usize,
}

impl TdocMatches {
    /// The kinds of match, at least one: by words if none is noted.
    pub(crate) fn to_match_kinds(&self) -> Vec<TdocMatch> {
        let kinds = [
            (self.by_vector, TdocMatch::Vector),
            (self.by_words, TdocMatch::Lexical),
            (self.by_tdoc_id, TdocMatch::TdocId),
        ];
        let matched: Vec<TdocMatch> =
            kinds.into_iter().filter(|(is_by, _)| *is_by).map(|(_, kind)| kind).collect();
        if matched.is_empty() { vec![TdocMatch::Lexical] } else { matched }
    }
}
