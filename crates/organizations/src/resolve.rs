//! Resolves a typed name to an organization.

use domain::OrganizationResolutionStatus;
use std::{cmp::Ordering, collections::HashMap};

use strsim::{jaro_winkler, normalized_damerau_levenshtein};

use crate::{
    directory::OrganizationDirectory,
    key::{name_key, parent_keys},
};

/// An organization that may be meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolutionCandidate {
    /// Its number in the directory.
    pub index: u32,
    /// The similarity of its most similar name, 0 to 1.
    pub score: f64,
}

/// The result of resolving a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NameResolution {
    /// How it was resolved.
    pub status: OrganizationResolutionStatus,
    /// The organizations that may be meant, best first; only one for an exact match.
    pub candidates: Vec<ResolutionCandidate>,
}

impl NameResolution {
    /// The organization that is meant, if that is clear.
    pub fn resolved_index(&self) -> Option<u32> {
        match self.status {
            OrganizationResolutionStatus::Exact | OrganizationResolutionStatus::Fuzzy => {
                self.candidates.first().map(|candidate| candidate.index)
            }
            OrganizationResolutionStatus::Ambiguous | OrganizationResolutionStatus::NotFound => {
                None
            }
        }
    }
}

/// Minimum similarity of a candidate: with less, an error would list names that nobody meant.
const MIN_SIMILARITY: f64 = 0.72;
/// Minimum similarity of the best of several candidates that is accepted without asking: a wrong one would answer for
/// another company.
const ACCEPTED_SIMILARITY: f64 = 0.84;
/// Minimum similarity of the only candidate: lower, because no other name is near.
const SOLE_CANDIDATE_SIMILARITY: f64 = 0.78;
/// Minimum margin of an accepted candidate over the next one; with less, either may be meant.
const MIN_SCORE_MARGIN: f64 = 0.05;
/// The margin is not needed over an organization with this many times fewer documents, which is probably a typo in a
/// register that was not recognised.
const BETTER_KNOWN_RATIO: u64 = 100;
/// Maximum number of candidates: they are listed in an error message.
const MAX_CANDIDATES: usize = 10;
/// Score of the name of a part: `Ericsson Hungary` for `Ericsson`.
const PARENT_NAME_SCORE: f64 = 0.95;
/// Score of a name that has only some of the words: `Deutsche` for `Deutsche Telekom`. It is above
/// [`ACCEPTED_SIMILARITY`], so that a single match is accepted.
const WORD_OVERLAP_SCORE: f64 = 0.9;
/// Subtracted from that score if the first words differ: more than [`MIN_SCORE_MARGIN`], so that a name that begins
/// with the typed word wins.
const LATER_WORD_PENALTY: f64 = 0.06;
/// Maximum score of keys that differ: 1 is the score of an exact match.
const MAX_INEXACT_SCORE: f64 = 0.999;
/// Letters of keys are not compared if one is longer than the other by more than this factor: such keys cannot reach
/// [`MIN_SIMILARITY`], and every known name is compared.
const MAX_LENGTH_RATIO: f64 = 2.5;

impl OrganizationDirectory {
    /// Resolves a typed name. `weight` returns how well known an organization is, such as its number of documents: of
    /// equally similar names, that of the better known organization comes first.
    pub fn resolve_name(&self, typed: &str, weight: impl Fn(u32) -> u64) -> NameResolution {
        if let Some(index) = self.index_of_id(typed).or_else(|| self.index_of_exact_name(typed)) {
            let candidates = vec![ResolutionCandidate { index, score: 1.0 }];
            return NameResolution { status: OrganizationResolutionStatus::Exact, candidates };
        }
        if let Some(index) = self.index_of_name(typed) {
            let candidates = vec![ResolutionCandidate { index, score: PARENT_NAME_SCORE }];
            return NameResolution { status: OrganizationResolutionStatus::Fuzzy, candidates };
        }
        let mut candidates = self.find_similar(typed);
        candidates.sort_by(|a, b| {
            let score = b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
            score.then_with(|| weight(b.index).cmp(&weight(a.index))).then(a.index.cmp(&b.index))
        });
        candidates.truncate(MAX_CANDIDATES);
        let status = match candidates.split_first() {
            None => OrganizationResolutionStatus::NotFound,
            // A single candidate is accepted with less similarity, or there is none.
            Some((only, [])) if only.score >= SOLE_CANDIDATE_SIMILARITY => {
                OrganizationResolutionStatus::Fuzzy
            }
            Some((_, [])) => OrganizationResolutionStatus::NotFound,
            Some((best, others)) => {
                let best_weight = weight(best.index);
                let is_rival = |other: &ResolutionCandidate| {
                    let is_typo = best_weight > 0
                        && weight(other.index).saturating_mul(BETTER_KNOWN_RATIO) <= best_weight;
                    best.score - other.score < MIN_SCORE_MARGIN && !is_typo
                };
                if best.score >= ACCEPTED_SIMILARITY && !others.iter().any(is_rival) {
                    OrganizationResolutionStatus::Fuzzy
                } else {
                    OrganizationResolutionStatus::Ambiguous
                }
            }
        };
        NameResolution { status, candidates }
    }

    fn find_similar(&self, typed: &str) -> Vec<ResolutionCandidate> {
        let typed_keys = parent_keys(typed);
        let whole = name_key(typed);
        let mut best: HashMap<u32, f64> = HashMap::new();
        if whole.is_empty() {
            return Vec::new();
        }
        for (key, index) in self.iter_keys() {
            let score =
                typed_keys.iter().map(|typed| name_similarity(typed, key)).fold(0.0, f64::max);
            if score >= MIN_SIMILARITY {
                let best_score = best.entry(index).or_default();
                *best_score = best_score.max(score);
            }
        }
        best.into_iter().map(|(index, score)| ResolutionCandidate { index, score }).collect()
    }
}

/// The similarity of two keys, 0 to 1 and never 1 for two that differ.
///
/// The mean of Jaro-Winkler, which favours equal beginnings, and of Damerau-Levenshtein, which counts typos;
/// also with spaces removed, because they are easily forgotten; or the score of whole words in common.
fn name_similarity(typed: &str, key: &str) -> f64 {
    let similarity =
        |a: &str, b: &str| f64::midpoint(jaro_winkler(a, b), normalized_damerau_levenshtein(a, b));
    let lengths = (typed.len() as f64, key.len() as f64);
    let by_words = word_overlap(typed, key);
    if lengths.0.min(lengths.1) * MAX_LENGTH_RATIO < lengths.0.max(lengths.1) {
        return by_words;
    }
    let joined = |key: &str| key.split(' ').collect::<String>();
    let without_spaces = similarity(&joined(typed), &joined(key)) * MAX_INEXACT_SCORE;
    similarity(typed, key).max(without_spaces).max(by_words).min(MAX_INEXACT_SCORE)
}

/// The score of keys of which one has all words of the other, higher if their first words are equal;
/// otherwise 0.
fn word_overlap(typed: &str, key: &str) -> f64 {
    let (few, many) = if typed.len() <= key.len() { (typed, key) } else { (key, typed) };
    let many: Vec<&str> = many.split(' ').collect();
    let has_all_words = few.len() >= 3 && few.split(' ').all(|word| many.contains(&word));
    match (has_all_words, many.first() == few.split(' ').next().as_ref()) {
        (false, _) => 0.0,
        (true, true) => WORD_OVERLAP_SCORE,
        (true, false) => WORD_OVERLAP_SCORE - LATER_WORD_PENALTY,
    }
}
