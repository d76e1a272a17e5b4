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

/// Words that are abbreviations in capitals, and something else in small letters: a timing advance group and a tag, a
/// resource element and the first part of `re-transmission`. Sorted, for a binary search.
const HOMOGRAPHS: &[&str] = &["ed", "pin", "rat", "re", "sir", "son", "tag"];

/// The words of a text without stop words and group names, plurals as singulars. In capitals a stop word is an
/// abbreviation: `MUST`. What means something else in small letters stays in capitals.
pub(super) fn split_words(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.filter_map(|written| {
        let written = abbreviation_of_plural(written);
        let word = to_singular(&written.to_lowercase());
        let is_stop_word = STOP_WORDS.binary_search(&word.as_str()).is_ok();
        let is_in_capitals = written.bytes().all(|b| b.is_ascii_uppercase());
        let is_abbreviation = written.len() > 2 && is_in_capitals;
        if is_group(&word) || is_stop_word && !is_abbreviation {
            return None;
        }
        let in_capitals = if is_in_capitals { homograph_in_capitals(&word) } else { None };
        Some(in_capitals.unwrap_or(word))
    })
}

/// The abbreviation that has the letters of a word with another meaning: `TAG` for `tag`.
pub(super) fn homograph_in_capitals(word: &str) -> Option<String> {
    HOMOGRAPHS.binary_search(&word).is_ok().then(|| word.to_uppercase())
}

/// `TAs` as `TA`: a word of three letters is otherwise never a plural.
fn abbreviation_of_plural(written: &str) -> &str {
    let is_abbreviation =
        |stem: &&str| stem.len() > 1 && stem.bytes().all(|b| b.is_ascii_uppercase());
    written.strip_suffix('s').filter(is_abbreviation).unwrap_or(written)
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
        assert!(STOP_WORDS.is_sorted() && HOMOGRAPHS.is_sorted());
    }

    #[test]
    fn words_that_say_nothing_are_left_out() {
        let words: Vec<String> =
            split_words("What did RAN1 agree on the LP-WUS signals?").collect();
        assert_eq!(words, ["lp", "wus", "signal"]);
        let words: Vec<String> = split_words("It must be said that MUST is used").collect();
        assert_eq!(words, ["must", "used"]);
        let words: Vec<String> = split_words("Two TAs and TAGs of UEs with tags, re-use").collect();
        assert_eq!(words, ["two", "ta", "TAG", "ue", "tag", "re", "use"]);
    }
}
