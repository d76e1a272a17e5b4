//! The sentence around a citation.

use std::ops::Range;

/// Longest sentence that is shown from either side of a citation, in bytes.
const MAX_SIDE_BYTES: usize = 240;

/// The sentence of a text that has a range of bytes, its line breaks as blanks.
pub(super) fn sentence_around(text: &str, range: Range<usize>) -> String {
    if text.get(range.clone()).is_none() {
        return String::new();
    }
    // Only what can be shown is looked at: a text may have a million characters and no point.
    let low = text.ceil_char_boundary(range.start.saturating_sub(MAX_SIDE_BYTES));
    let high = text.floor_char_boundary((range.end + MAX_SIDE_BYTES).min(text.len()));
    let (before, after) = (&text[low..range.start], &text[range.end..high]);
    let start = before.char_indices().rev().find(|(at, _)| ends_sentence(before, *at));
    let start = low + start.map_or(0, |(at, c)| at + c.len_utf8());
    let end = after.char_indices().find(|(at, _)| ends_sentence(after, *at));
    let end = range.end + end.map_or(after.len(), |(at, c)| at + c.len_utf8());
    text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the character at a byte ends a sentence: a point before a blank, or a line's end.
fn ends_sentence(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    let mut chars = rest.chars();
    match chars.next() {
        Some('\n') => true,
        Some('.' | ';') => {
            chars.next().is_none_or(char::is_whitespace) && !is_abbreviated(&text[..at])
        }
        _ => false,
    }
}

/// Whether a point belongs to an abbreviation: `e.g.`, `i.e.`, `Fig.`
fn is_abbreviated(before: &str) -> bool {
    ["e.g", "i.e", "etc", "cf", "Fig", "fig", "eq", "No", "vs"]
        .iter()
        .any(|word| before.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_its_point() {
        let text = "First. The UE applies clause 5.3.5, e.g. for\nSRB1. Last.";
        let at = text.find("clause 5.3.5").expect("there");
        assert_eq!(sentence_around(text, at..at + 12), "The UE applies clause 5.3.5, e.g. for");
        assert_eq!(sentence_around("clause 5", 0..8), "clause 5");
        assert_eq!(sentence_around("clause 5", 3..80), "");
        let long = "\u{e9} ".repeat(400);
        assert!(sentence_around(&long, 600..602).len() < 500);
    }
}
