//! Which organization is meant by what somebody typed.

use std::{cmp::Ordering, collections::HashMap};

use strsim::{jaro_winkler, normalized_damerau_levenshtein};

use crate::{
    directory::OrganizationDirectory,
    key::{name_key, parent_keys},
};

/// How a name was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResolutionStatus {
    /// It is an id, a name or a known alias.
    Exact,
    /// One organization's name is like it, and no other's as much.
    Fuzzy,
    /// Several organizations' names are like it.
    Ambiguous,
    /// No name is like it.
    NotFound,
}

/// An organization that may be meant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolutionCandidate {
    /// Its number in the directory.
    pub index: u32,
    /// How much one of its names is like what was typed, 0 to 1.
    pub score: f64,
}

/// What a name resolves to.
#[derive(Debug, Clone, PartialEq)]
pub struct NameResolution {
    /// How.
    pub status: ResolutionStatus,
    /// Who may be meant, best first; one where it is exact.
    pub candidates: Vec<ResolutionCandidate>,
}

impl NameResolution {
    /// The organization that is meant, where that is clear.
    pub fn resolved_index(&self) -> Option<u32> {
        match self.status {
            ResolutionStatus::Exact | ResolutionStatus::Fuzzy => {
                self.candidates.first().map(|candidate| candidate.index)
            }
            ResolutionStatus::Ambiguous | ResolutionStatus::NotFound => None,
        }
    }
}

/// Minimum similarity of a candidate.
const MIN_SIMILARITY: f64 = 0.72;
/// Minimum similarity of a name that is resolved without asking back.
const ACCEPTED_SIMILARITY: f64 = 0.84;
/// Less will do where nobody else's name is like it.
const SOLE_CANDIDATE_SIMILARITY: f64 = 0.78;
/// And by so much more than any other organization's.
const MIN_SCORE_MARGIN: f64 = 0.05;
/// Unless that other one is so much less known: it is a slip of somebody else's pen.
const BETTER_KNOWN_RATIO: u64 = 100;
/// Maximum number of candidates.
const MAX_CANDIDATES: usize = 10;
/// What a name of a part is worth: `Ericsson Hungary` for `Ericsson`.
const PARENT_NAME_SCORE: f64 = 0.95;
/// What whole words in common are worth, where they are not all: `Deutsche` for `Deutsche Telekom`.
const WORD_OVERLAP_SCORE: f64 = 0.9;

impl OrganizationDirectory {
    /// Resolves what somebody typed. `weight` tells how much is known of an organization, such as its
    /// number of documents: of names equally like, the better known comes first.
    pub fn resolve_name(&self, typed: &str, weight: impl Fn(u32) -> u64) -> NameResolution {
        if let Some(index) = self.index_of_id(typed).or_else(|| self.index_of_exact_name(typed)) {
            let candidates = vec![ResolutionCandidate { index, score: 1.0 }];
            return NameResolution { status: ResolutionStatus::Exact, candidates };
        }
        if let Some(index) = self.index_of_name(typed) {
            let candidates = vec![ResolutionCandidate { index, score: PARENT_NAME_SCORE }];
            return NameResolution { status: ResolutionStatus::Fuzzy, candidates };
        }
        let mut candidates = self.find_similar(typed);
        candidates.sort_by(|a, b| {
            let score = b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
            score.then_with(|| weight(b.index).cmp(&weight(a.index))).then(a.index.cmp(&b.index))
        });
        candidates.truncate(MAX_CANDIDATES);
        let status = match candidates.split_first() {
            None => ResolutionStatus::NotFound,
            // One that is a little like it is either meant, or nobody is.
            Some((only, [])) if only.score >= SOLE_CANDIDATE_SIMILARITY => ResolutionStatus::Fuzzy,
            Some((_, [])) => ResolutionStatus::NotFound,
            Some((best, others)) => {
                let known = weight(best.index);
                let is_rival = |other: &ResolutionCandidate| {
                    let is_slip = known > 0
                        && weight(other.index).saturating_mul(BETTER_KNOWN_RATIO) <= known;
                    best.score - other.score < MIN_SCORE_MARGIN && !is_slip
                };
                match best.score >= ACCEPTED_SIMILARITY && !others.iter().any(is_rival) {
                    true => ResolutionStatus::Fuzzy,
                    false => ResolutionStatus::Ambiguous,
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
                let known = best.entry(index).or_default();
                *known = known.max(score);
            }
        }
        best.into_iter().map(|(index, score)| ResolutionCandidate { index, score }).collect()
    }
}

/// The similarity of two keys, 0 to 1 and never 1 for two that differ.
///
/// The mean of Jaro-Winkler, which weighs the beginnings, and of the Damerau-Levenshtein distance, which
/// counts typos; also with spaces removed, because they are easily forgotten; or whole words in common.
fn name_similarity(typed: &str, key: &str) -> f64 {
    let alike =
        |a: &str, b: &str| f64::midpoint(jaro_winkler(a, b), normalized_damerau_levenshtein(a, b));
    let lengths = (typed.len() as f64, key.len() as f64);
    let by_words = word_overlap(typed, key);
    if lengths.0.min(lengths.1) * 2.5 < lengths.0.max(lengths.1) {
        return by_words;
    }
    let joined = |key: &str| key.split(' ').collect::<String>();
    let by_letters = alike(typed, key).max(alike(&joined(typed), &joined(key)) * 0.999);
    by_letters.max(by_words).min(0.999)
}

/// Whether all words of one are words of the other, of which a first word counts more than a later one.
fn word_overlap(typed: &str, key: &str) -> f64 {
    let (few, many) = if typed.len() <= key.len() { (typed, key) } else { (key, typed) };
    let many: Vec<&str> = many.split(' ').collect();
    let known = few.len() >= 3 && few.split(' ').all(|word| many.contains(&word));
    match (known, many.first() == few.split(' ').next().as_ref()) {
        (false, _) => 0.0,
        (true, true) => WORD_OVERLAP_SCORE,
        (true, false) => WORD_OVERLAP_SCORE - 0.06,
    }
}
