//! Short texts with the documents of a chunk that have them, in little memory: words of titles, codes of work items.

use serde::{Deserialize, Serialize};

use super::title_words::split_plain;

/// A document by its position in its chunk.
pub(crate) type ChunkRow = u16;

/// Texts with the documents that have them: three arrays, whatever the number of texts.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct RowIndex {
    /// All of them, sorted, one after the other.
    text: Box<str>,
    /// For each, where it ends in `text`, and where its documents end in the list.
    ends: Box<[(u32, u32)]>,
    /// The documents of each, ascending.
    rows: Box<[ChunkRow]>,
}

impl RowIndex {
    /// Indexes the words of plain texts, each with its document, in any order.
    pub(super) fn of_words(texts: &[(String, ChunkRow)]) -> Self {
        let words = texts.iter().flat_map(|(text, row)| split_plain(text).map(|word| (word, *row)));
        Self::new(words.collect())
    }

    /// Indexes texts, each with a document that has it, in any order.
    pub(super) fn new(mut pairs: Vec<(&str, ChunkRow)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let (mut text, mut ends, mut rows) = (String::new(), Vec::new(), Vec::new());
        for pairs in pairs.chunk_by(|a, b| a.0 == b.0) {
            text.push_str(pairs[0].0);
            rows.extend(pairs.iter().map(|(_, row)| *row));
            ends.push((length(text.len()), length(rows.len())));
        }
        Self { text: text.into(), ends: ends.into(), rows: rows.into() }
    }

    /// Whether an index that was read from a file has the form of one that is made of so many documents.
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

    /// The documents that have a text, ascending; none where no document has it.
    pub(super) fn rows_with(&self, text: &str) -> Option<&[ChunkRow]> {
        let at = self.partition_point(|known| known < text);
        (at < self.ends.len() && self.text_at(at) == text).then(|| self.rows_at(at))
    }

    /// The documents that have a text with a beginning.
    pub(super) fn rows_beginning_with(&self, start: &str) -> impl Iterator<Item = &ChunkRow> {
        let first = self.partition_point(|known| known < start);
        let texts =
            (first..self.ends.len()).take_while(move |at| self.text_at(*at).starts_with(start));
        texts.flat_map(|at| self.rows_at(at))
    }

    /// The index of the first text that is not before a place in the order.
    fn partition_point(&self, is_before: impl Fn(&str) -> bool) -> usize {
        let (mut start, mut end) = (0, self.ends.len());
        while start < end {
            let middle = start.midpoint(end);
            match is_before(self.text_at(middle)) {
                true => start = middle + 1,
                false => end = middle,
            }
        }
        start
    }

    fn text_at(&self, index: usize) -> &str {
        &self.text[self.starts(index).0 as usize..self.ends[index].0 as usize]
    }

    fn rows_at(&self, index: usize) -> &[ChunkRow] {
        &self.rows[self.starts(index).1 as usize..self.ends[index].1 as usize]
    }

    /// Where a text begins, and its documents in the list.
    fn starts(&self, index: usize) -> (u32, u32) {
        index.checked_sub(1).map_or((0, 0), |before| self.ends[before])
    }
}

/// A length in a chunk, whose texts have less than 4 GiB: those of 256 documents.
fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_with_all_words_are_found() {
        let texts = [("beam management, beam", 3), ("a beam", 1), ("zz", 2), ("", 4)];
        let words = RowIndex::of_words(&texts.map(|(text, row)| (text.to_owned(), row)));
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
        assert!(RowIndex::of_words(&[]).rows_with_all(&["a".to_owned()]).is_empty());
    }

    #[test]
    fn texts_and_those_with_a_beginning_are_found() {
        let index = RowIndex::new(vec![
            ("8.1", 4),
            ("8.10", 3),
            ("8.1.2", 1),
            ("8.1-x", 5),
            ("8.1.1", 2),
            ("9", 0),
        ]);
        let beginning = |start| index.rows_beginning_with(start).copied().collect::<Vec<_>>();
        assert_eq!(beginning("8.1."), [2, 1]);
        assert_eq!(beginning("8."), [4, 5, 2, 1, 3]);
        assert_eq!(beginning("9"), [0]);
        assert!(beginning("7.").is_empty() && beginning("9.").is_empty());
        assert_eq!(index.rows_with("8.10"), Some(&[3][..]));
        assert_eq!(index.rows_with("8.100"), None);
    }
}
