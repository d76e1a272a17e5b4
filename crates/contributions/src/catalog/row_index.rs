//! Texts with the documents of a chunk that contain them.

use serde::{Deserialize, Serialize};

use super::{
    chunk_rows::{ChunkRow, ChunkRows},
    text_key::TextKey,
};

/// The bits of an entry with the number of its documents less one: those that keys leave free. A separate number would
/// make an entry longer than a word.
const COUNT_MASK: u64 = TextKey::FREE_BITS;
// The number of a text's documents fits.
const _: () = assert!(COUNT_MASK >= ChunkRow::MAX as u64);
/// `starts` has one position for so many texts: a quarter of a byte for each instead of four, for up to 15 counts that
/// a lookup adds.
const BLOCK: usize = 16;

/// Texts with the documents that contain them: a text is found with a few memory reads.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct RowIndex {
    /// For each text its key and the number of its documents less one; ascending.
    texts: Box<[u64]>,
    /// The positions in `rows` at which the documents of every sixteenth text begin.
    starts: Box<[u32]>,
    /// The documents of each text, ascending.
    rows: Box<[ChunkRow]>,
}

impl RowIndex {
    /// An index of texts, each with a document that contains it, in any order.
    pub(super) fn new(mut pairs: Vec<(TextKey, ChunkRow)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let (mut texts, mut starts, mut start) = (Vec::new(), Vec::new(), 0);
        for of_text in pairs.chunk_by(|one, next| one.0 == next.0) {
            if texts.len() % BLOCK == 0 {
                starts.push(start);
            }
            // A text has 1 to 256 documents: those of a chunk, each once.
            texts.push(of_text[0].0.bits() | (of_text.len() as u64 - 1) & COUNT_MASK);
            start += of_text.len() as u32;
        }
        let rows = pairs.into_iter().map(|(_, row)| row).collect();
        Self { texts: texts.into(), starts: starts.into(), rows }
    }

    /// Whether an index from a file has the form of one that was built from so many documents. A lookup in any other
    /// one would read beyond its ends.
    pub(super) fn is_well_formed(&self, documents: usize) -> bool {
        let mut end = 0;
        let mut starts = self.starts.iter();
        for of_block in self.texts.chunks(BLOCK) {
            if starts.next().is_none_or(|start| *start as usize != end) {
                return false;
            }
            end += of_block.iter().map(|text| count_of(*text)).sum::<usize>();
        }
        starts.next().is_none()
            && end == self.rows.len()
            && self.texts.is_sorted_by(|one, next| key_of(*one) < key_of(*next))
            && self.rows.iter().all(|row| usize::from(*row) < documents)
    }

    /// The documents that contain all texts; none without texts.
    pub(super) fn rows_with_all(&self, texts: &[TextKey]) -> ChunkRows {
        let mut with_all: Option<ChunkRows> = None;
        for text in texts {
            let rows = self.rows_with(*text);
            let both = with_all.map_or(rows, |others| others.restricted_to(rows));
            if both == ChunkRows::default() {
                return both;
            }
            with_all = Some(both);
        }
        with_all.unwrap_or_default()
    }

    /// The documents that contain a text.
    pub(super) fn rows_with(&self, text: TextKey) -> ChunkRows {
        let at = self.position(text);
        let Some(found) = self.texts.get(at).filter(|found| key_of(**found) == text) else {
            return ChunkRows::default();
        };
        let block = at / BLOCK;
        let before: usize = self.texts[block * BLOCK..at].iter().map(|text| count_of(*text)).sum();
        let start = self.starts[block] as usize + before;
        self.rows[start..start + count_of(*found)].iter().copied().collect()
    }

    /// The position of the first text that is not before a text.
    ///
    /// Hashes are spread evenly: among a thousand texts, the position is about ten away from the estimate, nearer in
    /// memory than the steps of a binary search.
    fn position(&self, text: TextKey) -> usize {
        let count = self.texts.len();
        let likely = (u128::from(text.bits()) * count as u128) >> u64::BITS;
        let mut at = (likely as usize).min(count);
        while at > 0 && key_of(self.texts[at - 1]) >= text {
            at -= 1;
        }
        while at < count && key_of(self.texts[at]) < text {
            at += 1;
        }
        at
    }
}

fn key_of(text: u64) -> TextKey {
    TextKey::from_bits(text)
}

fn count_of(text: u64) -> usize {
    (text & COUNT_MASK) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[(&str, ChunkRow)]) -> RowIndex {
        let words = texts.iter().flat_map(|(text, row)| {
            TextKey::words_of(text).into_iter().map(move |word| (word, *row))
        });
        RowIndex::new(words.collect())
    }

    fn found(index: &RowIndex, asked: &str) -> Vec<ChunkRow> {
        index.rows_with_all(&TextKey::words_of(asked)).rows().collect()
    }

    #[test]
    fn documents_with_all_words_are_found() {
        let words = index(&[("Beam management, beam", 3), ("a béam", 1), ("zz", 2), ("", 4)]);
        for (asked, expected) in [
            ("beam", &[1, 3][..]),
            ("BEAM management", &[3]),
            ("zz", &[2]),
            ("a", &[1]),
            ("be", &[]),
            ("beams", &[]),
            ("beam zz", &[]),
            ("zzz", &[]),
            ("", &[]),
        ] {
            assert_eq!(found(&words, asked), expected, "{asked}");
        }
        assert!(found(&index(&[]), "a").is_empty());
    }

    #[test]
    fn an_agenda_item_is_found_by_all_that_it_is_below() {
        let items =
            [("8.1", 4), ("8.10", 3), ("8.1.2", 1), ("8.1-X", 5), ("8.1.1", 2), ("9/10.2", 0)];
        let keys = items
            .iter()
            .flat_map(|(item, row)| TextKey::agenda_items_of(item).map(move |key| (key, *row)));
        let index = RowIndex::new(keys.collect());
        let within =
            |item| index.rows_with(TextKey::of_agenda_item(item)).rows().collect::<Vec<_>>();
        assert_eq!(within("8.1"), [1, 2, 4]);
        assert_eq!(within("8"), [1, 2, 3, 4, 5]);
        assert_eq!([within("9"), within("10")], [[0], [0]]);
        assert_eq!(within("8.1-x"), [5]);
        assert_eq!(within("8.1-X"), [5]);
        assert_eq!(within("8.1.2"), [1]);
        assert!(within("7").is_empty() && within("8.1.").is_empty() && within("").is_empty());
    }

    #[test]
    fn each_of_many_words_has_its_documents() {
        let word = |number: u32| format!("word{number}");
        let rows =
            |number: u32| (0..=ChunkRow::MAX).filter(move |row| number % 7 * 50 > u32::from(*row));
        let texts: Vec<(String, ChunkRow)> = (0..3_000)
            .flat_map(|number| rows(number).map(move |row| (word(number), row)))
            .chain((0..=ChunkRow::MAX).map(|row| ("everywhere".to_owned(), row)))
            .collect();
        let texts: Vec<(&str, ChunkRow)> =
            texts.iter().map(|(text, row)| (text.as_str(), *row)).collect();
        let words = index(&texts);
        assert!(words.is_well_formed(256) && !words.is_well_formed(255));
        for number in 0..3_000 {
            assert_eq!(found(&words, &word(number)), rows(number).collect::<Vec<_>>(), "{number}");
        }
        assert_eq!(found(&words, "everywhere").len(), 256);
        assert_eq!(found(&words, "everywhere word2").len(), 100);
        assert!(found(&words, "word3000").is_empty());
    }

    #[test]
    fn an_index_with_other_counts_than_documents_is_not_used() {
        let whole = index(&[("one two three", 0), ("two", 1)]);
        assert!(whole.is_well_formed(2));
        let damaged = |damage: &dyn Fn(&mut RowIndex)| {
            let mut index = index(&[("one two three", 0), ("two", 1)]);
            damage(&mut index);
            index.is_well_formed(2)
        };
        assert!(!damaged(&|index| index.texts[0] += 1));
        assert!(!damaged(&|index| index.texts.swap(0, 1)));
        assert!(!damaged(&|index| index.starts[0] = 1));
        assert!(!damaged(&|index| index.starts = Box::default()));
        assert!(!damaged(&|index| index.starts = Box::new([0, 4])));
        assert!(!damaged(&|index| index.rows = Box::new([0, 0, 1])));
        assert!(!damaged(&|index| index.rows[0] = 2));
    }
}
