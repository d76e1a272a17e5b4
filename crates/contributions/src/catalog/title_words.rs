//! The words of titles and abstracts.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// A text in lower case and without diacritics.
pub(super) fn plain_text(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => {
            text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
        }
    }
}

/// The words of a plain text: runs of letters and digits.
pub(super) fn split_plain(plain: &str) -> impl Iterator<Item = &str> {
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}
