//! The text of a file in one piece, with the anchors of its blocks.

use std::ops::Range;

use crate::service::search_text::round_score;
use quotation::{
    Difference, Quotation, TokenizedText, Wildcard, find_exact_matches, find_near_match,
    find_wildcard_match,
};
use store::TdocBlockRow;
use wire::{
    records::{QuoteDifference, QuoteWildcard},
    values::QuoteDifferenceKind,
};

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

    /// The elements at which a match differs, with the anchors of their blocks.
    pub(super) fn anchor_wildcards(&self, found: &QuoteMatch) -> Vec<QuoteWildcard> {
        let anchored = |wildcard: &MatchedWildcard| QuoteWildcard {
            anchor: self.blocks_of(&wildcard.range).map(|(first, _)| first.anchor.clone()),
            ..wildcard.record.clone()
        };
        found.wildcards.iter().map(anchored).collect()
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
    /// The formulas, pictures and tables at which it differs, if it is the quote everywhere else.
    pub(super) wildcards: Vec<MatchedWildcard>,
}

/// A formula, picture or table at which a quote differs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MatchedWildcard {
    /// Its position in the text, in bytes.
    range: Range<usize>,
    /// Its record, without an anchor.
    pub(super) record: QuoteWildcard,
}

impl QuoteMatch {
    /// The first place in a text where a quote occurs word for word.
    pub(super) fn find_exact(quotation: &Quotation, text: &TokenizedText) -> Option<Self> {
        let range = find_exact_matches(quotation, text, 1).pop()?;
        let found = text.text()[range.clone()].to_owned();
        Some(Self {
            range,
            text: found,
            similarity: 1.0,
            differences: Vec::new(),
            wildcards: Vec::new(),
        })
    }

    /// The first place in a text where a quote occurs but for formulas, pictures and tables.
    fn find_except(quotation: &Quotation, text: &TokenizedText) -> Option<Self> {
        let found = find_wildcard_match(quotation, text)?;
        let wildcards = found.wildcards.into_iter();
        let wildcards: Vec<MatchedWildcard> =
            wildcards.map(|wildcard| to_matched_wildcard(wildcard, text)).collect();
        let difference = |MatchedWildcard { record, .. }: &MatchedWildcard| QuoteDifference {
            kind: if record.quoted.is_empty() {
                QuoteDifferenceKind::Missing
            } else {
                QuoteDifferenceKind::Replaced
            },
            quoted: record.quoted.clone(),
            actual: record.actual.clone(),
        };
        Some(Self {
            text: text.text()[found.range.clone()].to_owned(),
            range: found.range,
            similarity: 1.0,
            differences: wildcards.iter().map(difference).collect(),
            wildcards,
        })
    }

    /// The same or, if there is none, the part of the text that most resembles the quote.
    pub(super) fn find_best(quotation: &Quotation, text: &TokenizedText) -> Option<Self> {
        if let Some(exact) = Self::find_exact(quotation, text) {
            return Some(exact);
        }
        if let Some(except) = Self::find_except(quotation, text) {
            return Some(except);
        }
        let near = find_near_match(quotation, text)?;
        let found = text.text()[near.range.clone()].to_owned();
        Some(Self {
            range: near.range,
            text: found,
            similarity: round_score(f64::from(near.similarity)),
            differences: near.differences.into_iter().map(to_difference_record).collect(),
            wildcards: Vec::new(),
        })
    }
}

/// Maximum length of a formula or table in a reply, in bytes, as of the other differences.
const MAX_ELEMENT_BYTES: usize = 400;

fn cut_text(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_ELEMENT_BYTES)]
}

fn to_matched_wildcard(wildcard: Wildcard, text: &TokenizedText) -> MatchedWildcard {
    let record = QuoteWildcard {
        kind: wildcard.kind,
        anchor: None,
        quoted: wildcard.quoted,
        actual: cut_text(&text.text()[wildcard.range.clone()]).to_owned(),
    };
    MatchedWildcard { range: wildcard.range, record }
}

fn to_difference_record(difference: Difference) -> QuoteDifference {
    QuoteDifference { kind: difference.kind, quoted: difference.quoted, actual: difference.actual }
}
