//! The words of the titles and abstracts of a chunk, in little memory.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::title_words::split_plain;

/// A document by its position in its chunk.
pub(super) type ChunkRow = u16;

/// Words with the documents that have them: three arrays, whatever the number of words.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ChunkWords {
    /// All words, sorted, one after the other.
    text: Box<str>,
    /// For each word, where it ends in the text, and where its documents end in the list.
    ends: Box<[(u32, u32)]>,
    /// The documents of each word, ascending.
    rows: Box<[ChunkRow]>,
}

impl ChunkWords {
    /// Indexes plain texts, each with its document, in any order.
    pub(super) fn new(texts: &[(String, ChunkRow)]) -> Self {
        let words = texts.iter().flat_map(|(text, row)| split_plain(text).map(|word| (word, *row)));
        let mut words: Vec<(&str, ChunkRow)> = words.collect();
        words.sort_unstable();
        words.dedup();
        let (mut text, mut ends, mut rows) = (String::new(), Vec::new(), Vec::new());
        for words in words.chunk_by(|a, b| a.0 == b.0) {
            text.push_str(words[0].0);
            rows.extend(words.iter().map(|(_, row)| *row));
            ends.push((length(text.len()), length(rows.len())));
        }
        Self { text: text.into(), ends: ends.into(), rows: rows.into() }
    }

    /// Whether words that were read from a file have the form of those that are made: of so many documents.
    pub(super) fn are_well_formed(&self, documents: usize) -> bool {
        let last = self.ends.last().copied().unwrap_or_default();
        last == (length(self.text.len()), length(self.rows.len()))
            && self.ends.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1)
            && self.ends.iter().all(|(text, _)| self.text.is_char_boundary(*text as usize))
            && self.rows.iter().all(|row| usize::from(*row) < documents)
    }

    /// The documents that have all words, ascending; none where no word is asked for.
    pub(super) fn rows_with_all(&self, words: &[String]) -> Vec<ChunkRow> {
        let mut lists = Vec::with_capacity(words.len());
        for word in words {
            let Some(rows) = self.rows_with(word) else { return Vec::new() };
            lists.push(rows);
        }
        lists.sort_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return Vec::new() };
        let in_all = |row: &&ChunkRow| others.iter().all(|list| list.binary_search(row).is_ok());
        shortest.iter().filter(in_all).copied().collect()
    }

    fn rows_with(&self, word: &str) -> Option<&[ChunkRow]> {
        let (mut start, mut end) = (0, self.ends.len());
        while start < end {
            let middle = start.midpoint(end);
            let (text, rows) = self.starts(middle);
            let (text_end, rows_end) = self.ends[middle];
            match self.text[text as usize..text_end as usize].cmp(word) {
                Ordering::Less => start = middle + 1,
                Ordering::Greater => end = middle,
                Ordering::Equal => return Some(&self.rows[rows as usize..rows_end as usize]),
            }
        }
        None
    }

    /// Where a word begins in the text, and its documents in the list.
    fn starts(&self, word: usize) -> (u32, u32) {
        word.checked_sub(1).map_or((0, 0), |before| self.ends[before])
    }
}

/// A length in a chunk, whose texts have less than 4 GiB: 256 titles and abstracts.
fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_with_all_words_are_found() {
        let texts = [("beam management, beam", 3), ("a beam", 1), ("zz", 2), ("", 4)];
        let words = ChunkWords::new(&texts.map(|(text, row)| (text.to_owned(), row)));
        let found = |asked: &[&str]| {
            words.rows_with_all(&asked.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(found(&["beam"]), [1, 3]);
        assert_eq!(found(&["beam", "management"]), [3]);
        assert_eq!(found(&["zz"]), [2]);
        assert_eq!(found(&["a"]), [1]);
        for nothing in [&["be"][..], &["beams"], &["beam", "zz"], &["zzz"], &[""], &[]] {
            assert!(found(nothing).is_empty(), "{nothing:?}");
        }
        assert!(ChunkWords::new(&[]).rows_with_all(&["a".to_owned()]).is_empty());
    }
}
