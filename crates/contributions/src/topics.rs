//! Ranks the decisions of a meeting by topic: BM25 over their words.
//!
//! A meeting has about a thousand decisions, so every question scores all of them.

use std::collections::{HashMap, HashSet};

use domain::DecisionKind;
use store::DecisionRow;

/// The usual BM25 constant for the saturation of repeated words.
const K1: f64 = 1.2;
/// The usual BM25 constant for length normalization.
const B: f64 = 0.75;
/// A decision is a good match if it has this share of the weight of the question's words.
const GOOD_SHARE: f64 = 0.4;
/// With fewer than [`ENOUGH_RESULTS`] good matches, decisions with this share are added.
const MIN_SHARE: f64 = 0.2;
/// Good matches that suffice; fewer are filled up with poor ones.
const ENOUGH_RESULTS: usize = 5;
/// Words that say nothing about a topic.
const STOP_WORDS: [&str; 48] = [
    "a",
    "an",
    "the",
    "of",
    "on",
    "in",
    "at",
    "for",
    "to",
    "by",
    "and",
    "or",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "what",
    "which",
    "who",
    "when",
    "how",
    "did",
    "do",
    "does",
    "has",
    "have",
    "with",
    "about",
    "from",
    "that",
    "this",
    "it",
    "its",
    "as",
    "agreed",
    "agreement",
    "agreements",
    "decided",
    "decision",
    "decisions",
    "meeting",
    "ran1",
    "concluded",
    "conclusion",
    "regarding",
    "made",
];

/// The words of decisions.
#[derive(Debug, Default)]
pub struct TopicIndex {
    /// For each decision, the weighted count of each of its words, and their sum.
    term_counts: Vec<(HashMap<String, f64>, f64)>,
    /// The number of decisions with a word.
    document_frequency: HashMap<String, usize>,
    average_length: f64,
}

impl TopicIndex {
    /// Indexes decisions, in their order.
    pub fn from_rows<'a>(rows: impl Iterator<Item = &'a DecisionRow>) -> Self {
        let mut topics = Self::default();
        for row in rows {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let heading = row.heading.as_deref().unwrap_or_default();
            for word in split_words(&row.quote) {
                *counts.entry(word).or_default() += 1.0;
            }
            // A heading is the topic of everything under it.
            for word in split_words(heading) {
                *counts.entry(word).or_default() += 0.5;
            }
            for word in counts.keys() {
                *topics.document_frequency.entry(word.clone()).or_default() += 1;
            }
            let length = counts.values().sum();
            topics.term_counts.push((counts, length));
        }
        let total: f64 = topics.term_counts.iter().map(|(_, length)| length).sum();
        topics.average_length = (total / topics.term_counts.len().max(1) as f64).max(1.0);
        topics
    }

    /// The decisions about the words of a question, best first, with their scores. A decision must have a
    /// good share of the words' weight; `kind` gives the kind of a decision.
    pub fn rank_decisions(
        &self,
        question: &str,
        kind: impl Fn(usize) -> DecisionKind,
    ) -> Vec<(usize, f64)> {
        let query_words = topic_words(question);
        let weights: Vec<(String, f64)> = query_words
            .into_iter()
            .map(|word| (word.clone(), self.inverse_document_frequency(&word)))
            .collect();
        let whole: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut good: Vec<(usize, f64)> = Vec::new();
        let mut poor: Vec<(usize, f64)> = Vec::new();
        for (index, (counts, length)) in self.term_counts.iter().enumerate() {
            let mut score = 0.0;
            let mut share = 0.0;
            for (word, weight) in &weights {
                let Some(count) = counts.get(word) else { continue };
                let relative_length = 1.0 - B + B * length / self.average_length;
                score += weight * count * (K1 + 1.0) / (count + K1 * relative_length);
                share += weight;
            }
            if score > 0.0 && share >= MIN_SHARE * whole {
                let list = if share >= GOOD_SHARE * whole { &mut good } else { &mut poor };
                // That a document was noted says little about a topic; an open item says less than the
                // decision it is part of.
                let kind_weight = match kind(index) {
                    DecisionKind::Agreement
                    | DecisionKind::WorkingAssumption
                    | DecisionKind::Conclusion => 1.0,
                    DecisionKind::OpenItem => 0.75,
                    _ => 0.6,
                };
                list.push((index, score * kind_weight * (share / whole)));
            }
        }
        let best_first =
            |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        good.sort_by(best_first);
        if good.len() < ENOUGH_RESULTS {
            poor.sort_by(best_first);
            good.extend(poor.into_iter().take(ENOUGH_RESULTS - good.len()));
        }
        good
    }

    /// Inverse document frequency: the rarer a word, the greater its weight.
    fn inverse_document_frequency(&self, word: &str) -> f64 {
        let frequency = self.document_frequency.get(word).copied().unwrap_or(0) as f64;
        let count = self.term_counts.len() as f64;
        ((count - frequency + 0.5) / (frequency + 0.5)).ln_1p()
    }
}

/// The words of a text without stop words, each once.
pub fn topic_words(text: &str) -> HashSet<String> {
    split_words(text).collect()
}

/// The words of a text without stop words, plurals as singulars.
fn split_words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).filter(|word| !STOP_WORDS.contains(&word.as_str())).map(|word| {
        let singular =
            word.strip_suffix('s').filter(|rest| rest.len() >= 3 && !rest.ends_with('s'));
        singular.map(str::to_owned).unwrap_or(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(quote: &str, heading: &str) -> DecisionRow {
        DecisionRow {
            kind: DecisionKind::Agreement,
            outcome: None,
            marker: String::new(),
            quote: quote.to_owned(),
            is_cut: false,
            anchor: String::new(),
            last_anchor: String::new(),
            page: None,
            agenda_item: None,
            heading: Some(heading.to_owned()),
            recorded_under: None,
            references: Vec::new(),
            session: None,
            part_of: None,
        }
    }

    #[test]
    fn decisions_about_a_topic_are_ranked_best_first() {
        let rows = [
            row("Support wide beams in all cells", "Antennas"),
            row("Support narrow waves", "Beams and waves"),
            row("Support seven users", "Users"),
            row("The wake-up signal has two symbols", "Low power"),
        ];
        let topics = TopicIndex::from_rows(rows.iter());
        let about = |question: &str| -> Vec<usize> {
            let found = topics.rank_decisions(question, |_| DecisionKind::Agreement);
            found.into_iter().map(|(index, _)| index).collect()
        };
        // Poor matches follow where there are few good ones.
        assert_eq!(about("What was agreed on wide beam?"), [0, 1]);
        assert_eq!(about("waves"), [1]);
        assert_eq!(about("wake-up signal"), [3]);
        assert_eq!(about("What was decided at the meeting?"), Vec::<usize>::new());
        assert_eq!(about("colours"), Vec::<usize>::new());
    }
}
