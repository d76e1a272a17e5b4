//! Words and codes of documents as numbers.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use xxhash_rust::xxh3::xxh3_64;

use domain::DocNumber;

/// A word or code, by 56 bits of its XXH3 hash; the lowest eight bits are zero.
///
/// The catalog does not store its text. With about ten million keys in the chunks of a million TDocs, a requested
/// word matches a different one by chance about once in seven billion queries, which then find one TDoc too many. The
/// hash has no seed, so it does not resist deliberate collisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TextKey(u64);

impl TextKey {
    /// The bits that are zero in every key.
    pub(super) const FREE_BITS: u64 = 0xff;

    /// The key in a number, whatever its free bits.
    pub(super) fn from_bits(bits: u64) -> Self {
        Self(bits & !Self::FREE_BITS)
    }

    /// As a number.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// A text as it is.
    fn of(text: &str) -> Self {
        Self::from_bits(xxh3_64(text.as_bytes()))
    }

    /// A specification.
    pub(crate) fn of_spec(spec: &DocNumber) -> Self {
        Self::of(spec.as_str())
    }

    /// The code of a work item, in any case.
    pub(crate) fn of_work_item(code: &str) -> Self {
        Self::of(&code.trim().to_uppercase())
    }

    /// An agenda item, in any case.
    pub(crate) fn of_agenda_item(item: &str) -> Self {
        Self::of(&item.to_ascii_lowercase())
    }

    /// The words of a text, in order.
    pub(crate) fn words_of(text: &str) -> Vec<Self> {
        split_plain(&plain_text(text)).map(Self::of).collect()
    }

    /// An agenda item and all items above it: `8.1.2`, `8.1` and `8`; in any case. Of several items (`8.1/8.2`), each.
    pub(super) fn agenda_items_of(item: &str) -> impl Iterator<Item = Self> {
        item.split('/').flat_map(|item| {
            let dots = item.match_indices('.').map(|(at, _)| at);
            dots.chain([item.len()]).map(|end| Self::of_agenda_item(&item[..end]))
        })
    }
}

/// A text in lower case and without diacritics.
fn plain_text(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
    }
}

/// The words of a plain text: runs of letters and digits.
fn split_plain(plain: &str) -> impl Iterator<Item = &str> {
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}
