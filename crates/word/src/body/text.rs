//! Text, formulas and pictures of the open paragraph, with the spans that say what they are.

use super::{BodyWalker, RunMarks};
use crate::item::Drawing;
use crate::open_elements::{OpenDrawing, OpenElement, OpenParagraph};

impl BodyWalker<'_, '_> {
    pub(super) fn close_drawing(&mut self, picture: OpenDrawing) {
        let formula = picture.relation_of_equation();
        let formula = formula.and_then(|relation| self.context.equations.get(relation).cloned());
        if let Some(latex) = formula {
            self.push_equation(&latex);
            return;
        }
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut()
            && !self.states.is_left_out()
        {
            let marker = picture.marker().map(|marker| paragraph.inline.push_marker(marker));
            let drawing = picture.into_drawing();
            paragraph
                .pictures
                .extend(drawing.map(|drawing| Drawing { marker: marker.unwrap_or(0), ..drawing }));
        }
    }

    pub(super) fn push_equation(&mut self, latex: &str) {
        if latex.is_empty() {
            return;
        }
        if let Some(paragraph) = self.begin_text(&format!("${latex}$")) {
            paragraph.inline.push_formula(latex);
        }
    }

    /// Adds a blank if a formula has one at its edge and the text does not have one yet.
    pub(super) fn push_blank(&mut self, is_there: bool) {
        let is_needed = matches!(
            self.open_elements.last(),
            Some(OpenElement::Paragraph(paragraph))
                if !paragraph.inline.text.is_empty()
                    && !paragraph.inline.text.ends_with(char::is_whitespace)
        );
        if is_there && is_needed {
            self.push_text(" ");
        }
    }

    /// Whether the open run is white on a white page or paragraph, so that no reader of the page sees it. In cells and
    /// drawings, something may be painted behind it.
    fn is_white_on_white(&self) -> bool {
        let is_unpainted = matches!(
            self.open_elements.last(),
            Some(OpenElement::Paragraph(paragraph)) if !paragraph.is_shaded
        );
        self.run.is_white && is_unpainted && self.table_depth == 0 && self.pictures.is_empty()
    }

    /// Adds text to the open paragraph, unless tracked changes leave it out or it is invisible.
    pub(super) fn push_text(&mut self, text: &str) {
        let style = self.run.style;
        if let Some(paragraph) = self.begin_text(text) {
            paragraph.inline.push_run(text, style);
            self.run.style.begins = false;
        }
    }

    /// Prepares the open paragraph for visible text.
    fn begin_text(&mut self, text: &str) -> Option<&mut OpenParagraph> {
        if self.run.is_hidden || self.states.is_left_out() || self.is_white_on_white() {
            return None;
        }
        let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut() else {
            return None;
        };
        if let Some(picture) = self.pictures.last_mut() {
            picture.shapes.push_text(text);
        }
        let marks_strikes = self.context.run_marks == RunMarks::Strikes;
        if !text.trim().is_empty() {
            if paragraph.breaks.is_none() {
                (paragraph.breaks, paragraph.bold) = (Some(self.breaks), self.run.bold);
            }
            paragraph.count_visible(text, self.run.highlight, self.run.struck);
            if marks_strikes && paragraph.struck != self.run.struck {
                paragraph.mark_strike(self.run.struck);
            }
        }
        Some(paragraph)
    }
}
