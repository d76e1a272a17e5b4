//! Highlights the words of a query in a text.

use std::{collections::HashSet, ops::Range};

use maud::{Markup, html};
use unicode_normalization::UnicodeNormalization;

/// Words that are not highlighted.
const STOP_WORDS: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "does", "do", "for", "from", "has",
    "have", "how", "if", "in", "is", "it", "its", "of", "on", "or", "shall", "should", "that",
    "the", "this", "to", "was", "what", "when", "where", "which", "who", "why", "will", "with",
    "not",
];
/// Minimum length in bytes of the stem that two inflections share: `timers` is marked for `timer`, `time` is not.
const MIN_STEM_LENGTH: usize = 4;

/// Highlights the words of a query in its results.
pub(crate) struct QueryHighlighter {
    words: HashSet<String>,
}

impl QueryHighlighter {
    /// Takes the words of a query, without stop words.
    pub(crate) fn from_query(query: &str) -> Self {
        let words = split_words(query).map(|(_, word)| fold_word(word));
        Self { words: words.filter(|word| !STOP_WORDS.contains(&word.as_str())).collect() }
    }

    /// The number of words of a text that match.
    pub(crate) fn count_matches(&self, text: &str) -> usize {
        split_words(text).filter(|(_, word)| self.has_word(word)).count()
    }

    /// Where the words of a text that match are, in bytes.
    pub(crate) fn find_matches<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> {
        let matches = split_words(text).filter(|(_, word)| self.has_word(word));
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

    fn has_word(&self, word: &str) -> bool {
        let word = fold_word(word);
        self.words.contains(&word) || self.words.iter().any(|other| is_inflection(other, &word))
    }
}

/// Whether two words differ only in an ending.
fn is_inflection(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.len() >= MIN_STEM_LENGTH
        && long
            .strip_prefix(short)
            .is_some_and(|ending| matches!(ending, "s" | "es" | "ed" | "ing" | "d"))
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
            marked("paging", "Paging; pagin; \u{fc}ber"),
            "<mark>Paging</mark>; pagin; \u{fc}ber"
        );
        assert_eq!(
            QueryHighlighter::from_query("timer T310").count_matches("timer, T310, timers, time"),
            3
        );
    }
}
