//! The words of a query, marked where they stand in a text.

use std::collections::HashSet;

use maud::{Markup, html};
use unicode_normalization::UnicodeNormalization;

/// Words that say nothing by themselves.
const COMMON: [&str; 40] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "does", "do", "for", "from", "has",
    "have", "how", "if", "in", "is", "it", "its", "of", "on", "or", "shall", "should", "that",
    "the", "this", "to", "was", "what", "when", "where", "which", "who", "why", "will", "with",
    "not",
];
/// So many letters of a word must be the same: `timers` is marked for `timer`, `time` is not.
const LEAST_STEM: usize = 4;

/// What is marked.
pub(super) struct Marks {
    words: HashSet<String>,
}

impl Marks {
    /// The words of a query that say something.
    pub(super) fn of(query: &str) -> Self {
        let words = words(query).map(|(_, word)| folded(word));
        Self { words: words.filter(|word| !COMMON.contains(&word.as_str())).collect() }
    }

    /// How many words of a text would be marked.
    pub(super) fn count(&self, text: &str) -> usize {
        words(text).filter(|(_, word)| self.holds(word)).count()
    }

    /// The text with its marks.
    pub(super) fn shown(&self, text: &str) -> Markup {
        let mut pieces = Vec::new();
        let mut from = 0;
        for (at, word) in words(text).filter(|(_, word)| self.holds(word)) {
            pieces.push((&text[from..at], word));
            from = at + word.len();
        }
        html! {
            @for (before, word) in pieces { (before) mark { (word) } }
            (text[from..])
        }
    }

    fn holds(&self, word: &str) -> bool {
        let word = folded(word);
        self.words.contains(&word) || self.words.iter().any(|other| alike(other, &word))
    }
}

/// Whether two words differ by an ending alone.
fn alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.len() >= LEAST_STEM
        && long
            .strip_prefix(short)
            .is_some_and(|ending| matches!(ending, "s" | "es" | "ed" | "ing" | "d"))
}

fn folded(word: &str) -> String {
    word.nfkd().filter(char::is_ascii).collect::<String>().to_lowercase()
}

/// Runs of letters and digits, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    starts.map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(query: &str, text: &str) -> String {
        Marks::of(query).shown(text).into_string()
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
        assert_eq!(Marks::of("timer T310").count("timer, T310, timers, time"), 3);
    }
}
