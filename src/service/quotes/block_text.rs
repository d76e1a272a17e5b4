//! The text of a file in one piece, with the anchors of its blocks.

use std::ops::Range;

use crate::service::search_text::round_score;
use quotation::{Difference, Quotation, TokenizedText, find_exact_matches, find_near_match};
use store::TdocBlockRow;
use wire::records::QuoteDifference;

/// A text with its blocks: a quote may extend over several.
pub(super) struct BlockText {
    text: TokenizedText,
    /// Where each block begins.
    starts: Vec<usize>,
    blocks: Vec<TdocBlockRow>,
}

impl BlockText {
    /// Joins blocks by line breaks.
    pub(super) fn from_blocks(blocks: Vec<TdocBlockRow>) -> Self {
        let mut text = String::with_capacity(blocks.iter().map(|block| block.text.len() + 1).sum());
        let mut starts = Vec::with_capacity(blocks.len());
        for block in &blocks {
            starts.push(text.len());
            text.push_str(&block.text);
            text.push('\n');
        }
        Self { text: TokenizedText::new(text), starts, blocks }
    }

    /// The tokens of it.
    pub(super) fn text(&self) -> &TokenizedText {
        &self.text
    }

    /// The first and the last block of a range.
    pub(super) fn blocks_of(&self, range: &Range<usize>) -> Option<(&TdocBlockRow, &TdocBlockRow)> {
        let index_of =
            |byte: usize| self.starts.partition_point(|start| *start <= byte).checked_sub(1);
        let first = self.blocks.get(index_of(range.start)?)?;
        let last = self.blocks.get(index_of(range.end.saturating_sub(1).max(range.start))?)?;
        Some((first, last))
    }
}

/// A stretch of a text that is a quote, or resembles it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QuoteMatch {
    /// Its position in the text, in bytes.
    pub(super) range: Range<usize>,
    /// The text there.
    pub(super) text: String,
    /// Share that is equal, 0 to 1.
    pub(super) similarity: f64,
    /// What differs; empty if it is the quote.
    pub(super) differences: Vec<QuoteDifference>,
}

impl QuoteMatch {
    /// The first place in a text where a quote occurs word for word.
    pub(super) fn find_exact(quotation: &Quotation, text: &TokenizedText) -> Option<Self> {
        let range = find_exact_matches(quotation, text, 1).pop()?;
        let found = text.text()[range.clone()].to_owned();
        Some(Self { range, text: found, similarity: 1.0, differences: Vec::new() })
    }

    /// The same or, if there is none, the part of the text that most resembles the quote.
    pub(super) fn find_best(quotation: &Quotation, text: &TokenizedText) -> Option<Self> {
        if let Some(exact) = Self::find_exact(quotation, text) {
            return Some(exact);
        }
        let near = find_near_match(quotation, text)?;
        let found = text.text()[near.range.clone()].to_owned();
        Some(Self {
            range: near.range,
            text: found,
            similarity: round_score(f64::from(near.similarity)),
            differences: near.differences.into_iter().map(to_difference_record).collect(),
        })
    }
}

fn to_difference_record(difference: Difference) -> QuoteDifference {
    QuoteDifference { kind: difference.kind, quoted: difference.quoted, actual: difference.actual }
}
