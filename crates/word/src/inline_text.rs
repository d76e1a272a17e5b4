//! The text of a paragraph with the spans that say what its parts are, as runs, formulas and objects add to it.

use document::push_plain_text;
use document_model::{FIGURE_MARKER, Span, SpanKind};

/// The position of a run above or below the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Subscript,
    Superscript,
}

impl Script {
    fn span_kind(self) -> SpanKind {
        match self {
            Self::Subscript => SpanKind::Subscript,
            Self::Superscript => SpanKind::Superscript,
        }
    }
}

/// What a run specifies for its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RunStyle {
    pub(super) script: Option<Script>,
    /// The text is the first of the run.
    pub(super) begins: bool,
    pub(super) italic: bool,
}

/// Text in plain characters, with its spans.
#[derive(Debug, Default)]
pub(super) struct InlineText {
    pub(super) text: String,
    pub(super) spans: Vec<Span>,
    /// Whether spans are recorded.
    keeps_spans: bool,
    /// Number of markers in it.
    markers: u32,
}

impl InlineText {
    pub(super) fn new(keeps_spans: bool) -> Self {
        Self { keeps_spans, ..Self::default() }
    }

    /// Adds the text of a run. Raised numbers are marked, and lowered words if spans are kept.
    pub(super) fn push_run(&mut self, text: &str, style: RunStyle) {
        let start = self.text.len();
        if let Some(script) = style.script
            && style.begins
            // A run may continue another one.
            && !(self.keeps_spans && self.ends_in(script.span_kind()))
            && let Some(mark) = self.script_mark(script, text)
        {
            self.text.push(mark);
        }
        push_plain_text(&mut self.text, text);
        if let Some(script) = style.script {
            self.add_span(start, script.span_kind());
        }
        if style.italic {
            self.add_span(start, SpanKind::Italic);
        }
    }

    /// Adds a formula; a blank separates it from one before it.
    pub(super) fn push_formula(&mut self, latex: &str) {
        if latex.is_empty() {
            return;
        }
        if self.text.ends_with('$') {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push('$');
        push_plain_text(&mut self.text, latex);
        self.text.push('$');
        self.add_span(start, SpanKind::Formula);
    }

    /// Adds the marker of a figure or of an equation that cannot be read; adjacent figures share one. Returns the index
    /// of the marker, from 0.
    pub(super) fn push_marker(&mut self, marker: &str) -> u32 {
        if marker == FIGURE_MARKER && self.text.trim_end().ends_with(FIGURE_MARKER) {
            return self.markers.saturating_sub(1);
        }
        if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(marker);
        self.add_span(start, SpanKind::Figure);
        self.text.push(' ');
        self.markers += 1;
        self.markers - 1
    }

    /// Number of markers in it.
    pub(super) fn marker_count(&self) -> u32 {
        self.markers
    }

    /// Removes all text from a byte on, with its spans; `markers` are left.
    pub(super) fn truncate(&mut self, length: usize, markers: u32) {
        if !self.text.is_char_boundary(length) {
            return;
        }
        self.text.truncate(length);
        self.markers = markers.min(self.markers);
        let length = length as u32;
        self.spans.retain(|span| span.start < length);
        self.spans.iter_mut().for_each(|span| span.end = span.end.min(length));
    }

    /// Puts text with its spans before this one. Returns the number of markers in it.
    pub(super) fn prepend(&mut self, before: Self) -> u32 {
        let offset = before.text.len() as u32;
        let own = self.spans.drain(..).map(|span| Span {
            start: span.start + offset,
            end: span.end + offset,
            kind: span.kind,
        });
        self.spans = before.spans.into_iter().chain(own).collect();
        self.text.insert_str(0, &before.text);
        self.markers += before.markers;
        before.markers
    }

    /// Adds a span from a byte to the end of the text; one that continues the last of its kind extends it.
    fn add_span(&mut self, start: usize, kind: SpanKind) {
        let (start, end) = (start as u32, self.text.len() as u32);
        let last = self.spans.iter_mut().rev().take(3).find(|span| span.kind == kind);
        match last {
            _ if start >= end || !self.keeps_spans => {}
            // Each figure and each formula has its own span.
            Some(span) if span.end == start && !is_whole(kind) => span.end = end,
            _ => self.spans.push(Span { start, end, kind }),
        }
    }

    /// Whether a span of a kind ends where the text ends.
    fn ends_in(&self, kind: SpanKind) -> bool {
        let last = self.spans.iter().rev().take(3).find(|span| span.kind == kind);
        last.is_some_and(|span| span.end as usize == self.text.len())
    }

    /// The character that marks a lowered or raised text in plain text, if it needs one.
    fn script_mark(&self, script: Script, text: &str) -> Option<char> {
        match script {
            Script::Superscript => is_exponent(&self.text, text).then_some('^'),
            Script::Subscript => (self.keeps_spans && is_index(&self.text, text)).then_some('_'),
        }
    }
}

fn is_whole(kind: SpanKind) -> bool {
    matches!(kind, SpanKind::Formula | SpanKind::Figure)
}

/// Whether a subscript must be marked in plain text: `I` with `MCS` lowered is `I_MCS`.
fn is_index(before: &str, lowered: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '\''))
        && lowered.trim_start().starts_with(|c: char| c.is_alphanumeric())
        && !lowered.starts_with(char::is_whitespace)
}

/// Whether superscript text is an exponent, which plain text must mark: 2 with 16 raised is not 216.
fn is_exponent(before: &str, raised: &str) -> bool {
    let follows_base = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']'));
    let raised = raised.trim();
    let is_number =
        raised.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '\u{2212}'));
    follows_base && (is_number || raised.len() == 1)
}
