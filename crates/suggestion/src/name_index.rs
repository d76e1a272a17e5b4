//! The names of a corpus, found by the words they begin with.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    ops::Bound,
};

use lexical::{joined_form, name_words, typed_words};

/// Maximum number of compared words of a request. Each costs a walk over all words that begin with it, at every
/// keystroke, and a name's matched words are counted in a byte.
const MAX_TYPED_WORDS: usize = 12;
/// Maximum number of scored names of one request, the most widespread first. One typed letter begins words of a large
/// part of all names, and scoring splits their titles into words again.
const MAX_SCORED_NAMES: usize = 2_000;
/// Maximum number of places kept for a name. Titles such as "Scope" occur in every document: one suggestion for each
/// would fill the list, so above this the caller suggests the title itself.
const MAX_PLACES: usize = 3;
/// Maximum length of a stored meaning; the rest is cut. The index is in memory, and a meaning is one line of a list.
const MAX_MEANING_CHARS: usize = 200;

/// What a name is the name of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// A document: its number is the text, its title the meaning.
    Document,
    /// A clause or another section: the text is its title.
    Clause,
    /// An abbreviation; the meaning is its long form.
    Abbreviation,
    /// A defined term.
    Term,
    /// A symbol of equations.
    Symbol,
}

/// Where a name occurs: numbers of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamePlace {
    /// The document.
    pub document: u32,
    /// The section in it.
    pub section: u32,
}

/// A name of one or several documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// What it is the name of.
    pub kind: NameKind,
    /// The name as it is written.
    pub text: String,
    /// Its meaning, if known.
    pub meaning: Option<String>,
    /// How many documents have it.
    pub documents: u32,
    /// Where it occurs: the first places that were added.
    pub places: Vec<NamePlace>,
}

impl Name {
    /// The meaning, if its words find the name too: the title of a document, the long form of an abbreviation.
    fn found_by_meaning(&self) -> Option<&str> {
        let finds = matches!(self.kind, NameKind::Document | NameKind::Abbreviation);
        if finds { self.meaning.as_deref() } else { None }
    }
}

/// A name that completes what is typed.
#[derive(Debug, Clone, Copy)]
pub struct FoundName<'a> {
    /// The name.
    pub name: &'a Name,
    /// How well it completes the typed text; comparable only within one request.
    pub score: f64,
}

/// Collects the names of documents, the most important document first.
#[derive(Debug, Default)]
pub struct NameIndexBuilder {
    /// Each name with the last document that was counted for it.
    names: Vec<(Name, u32)>,
    by_key: HashMap<(NameKind, String), usize>,
}

impl NameIndexBuilder {
    /// Adds a name with its place. The same name of another document counts once more; names are the same if their
    /// words are, and the letters of their meanings.
    pub fn add_name(
        &mut self,
        kind: NameKind,
        text: &str,
        meaning: Option<&str>,
        place: NamePlace,
    ) {
        // Words apart are another name: RRC reconfiguration is a procedure, RRCReconfiguration a message.
        let words = typed_words(text);
        if words.is_empty() {
            return;
        }
        let key = format!("{}: {}", words.join(" "), meaning.map(joined_form).unwrap_or_default());
        let index = *self.by_key.entry((kind, key)).or_insert_with(|| {
            let meaning = meaning.map(|text| text.chars().take(MAX_MEANING_CHARS).collect());
            let (text, places) = (text.to_owned(), Vec::new());
            self.names.push((Name { kind, text, meaning, documents: 1, places }, place.document));
            self.names.len() - 1
        });
        let (name, last_document) = &mut self.names[index];
        if *last_document != place.document {
            *last_document = place.document;
            name.documents += 1;
        }
        if name.places.len() < MAX_PLACES {
            name.places.push(place);
        }
    }

    /// The index of what was added.
    pub fn build(self) -> NameIndex {
        let mut names: Vec<Name> = self.names.into_iter().map(|(name, _)| name).collect();
        names.sort_by_key(|name| Reverse(name.documents));
        let mut by_word: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut folded = Vec::with_capacity(names.len());
        for (id, name) in (0u32..).zip(&names) {
            let mut words = name_words(&name.text);
            words.extend(name.found_by_meaning().map(name_words).unwrap_or_default());
            for word in words {
                let listed = by_word.entry(word).or_default();
                if listed.last() != Some(&id) {
                    listed.push(id);
                }
            }
            folded.push(typed_words(&name.text).join(" ").into_boxed_str());
        }
        NameIndex { names, folded, by_word }
    }
}

/// The names of a corpus.
#[derive(Debug, Default)]
pub struct NameIndex {
    /// The most widespread first.
    names: Vec<Name>,
    /// The words of each name as they are typed.
    folded: Vec<Box<str>>,
    /// The names in which a word occurs, ascending.
    by_word: BTreeMap<String, Vec<u32>>,
}

impl NameIndex {
    /// Number of names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names that have a word for each typed one that begins with it, best first, at most `at_most`.
    pub fn complete_text(&self, text: &str, at_most: usize) -> Vec<FoundName<'_>> {
        let mut typed = typed_words(text);
        typed.truncate(MAX_TYPED_WORDS);
        let folded = typed.join(" ");
        let found = self.names_with_all(&typed).into_iter().map(|id| FoundName {
            name: &self.names[id as usize],
            score: self.score_name(id, &folded, typed.len()),
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.name.text.cmp(&b.name.text))
        });
        found.truncate(at_most);
        found
    }

    /// The first names that have words beginning with each of the typed ones.
    fn names_with_all(&self, typed: &[String]) -> Vec<u32> {
        let mut matched = vec![0u8; self.names.len()];
        let mut found = Vec::new();
        // How many have the last typed word whole: it comes first in the order of words.
        let mut whole = 0;
        for (count, word) in (0u8..).zip(typed) {
            found.clear();
            whole = 0;
            let words =
                self.by_word.range::<str, _>((Bound::Included(word.as_str()), Bound::Unbounded));
            for (known, ids) in words.take_while(|(known, _)| known.starts_with(word.as_str())) {
                for id in ids {
                    let matches = &mut matched[*id as usize];
                    if *matches == count {
                        *matches = count + 1;
                        found.push(*id);
                    }
                }
                if known == word {
                    whole = found.len();
                }
            }
        }
        if found.len() > MAX_SCORED_NAMES {
            // Those with the whole word stay, of the others the most widespread: otherwise thousands of names that
            // begin so would displace a short abbreviation that is typed in full.
            found[whole.min(MAX_SCORED_NAMES)..].sort_unstable();
            found.truncate(MAX_SCORED_NAMES);
        }
        found
    }

    /// How well a name completes the typed words: a name that is typed in full comes before one that begins with them,
    /// and this before one that has them elsewhere; among equals, names of many documents and shorter ones come first.
    fn score_name(&self, id: u32, typed: &str, word_count: usize) -> f64 {
        let (name, folded) = (&self.names[id as usize], &self.folded[id as usize]);
        let begins_typed = |text: &str| typed_words(text).join(" ").starts_with(typed);
        let place = match folded.strip_prefix(typed) {
            Some("") => 4.0,
            Some(_) => 2.0,
            None if name.found_by_meaning().is_some_and(begins_typed) => 1.0,
            None => 0.0,
        };
        let kind = match name.kind {
            NameKind::Document => 0.6,
            NameKind::Abbreviation => 0.5,
            NameKind::Term => 0.3,
            NameKind::Clause => 0.2,
            NameKind::Symbol => 0.0,
        };
        let more_words = folded.split(' ').count().saturating_sub(word_count);
        place + kind + 0.3 * f64::from(name.documents).ln_1p() - 0.1 * more_words as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> NameIndex {
        let mut builder = NameIndexBuilder::default();
        let mut add = |kind, text, meaning, document, section| {
            builder.add_name(kind, text, meaning, NamePlace { document, section });
        };
        add(NameKind::Document, "38.990", Some("Beacon link; Resource control"), 1, 0);
        add(NameKind::Document, "38.991-1", Some("Beacon units; Radio"), 2, 0);
        add(NameKind::Abbreviation, "LRC", Some("Link Resource Control"), 1, 3);
        add(NameKind::Clause, "Scope", None, 1, 1);
        add(NameKind::Clause, "Scope", None, 2, 1);
        add(NameKind::Clause, "Beacon re-establishment", None, 1, 7);
        add(NameKind::Clause, "Beacon re-establishment failure", None, 1, 8);
        add(NameKind::Clause, "LampReconfiguration", None, 1, 9);
        builder.build()
    }

    fn completions(text: &str) -> Vec<String> {
        index().complete_text(text, 3).iter().map(|found| found.name.text.clone()).collect()
    }

    #[test]
    fn beginnings_of_words_find_names() {
        for (text, expected) in [
            ("38.99", vec!["38.990", "38.991-1"]),
            ("lrc", vec!["LRC"]),
            ("link res", vec!["LRC", "38.990"]),
            (
                "beacon re",
                vec!["Beacon re-establishment", "Beacon re-establishment failure", "38.990"],
            ),
            ("re-est", vec!["Beacon re-establishment", "Beacon re-establishment failure"]),
            ("reestab", vec!["Beacon re-establishment", "Beacon re-establishment failure"]),
            ("lamp reconf", vec!["LampReconfiguration"]),
            ("sco", vec!["Scope"]),
            ("nothing of this", vec![]),
        ] {
            assert_eq!(completions(text), expected, "{text}");
        }
    }

    #[test]
    fn a_whole_word_is_found_among_thousands_that_begin_so() {
        let mut builder = NameIndexBuilder::default();
        for n in 0..2 * MAX_SCORED_NAMES as u32 {
            for document in 1..3 {
                let place = NamePlace { document, section: n };
                builder.add_name(NameKind::Clause, &format!("lamp{n}"), None, place);
            }
        }
        let place = NamePlace { document: 9, section: 0 };
        builder.add_name(NameKind::Abbreviation, "LA", Some("Lantern Area"), place);
        assert_eq!(builder.build().complete_text("la", 1)[0].name.text, "LA");
    }

    #[test]
    fn the_same_name_is_listed_once_with_its_documents() {
        let index = index();
        let found = index.complete_text("scope", 5);
        assert_eq!((found.len(), found[0].name.documents, found[0].name.places.len()), (1, 2, 2));
        assert_eq!((index.len(), index.is_empty()), (7, false));
    }
}
