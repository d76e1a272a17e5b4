//! Stop words: words of a query that say nothing about its subject.
//!
//! They stay in the index, because phrases need them. A word that is also an abbreviation ("AS",
//! "AN") is a stop word only in lower case.

/// Function words of English, and the words of questions: specifications make statements, so that
/// "what" and "how" are rare in them and would weigh too much.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "between", "both", "but", "by", "can", "could", "did",
    "do", "does", "doing", "done", "each", "else", "for", "from", "give", "had", "has", "have",
    "having", "he", "her", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just",
    "let", "may", "me", "might", "more", "must", "my", "of", "on", "one", "only", "or", "other",
    "our", "out", "over", "own", "please", "s", "shall", "she", "should", "so", "some", "such",
    "t", "tell", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "up", "upon", "us", "very", "was", "we", "were", "what", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within", "would",
    "you", "your", "explain",
];

/// Whether a word, as written in the query, is ignored.
pub(super) fn is_stop_word(word: &str) -> bool {
    let capitals = word.len() > 1 && word.chars().all(char::is_uppercase);
    !capitals && STOP_WORDS.iter().any(|stop| word.eq_ignore_ascii_case(stop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_not_stopped() {
        assert!(is_stop_word("What") && is_stop_word("as") && is_stop_word("A"));
        assert!(!is_stop_word("AS") && !is_stop_word("IT") && !is_stop_word("handover"));
    }
}
