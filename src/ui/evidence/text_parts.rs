//! A long text in parts, one on each page.

use std::ops::Range;

use store::TdocBlockRow;

/// Bytes of text on a page: nearly every contribution fits.
const MAX_PART_BYTES: usize = 150_000;

/// The blocks of each part, at least one part; a block is never divided.
pub(super) fn split_parts(blocks: &[TdocBlockRow]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (index, block) in blocks.iter().enumerate() {
        if index > start && bytes + block.text.len() > MAX_PART_BYTES {
            parts.push(start..index);
            (start, bytes) = (index, 0);
        }
        bytes += block.text.len();
    }
    parts.push(start..blocks.len());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(bytes: usize) -> TdocBlockRow {
        TdocBlockRow {
            anchor: "x.docx#p1".to_owned(),
            page: None,
            heading: None,
            text: "a".repeat(bytes),
            changed: false,
        }
    }

    #[test]
    fn every_block_is_in_one_part_and_a_long_one_has_its_own() {
        let half = MAX_PART_BYTES / 2;
        let blocks = [half, half, 1, MAX_PART_BYTES * 3, 5, 5].map(block);
        assert_eq!(split_parts(&blocks), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(split_parts(&[]).as_slice(), std::slice::from_ref(&(0..0)));
    }
}
