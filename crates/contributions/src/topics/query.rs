//! The topic of a query for decisions.

use super::{QuestionVector, words::split_words};

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

/// One concept, in all its forms: the words of the query, and their equivalents.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TopicConcept {
    pub(super) forms: Vec<Vec<String>>,
}

impl TopicQuery {
    /// Reads a query. `equivalents` returns the equivalents of a phrase, both as words separated by blanks. The
    /// longest phrase with an equivalent wins: a part of it may be the abbreviation of something else.
    pub fn new(question: &str, equivalents: &dyn Fn(&str) -> Vec<String>) -> Self {
        let words: Vec<String> = split_words(question).take(MAX_QUERY_WORDS).collect();
        let mut concepts: Vec<TopicConcept> = Vec::new();
        let mut next = 0;
        while next < words.len() {
            let longest = MAX_PHRASE_WORDS.min(words.len() - next);
            let phrase = (1..=longest).rev().find_map(|length| {
                let found = equivalents(&words[next..next + length].join(" "));
                (!found.is_empty()).then_some((length, found))
            });
            let (length, same) = phrase.unwrap_or((1, Vec::new()));
            let mut forms = vec![words[next..next + length].to_vec()];
            for form in same {
                let form: Vec<String> = split_words(&form).collect();
                if !form.is_empty() && !forms.contains(&form) {
                    forms.push(form);
                }
            }
            next += length;
            if !concepts.iter().any(|known| known.forms.iter().any(|form| forms.contains(form))) {
                concepts.push(TopicConcept { forms });
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
            concept.forms.iter().any(|form| form.iter().all(|word| words.contains(word)))
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
            "lp wus" => vec!["low power wake up signal".to_owned()],
            "low power wake up signal" => vec!["lp wus".to_owned()],
            _ => Vec::new(),
        };
        let forms = |question: &str| -> Vec<Vec<String>> {
            let concepts = TopicQuery::new(question, &equivalents).concepts;
            let concepts = concepts.into_iter().map(|concept| {
                let mut forms: Vec<String> =
                    concept.forms.iter().map(|form| form.join(" ")).collect();
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
