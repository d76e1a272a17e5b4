//! Finds decisions by topic, in one meeting or in many: BM25 over the concepts of a query, and its meaning.
//!
//! A concept is a word, or an abbreviation with its long forms. The topic of a decision is in its text as well as in
//! its heading, and in the titles of its agenda item and of those above. `docs/benchmarks.md` says how many questions
//! find their decision among the first five; measure again after a change of a weight.

mod abbreviations;
mod agenda_titles;
mod meaning;
mod query;
mod ranking;
mod words;

use std::collections::{HashMap, HashSet};

use domain::RecordedDecision;

pub use abbreviations::{Abbreviations, merged_equivalents};
pub use agenda_titles::AgendaTitles;
pub use meaning::{MeaningIndex, QuestionVector};
pub use query::{Equivalent, TopicQuery};
pub use ranking::rank_decisions;

use abbreviations::join_words;
use words::split_words;

/// The words of a phrase that name its topic, separated by blanks: [`Abbreviations`] and [`TopicQuery`] compare these.
pub fn topic_phrase(text: &str) -> String {
    join_words(text)
}

/// Weight of a word in the heading or the title of the agenda item; 1 in the text. Above 1, because many decisions
/// leave their topic to the title.
const TITLE_WEIGHT: f32 = 1.5;
/// Its weight in the title of an item above: less than in the item's own, which is more specific.
const ANCESTOR_WEIGHT: f32 = 1.25;

/// The words of the decisions of a meeting.
#[derive(Debug, Default)]
pub struct TopicIndex {
    postings: HashMap<Box<str>, Vec<TopicPosting>>,
    /// Two consecutive words -> the decisions that contain them so, ascending.
    pairs: HashMap<Box<str>, Vec<u32>>,
    /// For each decision, the number of its words.
    lengths: Vec<f32>,
    /// For each decision, the words of the title of its agenda item: the same in all meetings that discuss it.
    subjects: Vec<Box<str>>,
    /// The abbreviations that its texts define.
    pub abbreviations: Abbreviations,
    /// The vectors of its decisions.
    pub meaning: MeaningIndex,
}

/// How often a decision contains a word, weighted by its position.
#[derive(Debug, Clone, Copy)]
struct TopicPosting {
    decision: u32,
    count: f32,
}

/// A decision that matches a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopicHit {
    /// Its index among those that were ranked.
    pub index: usize,
    /// Its decision, by its position in the index.
    pub decision: usize,
    /// Its score.
    pub score: f64,
}

impl TopicIndex {
    /// Indexes decisions, in their order.
    pub fn from_rows<'a>(
        rows: impl Iterator<Item = &'a RecordedDecision>,
        titles: &AgendaTitles,
    ) -> Self {
        let mut index = Self::default();
        for (decision, row) in (0u32..).zip(rows) {
            let mut words = DecisionWords::default();
            words.add_text(&row.quote, 1.0);
            let length: f32 = words.counts.values().sum();
            let heading = row.heading.as_deref().unwrap_or_default();
            words.add_text(heading, TITLE_WEIGHT);
            let title = row.agenda_item.as_deref().and_then(|item| titles.title(item));
            index.subjects.push(join_words(title.unwrap_or(heading)).into_boxed_str());
            if let Some(item) = row.agenda_item.as_deref() {
                let title = title.filter(|title| *title != heading);
                words.add_text(title.unwrap_or_default(), TITLE_WEIGHT);
                titles.ancestor_titles(item).for_each(|one| words.add_text(one, ANCESTOR_WEIGHT));
            }
            index.lengths.push(length.max(1.0));
            for (word, count) in words.counts {
                let postings = index.postings.entry(word.into_boxed_str()).or_default();
                postings.push(TopicPosting { decision, count });
            }
            for pair in words.pairs {
                index.pairs.entry(pair.into_boxed_str()).or_default().push(decision);
            }
            index.abbreviations.add_text(&row.quote);
            index.abbreviations.add_text(heading);
        }
        titles.titles().for_each(|title| index.abbreviations.add_text(title));
        index
    }
}

impl TopicIndex {
    /// The words of the agenda title of a decision, or of its heading: the same in all meetings that discuss it.
    pub fn subject(&self, decision: usize) -> Option<&str> {
        self.subjects.get(decision).map(|words| &**words).filter(|words| !words.is_empty())
    }

    /// The decisions that contain each pair of consecutive words of a phrase.
    fn decisions_with_phrase(&self, words: &[String]) -> HashSet<u32> {
        let mut with_all: Option<HashSet<u32>> = None;
        for two in words.windows(2) {
            let list = self.pairs.get(two.join(" ").as_str()).map_or(&[][..], Vec::as_slice);
            with_all = Some(match with_all {
                None => list.iter().copied().collect(),
                Some(before) => list.iter().filter(|one| before.contains(one)).copied().collect(),
            });
        }
        with_all.unwrap_or_default()
    }
}

/// The words of a decision and of its headings.
#[derive(Default)]
struct DecisionWords {
    counts: HashMap<String, f32>,
    pairs: HashSet<String>,
}

impl DecisionWords {
    fn add_text(&mut self, text: &str, weight: f32) {
        let mut before: Option<String> = None;
        for word in split_words(text) {
            if let Some(before) = before {
                self.pairs.insert(format!("{before} {word}"));
            }
            *self.counts.entry(word.clone()).or_default() += weight;
            before = Some(word);
        }
    }
}

#[cfg(test)]
mod tests;
