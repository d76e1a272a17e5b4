//! A query unit: one word, name or phrase to look for, in all its forms, and its weight.
//!
//! A unit is scored by BM25F: its frequencies in the text, in the forms and in the title are added
//! up before they saturate, so that a passage does not win by spelling one word in three ways.

use super::dictionary::{IndexedTerm, TermDictionary};
use crate::LexicalError;
use crate::analyzer::{WordForms, split_parts, split_runs};

/// Saturation of repeated words; the value of Robertson and Zaragoza, "The Probabilistic
/// Relevance Framework: BM25 and Beyond" (2009).
const BM25_K1: f32 = 1.2;
/// Length normalization; the value of the same source.
const BM25_B: f32 = 0.75;
/// Weight of another form of a word, relative to the word as written, which must count for more.
const FORM_WEIGHT: f32 = 0.4;
/// Weight of a word in the title of the passage's own section, in occurrences in a text of mean
/// length. A title says what the section is about, and its text often leaves the words out.
const TITLE_WEIGHT: f32 = 4.0;

/// Words of a phrase that are compared; no two passages share this many by chance.
const MAX_PHRASE_WORDS: usize = 24;

/// The part of a unit that matches words as written.
#[derive(Clone)]
pub(super) enum Literal {
    /// Nothing: the unit has forms only.
    None,
    /// One word.
    Word(IndexedTerm),
    /// Words that follow each other.
    Phrase(Vec<IndexedTerm>),
}

/// One thing to look for.
#[derive(Clone)]
pub(super) struct QueryUnit {
    pub(super) literal: Literal,
    pub(super) forms: Vec<IndexedTerm>,
    pub(super) title: Option<IndexedTerm>,
    /// Inverse document frequency: `ln(1 + (N - n + 0.5) / (n + 0.5))`.
    pub(super) idf: f32,
}

impl QueryUnit {
    /// A text of one word or several; `None` if it cannot be in the index.
    pub(super) fn from_text(
        dictionary: &TermDictionary,
        forms: &mut WordForms,
        text: &str,
    ) -> Result<Option<Self>, LexicalError> {
        let parts: Vec<Vec<&str>> = split_runs(text).map(split_parts).collect();
        match parts.as_slice() {
            [] => Ok(None),
            [parts] => Self::from_parts(dictionary, forms, parts),
            runs => Self::from_phrase(dictionary, &runs.concat()),
        }
    }

    /// The parts of one run: a word, or a compound found also without its joiners.
    pub(super) fn from_parts(
        dictionary: &TermDictionary,
        forms: &mut WordForms,
        parts: &[&str],
    ) -> Result<Option<Self>, LexicalError> {
        let [word] = parts else {
            let joined = forms.normalize_compound(parts);
            // A name written as one word in lower case was indexed as prose, which is stemmed.
            let mut written = vec![forms.stem_word(&joined), joined];
            written.dedup();
            let phrase = Self::from_phrase(dictionary, parts)?;
            let idf = phrase.as_ref().map_or(0.0, |unit| unit.idf);
            let literal = phrase.map_or(Literal::None, |unit| unit.literal);
            return Self::with_forms(dictionary, literal, idf, &written);
        };
        let lower = word.to_lowercase();
        let mut written = vec![forms.normalize_part(word)];
        if written[0] != lower {
            written.push(lower.clone());
        }
        let literal = dictionary.find_term(dictionary.fields.words, &lower)?;
        let idf = literal
            .as_ref()
            .map_or(0.0, |term| inverse_document_frequency(dictionary, term.frequency));
        let literal = literal.map_or(Literal::None, Literal::Word);
        Self::with_forms(dictionary, literal, idf, &written)
    }

    /// Adds forms to a literal. If the index contains forms, the IDF is theirs, because they include the word as
    /// written.
    fn with_forms(
        dictionary: &TermDictionary,
        literal: Literal,
        literal_idf: f32,
        form_texts: &[String],
    ) -> Result<Option<Self>, LexicalError> {
        let mut forms = Vec::new();
        let mut title = None;
        for form in form_texts {
            forms.extend(dictionary.find_term(dictionary.fields.forms, form)?);
            if title.is_none() {
                title = dictionary.find_term(dictionary.fields.title, form)?;
            }
        }
        let max_frequency = forms.iter().map(|term| term.frequency).max();
        let idf = max_frequency.map_or(literal_idf, |n| inverse_document_frequency(dictionary, n));
        let is_absent = forms.is_empty() && matches!(literal, Literal::None);
        Ok((!is_absent).then_some(Self { literal, forms, title, idf }))
    }

    /// The same for a literal match: without the title, and without forms unless it is a compound.
    pub(super) fn into_literal(self) -> Self {
        let compound = matches!(self.literal, Literal::None | Literal::Phrase(_));
        let forms = if compound { self.forms } else { Vec::new() };
        Self { forms, title: None, ..self }
    }

    /// A unit that matches all passages of a section.
    pub(super) fn from_section_term(
        dictionary: &TermDictionary,
        term: &str,
    ) -> Result<Option<Self>, LexicalError> {
        let found = dictionary.find_term(dictionary.fields.section, term)?;
        let unit = |found| Self {
            literal: Literal::Word(found),
            forms: Vec::new(),
            title: None,
            idf: 0.0,
        };
        Ok(found.map(unit))
    }

    /// Words that must follow each other. The frequency of the phrase is not known; it is at most that
    /// of its rarest word.
    pub(super) fn from_phrase(
        dictionary: &TermDictionary,
        words: &[&str],
    ) -> Result<Option<Self>, LexicalError> {
        let mut terms = Vec::with_capacity(words.len());
        for word in words.iter().take(MAX_PHRASE_WORDS) {
            match dictionary.find_term(dictionary.fields.words, &word.to_lowercase())? {
                Some(term) => terms.push(term),
                None => return Ok(None),
            }
        }
        let Some(min_frequency) = terms.iter().map(|term| term.frequency).min() else {
            return Ok(None);
        };
        let literal = Literal::Phrase(terms);
        let idf = inverse_document_frequency(dictionary, min_frequency);
        Ok(Some(Self { literal, forms: Vec::new(), title: None, idf }))
    }
}

/// Robertson and Sparck Jones, in the form that is never negative.
pub(super) fn inverse_document_frequency(dictionary: &TermDictionary, frequency: u64) -> f32 {
    let total = dictionary.passage_count().max(frequency) as f32;
    let frequency = frequency as f32;
    (1.0 + (total - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// How often a unit occurs in one passage.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct UnitFrequencies {
    pub(super) literal: u32,
    pub(super) forms: u32,
    pub(super) title: u32,
}

impl UnitFrequencies {
    /// BM25F without the IDF: at most [`MAX_SATURATED_FREQUENCY`]. `length` is that of the passage,
    /// relative to the mean.
    pub(super) fn saturate_frequency(self, length: f32) -> f32 {
        let written = self.literal as f32;
        // The forms include the word as written.
        let others = (self.forms as f32 - written).max(0.0);
        let text = (written + FORM_WEIGHT * others) / (1.0 - BM25_B + BM25_B * length);
        let frequency = text + TITLE_WEIGHT * self.title as f32;
        frequency * (BM25_K1 + 1.0) / (frequency + BM25_K1)
    }
}

/// The upper bound of [`UnitFrequencies::saturate_frequency`].
pub(super) const MAX_SATURATED_FREQUENCY: f32 = BM25_K1 + 1.0;
