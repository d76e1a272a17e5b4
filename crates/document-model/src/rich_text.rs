//! Text with spans, which say what parts of it are.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What a span of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SpanKind {
    /// Below the line. Begins with `_` where the text needs a mark: `I_MCS`.
    Subscript,
    /// Above the line. Begins with `^` where the text needs a mark: `2^16`.
    Superscript,
    /// Italic: in specifications mostly the name of a field, message or state.
    Italic,
    /// A formula as LaTeX between dollar signs.
    Formula,
    /// A figure: [`crate::FIGURE_MARKER`].
    Figure,
}

/// A range of bytes of a text, on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// What it is.
    pub kind: SpanKind,
}

/// Plain text, and spans in the order of their starts. Spans of one kind do not overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RichText {
    text: String,
    spans: Vec<Span>,
}

impl From<String> for RichText {
    fn from(text: String) -> Self {
        Self { text, spans: Vec::new() }
    }
}

impl From<&str> for RichText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl RichText {
    /// A text and its spans; `None` if a span is outside the text or spans are out of order.
    pub fn from_parts(text: String, spans: Vec<Span>) -> Option<Self> {
        let rich = Self { text, spans };
        rich.is_valid().then_some(rich)
    }

    /// The text as texts of the API print it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Its spans, in the order of their starts.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether it has no characters.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text with its blanks collapsed: runs of blanks and tabs as one blank within lines, empty lines
    /// dropped; `line_break` separates lines (`'\n'` keeps them, `' '` joins them).
    pub fn collapse_blanks(&self, line_break: char) -> Self {
        let mut out = RichTextBuilder::default();
        let mut offsets = OffsetMap::new(&self.text);
        let mut pending = None;
        for (at, c) in self.text.char_indices() {
            if c.is_whitespace() {
                let breaks = c == '\n' || pending == Some(line_break) && line_break == '\n';
                pending = Some(if breaks { line_break } else { ' ' });
                continue;
            }
            if let Some(blank) = pending.take()
                && !out.text.is_empty()
            {
                out.text.push(blank);
            }
            offsets.record(at, out.text.len());
            out.text.push(c);
            offsets.record_end(at + c.len_utf8(), out.text.len());
        }
        out.spans = self.spans.iter().filter_map(|span| offsets.map_span(*span)).collect();
        out.finish()
    }

    /// The part in a range of bytes; empty if the range is not within the text.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let Some(text) = self.text.get(range.clone()) else { return Self::default() };
        let mut out = RichTextBuilder::default();
        out.push_str(text);
        for span in &self.spans {
            let start = (span.start as usize).max(range.start);
            let end = (span.end as usize).min(range.end);
            if start < end {
                out.add_span(start - range.start, end - range.start, span.kind);
            }
        }
        out.finish()
    }

    /// Whether every span is within the text on character boundaries, in order.
    pub fn is_valid(&self) -> bool {
        let within = self.spans.iter().all(|span| {
            span.start <= span.end
                && self.text.get(span.start as usize..span.end as usize).is_some()
        });
        within && self.spans.is_sorted_by_key(|span| span.start)
    }
}

/// Where the characters of a text are in a collapsed one.
struct OffsetMap {
    /// For each byte of the text at which a kept character begins, its new offset; otherwise `None`.
    starts: Vec<Option<u32>>,
    ends: Vec<Option<u32>>,
}

impl OffsetMap {
    fn new(text: &str) -> Self {
        Self { starts: vec![None; text.len() + 1], ends: vec![None; text.len() + 1] }
    }

    fn record(&mut self, old: usize, new: usize) {
        self.starts[old] = Some(new as u32);
    }

    fn record_end(&mut self, old: usize, new: usize) {
        self.ends[old] = Some(new as u32);
    }

    /// The span without the blanks at its ends; `None` if it contained only blanks.
    fn map_span(&self, span: Span) -> Option<Span> {
        let (from, to) = (span.start as usize, span.end as usize);
        let start = self.starts.get(from..to)?.iter().find_map(|offset| *offset)?;
        let end = self.ends.get(from + 1..=to)?.iter().rev().find_map(|offset| *offset)?;
        (start < end).then_some(Span { start, end, kind: span.kind })
    }
}

/// Builds a rich text piece by piece.
#[derive(Debug, Clone, Default)]
pub struct RichTextBuilder {
    text: String,
    spans: Vec<Span>,
}

impl RichTextBuilder {
    /// Adds text without a span.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a rich text.
    pub fn push_rich(&mut self, other: &RichText) {
        let offset = self.text.len() as u32;
        self.text.push_str(&other.text);
        let moved = |span: &Span| Span {
            start: span.start + offset,
            end: span.end + offset,
            kind: span.kind,
        };
        self.spans.extend(other.spans.iter().map(moved));
    }

    /// Adds a span over text that was added before; a span that continues one of its kind extends it.
    /// Empty spans, and spans beyond the text, are skipped.
    pub fn add_span(&mut self, start: usize, end: usize, kind: SpanKind) {
        let (Ok(start), Ok(end)) = (u32::try_from(start), u32::try_from(end)) else { return };
        if start >= end || end as usize > self.text.len() {
            return;
        }
        // Only the last few: a span that ends here was added recently, and a paragraph may have thousands.
        let same = self.spans.iter_mut().rev().take(4).find(|span| span.kind == kind);
        match same {
            Some(span) if span.end == start => span.end = end,
            _ => self.spans.push(Span { start, end, kind }),
        }
    }

    /// The text so far.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, and its spans in order.
    pub fn finish(mut self) -> RichText {
        self.spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        RichText { text: self.text, spans: self.spans }
    }
}

impl From<RichText> for RichTextBuilder {
    fn from(rich: RichText) -> Self {
        Self { text: rich.text, spans: rich.spans }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rich(pieces: &[(&str, Option<SpanKind>)]) -> RichText {
        let mut builder = RichTextBuilder::default();
        for (text, kind) in pieces {
            let start = builder.as_str().len();
            builder.push_str(text);
            if let Some(kind) = kind {
                builder.add_span(start, builder.as_str().len(), *kind);
            }
        }
        builder.finish()
    }

    fn spanned(rich: &RichText) -> Vec<(&str, SpanKind)> {
        let slice = |span: &Span| &rich.as_str()[span.start as usize..span.end as usize];
        rich.spans().iter().map(|span| (slice(span), span.kind)).collect()
    }

    #[test]
    fn blanks_collapse_and_spans_stay_on_their_words() {
        let text = rich(&[
            (" \u{e9}  if ", None),
            (" x ", Some(SpanKind::Italic)),
            ("\n\n  N", None),
            ("_RB", Some(SpanKind::Subscript)),
            ("   ", Some(SpanKind::Superscript)),
        ]);
        let lines = text.collapse_blanks('\n');
        assert_eq!(lines.as_str(), "\u{e9} if x\nN_RB");
        assert_eq!(spanned(&lines), [("x", SpanKind::Italic), ("_RB", SpanKind::Subscript)]);
        assert_eq!(text.collapse_blanks(' ').as_str(), "\u{e9} if x N_RB");
        assert!(lines.is_valid());
    }

    #[test]
    fn adjacent_spans_of_one_kind_are_one() {
        let text = rich(&[
            ("N", None),
            ("_R", Some(SpanKind::Subscript)),
            ("B", Some(SpanKind::Subscript)),
        ]);
        assert_eq!(spanned(&text), [("_RB", SpanKind::Subscript)]);
    }

    #[test]
    fn a_part_keeps_its_spans() {
        let text = rich(&[("1> ", None), ("name", Some(SpanKind::Italic)), (" is", None)]);
        let rest = text.slice(3..text.as_str().len());
        assert_eq!((rest.as_str(), spanned(&rest)), ("name is", vec![("name", SpanKind::Italic)]));
    }
}
