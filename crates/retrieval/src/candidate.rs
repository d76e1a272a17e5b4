//! A passage that may be the answer, and its ranking features.

use std::cmp::Ordering;

use store::{PassageRow, Snapshot};

/// The features of a content for a question.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankingFeatures {
    /// Whether the content has vectors; the three cosines are 0 if it has none yet.
    pub has_vector: bool,
    /// Cosine of the question and the best window of the content.
    pub cosine: f64,
    /// The same for the question with field terms added; equal to `cosine` if none were added.
    pub field_cosine: f64,
    /// Cosine of the question, or of that with field terms, and the heading path of the section: the titles of the clause
    /// and those above it.
    pub heading_cosine: f64,
    /// How far the better of the two first cosines is above the mean of all candidates, in their standard deviations:
    /// long questions and short ones have cosines of different size. 0 without vectors.
    pub cosine_deviation: f64,
    /// The same for the heading cosine.
    pub heading_deviation: f64,
    /// BM25 of the question's words and their expansions; 0 if it is not among the best.
    pub bm25_score: f64,
    /// The same as a share of the best one, or of an upper bound, 0 to 1.
    pub words_share: f64,
    /// The same as a share of what a passage with all words of the question could have, 0 to 1.
    pub words_coverage: f64,
    /// Rank by BM25, from 1; `None` if it is not among the best.
    pub words_rank: Option<usize>,
    /// Rank by cosine among all candidates, from 1; `None` without vectors.
    pub vector_rank: Option<usize>,
    /// Whether an identifier, an abbreviation or a quoted phrase stands in the question.
    pub question_has_names: bool,
    /// Whether the question names an identifier, or quotes a phrase, that few contents contain.
    pub question_is_exact: bool,
    /// Whether the question does, and the content contains none of them.
    pub lacks_identifiers: bool,
    /// The logit of the reranker; `None` if it did not read the passage.
    pub logit: Option<f64>,
}

/// Share of the heading path in the similarity of a passage. With it, nDCG@10 is .564 instead of .516 for technical
/// questions and .276 instead of .264 for plain ones, by vectors alone (docs/ranking.md).
const HEADING_SHARE: f64 = 0.3;

impl RankingFeatures {
    /// How near a passage is to the question, 0 to 1: the cosine of its vector, weighted with that of its section's
    /// heading path, if there is one.
    pub fn similarity(&self) -> f64 {
        let heading = if self.heading_cosine == 0.0 { self.cosine } else { self.heading_cosine };
        ((1.0 - HEADING_SHARE) * self.cosine + HEADING_SHARE * heading).clamp(0.0, 1.0)
    }
}

/// A passage that may be returned.
#[derive(Debug, Clone)]
pub struct PassageCandidate {
    /// Passage id.
    pub passage: u64,
    /// Its row.
    pub row: PassageRow,
    /// Its ranking features.
    pub features: RankingFeatures,
    /// Score of the stage that ordered it; 0 to 1 if it is a probability.
    pub score: f64,
    /// Other passages with the same text, or of the same clause, newest first.
    pub also_in: Vec<PassageRow>,
    /// The first later version, if it has no such clause; known only of searches for the newest versions.
    pub missing_in: Option<u32>,
}

impl PassageCandidate {
    /// The similarity as the contract gives it.
    pub fn similarity(&self) -> f64 {
        self.features.similarity()
    }
}

/// Sorts by score, then by cosine, then newest version first.
pub(crate) fn sort_candidates(snapshot: &Snapshot, candidates: &mut [PassageCandidate]) {
    candidates.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then_with(|| b.features.cosine.total_cmp(&a.features.cosine))
            .then_with(|| compare_newest_first(snapshot, &a.row, &b.row))
            .then(a.passage.cmp(&b.passage))
    });
}

/// The newest version first; among equals the lower document number.
pub(crate) fn compare_newest_first(
    snapshot: &Snapshot,
    a: &PassageRow,
    b: &PassageRow,
) -> Ordering {
    compare_documents_newest_first(snapshot, a.document, b.document)
}

/// The same for two documents by their ids.
pub(crate) fn compare_documents_newest_first(snapshot: &Snapshot, a: u32, b: u32) -> Ordering {
    let row = |document| snapshot.catalog().get(document).map(|entry| &entry.row);
    match (row(a), row(b)) {
        (Some(a), Some(b)) => b.version.cmp(&a.version).then_with(|| a.number.cmp(&b.number)),
        _ => Ordering::Equal,
    }
}
