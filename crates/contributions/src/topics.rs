//! Finds decisions by topic, in one meeting or in many: BM25 over the concepts of a query, and its meaning.
//!
//! A concept is a word, or an abbreviation with its long forms. The topic of a decision is in its text as well as in
//! its heading, and in the titles of its agenda item and of those above. 39 of 40 questions "what was agreed on X"
//! find their decision among the first five (`docs/benchmarks.md`); measure again after a change of a weight.

mod abbreviations;
mod agenda_titles;
mod meaning;
mod query;
mod words;

use std::collections::{HashMap, HashSet};

use domain::{DecisionType, RecordedDecision};

pub use abbreviations::Abbreviations;
pub use agenda_titles::AgendaTitles;
pub use meaning::{MeaningIndex, QuestionVector};
pub use query::TopicQuery;

use meaning::related_cosine;
use query::TopicConcept;
use words::split_words;

/// The words of a phrase that name its topic, separated by blanks: [`Abbreviations`] and [`TopicQuery`] compare these.
pub fn topic_phrase(text: &str) -> String {
    abbreviations::join_words(text)
}

/// The usual BM25 constant for the saturation of repeated words.
const K1: f64 = 1.2;
/// The usual BM25 constant for length normalization.
const B: f64 = 0.75;
/// Weight of a word in the heading or the title of the agenda item; 1 in the text. Above 1, because many decisions
/// leave their topic to the title.
const TITLE_WEIGHT: f32 = 1.5;
/// Its weight in the title of an item above: less than in the item's own, which is more specific.
const ANCESTOR_WEIGHT: f32 = 1.25;
/// Maximum weight of a form of several words that do not occur as a phrase: a signal that wakes up a low-power device
/// need not be the low-power wake-up signal.
const PARTIAL_WEIGHT: f64 = 0.6;
/// With fewer than [`ENOUGH_RESULTS`] good matches, decisions with this share of the query's weight are added. One
/// common word of a long query stays below it.
const MIN_SHARE: f64 = 0.2;
/// Good matches that suffice; fewer are filled up with poor ones, so that a query in other words still gets an answer.
const ENOUGH_RESULTS: usize = 5;
/// How much the cosine of a good match adds to its score, at 1: words decide, and meaning orders decisions with the
/// same words.
const MEANING_WEIGHT: f64 = 0.25;
/// Weight of the share of its words beside the cosine, for a decision with few of the query's words: with these, the
/// meaning says more.
const POOR_WORDS_WEIGHT: f64 = 0.5;

/// The words of the decisions of a meeting.
#[derive(Debug, Default)]
pub struct TopicIndex {
    postings: HashMap<Box<str>, Vec<TopicPosting>>,
    /// Two consecutive words -> the decisions that contain them so, ascending.
    pairs: HashMap<Box<str>, Vec<u32>>,
    /// For each decision, the number of its words.
    lengths: Vec<f32>,
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
            if let Some(item) = row.agenda_item.as_deref() {
                let title = titles.title(item).filter(|title| *title != heading);
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

/// The decisions of several indexes that match a query, best first; `kind` returns the kind of a decision by the index
/// and its position there.
pub fn rank_decisions(
    indexes: &[&TopicIndex],
    query: &TopicQuery,
    kind: impl Fn(usize, usize) -> DecisionType,
) -> Vec<TopicHit> {
    let statistics = TopicStatistics::new(indexes, query);
    let enough_share = good_share(query.concepts.len());
    let cosines = cosines_of(indexes, query);
    let related = related_cosine(cosines.iter().flatten().flatten().copied());
    let (mut good, mut poor) = (Vec::new(), Vec::new());
    for (index, topics) in indexes.iter().enumerate() {
        let matches = statistics.match_concepts(topics, query);
        for (decision, found) in matches.into_iter().enumerate() {
            let cosine = cosines.get(index).and_then(|of_index| of_index[decision]);
            let is_related = cosine.is_some_and(|cosine| cosine >= related);
            let has_words = found.score > 0.0 && found.share >= MIN_SHARE;
            if !has_words && !is_related {
                continue;
            }
            let cosine = f64::from(cosine.unwrap_or_default().max(0.0));
            // The outcome of a document says little about a topic; an open item says less than the decision that it
            // belongs to, and has the same words.
            let kind_weight = match kind(index, decision) {
                DecisionType::Agreement
                | DecisionType::WorkingAssumption
                | DecisionType::Conclusion => 1.0,
                DecisionType::OpenItem => 0.75,
                _ => 0.6,
            };
            let is_good = found.share >= enough_share;
            // With few matching words, the meaning says more.
            let relevance = if is_good {
                found.score * found.share * (1.0 + MEANING_WEIGHT * cosine)
            } else if query.meaning.is_some() {
                found.share * POOR_WORDS_WEIGHT + cosine
            } else {
                found.score * found.share
            };
            let hit = TopicHit { index, decision, score: relevance * kind_weight };
            if is_good { &mut good } else { &mut poor }.push(hit);
        }
    }
    let best_first = |a: &TopicHit, b: &TopicHit| {
        b.score.total_cmp(&a.score).then((a.index, a.decision).cmp(&(b.index, b.decision)))
    };
    good.sort_by(best_first);
    if good.len() < ENOUGH_RESULTS {
        poor.sort_by(best_first);
        good.extend(poor.into_iter().take(ENOUGH_RESULTS - good.len()));
    }
    good
}

/// For each decision of each index, its cosine with a query; empty if the query has no vector, or no word that names a
/// topic: a vector is near some decisions in any case.
fn cosines_of(indexes: &[&TopicIndex], query: &TopicQuery) -> Vec<Vec<Option<f32>>> {
    let about = if !query.is_empty() { query.meaning.as_ref() } else { None };
    let Some(question) = about else { return Vec::new() };
    let of_index = |topics: &&TopicIndex| topics.meaning.cosines(question, topics.lengths.len());
    indexes.iter().map(of_index).collect()
}

/// The share of the weight of a query's concepts that a good match has: two of three words of a short name, fewer of a
/// sentence, which has words that no decision contains.
fn good_share(concepts: usize) -> f64 {
    match concepts {
        0..=3 => 0.65,
        4 => 0.5,
        _ => 0.4,
    }
}

/// The rarity of a query's words over all indexes.
struct TopicStatistics<'q> {
    /// Inverse document frequency: the rarer a word, the greater its weight.
    inverse_frequency: HashMap<&'q str, f64>,
    /// The weight of each concept: the weight of its rarest word.
    concept_weights: Vec<f64>,
    average_length: f64,
}

/// How well a decision matches a query.
#[derive(Debug, Clone, Copy, Default)]
struct ConceptMatch {
    score: f64,
    /// The share of the concepts' weight that it has.
    share: f64,
}

impl<'q> TopicStatistics<'q> {
    fn new(indexes: &[&TopicIndex], query: &'q TopicQuery) -> Self {
        let count: usize = indexes.iter().map(|index| index.lengths.len()).sum();
        let length: f64 =
            indexes.iter().flat_map(|index| &index.lengths).copied().map(f64::from).sum();
        let frequency = |word: &str| -> usize {
            indexes.iter().filter_map(|index| index.postings.get(word)).map(Vec::len).sum()
        };
        let mut inverse_frequency = HashMap::new();
        for word in query.concepts.iter().flat_map(|concept| concept.forms.iter().flatten()) {
            let (count, frequency) = (count as f64, frequency(word) as f64);
            let weight = ((count - frequency + 0.5) / (frequency + 0.5)).ln_1p();
            inverse_frequency.insert(word.as_str(), weight);
        }
        let weight = |concept: &TopicConcept| {
            let words = concept.forms.iter().flatten();
            words.map(|word| inverse_frequency[word.as_str()]).fold(0.0, f64::max)
        };
        Self {
            concept_weights: query.concepts.iter().map(weight).collect(),
            inverse_frequency,
            average_length: (length / count.max(1) as f64).max(1.0),
        }
    }

    /// How well each decision of an index matches.
    fn match_concepts(&self, topics: &TopicIndex, query: &TopicQuery) -> Vec<ConceptMatch> {
        let mut matches = vec![ConceptMatch::default(); topics.lengths.len()];
        let whole: f64 = self.concept_weights.iter().sum();
        for (concept, weight) in query.concepts.iter().zip(&self.concept_weights) {
            let mut best: HashMap<u32, ConceptMatch> = HashMap::new();
            for form in &concept.forms {
                for (decision, found) in self.match_form(topics, form) {
                    let known = best.entry(decision).or_default();
                    if found.score > known.score {
                        *known = found;
                    }
                }
            }
            for (decision, found) in best {
                let total = &mut matches[decision as usize];
                total.score += weight * found.score;
                total.share += weight * found.share / whole.max(f64::MIN_POSITIVE);
            }
        }
        matches
    }

    /// The decisions that contain words of a form: `score` is about 1 for one that contains each once, `share` is 1
    /// for one that contains the phrase.
    fn match_form(&self, topics: &TopicIndex, form: &[String]) -> HashMap<u32, ConceptMatch> {
        let whole: f64 = form.iter().map(|word| self.inverse_frequency[word.as_str()]).sum();
        let mut found: HashMap<u32, ConceptMatch> = HashMap::new();
        for word in form {
            let share = self.inverse_frequency[word.as_str()] / whole.max(f64::MIN_POSITIVE);
            for posting in topics.postings.get(word.as_str()).into_iter().flatten() {
                let length = f64::from(topics.lengths[posting.decision as usize]);
                let relative_length = 1.0 - B + B * length / self.average_length;
                let count = f64::from(posting.count);
                let known = found.entry(posting.decision).or_default();
                known.score += share * count * (K1 + 1.0) / (count + K1 * relative_length);
                known.share += share;
            }
        }
        if form.len() > 1 {
            let phrase = topics.decisions_with_phrase(form);
            for (decision, known) in &mut found {
                if !phrase.contains(decision) {
                    let damped = PARTIAL_WEIGHT * known.share;
                    (known.score, known.share) = (known.score * damped, known.share * damped);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
