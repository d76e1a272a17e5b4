//! Figures: matches pictures with captions, and draws them.
//!
//! The caption of a figure is below it, mostly in the style of captions, with at most a few
//! lines between (measured on 60 specifications: within three paragraphs in 95 of 100). Pictures in
//! a row above one caption are one figure. One figure in five is drawn as a table.

use std::ops::Range;

use picture::FigureTable;

use document::collapse_whitespace;
use document_model::{EQUATION_MARKER, FIGURE_MARKER};

use super::item::{BodyParagraph, BodyTable, Drawing};
use super::role::ParagraphRole;
use draw::build_grid;

mod draw;
mod repeated_words;

pub(super) use draw::draw_pictures;

/// Maximum number of paragraphs between a picture and its caption: 95 of 100 are within it. With more, pictures get the
/// captions of others.
const MAX_PARAGRAPHS_BETWEEN: usize = 3;
/// A caption that is longer than this is running text.
const MAX_CAPTION_BYTES: usize = 400;
/// Maximum bytes of the text of a table that is a figure. Its section has the table too, with all of its text.
const MAX_TABLE_TEXT_BYTES: usize = 4000;

/// A figure as it was collected, before it is drawn.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CollectedFigure {
    /// Index of its section, and number of blocks of the section before it.
    pub(super) position: (usize, u32),
    pub(super) caption: Option<String>,
    pub(super) drawings: Vec<PlacedDrawing>,
    /// What is written in shapes or in the cells of a table.
    pub(super) words: Vec<String>,
    /// The blocks of the section that the text in its shapes became.
    pub(super) shape_blocks: Vec<Range<u32>>,
    /// The table, if the figure is one.
    pub(super) table: Option<FigureTable>,
}

/// A drawing and its position.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PlacedDrawing {
    /// Index of its section, and number of blocks of the section before it.
    pub(super) position: (usize, u32),
    /// The index of its marker in the texts of its block, from 0.
    pub(super) marker: u32,
    pub(super) drawing: Drawing,
}

/// The pictures of a document, before they are drawn.
#[derive(Debug, Default)]
pub(super) struct CollectedPictures {
    pub(super) figures: Vec<CollectedFigure>,
    /// Pictures in lines of text: old equations, symbols, icons.
    pub(super) inline: Vec<PlacedDrawing>,
}

impl CollectedPictures {
    /// How many drawings there are.
    pub(super) fn drawing_count(&self) -> usize {
        let in_figures = self.figures.iter().map(|figure| figure.drawings.len());
        in_figures.sum::<usize>() + self.inline.len()
    }
}

/// Matches pictures with captions while the text is read.
#[derive(Default)]
pub(super) struct FigureCollector {
    /// The figure that still lacks its caption.
    open: Option<OpenFigure>,
    collected: CollectedPictures,
    /// Whether the text belongs to shapes.
    in_shapes: bool,
    /// Whether figures are collected at all.
    is_enabled: bool,
}

struct OpenFigure {
    figure: CollectedFigure,
    /// Paragraphs since its last picture.
    paragraphs_since: usize,
    /// Whether it is in a line of text, like an icon; it is then a figure only if it has a caption.
    is_inline: bool,
    /// Paragraphs in the style of captions that have no number.
    titles: Vec<String>,
}

impl FigureCollector {
    pub(super) fn new(is_enabled: bool) -> Self {
        Self { is_enabled, ..Self::default() }
    }

    /// Adds a paragraph whose text is `text`, in which pictures are marked.
    pub(super) fn push_paragraph(
        &mut self,
        paragraph: &BodyParagraph,
        text: &str,
        position: (usize, u32),
    ) {
        if !self.is_enabled {
            return;
        }
        let words = words_between_markers(text);
        let labelled = paragraph.label.as_ref().map(|label| format!("{label} {words}"));
        let caption = labelled.filter(|text| is_numbered(text)).unwrap_or_else(|| words.clone());
        let is_title =
            matches!(paragraph.role, ParagraphRole::FigureTitle | ParagraphRole::Caption);
        if !paragraph.pictures.is_empty() {
            let is_inline = !words.is_empty() && !is_caption(&caption, is_title);
            self.push_pictures(paragraph, position, 0, is_inline);
        } else if text.is_empty() {
            // An empty paragraph does not separate a picture from its caption.
            return;
        }
        if is_caption(&caption, is_title) {
            self.attach_caption(caption, position, is_title);
        } else if !self.in_shapes
            && let Some(open) = &mut self.open
        {
            // `(a) Contention-based`, below the pictures of a figure whose caption follows all of them.
            if paragraph.role == ParagraphRole::FigureTitle && !words.is_empty() {
                open.titles.push(words);
            } else if paragraph.pictures.is_empty() && !is_note(&words) {
                open.paragraphs_since += 1;
            }
            if open.paragraphs_since > MAX_PARAGRAPHS_BETWEEN {
                self.close_figure();
            }
        }
    }

    /// Enters the text of a paragraph's shapes, if it has some. Returns whether it was within such text
    /// before.
    pub(super) fn enter_shapes(&mut self, has_shapes: bool) -> bool {
        let in_shapes = self.in_shapes || has_shapes;
        std::mem::replace(&mut self.in_shapes, in_shapes)
    }

    /// Leaves them. Their text became the blocks of a section from `start` to `end`.
    pub(super) fn leave_shapes(&mut self, was_in_shapes: bool, start: (usize, u32), end: u32) {
        // A caption among the words of the shapes has closed the figure.
        let open = self.open.as_mut().map(|open| &mut open.figure);
        if let Some(figure) = open.or_else(|| self.collected.figures.last_mut())
            && self.in_shapes
            && start.1 < end
            && figure.position.0 == start.0
        {
            figure.shape_blocks.push(start.1..end);
        }
        self.in_shapes = was_in_shapes;
    }

    /// Adds a paragraph of a table cell; `markers` are in the cells before it.
    pub(super) fn push_cell_paragraph(
        &mut self,
        paragraph: &BodyParagraph,
        position: (usize, u32),
        markers: u32,
    ) {
        if !self.is_enabled {
            return;
        }
        let words = words_between_markers(&paragraph.text);
        let is_title =
            matches!(paragraph.role, ParagraphRole::FigureTitle | ParagraphRole::Caption);
        if !paragraph.pictures.is_empty() {
            self.push_pictures(paragraph, position, markers, !words.is_empty());
        }
        if is_title && is_caption(&words, true) {
            self.attach_caption(words, position, is_title);
        }
    }

    /// Adds a table without a title, which is a figure if a caption follows.
    pub(super) fn push_table(&mut self, table: &BodyTable, text: &str, position: (usize, u32)) {
        // Directly after a picture, the caption that follows belongs to the picture.
        if !self.is_enabled || self.open.as_ref().is_some_and(|open| open.paragraphs_since == 0) {
            return;
        }
        self.close_figure();
        let end =
            (0..=MAX_TABLE_TEXT_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let text = text[..end.unwrap_or(0)].to_owned();
        let table = Some(build_grid(table));
        let figure =
            CollectedFigure { position, words: vec![text], table, ..CollectedFigure::default() };
        self.open =
            Some(OpenFigure { figure, paragraphs_since: 0, is_inline: true, titles: Vec::new() });
    }

    /// Ends the section: the open figure has no caption.
    pub(super) fn end_section(&mut self) {
        self.close_figure();
    }

    pub(super) fn into_pictures(mut self) -> CollectedPictures {
        self.close_figure();
        self.collected
    }

    fn push_pictures(
        &mut self,
        paragraph: &BodyParagraph,
        position: (usize, u32),
        markers: u32,
        is_inline: bool,
    ) {
        let placed = paragraph.pictures.iter().map(|drawing| PlacedDrawing {
            position,
            marker: markers + drawing.marker,
            drawing: drawing.clone(),
        });
        let (equations, drawings): (Vec<_>, Vec<_>) =
            placed.partition(|placed| placed.drawing.is_equation);
        self.collected.inline.extend(equations);
        if drawings.is_empty() {
            return;
        }
        // A picture in a line of text is not part of a figure that follows.
        if !is_inline
            && self.open.as_ref().is_some_and(|open| open.is_inline && open.figure.table.is_none())
        {
            self.close_figure();
        }
        // A table directly before a picture is not a figure.
        if self.open.as_ref().is_some_and(|open| open.figure.table.is_some()) {
            self.open = None;
        }
        let open = self.open.get_or_insert_with(|| OpenFigure {
            figure: CollectedFigure { position, ..CollectedFigure::default() },
            paragraphs_since: 0,
            is_inline,
            titles: Vec::new(),
        });
        open.paragraphs_since = 0;
        open.is_inline &= is_inline;
        open.figure.drawings.extend(drawings);
        let words = &mut open.figure.words;
        for item in &paragraph.boxed {
            item.visit_paragraphs(&mut |paragraph| {
                let text = words_between_markers(&paragraph.text);
                if !text.is_empty() {
                    words.push(text);
                }
            });
        }
    }

    fn attach_caption(&mut self, caption: String, position: (usize, u32), is_title: bool) {
        let open = self.open.take();
        if is_void_caption(&caption) {
            self.collected.inline.extend(open.into_iter().flat_map(|open| open.figure.drawings));
            return;
        }
        match open {
            Some(mut open) => {
                open.figure.words.append(&mut open.titles);
                self.collected
                    .figures
                    .push(CollectedFigure { caption: Some(caption), ..open.figure });
            }
            // A sentence that begins like a caption is not one when no figure precedes it.
            None if is_title => {
                self.collected.figures.push(CollectedFigure {
                    position,
                    caption: Some(caption),
                    ..CollectedFigure::default()
                });
            }
            None => {}
        }
    }

    fn close_figure(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.is_inline && open.titles.is_empty() {
            self.collected.inline.extend(open.figure.drawings);
        } else {
            let caption = (!open.titles.is_empty()).then(|| open.titles.join("; "));
            self.collected.figures.push(CollectedFigure { caption, ..open.figure });
        }
    }
}

/// The words of a text without the markers of figures and equations.
fn words_between_markers(text: &str) -> String {
    collapse_whitespace(&text.replace(FIGURE_MARKER, " ").replace(EQUATION_MARKER, " "))
}

/// Whether a text is the caption of a figure. A text in the style of captions needs only its number;
/// in running text something must separate the number from the rest, or `Figure 5.3-1 shows ...` would be one.
fn is_caption(text: &str, is_title: bool) -> bool {
    if text.len() > MAX_CAPTION_BYTES || !is_numbered(text) {
        return false;
    }
    let rest = text["Figure".len()..].trim_start();
    let number = rest.split_whitespace().next().unwrap_or_default();
    let after = rest[number.len()..].trim_start();
    is_title
        || number.ends_with([':', '.'])
        || after.is_empty()
        || after.starts_with([':', '-', '\u{2013}', '\u{2014}', '.', '('])
}

/// Whether a paragraph is a note: any number of notes may be between a figure and its caption.
fn is_note(text: &str) -> bool {
    text.starts_with("NOTE")
}

/// `Figure 5.3-1: Void` is the rest of a deleted figure.
fn is_void_caption(caption: &str) -> bool {
    let last = caption.rsplit([' ', ':', '(']).next().unwrap_or_default();
    last.trim_end_matches(['.', ')']).eq_ignore_ascii_case("void")
}

/// `Figure 5.3-1`, `Figure A.1`, `FIGURE 2`.
fn is_numbered(text: &str) -> bool {
    let Some(start) = text.get(.."Figure".len()) else { return false };
    let rest = text["Figure".len()..].trim_start();
    let is_number = |first: char| first.is_ascii_digit() || first.is_ascii_uppercase();
    start.eq_ignore_ascii_case("figure") && rest.starts_with(is_number)
}

#[cfg(test)]
mod tests;
