//! Ranks decisions by a query: their words, their meaning, and their subject; of equals, the newest first. The caller
//! puts what stands before what it replaced.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use domain::DecisionType;

use super::{
    TopicHit, TopicIndex, TopicQuery,
    meaning::related_cosine,
    query::{TopicConcept, TopicForm},
};

/// The usual BM25 constant for the saturation of repeated words.
const K1: f64 = 1.2;
/// The usual BM25 constant for length normalization.
const B: f64 = 0.75;
/// Maximum weight of a form of several words that do not occur as a phrase: a signal that wakes up a low-power device
/// need not be the low-power wake-up signal.
const PARTIAL_WEIGHT: f64 = 0.6;
/// With fewer than [`ENOUGH_RESULTS`] good matches, decisions with this share of the query's weight are added. One
/// common word of a long query stays below it.
const MIN_SHARE: f64 = 0.2;
/// Good matches that suffice; fewer are filled up with poor ones, so that a query in other words still gets an answer.
/// One page of the default length; more would only add to the counts of the reply.
const ENOUGH_RESULTS: usize = 20;
/// What the cosine adds to the score of the words, which is about 1 for a decision that has all of them. Fitted on the
/// questions of half of the meetings, as [`SUBJECT_WEIGHT`] is.
const MEANING_WEIGHT: f64 = 0.7;
/// What the best decisions under the same agenda title, in all meetings, add: an answer is more likely where
/// several decisions match than where one does by chance.
const SUBJECT_WEIGHT: f64 = 0.15;
/// Decisions under one title that count: more would favor the titles with the most decisions.
const BEST_OF_SUBJECT: usize = 3;
/// The share of a decision that has all words of a form, less what adding up the shares of its words loses.
const WHOLE_SHARE: f64 = 0.999;
/// Scores that differ by less are equal, and the newest meeting comes first.
const SCORE_STEP: f64 = 0.01;

/// The outcome of a document says little about a topic; an open item says less than the decision that it belongs to, and
/// has the same words.
fn kind_weight(kind: DecisionType) -> f64 {
    match kind {
        DecisionType::Agreement | DecisionType::WorkingAssumption | DecisionType::Conclusion => 1.0,
        DecisionType::OpenItem => 0.75,
        _ => 0.6,
    }
}

/// A decision that has words of a query, or is near it.
struct TopicCandidate {
    hit: TopicHit,
    is_good: bool,
}

/// The decisions of several indexes that match a query, best first, and of equals that of the last index first;
/// `kind` returns the kind of a decision by the index and its position there. With few good matches, poor ones are added.
pub fn rank_decisions(
    indexes: &[&TopicIndex],
    query: &TopicQuery,
    kind: impl Fn(usize, usize) -> DecisionType,
) -> Vec<TopicHit> {
    let enough_share = good_share(query.concepts.len());
    let matches = match_indexes(indexes, query);
    let cosines = cosines_of(indexes, query);
    let related = related_cosine(cosines.iter().flatten().flatten().copied());
    let mut candidates = Vec::new();
    for (index, of_index) in matches.into_iter().enumerate() {
        for (decision, found) in of_index.into_iter().enumerate() {
            let cosine = cosines.get(index).and_then(|of_index| of_index[decision]);
            let is_related = cosine.is_some_and(|cosine| cosine >= related);
            let has_words = found.score > 0.0 && found.share >= MIN_SHARE;
            if !has_words && !is_related {
                continue;
            }
            let cosine = f64::from(cosine.unwrap_or_default().max(0.0));
            let relevance = found.score * found.share + MEANING_WEIGHT * cosine;
            let score = relevance * kind_weight(kind(index, decision));
            let hit = TopicHit { index, decision, score };
            candidates.push(TopicCandidate { hit, is_good: found.share >= enough_share });
        }
    }
    add_subject_scores(indexes, &mut candidates);
    candidates.sort_by_cached_key(|candidate| {
        let TopicHit { index, decision, score } = candidate.hit;
        (Reverse((score / SCORE_STEP).round() as i64), Reverse(index), decision)
    });
    let good = candidates.iter().filter(|candidate| candidate.is_good).count();
    let mut poor_wanted = ENOUGH_RESULTS.saturating_sub(good);
    candidates.retain(|candidate| {
        let is_wanted = candidate.is_good || poor_wanted > 0;
        poor_wanted -= usize::from(is_wanted && !candidate.is_good);
        is_wanted
    });
    candidates.into_iter().map(|candidate| candidate.hit).collect()
}

/// Adds to each score the mean of the best under the same agenda title.
fn add_subject_scores(indexes: &[&TopicIndex], candidates: &mut [TopicCandidate]) {
    let subject = |hit: &TopicHit| &*indexes[hit.index].subjects[hit.decision];
    let mut best: HashMap<&str, [f64; BEST_OF_SUBJECT]> = HashMap::new();
    for TopicCandidate { hit, .. } in &*candidates {
        let scores = best.entry(subject(hit)).or_default();
        let mut score = hit.score;
        for known in scores {
            if score > *known {
                std::mem::swap(known, &mut score);
            }
        }
    }
    for TopicCandidate { hit, .. } in candidates {
        let scores = best.get(subject(hit)).map_or(0.0, |scores| scores.iter().sum());
        hit.score += SUBJECT_WEIGHT * scores / BEST_OF_SUBJECT as f64;
    }
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

/// How well a decision matches a query, or one of its concepts.
#[derive(Debug, Clone, Copy, Default)]
struct ConceptMatch {
    /// About 1 for a decision that has each word once.
    score: f64,
    /// The share of the weight of the concepts, or of the words of one, that it has.
    share: f64,
    /// Whether it has a whole form of the concept.
    is_named: bool,
}

/// How well each decision of each index matches a query.
fn match_indexes(indexes: &[&TopicIndex], query: &TopicQuery) -> Vec<Vec<ConceptMatch>> {
    let statistics = WordStatistics::new(indexes, query);
    let none = |topics: &&TopicIndex| vec![ConceptMatch::default(); topics.lengths.len()];
    let mut totals: Vec<Vec<ConceptMatch>> = indexes.iter().map(none).collect();
    let mut whole = 0.0;
    for concept in &query.concepts {
        let of_concept = |topics: &&TopicIndex| statistics.match_concept(topics, concept);
        let matches: Vec<HashMap<u32, ConceptMatch>> = indexes.iter().map(of_concept).collect();
        // What counts is how rare the concept is, in any of its forms: everyone has the common form of a rare word.
        let named = matches.iter().flat_map(HashMap::values).filter(|found| found.is_named);
        let weight = statistics.inverse_frequency(named.count());
        whole += weight;
        for (of_index, found) in totals.iter_mut().zip(matches) {
            for (decision, found) in found {
                let total = &mut of_index[decision as usize];
                total.score += weight * found.score;
                total.share += weight * found.share;
            }
        }
    }
    for total in totals.iter_mut().flatten() {
        total.score /= f64::max(whole, f64::MIN_POSITIVE);
        total.share /= f64::max(whole, f64::MIN_POSITIVE);
    }
    totals
}

/// The rarity of a query's words over all indexes.
struct WordStatistics<'q> {
    word_weights: HashMap<&'q str, f64>,
    decisions: usize,
    average_length: f64,
}

impl<'q> WordStatistics<'q> {
    fn new(indexes: &[&TopicIndex], query: &'q TopicQuery) -> Self {
        let decisions: usize = indexes.iter().map(|index| index.lengths.len()).sum();
        let length: f64 =
            indexes.iter().flat_map(|index| &index.lengths).copied().map(f64::from).sum();
        let average_length = (length / decisions.max(1) as f64).max(1.0);
        let mut statistics = Self { word_weights: HashMap::new(), decisions, average_length };
        let forms = query.concepts.iter().flat_map(|concept| &concept.forms);
        let words: HashSet<&str> = forms.flat_map(|form| &form.words).map(String::as_str).collect();
        for word in words {
            let postings = indexes.iter().filter_map(|index| index.postings.get(word));
            let weight = statistics.inverse_frequency(postings.map(Vec::len).sum());
            statistics.word_weights.insert(word, weight);
        }
        statistics
    }

    /// Inverse document frequency: the rarer, the greater.
    fn inverse_frequency(&self, frequency: usize) -> f64 {
        let (count, frequency) = (self.decisions as f64, frequency as f64);
        ((count - frequency + 0.5) / (frequency + 0.5)).ln_1p()
    }

    /// The decisions of an index that have a concept, each by its best form.
    fn match_concept(
        &self,
        topics: &TopicIndex,
        concept: &TopicConcept,
    ) -> HashMap<u32, ConceptMatch> {
        let mut best: HashMap<u32, ConceptMatch> = HashMap::new();
        for form in &concept.forms {
            for (decision, found) in self.match_form(topics, form) {
                let known = best.entry(decision).or_default();
                let score = found.score * form.weight;
                if score > known.score {
                    (known.score, known.share) = (score, found.share * form.weight);
                }
                known.is_named |= found.share >= WHOLE_SHARE;
            }
        }
        best
    }

    /// The decisions that contain words of a form.
    fn match_form(&self, topics: &TopicIndex, form: &TopicForm) -> HashMap<u32, ConceptMatch> {
        let weight = |word: &String| self.word_weights.get(word.as_str()).copied().unwrap_or(0.0);
        let whole: f64 = form.words.iter().map(weight).sum();
        let mut found: HashMap<u32, ConceptMatch> = HashMap::new();
        for word in &form.words {
            let share = weight(word) / whole.max(f64::MIN_POSITIVE);
            for posting in topics.postings.get(word.as_str()).into_iter().flatten() {
                let length = f64::from(topics.lengths[posting.decision as usize]);
                let relative_length = 1.0 - B + B * length / self.average_length;
                let count = f64::from(posting.count);
                let known = found.entry(posting.decision).or_default();
                known.score += share * count * (K1 + 1.0) / (count + K1 * relative_length);
                known.share += share;
            }
        }
        if form.words.len() > 1 {
            let phrase = topics.decisions_with_phrase(&form.words);
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
