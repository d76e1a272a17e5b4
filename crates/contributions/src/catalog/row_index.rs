//! Short texts with the documents of a chunk that have them, in little memory: numbers of specifications, codes of work items.

use super::chunk_rows::ChunkRow;

/// Texts with the documents that have them: three arrays, whatever the number of texts.
#[derive(Debug, Default)]
pub(super) struct RowIndex {
    /// All of them, sorted, one after the other.
    text: Box<str>,
    /// For each, where it ends in `text`, and where its documents end in the list.
    ends: Box<[(u32, u32)]>,
    /// The documents of each, ascending.
    rows: Box<[ChunkRow]>,
}

impl RowIndex {
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
