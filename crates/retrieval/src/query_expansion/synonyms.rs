//! The vocabulary: everyday phrases, and the field's terms for the same things.
//!
//! `data/vocabulary.toml` is part of the program; an operator's own file overrides it: a phrase that both have gets
//! the terms of the operator's file, or none if that lists none.

use std::{
    collections::{BTreeMap, HashMap, btree_map::Entry},
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::Deserialize;
use toml::Spanned;

use super::{
    ExpansionGroup,
    query_words::{QueryWord, QueryWords, split_words, stem_word},
};
use lexical::QueryExpansion;

const SHIPPED_VOCABULARY: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/vocabulary.toml"));
const SHIPPED_NAME: &str = "data/vocabulary.toml";
/// Maximum number of words of an everyday phrase.
const MAX_EVERYDAY_WORDS: usize = 6;
/// Maximum number of field terms of one everyday phrase.
const MAX_FIELD_TERMS: usize = 8;

/// Minimum weight of a term that is appended to a query; a guess would mislead a model.
const MIN_APPENDED_WEIGHT: f32 = 0.5;

/// A vocabulary file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum VocabularyError {
    /// The file cannot be read.
    #[error("cannot read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// A line is wrong.
    #[error("{}, line {line}: {what}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// Everyday phrases with their field terms.
#[derive(Debug, Clone, Default)]
pub struct SynonymVocabulary {
    /// Stems of an everyday phrase -> its field terms, best first.
    entries: HashMap<Vec<String>, Arc<[FieldTerm]>>,
    /// First stem -> lengths in words of the phrases that begin with it, longest first.
    lengths: HashMap<String, Vec<usize>>,
}

/// A term of the field.
#[derive(Debug, Clone, PartialEq)]
struct FieldTerm {
    text: String,
    /// Its weight beside the everyday phrase, above 0 and at most 1.
    weight: f32,
}

/// A file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyFile {
    #[serde(default)]
    entry: Vec<VocabularyFileEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VocabularyFileEntry {
    everyday: Vec<Spanned<String>>,
    field: BTreeMap<Spanned<String>, f32>,
}

/// An everyday phrase found in a query, as byte offsets.
struct SynonymMatch<'a> {
    start: usize,
    end: usize,
    terms: &'a [FieldTerm],
}

impl SynonymVocabulary {
    /// The vocabulary of the program, overridden by the operator's own file if there is one.
    pub fn open(own: &Path) -> Result<Self, VocabularyError> {
        let mut vocabulary = Self::load_shipped()?;
        match fs::read_to_string(own) {
            Ok(text) => vocabulary.merge_entries(parse_vocabulary(&text, own)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(VocabularyError::Read { path: own.to_owned(), source }),
        }
        Ok(vocabulary)
    }

    /// The vocabulary of the program.
    pub fn load_shipped() -> Result<Self, VocabularyError> {
        let mut vocabulary = Self::default();
        vocabulary.merge_entries(parse_vocabulary(SHIPPED_VOCABULARY, Path::new(SHIPPED_NAME))?);
        Ok(vocabulary)
    }

    /// All field terms.
    pub fn field_terms(&self) -> impl Iterator<Item = &str> {
        self.entries.values().flat_map(|terms| terms.iter()).map(|term| term.text.as_str())
    }

    /// Number of everyday phrases.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no everyday phrase.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn merge_entries(&mut self, entries: SynonymEntries) {
        self.entries.extend(entries);
        self.lengths.clear();
        for stems in self.entries.keys() {
            let lengths = self.lengths.entry(stems[0].clone()).or_default();
            if !lengths.contains(&stems.len()) {
                lengths.push(stems.len());
                lengths.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
    }

    /// The field terms of each everyday phrase in the query.
    pub(crate) fn expand_synonyms(&self, parts: &QueryWords<'_>) -> Vec<ExpansionGroup> {
        let expansion = |found: &SynonymMatch<'_>, term: &FieldTerm| QueryExpansion {
            source: parts.query[found.start..found.end].to_owned(),
            text: term.text.clone(),
            weight: term.weight,
            documents: None,
        };
        let group = |found: &SynonymMatch<'_>| -> ExpansionGroup {
            found.terms.iter().map(|term| expansion(found, term)).collect()
        };
        self.find_matches(parts).iter().map(group).collect()
    }

    /// The query with the best field term after each everyday phrase.
    pub(crate) fn append_field_terms(&self, parts: &QueryWords<'_>) -> Option<String> {
        let mut text = String::new();
        let mut copied = 0;
        let mut appended: Vec<&str> = Vec::new();
        for found in self.find_matches(parts) {
            let mut likely = found.terms.iter().filter(|term| term.weight >= MIN_APPENDED_WEIGHT);
            let new = likely.find(|term| !parts.contains_text(&term.text));
            let Some(term) = new.filter(|term| !appended.contains(&term.text.as_str())) else {
                continue;
            };
            text.push_str(&parts.query[copied..found.end]);
            text.push_str(&format!(" ({})", term.text));
            copied = found.end;
            appended.push(&term.text);
        }
        text.push_str(&parts.query[copied..]);
        (copied > 0).then_some(text)
    }

    /// The everyday phrases of a query from left to right, the longest at each word.
    fn find_matches(&self, parts: &QueryWords<'_>) -> Vec<SynonymMatch<'_>> {
        let words = parts.meaningful_words();
        let mut found = Vec::new();
        let mut next = 0;
        while next < words.len() {
            match self.longest_match(&words[next..]) {
                Some((length, terms)) => {
                    let (first, last) = (words[next], words[next + length - 1]);
                    found.push(SynonymMatch { start: first.start, end: last.end, terms });
                    next += length;
                }
                None => next += 1,
            }
        }
        found
    }

    fn longest_match(&self, words: &[&QueryWord]) -> Option<(usize, &[FieldTerm])> {
        let lengths = self.lengths.get(&words.first()?.stem)?;
        lengths.iter().filter(|length| **length <= words.len()).find_map(|length| {
            let stems: Vec<String> = words[..*length].iter().map(|w| w.stem.clone()).collect();
            Some((*length, &**self.entries.get(&stems)?))
        })
    }
}

/// The entries of a file: everyday phrases by their stems.
type SynonymEntries = BTreeMap<Vec<String>, Arc<[FieldTerm]>>;

/// Reads and checks a file.
fn parse_vocabulary(text: &str, path: &Path) -> Result<SynonymEntries, VocabularyError> {
    let wrong = |span: Range<usize>, what: String| VocabularyError::Line {
        path: path.to_owned(),
        line: 1 + text[..span.start.min(text.len())].matches('\n').count(),
        what,
    };
    let file: VocabularyFile = toml::from_str(text).map_err(|error: toml::de::Error| {
        wrong(error.span().unwrap_or_default(), error.message().to_owned())
    })?;
    let mut entries = SynonymEntries::new();
    for VocabularyFileEntry { everyday, field } in file.entry {
        let terms = field_terms(field).map_err(|(span, what)| wrong(span, what))?;
        for phrase in everyday {
            let stems =
                everyday_stems(&phrase, &terms).map_err(|what| wrong(phrase.span(), what))?;
            match entries.entry(stems) {
                Entry::Vacant(entry) => entry.insert(terms.clone()),
                Entry::Occupied(_) => {
                    let what = format!("'{}' occurs twice in the file", phrase.get_ref());
                    return Err(wrong(phrase.span(), what));
                }
            };
        }
    }
    Ok(entries)
}

/// The field terms of one entry, best first.
fn field_terms(
    field: BTreeMap<Spanned<String>, f32>,
) -> Result<Arc<[FieldTerm]>, (Range<usize>, String)> {
    let count = field.len();
    let mut terms = Vec::with_capacity(count);
    for (text, weight) in field {
        let span = text.span();
        let text = text.into_inner();
        if !(weight > 0.0 && weight <= 1.0) {
            let what =
                format!("the weight of '{text}' is {weight}; it must be above 0 and at most 1");
            return Err((span, what));
        }
        if split_words(&text).next().is_none() {
            return Err((span, format!("'{text}' has no letters or digits")));
        }
        if count > MAX_FIELD_TERMS {
            return Err((
                span,
                format!("{count} technical terms; at most {MAX_FIELD_TERMS} are allowed"),
            ));
        }
        terms.push(FieldTerm { text, weight });
    }
    terms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    Ok(terms.into())
}

/// The stems of an everyday phrase.
fn everyday_stems(phrase: &Spanned<String>, terms: &[FieldTerm]) -> Result<Vec<String>, String> {
    let phrase = phrase.get_ref();
    let parts = QueryWords::from_query(phrase);
    let stems: Vec<String> =
        parts.meaningful_words().iter().map(|part| part.stem.clone()).collect();
    if stems.is_empty() || stems.len() > MAX_EVERYDAY_WORDS {
        return Err(format!(
            "'{phrase}' has {} words; 1 to {MAX_EVERYDAY_WORDS} are allowed",
            stems.len()
        ));
    }
    let itself = |term: &FieldTerm| {
        split_words(&term.text).map(|(_, word)| stem_word(word)).eq(stems.iter().cloned())
    };
    if !terms.is_empty() && terms.iter().all(itself) {
        return Err(format!("'{phrase}' is only a synonym of itself"));
    }
    Ok(stems)
}
