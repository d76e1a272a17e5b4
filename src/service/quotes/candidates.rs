//! Which passages may contain a quote, by the word index.

use std::collections::HashMap;

use lexical::LexicalHit;
use quotation::Quotation;
use store::StoreError;

/// Words of a phrase that is looked up. A quote may extend over the end of a passage, which then has only a part of
/// it.
const PHRASE_WORDS: usize = 12;
/// Contents of one phrase. If every phrase of a quote has as many, the reply says that not all places were compared.
const MAX_PHRASE_CONTENTS: usize = 400;

/// Contents that may contain a quote.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CandidateContents {
    /// Content ids, those with the most phrases first.
    pub(super) contents: Vec<u64>,
    /// Whether every place of one of the phrases was found.
    pub(super) is_complete: bool,
}

/// The contents with phrases of a quote. `find_phrase` lists the contents of one, up to a number.
pub(super) fn find_candidates(
    quotation: &Quotation,
    find_phrase: impl Fn(&str, usize) -> Result<Vec<LexicalHit>, StoreError>,
) -> Result<CandidateContents, StoreError> {
    let mut found = CandidateContents::default();
    let mut by_phrase: Vec<Vec<LexicalHit>> = Vec::new();
    for phrase in quotation.readings().into_iter().flat_map(split_phrases) {
        let hits = find_phrase(&phrase, MAX_PHRASE_CONTENTS)?;
        found.is_complete |= hits.len() < MAX_PHRASE_CONTENTS;
        by_phrase.push(hits);
    }
    by_phrase.sort_by_key(Vec::len);
    let mut phrase_counts: HashMap<u64, usize> = HashMap::new();
    for hit in by_phrase.iter().flatten() {
        let count = phrase_counts.entry(hit.content).or_default();
        if *count == 0 {
            found.contents.push(hit.content);
        }
        *count += 1;
    }
    found.contents.sort_by_key(|content| std::cmp::Reverse(phrase_counts[content]));
    Ok(found)
}

/// The beginning, the middle and the end of a text as phrases; a short text as one.
fn split_phrases(text: &str) -> Vec<String> {
    let has_word = |word: &&str| word.contains(char::is_alphanumeric);
    let words: Vec<&str> = text.split_whitespace().filter(has_word).collect();
    let last = words.len().saturating_sub(PHRASE_WORDS);
    let mut starts = vec![0, last / 2, last];
    starts.dedup();
    let phrase = |start: usize| words[start..words.len().min(start + PHRASE_WORDS)].join(" ");
    starts.into_iter().map(phrase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_looked_up_in_parts() {
        let words: Vec<String> = (0..30).map(|n| format!("w{n}")).collect();
        let phrases = split_phrases(&words.join(" | "));
        let first: Vec<&str> =
            phrases.iter().filter_map(|phrase| phrase.split(' ').next()).collect();
        assert_eq!(first, ["w0", "w9", "w18"]);
        assert_eq!(split_phrases("a b"), ["a b"]);
    }

    #[test]
    fn contents_with_the_most_phrases_come_first() {
        let words: Vec<String> = (0..24).map(|n| format!("w{n}")).collect();
        let quotation = Quotation::parse(&words.join(" ")).expect("words");
        let hit = |content| LexicalHit { passage: content, content, score: 0.0 };
        let found = find_candidates(&quotation, |phrase, at_most| {
            Ok(match phrase.split(' ').next() {
                Some("w0") => (0..at_most as u64).map(hit).collect(),
                Some("w12") => vec![hit(7), hit(9)],
                _ => Vec::new(),
            })
        });
        let found = found.expect("found");
        assert!(found.is_complete);
        assert_eq!(
            (found.contents.len(), &found.contents[..2]),
            (MAX_PHRASE_CONTENTS, &[7, 9][..])
        );
    }
}
