//! Texts without what two prints of them may differ in.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A text without what two prints of it may differ in: case, blanks, colons, and characters that only control how a text is laid out.
pub(crate) fn fold_line(text: &str) -> String {
    let is_layout = |c: char| matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}' | '\u{FEFF}');
    let kept = text.chars().filter(|c| !c.is_whitespace() && *c != ':' && !is_layout(*c));
    kept.flat_map(char::to_lowercase).collect()
}

pub(crate) fn hash_folded(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    fold_line(text).hash(&mut hasher);
    hasher.finish()
}
