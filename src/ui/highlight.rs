//! Highlights the words of a query in a text.

use std::{collections::HashSet, ops::Range};

use maud::{Markup, html};
use unicode_normalization::UnicodeNormalization;

/// Words that are not highlighted: they occur in nearly every sentence.
const STOP_WORDS: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "does", "do", "for", "from", "has",
    "have", "how", "if", "in", "is", "it", "its", "of", "on", "or", "shall", "should", "that",
    "the", "this", "to", "was", "what", "when", "where", "which", "who", "why", "will", "with",
    "not",
];
/// Endings in which inflections differ, each with the minimum length in bytes of the stem before it: `timers` is
/// marked for `timer` and `BSRs` for `BSR`, `time` is not marked for `timer`.
const ENDINGS: [(&str, usize); 5] = [("s", 3), ("es", 4), ("ed", 4), ("d", 4), ("ing", 4)];

/// Highlights the words of a query in its results.
pub(crate) struct QueryHighlighter {
    query: String,
    /// The stems of each word.
    words: Vec<Vec<String>>,
}

impl QueryHighlighter {
    /// Reads the words of a query, without stop words.
    pub(crate) fn from_query(query: &str) -> Self {
        let words = split_words(query).map(|(_, word)| fold_word(word));
        let words = words.filter(|word| !STOP_WORDS.contains(&word.as_str()));
        let words = words.map(|word| find_stems(&word).map(str::to_owned).collect()).collect();
        Self { query: query.trim().to_owned(), words }
    }

    /// The query itself.
    pub(super) fn query(&self) -> &str {
        &self.query
    }

    /// The number of words of a text that match.
    pub(crate) fn count_matches(&self, text: &str) -> usize {
        split_words(text).filter(|(_, word)| self.find_word(word).is_some()).count()
    }

    /// The number of words of the query that some texts have.
    pub(crate) fn count_words_in<'a>(&self, texts: impl Iterator<Item = &'a str>) -> usize {
        let words = texts.flat_map(split_words).filter_map(|(_, word)| self.find_word(word));
        words.collect::<HashSet<_>>().len()
    }

    /// Where the words of a text that match are, in bytes.
    pub(crate) fn find_matches<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> {
        let matches = split_words(text).filter(|(_, word)| self.find_word(word).is_some());
        matches.map(|(start, word)| start..start + word.len())
    }

    /// The text with its matches in `mark` elements.
    pub(super) fn highlight_text(&self, text: &str) -> Markup {
        let mut pieces = Vec::new();
        let mut from = 0;
        for range in self.find_matches(text) {
            pieces.push((&text[from..range.start], &text[range.clone()]));
            from = range.end;
        }
        html! {
            @for (before, word) in pieces { (before) mark { (word) } }
            (text[from..])
        }
    }

    /// A regular expression of the same words in any inflection, for scripts, without what must be around a word.
    /// `None` if there are no words.
    pub(super) fn word_pattern(&self) -> Option<String> {
        let inflected = |stem: &String| {
            let fitting = ENDINGS.iter().filter(|(_, min_length)| stem.len() >= *min_length);
            let endings: Vec<&str> = fitting.map(|(ending, _)| *ending).collect();
            format!("{stem}(?:{})?", endings.join("|"))
        };
        let stems = self.words.iter().flatten().filter(|stem| !stem.is_empty());
        let words: Vec<String> = stems.map(inflected).collect();
        (!words.is_empty()).then(|| words.join("|"))
    }

    /// Which word of the query a word is, in any inflection.
    fn find_word(&self, word: &str) -> Option<usize> {
        let word = fold_word(word);
        self.words
            .iter()
            .position(|stems| find_stems(&word).any(|stem| stems.iter().any(|known| known == stem)))
    }
}

/// A word, and what is left of it without an ending.
fn find_stems(word: &str) -> impl Iterator<Item = &str> {
    let stems = ENDINGS.iter().filter_map(|(ending, min_length)| {
        word.strip_suffix(ending).filter(|stem| stem.len() >= *min_length)
    });
    std::iter::once(word).chain(stems)
}

fn fold_word(word: &str) -> String {
    word.nfkd().filter(char::is_ascii).collect::<String>().to_lowercase()
}

/// Runs of letters and digits with their byte offsets.
fn split_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    starts.map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(query: &str, text: &str) -> String {
        QueryHighlighter::from_query(query).highlight_text(text).into_string()
    }

    #[test]
    fn words_and_their_endings_are_marked_and_common_ones_are_not() {
        assert_eq!(
            marked("When is the timer T310 started?", "The timers T310 & T311 start <now>."),
            "The <mark>timers</mark> <mark>T310</mark> &amp; T311 <mark>start</mark> &lt;now&gt;."
        );
        assert_eq!(
            marked(
                "What triggers a BSR?",
                "A BSR shall be triggered; the trigger of BSRs; rigger."
            ),
            "A <mark>BSR</mark> shall be <mark>triggered</mark>; the <mark>trigger</mark> of <mark>BSRs</mark>; rigger."
        );
        assert_eq!(
            marked("paging", "Paging; pagin; \u{fc}ber"),
            "<mark>Paging</mark>; pagin; \u{fc}ber"
        );
        assert_eq!(
            QueryHighlighter::from_query("timer T310").count_matches("timer, T310, timers, time"),
            3
        );
        let pattern = |query| QueryHighlighter::from_query(query).word_pattern();
        assert_eq!(pattern("is a gNB"), Some("gnb(?:s)?".to_owned()));
        assert_eq!(
            pattern("UE timers (.*)").as_deref(),
            Some("ue(?:)?|timers(?:s|es|ed|d|ing)?|timer(?:s|es|ed|d|ing)?")
        );
        assert_eq!(pattern("what is it?"), None);
        let words = QueryHighlighter::from_query("timer T310 expires");
        assert_eq!(words.count_words_in(["the timer", "timers and T310"].into_iter()), 2);
    }
}
