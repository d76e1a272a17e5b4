//! Texts without what is no text in them.

use std::ops::Range;

use document_model::{RichText, SpanKind};

/// The text with its formulas and figures blanked out, byte by byte, so that offsets stay those of the text; `None` if
/// there are none.
pub(crate) fn mask_formulas(text: &RichText) -> Option<String> {
    let masked = |kind| matches!(kind, SpanKind::Formula | SpanKind::Figure);
    let ranges: Vec<Range<usize>> = text
        .spans()
        .iter()
        .filter(|span| masked(span.kind))
        .map(|span| span.start as usize..span.end as usize)
        .collect();
    if ranges.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.as_str().len());
    // Spans are sorted by their start.
    let (mut begun, mut masked_end) = (ranges.iter().peekable(), 0);
    for (at, c) in text.as_str().char_indices() {
        while let Some(range) = begun.next_if(|range| range.start <= at) {
            masked_end = masked_end.max(range.end);
        }
        if at < masked_end {
            out.extend(std::iter::repeat_n('\u{1}', c.len_utf8()))
        } else {
            out.push(c)
        }
    }
    Some(out)
}
