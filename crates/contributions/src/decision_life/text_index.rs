//! Finds an earlier decision by its words: by runs of words that two texts share.

use std::{collections::HashMap, hash::Hasher};

use xxhash_rust::xxh3::Xxh3;

use crate::similarity::distinguishing_words;

/// Words of a run. Shorter runs are shared by chance; longer ones miss texts that a revision changed here and there.
const RUN_WORDS: usize = 4;
/// Maximum number of words of a text that are compared; longer texts are specifications within a decision.
const MAX_WORDS: usize = 600;
/// Maximum number of decisions that share a run before it says nothing: "the following is agreed for". It bounds the
/// time of a lookup.
const MAX_POSTINGS: usize = 48;
/// Minimum number of runs of a text that can be recognised: eight words.
const MIN_RUNS: usize = 5;

/// The runs of a text, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextRuns(Vec<u64>);

impl TextRuns {
    pub(super) fn of_text(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MAX_WORDS).collect();
        let hash = |run: &[&str]| {
            let mut hasher = Xxh3::new();
            for word in run {
                hasher.update(word.as_bytes());
                hasher.write_u8(0);
            }
            hasher.digest()
        };
        let mut runs: Vec<u64> = words.windows(RUN_WORDS).map(hash).collect();
        runs.sort_unstable();
        runs.dedup();
        Self(runs)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the text is long enough to be recognised.
    pub(super) fn is_distinctive(&self) -> bool {
        self.len() >= MIN_RUNS
    }

    /// The runs that `other` lacks.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().filter(|run| other.0.binary_search(run).is_err()).copied().collect())
    }
}

/// The words of a text by their hashes, sorted, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct WordSet(Vec<u64>);

impl WordSet {
    pub(super) fn of_text(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let mut words: Vec<u64> =
            words.take(MAX_WORDS).map(|word| xxhash_rust::xxh3::xxh3_64(word.as_bytes())).collect();
        words.sort_unstable();
        words.dedup();
        Self(words)
    }

    fn count_missing(&self, part: &Self) -> usize {
        part.0.iter().filter(|word| self.0.binary_search(word).is_err()).count()
    }

    /// Whether it has the words of a topic: one of eight may differ, as in "user" and "users", but not a number or a
    /// negation.
    pub(super) fn has_topic(&self, topic: &str) -> bool {
        let (all, fixed) = (Self::of_text(topic), Self::of_text(&distinguishing_words(topic)));
        self.count_missing(&all) * 8 <= all.0.len() && self.count_missing(&fixed) == 0
    }
}

/// A decision whose words a text shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SharedText {
    /// The decision, by the order in which it was added.
    pub(super) decision: u32,
    /// The share of the decision's runs that the text has, 0 to 1.
    pub(super) of_decision: f64,
    /// The share of the text's runs that the decision has, 0 to 1.
    pub(super) of_text: f64,
}

/// Decisions by the runs of their words.
#[derive(Default)]
pub(super) struct TextIndex {
    postings: HashMap<u64, Vec<u32>>,
    /// The number of runs of each decision.
    lengths: Vec<u32>,
}

impl TextIndex {
    /// Adds the next decision.
    pub(super) fn add_decision(&mut self, runs: &TextRuns) {
        let decision = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        self.lengths.push(u32::try_from(runs.len()).unwrap_or(u32::MAX));
        for run in &runs.0 {
            let postings = self.postings.entry(*run).or_default();
            if postings.len() <= MAX_POSTINGS {
                postings.push(decision);
            }
        }
    }

    /// The runs of a text that a decision has too.
    pub(super) fn runs_of(&self, decision: u32, text: &TextRuns) -> TextRuns {
        let has = |run: &&u64| {
            self.postings.get(run).is_some_and(|postings| postings.contains(&decision))
        };
        TextRuns(text.0.iter().filter(has).copied().collect())
    }

    /// The decisions that share words with a text.
    pub(super) fn find_shared(&self, text: &TextRuns) -> Vec<SharedText> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let known = text.0.iter().filter_map(|run| self.postings.get(run));
        for postings in known.filter(|postings| postings.len() <= MAX_POSTINGS) {
            postings.iter().for_each(|decision| *counts.entry(*decision).or_default() += 1);
        }
        let share = |(decision, count): (u32, u32)| {
            let length = self.lengths.get(decision as usize).copied().unwrap_or(0).max(1);
            SharedText {
                decision,
                of_decision: f64::from(count) / f64::from(length),
                of_text: f64::from(count) / text.len().max(1) as f64,
            }
        };
        counts.into_iter().map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_by_its_words_with_small_changes() {
        let mut index = TextIndex::default();
        let texts = [
            "Beams are wide at least for all of the users in a cell of the network",
            "Rays are narrow, and the counter of rays is reset at each handover",
        ];
        texts.iter().for_each(|text| index.add_decision(&TextRuns::of_text(text)));
        let copy = "- Beams are wide at least for all of the users in a ~~cell~~ of the network";
        let found = index.find_shared(&TextRuns::of_text(copy));
        assert_eq!(found.len(), 1);
        assert!(found[0].decision == 0 && found[0].of_decision > 0.99 && found[0].of_text > 0.99);
        assert!(index.find_shared(&TextRuns::of_text("Waves are long")).is_empty());
        assert!(!TextRuns::of_text("Beams are wide for all").is_distinctive());
    }

    #[test]
    fn words_of_a_topic_are_those_of_its_decision() {
        let decision = WordSet::of_text("LOS probability between an aerial user and a normal user");
        assert!(decision.has_topic("LOS probability, normal user"));
        assert!(!decision.has_topic("LOS probability of rays"));
        assert!(!decision.has_topic("LOS probability between a normal user and two an aerial"));
    }

    #[test]
    fn what_very_many_decisions_share_says_nothing() {
        let mut index = TextIndex::default();
        let runs = TextRuns::of_text("Send the following text to another group at once");
        (0..MAX_POSTINGS + 1).for_each(|_| index.add_decision(&runs));
        assert!(index.find_shared(&runs).is_empty());
    }
}
