//! Which organization is meant by what somebody typed.

use std::{cmp::Ordering, collections::HashMap};

use strsim::{jaro_winkler, normalized_damerau_levenshtein};

use crate::{
    directory::Directory,
    key::{keys_of_wholes, name_key},
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
pub struct Candidate {
    /// Its number in the directory.
    pub index: u32,
    /// How much one of its names is like what was typed, 0 to 1.
    pub score: f64,
}

/// What a name resolves to.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    /// How.
    pub status: ResolutionStatus,
    /// Who may be meant, best first; one where it is exact.
    pub candidates: Vec<Candidate>,
}

impl Resolution {
    /// The organization that is meant, where that is clear.
    pub fn meant(&self) -> Option<u32> {
        match self.status {
            ResolutionStatus::Exact | ResolutionStatus::Fuzzy => {
                self.candidates.first().map(|candidate| candidate.index)
            }
            ResolutionStatus::Ambiguous | ResolutionStatus::NotFound => None,
        }
    }
}

/// Names less like it are not told.
const LEAST: f64 = 0.72;
/// A name must be so much like it to be taken for it without asking.
const TAKEN: f64 = 0.84;
/// Less will do where nobody else's name is like it.
const ALONE: f64 = 0.78;
/// And by so much more than any other organization's.
const GAP: f64 = 0.05;
/// Unless that other one is so much less known: it is a slip of somebody else's pen.
const BETTER_KNOWN: u64 = 100;
/// Candidates that are told.
const MOST_CANDIDATES: usize = 10;
/// What a name of a part is worth: `Ericsson Hungary` for `Ericsson`.
const PART: f64 = 0.95;
/// What whole words in common are worth, where they are not all: `Deutsche` for `Deutsche Telekom`.
const WORDS_IN_COMMON: f64 = 0.9;

impl Directory {
    /// Resolves what somebody typed. `weight` tells how much is known of an organization, such as its
    /// number of documents: of names equally like, the better known comes first.
    pub fn resolve(&self, typed: &str, weight: impl Fn(u32) -> u64) -> Resolution {
        if let Some(index) = self.with_id(typed).or_else(|| self.called(typed)) {
            let candidates = vec![Candidate { index, score: 1.0 }];
            return Resolution { status: ResolutionStatus::Exact, candidates };
        }
        if let Some(index) = self.with_name(typed) {
            let candidates = vec![Candidate { index, score: PART }];
            return Resolution { status: ResolutionStatus::Fuzzy, candidates };
        }
        let mut candidates = self.like(typed);
        candidates.sort_by(|a, b| {
            let score = b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
            score.then_with(|| weight(b.index).cmp(&weight(a.index))).then(a.index.cmp(&b.index))
        });
        candidates.truncate(MOST_CANDIDATES);
        let status = match candidates.split_first() {
            None => ResolutionStatus::NotFound,
            // One that is a little like it is either meant, or nobody is.
            Some((only, [])) if only.score >= ALONE => ResolutionStatus::Fuzzy,
            Some((_, [])) => ResolutionStatus::NotFound,
            Some((best, others)) => {
                let known = weight(best.index);
                let is_rival = |other: &Candidate| {
                    let is_slip =
                        known > 0 && weight(other.index).saturating_mul(BETTER_KNOWN) <= known;
                    best.score - other.score < GAP && !is_slip
                };
                match best.score >= TAKEN && !others.iter().any(is_rival) {
                    true => ResolutionStatus::Fuzzy,
                    false => ResolutionStatus::Ambiguous,
                }
            }
        };
        Resolution { status, candidates }
    }

    fn like(&self, typed: &str) -> Vec<Candidate> {
        let asked = keys_of_wholes(typed);
        let whole = name_key(typed);
        let mut best: HashMap<u32, f64> = HashMap::new();
        if whole.is_empty() {
            return Vec::new();
        }
        for (key, index) in self.keys() {
            let score = asked.iter().map(|asked| likeness(asked, key)).fold(0.0, f64::max);
            if score >= LEAST {
                let known = best.entry(index).or_default();
                *known = known.max(score);
            }
        }
        best.into_iter().map(|(index, score)| Candidate { index, score }).collect()
    }
}

/// How much two keys are alike, 0 to 1 and never 1 for two that differ.
///
/// The mean of Jaro-Winkler, which looks at the beginnings, and of the Damerau-Levenshtein distance, which
/// counts slips of the pen; with spaces left out, for they are easily forgotten; or whole words in common.
fn likeness(asked: &str, key: &str) -> f64 {
    let alike =
        |a: &str, b: &str| f64::midpoint(jaro_winkler(a, b), normalized_damerau_levenshtein(a, b));
    let lengths = (asked.len() as f64, key.len() as f64);
    let by_words = words_in_common(asked, key);
    if lengths.0.min(lengths.1) * 2.5 < lengths.0.max(lengths.1) {
        return by_words;
    }
    let joined = |key: &str| key.split(' ').collect::<String>();
    let by_letters = alike(asked, key).max(alike(&joined(asked), &joined(key)) * 0.999);
    by_letters.max(by_words).min(0.999)
}

/// Whether all words of one are words of the other, of which a first word counts more than a later one.
fn words_in_common(asked: &str, key: &str) -> f64 {
    let (few, many) = if asked.len() <= key.len() { (asked, key) } else { (key, asked) };
    let many: Vec<&str> = many.split(' ').collect();
    let known = few.len() >= 3 && few.split(' ').all(|word| many.contains(&word));
    match (known, many.first() == few.split(' ').next().as_ref()) {
        (false, _) => 0.0,
        (true, true) => WORDS_IN_COMMON,
        (true, false) => WORDS_IN_COMMON - 0.06,
    }
}
