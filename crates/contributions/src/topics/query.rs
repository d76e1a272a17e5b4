//! The topic of a query for decisions.

use super::{
    QuestionVector,
    words::{homograph_in_capitals, split_words},
};

/// Longest phrase that may have an abbreviation, in words. Each word of a query costs so many lookups in the
/// abbreviations of each meeting.
const MAX_PHRASE_WORDS: usize = 8;
/// Words of a query that count; a longer text is cut. Each one is looked up in the index of each meeting.
const MAX_QUERY_WORDS: usize = 64;

/// The concepts that a query names.
#[derive(Debug, Default, PartialEq)]
pub struct TopicQuery {
    pub(super) concepts: Vec<TopicConcept>,
    /// Its vector; `None` if the search uses its words alone.
    pub meaning: Option<QuestionVector>,
}

/// Another form of a phrase.
#[derive(Debug, Clone, PartialEq)]
pub struct Equivalent {
    /// Its words.
    pub text: String,
    /// Its weight, above 0 and at most 1, which an abbreviation and its long form have: a term of the field for an
    /// everyday word is a guess.
    pub weight: f64,
}

impl Equivalent {
    /// Another form with the same meaning: an abbreviation, a long form, or a spelling.
    pub fn same(text: impl Into<String>) -> Self {
        Self { text: text.into(), weight: 1.0 }
    }
}

/// One concept, in all its forms: the words of the query, and their equivalents.
#[derive(Debug, PartialEq)]
pub(super) struct TopicConcept {
    pub(super) forms: Vec<TopicForm>,
}

impl TopicConcept {
    fn has_words(&self, words: &[String]) -> bool {
        self.forms.iter().any(|form| form.words == words)
    }
}

/// A form of a concept.
#[derive(Debug, PartialEq)]
pub(super) struct TopicForm {
    pub(super) words: Vec<String>,
    /// As in [`Equivalent`].
    pub(super) weight: f64,
}

impl TopicQuery {
    /// Reads a query. `equivalents` returns the equivalents of a phrase, both as words separated by blanks. The
    /// longest phrase with an equivalent wins: a part of it may be the abbreviation of something else.
    pub fn new(question: &str, equivalents: &dyn Fn(&str) -> Vec<Equivalent>) -> Self {
        let words: Vec<String> = split_words(question).take(MAX_QUERY_WORDS).collect();
        let mut concepts: Vec<TopicConcept> = Vec::new();
        let mut next = 0;
        while next < words.len() {
            let longest = MAX_PHRASE_WORDS.min(words.len() - next);
            let phrase = (1..=longest).rev().find_map(|length| {
                let found = equivalents(&words[next..next + length].join(" "));
                (!found.is_empty()).then_some((length, found))
            });
            let (length, mut same) = phrase.unwrap_or((1, Vec::new()));
            // People write abbreviations in small letters too.
            if let (1, Some(short)) = (length, homograph_in_capitals(&words[next])) {
                same.extend(equivalents(&short));
                same.push(Equivalent::same(short));
            }
            let own = TopicForm { words: words[next..next + length].to_vec(), weight: 1.0 };
            let mut concept = TopicConcept { forms: vec![own] };
            for Equivalent { text, weight } in same {
                let words: Vec<String> = split_words(&text).collect();
                if !words.is_empty() && !concept.has_words(&words) {
                    concept.forms.push(TopicForm { words, weight });
                }
            }
            next += length;
            let is_known = |form: &TopicForm| concepts.iter().any(|one| one.has_words(&form.words));
            if !concept.forms.iter().any(is_known) {
                concepts.push(concept);
            }
        }
        Self { concepts, meaning: None }
    }

    /// Whether it has no topic: only words that occur in every query.
    pub fn is_empty(&self) -> bool {
        self.concepts.is_empty()
    }

    /// The share of its concepts that a text names, between 0 and 1.
    pub fn share_in_text(&self, text: &str) -> f64 {
        let words: Vec<String> = split_words(text).collect();
        let is_named = |concept: &&TopicConcept| {
            concept.forms.iter().any(|form| form.words.iter().all(|word| words.contains(word)))
        };
        let named = self.concepts.iter().filter(is_named).count();
        named as f64 / self.concepts.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_and_their_abbreviations_are_one_concept() {
        let equivalents = |phrase: &str| match phrase {
            "lp wus" => vec![Equivalent::same("low power wake up signal")],
            "low power wake up signal" => vec![Equivalent::same("lp wus")],
            _ => Vec::new(),
        };
        let forms = |question: &str| -> Vec<Vec<String>> {
            let concepts = TopicQuery::new(question, &equivalents).concepts;
            let concepts = concepts.into_iter().map(|concept| {
                let mut forms: Vec<String> =
                    concept.forms.iter().map(|form| form.words.join(" ")).collect();
                forms.sort();
                forms
            });
            concepts.collect()
        };
        let both = ["low power wake up signal", "lp wus"];
        assert_eq!(forms("What was agreed on LP-WUS beams?"), [&both[..], &["beam"]]);
        assert_eq!(forms("low-power wake-up signals or LP-WUS"), [both]);
        assert!(TopicQuery::new("What was decided at the meeting?", &equivalents).is_empty());
    }
}
