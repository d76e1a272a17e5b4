//! The words of titles and abstracts with the documents of a chunk that have them.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    chunk_rows::{ChunkRow, ChunkRows},
    title_words::{plain_text, split_plain},
};

/// A word, by 56 bits of its XXH3 hash; the lowest eight bits are zero.
///
/// The index holds no text: a catalog of a million documents has some ten million words of chunks, so that a word is
/// taken for another one in one of some billion questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WordKey(u64);

/// The bits below a key, which hold the number of documents less one.
const COUNT_BITS: u32 = 8;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// Words between two positions that are stored.
const BLOCK: usize = 16;

impl WordKey {
    /// The words of a text, in its order.
    pub(crate) fn of_text(text: &str) -> Vec<Self> {
        split_plain(&plain_text(text)).map(Self::of_word).collect()
    }

    fn of_word(word: &str) -> Self {
        Self(xxh3_64(word.as_bytes()) & !COUNT_MASK)
    }
}

/// Words with the documents that have them: a word is found with one or two reads of memory.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct WordIndex {
    /// Of each word its key and the number of its documents less one; ascending.
    words: Box<[u64]>,
    /// Where in `rows` the documents of every sixteenth word begin.
    starts: Box<[u32]>,
    /// The documents of each word, ascending.
    rows: Box<[ChunkRow]>,
}

impl WordIndex {
    /// An index of words, each with a document that has it, in any order.
    pub(super) fn new(mut pairs: Vec<(WordKey, ChunkRow)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let (mut words, mut starts, mut start) = (Vec::new(), Vec::new(), 0);
        for of_word in pairs.chunk_by(|one, next| one.0 == next.0) {
            if words.len() % BLOCK == 0 {
                starts.push(start);
            }
            // A word has 1 to 256 documents: those of a chunk, each once.
            words.push(of_word[0].0.0 | (of_word.len() as u64 - 1) & COUNT_MASK);
            start += of_word.len() as u32;
        }
        let rows = pairs.into_iter().map(|(_, row)| row).collect();
        Self { words: words.into(), starts: starts.into(), rows }
    }

    /// Whether an index that was read from a file has the form of one that is made of so many documents.
    pub(super) fn is_well_formed(&self, documents: usize) -> bool {
        let mut end = 0;
        let mut starts = self.starts.iter();
        for of_block in self.words.chunks(BLOCK) {
            if starts.next().is_none_or(|start| *start as usize != end) {
                return false;
            }
            end += of_block.iter().map(|word| count_of(*word)).sum::<usize>();
        }
        starts.next().is_none()
            && end == self.rows.len()
            && self.words.is_sorted_by(|one, next| key_of(*one) < key_of(*next))
            && self.rows.iter().all(|row| usize::from(*row) < documents)
    }

    /// The documents that have all words; none where no word is asked for.
    pub(super) fn rows_with_all(&self, words: &[WordKey]) -> ChunkRows {
        let mut with_all: Option<ChunkRows> = None;
        for word in words {
            let rows: ChunkRows = self.rows_with(*word).iter().copied().collect();
            let both = with_all.map_or(rows, |others| others.restricted_to(rows));
            if both == ChunkRows::default() {
                return both;
            }
            with_all = Some(both);
        }
        with_all.unwrap_or_default()
    }

    /// The documents that have a word, ascending.
    fn rows_with(&self, word: WordKey) -> &[ChunkRow] {
        let at = self.position(word);
        let Some(found) = self.words.get(at).filter(|found| key_of(**found) == word) else {
            return &[];
        };
        let block = at / BLOCK;
        let before: usize = self.words[block * BLOCK..at].iter().map(|word| count_of(*word)).sum();
        let start = self.starts[block] as usize + before;
        &self.rows[start..start + count_of(*found)]
    }

    /// The place of the first word that is not before a word.
    ///
    /// Hashes are spread evenly: of a thousand words, the place is some ten words from where the hash says.
    fn position(&self, word: WordKey) -> usize {
        let count = self.words.len();
        let likely = (u128::from(word.0) * count as u128) >> u64::BITS;
        let mut at = (likely as usize).min(count);
        while at > 0 && key_of(self.words[at - 1]) >= word {
            at -= 1;
        }
        while at < count && key_of(self.words[at]) < word {
            at += 1;
        }
        at
    }
}

fn key_of(word: u64) -> WordKey {
    WordKey(word & !COUNT_MASK)
}

fn count_of(word: u64) -> usize {
    (word & COUNT_MASK) as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[(&str, ChunkRow)]) -> WordIndex {
        let words = texts.iter().flat_map(|(text, row)| {
            WordKey::of_text(text).into_iter().map(move |word| (word, *row))
        });
        WordIndex::new(words.collect())
    }

    fn found(index: &WordIndex, asked: &str) -> Vec<ChunkRow> {
        index.rows_with_all(&WordKey::of_text(asked)).rows().collect()
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
        let damaged = |damage: &dyn Fn(&mut WordIndex)| {
            let mut index = index(&[("one two three", 0), ("two", 1)]);
            damage(&mut index);
            index.is_well_formed(2)
        };
        assert!(!damaged(&|index| index.words[0] += 1));
        assert!(!damaged(&|index| index.words.swap(0, 1)));
        assert!(!damaged(&|index| index.starts[0] = 1));
        assert!(!damaged(&|index| index.starts = Box::default()));
        assert!(!damaged(&|index| index.starts = Box::new([0, 4])));
        assert!(!damaged(&|index| index.rows = Box::new([0, 0, 1])));
        assert!(!damaged(&|index| index.rows[0] = 2));
    }
}
