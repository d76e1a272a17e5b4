//! Names in the text that complete the word being typed: messages, fields, parameters.

use store::{Snapshot, StoreError};

/// Shortest beginning that is completed: one or two letters begin too many names.
const MIN_TYPED_CHARS: usize = 3;
/// Words of the index that are looked up, those of most passages first: more than are suggested, because some are not
/// identifiers.
const MAX_COMPARED: usize = 12;
/// Identifiers that are suggested.
const MAX_SUGGESTED: usize = 4;

/// The text with its last word completed to identifiers, as the passages write them.
pub(super) fn complete_identifier(
    snapshot: &Snapshot,
    text: &str,
) -> Result<Vec<String>, StoreError> {
    let (before, typed) = split_last_word(text);
    let joined = lexical::joined_form(typed);
    // After other words, only what already looks like a name: the rest is prose.
    let looks_like_name =
        |c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    let may_be_name = typed.starts_with(char::is_alphabetic)
        && (before.is_empty() || typed.chars().skip(1).any(looks_like_name));
    if !may_be_name || joined.chars().count() < MIN_TYPED_CHARS {
        return Ok(Vec::new());
    }
    let vocabulary = snapshot.vocabulary();
    let mut identifiers: Vec<String> = Vec::new();
    for word in vocabulary.complete_word(&joined, MAX_COMPARED)? {
        if identifiers.len() == MAX_SUGGESTED {
            break;
        }
        if let Some(written) = vocabulary.written_form(&word)?
            && is_identifier(&written)
        {
            identifiers.push(format!("{before}{written}"));
        }
    }
    Ok(identifiers)
}

/// Whether a word is not prose: it begins with a letter, and contains digits, an underscore, or capitals like names
/// in camel case.
pub(super) fn is_identifier(word: &str) -> bool {
    if !word.starts_with(char::is_alphabetic) || word.contains('/') {
        return false;
    }
    let chars: Vec<char> = word.chars().collect();
    let is_hump = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
    // RRCRe, but not UEs and PLMNs.
    let is_after_capitals = |five: &[char]| {
        five[..2].iter().all(|c| c.is_uppercase()) && five[2..].iter().all(|c| c.is_lowercase())
    };
    chars.iter().any(|c| c.is_ascii_digit() || *c == '_')
        || chars.windows(2).any(is_hump)
        || chars.windows(5).any(is_after_capitals)
}

/// A text in two: all before its last word, and that word. Blanks may have several bytes.
fn split_last_word(text: &str) -> (&str, &str) {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    text.split_at(text.len() - word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_begins_behind_any_blank() {
        assert_eq!(split_last_word("timer T310"), ("timer ", "T310"));
        assert_eq!(split_last_word("\u{d4}\u{a0}SK\u{f1}"), ("\u{d4}\u{a0}", "SK\u{f1}"));
        assert_eq!(split_last_word("T\u{3000}"), ("T\u{3000}", ""));
        assert_eq!(split_last_word(""), ("", ""));
    }

    #[test]
    fn identifiers_are_told_from_prose() {
        for word in ["RRCReconfiguration", "ssb-PositionsInBurst", "T310", "lampState", "C_SETUP"] {
            assert!(is_identifier(word), "{word}");
        }
        for word in ["Reconfiguration", "re-establishment", "5.3.5", "HANDOVER", "UEs", "N1/N2", ""]
        {
            assert!(!is_identifier(word), "{word}");
        }
    }
}
