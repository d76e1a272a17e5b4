//! From an anchor to the block of a text that contains it.
//!
//! A block is a paragraph, or a table with all of its paragraphs: an anchor within a table is not the anchor of a
//! block.

use std::ops::Range;

use super::text_block::is_table;
use store::TdocBlockRow;

/// The parts of an anchor: `x.docx#p12`, `x.pdf#page2-p1`, `x.pptx#slide3-p2`, `x.xlsx#Sheet!r4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AnchorPosition<'a> {
    /// The file.
    file: &'a str,
    /// What is counted in it: `p`, `page`, `slide`, `Sheet!r`.
    counted: &'a str,
    /// Page or slide, 0 if there are none; paragraph or row.
    ordinal: (u32, u32),
}

impl<'a> AnchorPosition<'a> {
    fn parse_anchor(anchor: &'a str) -> Option<Self> {
        let (file, place) = anchor.rsplit_once('#')?;
        let (head, number) = split_number(place)?;
        let (counted, page) = head.strip_suffix("-p").and_then(split_number).unwrap_or((head, 0));
        Some(Self { file, counted, ordinal: (page, number) })
    }

    fn is_comparable(&self, other: &Self) -> bool {
        (self.file, self.counted) == (other.file, other.counted)
    }
}

/// What precedes the number at the end of a text, and that number.
fn split_number(text: &str) -> Option<(&str, u32)> {
    let head = text.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((head, text[head.len()..].parse().ok()?))
}

/// The blocks of a quote; `None` if the text does not have its first anchor. A last anchor that the text does not
/// have, such as that of an empty paragraph, means the block before it.
pub(super) fn find_quoted_blocks(
    blocks: &[TdocBlockRow],
    anchor: &str,
    last_anchor: &str,
) -> Option<Range<usize>> {
    let first = find_block(blocks, anchor)?;
    let last = find_last_block_until(blocks, last_anchor).unwrap_or(first);
    Some(first..last.max(first) + 1)
}

/// The block with an anchor, or the table that contains it.
fn find_block(blocks: &[TdocBlockRow], anchor: &str) -> Option<usize> {
    let own = blocks.iter().position(|block| block.anchor == anchor);
    own.or_else(|| {
        let index = find_last_block_until(blocks, anchor)?;
        holds_paragraph(blocks, index, anchor).then_some(index)
    })
}

/// The last block of a file that does not begin after an anchor.
fn find_last_block_until(blocks: &[TdocBlockRow], anchor: &str) -> Option<usize> {
    let wanted = AnchorPosition::parse_anchor(anchor)?;
    let positions = blocks
        .iter()
        .enumerate()
        .filter_map(|(index, block)| Some((AnchorPosition::parse_anchor(&block.anchor)?, index)));
    let before = positions.filter(|(position, _)| {
        position.is_comparable(&wanted) && position.ordinal <= wanted.ordinal
    });
    before.max_by_key(|(position, _)| position.ordinal).map(|(_, index)| index)
}

/// Whether a table, the last block that does not begin after an anchor, contains its paragraph. If it is the last
/// block of a file, the length of the table decides: nothing says where its paragraphs end.
fn holds_paragraph(blocks: &[TdocBlockRow], index: usize, anchor: &str) -> bool {
    let block = &blocks[index];
    let positions = AnchorPosition::parse_anchor(&block.anchor);
    let Some((first, wanted)) = positions.zip(AnchorPosition::parse_anchor(anchor)) else {
        return false;
    };
    let is_followed = blocks.iter().any(|block| {
        AnchorPosition::parse_anchor(&block.anchor).is_some_and(|position| {
            position.is_comparable(&wanted) && position.ordinal > wanted.ordinal
        })
    });
    let breaks = block.text.matches("<br>").count() + block.text.matches(['|', '\n']).count();
    let distance = wanted.ordinal.1.saturating_sub(first.ordinal.1) as usize;
    let is_near = is_followed || distance <= breaks;
    is_table(block) && first.ordinal.0 == wanted.ordinal.0 && is_near
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(anchor: &str, text: &str) -> TdocBlockRow {
        TdocBlockRow {
            anchor: anchor.to_owned(),
            page: None,
            heading: None,
            text: text.to_owned(),
            changed: false,
        }
    }

    #[test]
    fn an_anchor_leads_to_its_paragraph_or_to_the_table_around_it() {
        let blocks = [
            block("a #1.docx#p1", "Beams"),
            block("a #1.docx#p2", "| No | What |\n|---|---|\n| 1 | wide |\n| 2 | narrow<br>rays |"),
            block("a #1.docx#p11", "More"),
            block("b.docx#p3", "Annex"),
            block("b.pdf#page2-p1", "Results"),
            block("b.pdf#page2-p3", "are good"),
            block("c.xlsx#Power!r1", "| A | B |\n| 1 | 2 |"),
            // Cells of many empty paragraphs.
            block("d.docx#p1", "| A |\n|---|\n| 1 |"),
            block("d.docx#p50", "| B |\n|---|\n| 2 |"),
        ];
        let cases = [
            ("a #1.docx#p1", "", Some(0..1)),
            ("a #1.docx#p1", "a #1.docx#p1", Some(0..1)),
            ("a #1.docx#p1", "a #1.docx#p11", Some(0..3)),
            ("a #1.docx#p1", "a #1.docx#p12", Some(0..3)),
            ("a #1.docx#p7", "a #1.docx#p8", Some(1..2)),
            ("d.docx#p40", "", Some(7..8)),
            ("d.docx#p60", "", None),
            ("a #1.docx#p11", "a #1.docx#p1", Some(2..3)),
            ("a #1.docx#p11", "b.docx#p3", Some(2..4)),
            ("b.pdf#page2-p1", "b.pdf#page2-p3", Some(4..6)),
            ("c.xlsx#Power!r2", "c.xlsx#Power!r2", Some(6..7)),
            ("a #1.docx#p12", "", None),
            ("a #1.docx#p0", "", None),
            ("b.docx#p4", "", None),
            ("b.pdf#page2-p2", "", None),
            ("c.xlsx#Power!r900", "", None),
            ("c.xlsx#Delay!r1", "", None),
            ("c.docx#p1", "", None),
            ("", "", None),
            ("#", "", None),
            ("#p99999999999999999999", "", None),
        ];
        for (anchor, last, expected) in cases {
            assert_eq!(find_quoted_blocks(&blocks, anchor, last), expected, "{anchor} to {last}");
        }
    }
}
