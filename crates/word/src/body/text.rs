//! Text, formulas and pictures of the open paragraph, with the spans that say what they are.

use super::BodyWalker;
use crate::equations::ReadEquation;
use crate::item::Drawing;
use crate::open_elements::{OpenDrawing, OpenElement, OpenParagraph};
use crate::run_format::{FormatLevels, RunFormat};
use crate::run_marks::RunMarks;

impl BodyWalker<'_, '_> {
    pub(super) fn close_drawing(&mut self, mut picture: OpenDrawing) {
        let equations = &self.context.equations;
        let read: Vec<ReadEquation> = picture
            .relations_of_equation()
            .filter_map(|relation| equations.get(relation).cloned())
            .collect();
        let formula = read.iter().find_map(|read| match read {
            ReadEquation::Formula(latex) => Some(latex.as_str()),
            ReadEquation::Words(_) => None,
        });
        if let Some(latex) = formula {
            self.push_equation(latex);
            return;
        }
        if let Some((object, media)) = picture.object()
            && !self.states.is_left_out()
        {
            let at = self.position();
            let items = self.context.attached.open_object(object, media, at);
            if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut() {
                paragraph.boxed.extend(items);
            }
        }
        if let Some(ReadEquation::Words(words)) = read.into_iter().next() {
            picture.mark_equation(words);
        }
        if let Some(OpenElement::Paragraph(paragraph)) = self.open_elements.last_mut()
            && !self.states.is_left_out()
            && self.context.attached.reads_pictures()
        {
            let marker = picture.marker().map(|marker| paragraph.inline.push_marker(&marker));
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
    fn is_white_on_white(&mut self) -> bool {
        let is_white = self.run_format().is_white == Some(true);
        let is_unpainted = matches!(
            self.open_elements.last(),
            Some(OpenElement::Paragraph(paragraph)) if !paragraph.is_shaded
        );
        is_white && is_unpainted && self.table_depth == 0 && self.pictures.is_empty()
    }

    /// The format of the open run, with its styles.
    pub(super) fn run_format(&mut self) -> RunFormat {
        if let Some(format) = self.run.format {
            return format;
        }
        let styles = self.context.styles;
        let style = match self.open_elements.last() {
            Some(OpenElement::Paragraph(paragraph)) => paragraph.style.as_deref(),
            _ => None,
        };
        let character = self.run.character_style.as_deref();
        let format = FormatLevels {
            defaults: styles.run_defaults(),
            paragraph: &style.map_or_else(|| styles.default_style(), |id| styles.get(id)).run,
            character: &character.map(|id| styles.character_format(id)).unwrap_or_default(),
            own: &self.run.own_format,
        }
        .resolve();
        self.run.format = Some(format);
        format
    }

    /// Whether what is added now is on the page: tracked changes do not leave it out, and it is not invisible.
    pub(super) fn is_shown(&mut self) -> bool {
        let is_hidden = self.run_format().is_hidden == Some(true);
        !(is_hidden || self.states.is_left_out() || self.is_white_on_white())
    }

    /// Adds the text of a run, whose characters depend on its fonts.
    pub(super) fn push_run_text(&mut self, text: &str) {
        let fonts = self.run_format().fonts;
        if fonts.has_symbols() && self.is_shown() {
            let read = fonts.read_text(text, &mut self.unknown_symbols);
            self.push_text(&read);
        } else {
            self.push_text(text);
        }
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
        if !self.is_shown() {
            return None;
        }
        let is_struck = self.run_format().is_struck == Some(true);
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
            paragraph.count_visible(text, &self.run, is_struck);
            if marks_strikes && paragraph.struck != is_struck {
                paragraph.mark_strike(is_struck);
            }
        }
        Some(paragraph)
    }
}
