//! The words of a text that name its topic.

use domain::to_singular;

/// Words that say nothing about a topic: function words, question words, and words of every decision. A rare one
/// would otherwise weigh more than the topic. Sorted, for a binary search.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "adopted",
    "after",
    "agree",
    "agreed",
    "agreement",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "by",
    "can",
    "concerning",
    "conclude",
    "concluded",
    "conclusion",
    "could",
    "decide",
    "decided",
    "decision",
    "did",
    "do",
    "doe",
    "does",
    "explain",
    "find",
    "for",
    "from",
    "give",
    "group",
    "had",
    "has",
    "have",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "list",
    "made",
    "many",
    "may",
    "me",
    "meeting",
    "might",
    "much",
    "must",
    "of",
    "on",
    "or",
    "outcome",
    "please",
    "ran",
    "regarding",
    "said",
    "say",
    "shall",
    "should",
    "show",
    "since",
    "some",
    "status",
    "tell",
    "that",
    "the",
    "their",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "topic",
    "until",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "who",
    "why",
    "will",
    "with",
    "would",
    "you",
];

/// The words of a text without stop words and group names, plurals as singulars. In capitals a stop word is an
/// abbreviation: `MUST`.
pub(super) fn split_words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.filter_map(|written| {
        let word = to_singular(&written.to_lowercase());
        let is_stop_word = STOP_WORDS.binary_search(&word.as_str()).is_ok();
        let is_abbreviation = written.len() > 2 && written.bytes().all(|b| b.is_ascii_uppercase());
        (!is_group(&word) && (!is_stop_word || is_abbreviation)).then_some(word)
    })
}

/// `ran`, `ran1`, `sa2`.
fn is_group(word: &str) -> bool {
    word == "ran"
        || ["ran", "sa", "ct"].iter().any(|tsg| {
            let number = word.strip_prefix(tsg).unwrap_or_default();
            number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_in_order() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn words_that_say_nothing_are_left_out() {
        let words: Vec<String> =
            split_words("What did RAN1 agree on the LP-WUS signals?").collect();
        assert_eq!(words, ["lp", "wus", "signal"]);
        let words: Vec<String> = split_words("It must be said that MUST is used").collect();
        assert_eq!(words, ["must", "used"]);
    }
}
