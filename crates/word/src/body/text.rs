//! Text, formulas and pictures of the open paragraph, with the spans that say what they are.

use document::push_plain_text;
use document_model::{FIGURE_MARKER, SpanKind};

use super::{BodyWalker, RunMarks};
use crate::open_elements::{
    OpenDrawing, OpenElement, OpenParagraph, OpenRun, Script, is_exponent, is_index,
};

impl BodyWalker<'_, '_> {
    pub(super) fn close_drawing(&mut self, picture: OpenDrawing) {
        let formula = picture.relation_of_equation();
        let formula = formula.and_then(|relation| self.context.equations.get(relation).cloned());
        if let Some(latex) = formula {
            self.push_equation(&latex);
            return;
        }
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut()
            && self.deletion_depth == 0
        {
            let before = paragraph.text.len();
            picture.push_marker(&mut paragraph.text);
            let marker = paragraph.text[before..].find(FIGURE_MARKER);
            if let Some(start) = marker.filter(|_| self.context.run_marks == RunMarks::Spans) {
                let end = before + start + FIGURE_MARKER.len();
                let rest = paragraph.text.split_off(end);
                paragraph.add_span(before + start, SpanKind::Figure);
                paragraph.text.push_str(&rest);
            }
            paragraph.pictures.extend(picture.into_drawing());
        }
    }

    pub(super) fn push_equation(&mut self, latex: &str) {
        if !latex.is_empty() {
            // A blank separates adjacent equations.
            let follows_equation = matches!(
                self.open_elements.last(),
                Some(OpenElement::Paragraph(p)) if p.text.ends_with('$')
            );
            if follows_equation {
                self.push_text(" ");
            }
            let start = self.open_text_length();
            self.push_text(&format!("${latex}$"));
            if self.context.run_marks == RunMarks::Spans
                && let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut()
            {
                paragraph.add_span(start, SpanKind::Formula);
            }
        }
    }

    /// Bytes of text in the open paragraph.
    fn open_text_length(&self) -> usize {
        match self.open_elements.last() {
            Some(OpenElement::Paragraph(paragraph)) => paragraph.text.len(),
            _ => 0,
        }
    }

    /// Whether the open run is white on a page or a paragraph that is white too. In cells and in drawings something
    /// may be painted behind it.
    fn is_white_on_white(&self) -> bool {
        let is_unpainted = matches!(
            self.open_elements.last(),
            Some(OpenElement::Paragraph(paragraph)) if !paragraph.is_shaded
        );
        self.run.is_white && is_unpainted && self.table_depth == 0 && self.pictures.is_empty()
    }

    /// Adds text to the open paragraph, unless it is within a deletion or nobody can see it.
    pub(super) fn push_text(&mut self, text: &str) {
        if self.run.is_hidden || self.is_white_on_white() {
            return;
        }
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut()
            && self.deletion_depth == 0
        {
            if let Some(picture) = self.pictures.last_mut() {
                picture.shapes.push_text(text);
            }
            if paragraph.breaks.is_none() && !text.trim().is_empty() {
                (paragraph.breaks, paragraph.bold) = (Some(self.breaks), self.run.bold);
            }
            if !text.trim().is_empty() {
                paragraph.count_visible(text, self.run.highlight, self.run.struck);
            }
            let keeps_spans = self.context.run_marks == RunMarks::Spans;
            if !keeps_spans && !text.trim().is_empty() && paragraph.struck != self.run.struck {
                paragraph.mark_strike(self.run.struck);
            }
            let start = paragraph.text.len();
            if std::mem::take(&mut self.run.script_begins)
                && let Some(mark) = script_mark(paragraph, &self.run, text, keeps_spans)
            {
                paragraph.text.push(mark);
            }
            push_plain_text(&mut paragraph.text, text);
            if keeps_spans {
                if let Some(script) = self.run.script {
                    paragraph.add_span(start, script.span_kind());
                }
                if self.run.italic {
                    paragraph.add_span(start, SpanKind::Italic);
                }
            }
        }
    }
}

/// The character that marks a lowered or raised text in plain text, where it needs one.
fn script_mark(
    paragraph: &OpenParagraph,
    run: &OpenRun,
    text: &str,
    keeps_spans: bool,
) -> Option<char> {
    let script = run.script?;
    // A run that continues another one.
    if keeps_spans && paragraph.ends_in(script.span_kind()) {
        return None;
    }
    match script {
        Script::Superscript => is_exponent(&paragraph.text, text).then_some('^'),
        Script::Subscript => (keeps_spans && is_index(&paragraph.text, text)).then_some('_'),
    }
}
