//! Words of texts, and phrases in them: hyphens, blanks and case do not count.

/// The words of a text: runs of letters and digits, in lower case.
pub(super) fn split_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Words as one: `phys`, `cellid` are `physcellid`. Numbers stay apart, because 3.5 is not 35.
pub(super) fn join_words(words: &[String]) -> String {
    let mut joined = String::new();
    for word in words {
        push_word(&mut joined, word);
    }
    joined
}

fn push_word(joined: &mut String, word: &str) {
    let is_digit = |c: char| c.is_ascii_digit();
    if joined.ends_with(is_digit) && word.starts_with(is_digit) {
        joined.push('.');
    }
    joined.push_str(word);
}

/// Whether words are a phrase, which is given as one.
pub(super) fn are_phrase(words: &[String], joined: &str) -> bool {
    begins_with_phrase(words, joined) == Some(words.len())
}

/// How many words at the beginning are a phrase.
pub(super) fn begins_with_phrase(words: &[String], joined: &str) -> Option<usize> {
    let mut start = String::new();
    for (index, word) in words.iter().enumerate() {
        push_word(&mut start, word);
        if start == joined {
            return Some(index + 1);
        }
        if !joined.starts_with(&start) {
            return None;
        }
    }
    None
}

/// Whether a phrase occurs in words.
pub(super) fn has_phrase(words: &[String], joined: &str) -> bool {
    (0..words.len()).any(|start| begins_with_phrase(&words[start..], joined).is_some())
}

/// `1 item`, `2 items`.
pub(super) fn count_of(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_any_spelling_and_numbers_whole() {
        for (text, phrase, is_there) in [
            ("the phys-CellId of it", "physCellId", true),
            ("T 310 (NOTE 1)", "t310", true),
            ("T3101", "T310", false),
            ("a value of 35", "3.5", false),
            ("clause 3.5", "3.5", true),
            ("13.5", "3.5", false),
            ("AMF UE NGAP ID", "AMF-UE-NGAP-ID", true),
            ("RAN UE NGAP ID", "AMF UE NGAP ID", false),
            ("", "x", false),
        ] {
            let joined = join_words(&split_words(phrase));
            assert_eq!(has_phrase(&split_words(text), &joined), is_there, "{phrase} in {text}");
        }
    }
}
