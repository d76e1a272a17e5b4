//! The words of the passages: completion of a beginning, correction of a misspelling.

use std::{cmp::Reverse, collections::HashMap};

use tantivy::{
    DocSet, Searcher, SegmentReader, TERMINATED, TantivyError, Term,
    postings::TermInfo,
    query::FuzzyTermQuery,
    schema::{Field, IndexRecordOption},
};

use super::index::{PASSAGE, index_fields};
use crate::{
    LexicalError,
    analyzer::{fold_text, split_camel_case, split_parts, split_runs},
};

/// Terms of a segment that are compared for one completion, at most: one letter begins more, and the reader is
/// typing.
const MAX_COMPARED_TERMS: usize = 20_000;
/// Shortest word that is corrected; a shorter one is as near to dozens of others.
const MIN_CORRECTED_CHARS: usize = 4;
/// Shortest word of which two letters may be wrong.
const MIN_CHARS_FOR_TWO_EDITS: usize = 8;
/// A word in this many passages may be a correction: rarer ones may be misspellings themselves.
const MIN_CORRECT_PASSAGES: u64 = 3;
/// A misspelling occurs in at most this many passages: more common words are right, even if a similar word is more
/// frequent.
const MAX_MISSPELT_PASSAGES: u64 = 20;
/// A word in this many times more passages may be what was meant by a rare one.
const CORRECTION_RATIO: u64 = 200;

/// A word of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VocabularyWord {
    /// The word in lower case; of a compound its parts without the joiners.
    pub word: String,
    /// Passages that contain it, counted in each segment, including deleted ones.
    pub passages: u64,
    /// One of them, by its id.
    pub example: u64,
}

/// The words in lower case by which a name is found: each part of each run, each compound without its
/// joiners, each hump of a name in camel case; in the order of the text.
pub fn name_words(name: &str) -> Vec<String> {
    let folded = fold_text(name);
    let mut words = Vec::new();
    for run in split_runs(&folded) {
        let parts = split_parts(run);
        if parts.len() > 1 {
            words.push(parts.concat().to_lowercase());
        }
        for part in parts {
            words.push(part.to_lowercase());
            words.extend(split_camel_case(part).into_iter().map(str::to_lowercase));
        }
    }
    words
}

/// The words that are typed, in lower case: each part of each run.
pub fn typed_words(text: &str) -> Vec<String> {
    let folded = fold_text(text);
    split_runs(&folded).flat_map(split_parts).map(str::to_lowercase).collect()
}

/// The form in which a name of several parts is in the index: without joiners, in lower case.
pub fn joined_form(name: &str) -> String {
    fold_text(name).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The first name in a text whose joined form is `joined`, as it is written there.
pub fn find_written_form(text: &str, joined: &str) -> Option<String> {
    let folded = fold_text(text);
    let mut names =
        split_runs(&folded).flat_map(|run| std::iter::once(run).chain(split_parts(run)));
    names.find(|name| joined_form(name) == joined).map(str::to_owned)
}

/// Whether any word begins with `prefix`, in lower case.
pub fn begins_word(searcher: &Searcher, prefix: &str) -> Result<bool, LexicalError> {
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(index_fields().words)?;
        let mut stream =
            index.terms().range().ge(prefix).into_stream().map_err(TantivyError::from)?;
        if stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The words that begin with `prefix`, those of most passages first, at most `at_most`.
pub fn complete_word(
    searcher: &Searcher,
    prefix: &str,
    at_most: usize,
) -> Result<Vec<VocabularyWord>, LexicalError> {
    let fields = index_fields();
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        for field in [fields.words, fields.forms] {
            let index = reader.inverted_index(field)?;
            let stream = index.terms().range().ge(prefix);
            let mut stream = stream.into_stream().map_err(TantivyError::from)?;
            let mut compared = 0;
            while compared < MAX_COMPARED_TERMS && stream.advance() {
                let Some(word) = std::str::from_utf8(stream.key()).ok() else { continue };
                if !word.starts_with(prefix) {
                    break;
                }
                note_term(&mut found, word, reader, field, stream.value());
                compared += 1;
            }
        }
    }
    best_words(found, at_most)
}

/// The word that was probably meant by one that no passage contains, or very few: the nearest by edits, of these the
/// most frequent. `None` for words with digits, since T310 and T311 are both right.
pub fn correct_word(
    searcher: &Searcher,
    word: &str,
) -> Result<Option<VocabularyWord>, LexicalError> {
    let length = word.chars().count();
    if length < MIN_CORRECTED_CHARS || !word.chars().all(char::is_alphabetic) {
        return Ok(None);
    }
    let term = Term::from_field_text(index_fields().words, &word.to_lowercase());
    let own = searcher.doc_freq(&term)?;
    if own > MAX_MISSPELT_PASSAGES {
        return Ok(None);
    }
    let needed = MIN_CORRECT_PASSAGES.max(own.saturating_mul(CORRECTION_RATIO));
    let edits = if length < MIN_CHARS_FOR_TWO_EDITS { 1 } else { 2 };
    for edits in 1..=edits {
        let nearest = words_within(searcher, &term, edits)?;
        if let Some(best) = nearest.into_iter().next().filter(|best| best.passages >= needed) {
            return Ok(Some(best));
        }
    }
    Ok(None)
}

/// The most frequent word within a number of edits, in letters and swapped neighbours.
fn words_within(
    searcher: &Searcher,
    term: &Term,
    edits: u8,
) -> Result<Vec<VocabularyWord>, LexicalError> {
    let automaton = FuzzyTermQuery::new(term.clone(), edits, true).automaton()?;
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        let index = reader.inverted_index(term.field())?;
        let stream = index.terms().search(&automaton);
        let mut stream = stream.into_stream().map_err(TantivyError::from)?;
        while stream.advance() {
            let Some(word) = std::str::from_utf8(stream.key()).ok() else { continue };
            if word.chars().all(char::is_alphabetic) {
                note_term(&mut found, word, reader, term.field(), stream.value());
            }
        }
    }
    best_words(found, 1)
}

/// A word so far: how many passages contain it, and the location of the postings of the first one.
struct FoundWord<'a> {
    passages: u64,
    reader: &'a SegmentReader,
    field: Field,
    postings: TermInfo,
}

fn note_term<'a>(
    found: &mut HashMap<String, FoundWord<'a>>,
    word: &str,
    reader: &'a SegmentReader,
    field: Field,
    postings: &TermInfo,
) {
    let passages = u64::from(postings.doc_freq);
    match found.get_mut(word) {
        // The same word in both fields: each counts its own passages.
        Some(known) if known.field == field => known.passages += passages,
        Some(_) => {}
        None => {
            let postings = postings.clone();
            found.insert(word.to_owned(), FoundWord { passages, reader, field, postings });
        }
    }
}

fn best_words(
    found: HashMap<String, FoundWord<'_>>,
    at_most: usize,
) -> Result<Vec<VocabularyWord>, LexicalError> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|(a_word, a), (b_word, b)| {
        (Reverse(a.passages), a_word).cmp(&(Reverse(b.passages), b_word))
    });
    found.truncate(at_most);
    let words = found.into_iter().filter_map(|(word, found)| {
        let example = found.first_passage().transpose()?;
        let passages = found.passages;
        Some(example.map(|example| VocabularyWord { word, passages, example }))
    });
    words.collect()
}

impl FoundWord<'_> {
    /// The id of the first passage that is not deleted.
    fn first_passage(&self) -> Result<Option<u64>, LexicalError> {
        let index = self.reader.inverted_index(self.field)?;
        let mut postings = index
            .read_postings_from_terminfo(&self.postings, IndexRecordOption::Basic)
            .map_err(TantivyError::from)?;
        let ids = self.reader.fast_fields().u64(PASSAGE)?.first_or_default_col(u64::MAX);
        while postings.doc() != TERMINATED && self.reader.is_deleted(postings.doc()) {
            postings.advance();
        }
        Ok((postings.doc() != TERMINATED).then(|| ids.get_val(postings.doc())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_parts_compounds_and_humps() {
        for (name, expected) in [
            ("Radio link failure", "radio link failure"),
            ("re-establishment of SRB1", "reestablishment re establishment of srb1"),
            ("RRCReconfiguration", "rrcreconfiguration rrc reconfiguration"),
            ("5.3.5 Handover", "5.3.5 handover"),
        ] {
            assert_eq!(name_words(name).join(" "), expected, "{name}");
        }
        assert_eq!(typed_words("TS38.331 re-est"), ["ts", "38.331", "re", "est"]);
    }

    #[test]
    fn a_name_is_restored_as_it_is_written() {
        let text = "The field ssb-PositionsInBurst-r16 of BeaconConfig and lampState.";
        for (joined, expected) in [
            ("ssbpositionsinburstr16", Some("ssb-PositionsInBurst-r16")),
            ("positionsinburst", Some("PositionsInBurst")),
            ("beaconconfig", Some("BeaconConfig")),
            ("beacon", None),
        ] {
            assert_eq!(find_written_form(text, joined).as_deref(), expected, "{joined}");
        }
    }
}
