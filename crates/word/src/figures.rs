//! Figures: which pictures belong to which caption, and what is seen of them.
//!
//! The caption of a figure stands below it, mostly in the style of captions, with at most a few
//! lines between (measured on 60 specifications: within three paragraphs in 95 of 100). Pictures in
//! a row above one caption are one figure. One figure in five is drawn as a table.

use picture::{Cell, Grid, Options, draw_grid};

use document::{Document, FigureKind, Picture, squeeze};

use super::item::{Drawing, FIGURE, Item, Paragraph, Table};
use super::role::Role;
use super::seen::Seen;

/// Paragraphs that may stand between a picture and its caption.
const MOST_BETWEEN: usize = 3;
/// A caption that is longer than this is running text.
const LONGEST_CAPTION: usize = 400;
/// Bytes of all pictures of one document.
const MOST_BYTES: usize = 160 << 20;
/// Cells of a table that is drawn.
const MOST_CELLS: usize = 2000;
/// Bytes of the words of a table that is a figure.
const LONGEST_TABLE: usize = 4000;

/// A figure as it was met, before it is drawn.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    /// Section, and blocks of it that stand before.
    pub(super) place: (usize, u32),
    pub(super) caption: Option<String>,
    pub(super) drawings: Vec<Drawing>,
    /// What is written in shapes or in the cells of a table.
    pub(super) words: Vec<String>,
    /// The table that the figure is.
    pub(super) table: Option<Grid>,
}

/// Puts pictures and captions together while the text goes by.
#[derive(Default)]
pub(super) struct Collector {
    /// What waits for its caption.
    open: Option<Open>,
    found: Vec<Found>,
    /// Whether the text is that of shapes.
    is_within: bool,
    /// Whether anybody wants figures.
    is_wanted: bool,
}

struct Open {
    figure: Found,
    /// Paragraphs since.
    between: usize,
    /// Whether it stands in a line of text, as a sign does: then it is no figure without a caption.
    is_inline: bool,
    /// What is in the style of captions without a number.
    titles: Vec<String>,
}

impl Collector {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// Takes a paragraph whose text is `text`, pictures in it marked.
    pub(super) fn paragraph(&mut self, paragraph: &Paragraph, text: &str, place: (usize, u32)) {
        if !self.is_wanted {
            return;
        }
        let words = squeeze(&text.replace(FIGURE, " "));
        let labelled = paragraph.label.as_ref().map(|label| format!("{label} {words}"));
        let caption = labelled.filter(|text| is_numbered(text)).unwrap_or_else(|| words.clone());
        let is_title = matches!(paragraph.role, Role::FigureTitle | Role::Caption);
        if !paragraph.pictures.is_empty() {
            let is_inline = !words.is_empty() && !is_caption(&caption, is_title);
            self.pictures(paragraph, place, is_inline);
        } else if text.is_empty() {
            return;
        }
        if is_caption(&caption, is_title) {
            self.caption(caption, place, is_title);
        } else if !self.is_within
            && let Some(open) = &mut self.open
        {
            // `(a) Contention-based`, below the pictures of a figure whose caption comes after all.
            if paragraph.role == Role::FigureTitle && !words.is_empty() {
                open.titles.push(words);
            } else if paragraph.pictures.is_empty() && !is_note(&words) {
                open.between += 1;
            }
            if open.between > MOST_BETWEEN {
                self.close();
            }
        }
    }

    /// Goes into text that belongs to the shapes of a paragraph, if it has some. Returns whether it
    /// was within such text before.
    pub(super) fn enter_shapes(&mut self, has_shapes: bool) -> bool {
        let is_within = self.is_within || has_shapes;
        std::mem::replace(&mut self.is_within, is_within)
    }

    pub(super) fn leave_shapes(&mut self, was_within: bool) {
        self.is_within = was_within;
    }

    /// Takes a paragraph in the cell of a table.
    pub(super) fn cell(&mut self, paragraph: &Paragraph, place: (usize, u32)) {
        if !self.is_wanted {
            return;
        }
        let words = squeeze(&paragraph.text.replace(FIGURE, " "));
        let is_title = matches!(paragraph.role, Role::FigureTitle | Role::Caption);
        if !paragraph.pictures.is_empty() {
            self.pictures(paragraph, place, !words.is_empty());
        }
        if is_title && is_caption(&words, true) {
            self.caption(words, place, is_title);
        }
    }

    /// Takes a table without a title: a figure, if a caption follows.
    pub(super) fn table(&mut self, table: &Table, text: &str, place: (usize, u32)) {
        if !self.is_wanted || self.open.as_ref().is_some_and(|open| open.between == 0) {
            return;
        }
        self.close();
        let end = (0..=LONGEST_TABLE.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
        let text = text[..end.unwrap_or(0)].to_owned();
        let table = Some(grid(table));
        let figure = Found { place, words: vec![text], table, ..Found::default() };
        self.open = Some(Open { figure, between: 0, is_inline: true, titles: Vec::new() });
    }

    /// What is open has no caption.
    pub(super) fn section_ends(&mut self) {
        self.close();
    }

    pub(super) fn finish(mut self) -> Vec<Found> {
        self.close();
        self.found
    }

    fn pictures(&mut self, paragraph: &Paragraph, place: (usize, u32), is_inline: bool) {
        // A table before a picture was only a table.
        if self.open.as_ref().is_some_and(|open| open.figure.table.is_some()) {
            self.open = None;
        }
        let open = self.open.get_or_insert_with(|| Open {
            figure: Found { place, ..Found::default() },
            between: 0,
            is_inline,
            titles: Vec::new(),
        });
        open.between = 0;
        open.is_inline &= is_inline;
        open.figure.drawings.extend(paragraph.pictures.iter().cloned());
        let words = &mut open.figure.words;
        for item in &paragraph.boxed {
            item.visit(&mut |paragraph| {
                let text = squeeze(&paragraph.text.replace(FIGURE, " "));
                if !text.is_empty() {
                    words.push(text);
                }
            });
        }
    }

    fn caption(&mut self, caption: String, place: (usize, u32), is_title: bool) {
        let open = self.open.take();
        if is_void(&caption) {
            return;
        }
        match open {
            Some(mut open) => {
                open.figure.words.append(&mut open.titles);
                self.found.push(Found { caption: Some(caption), ..open.figure });
            }
            // A sentence that begins like a caption is none when nothing stands before it.
            None if is_title => {
                self.found.push(Found { place, caption: Some(caption), ..Found::default() });
            }
            None => {}
        }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take()
            && !(open.is_inline && open.titles.is_empty())
        {
            let caption = (!open.titles.is_empty()).then(|| open.titles.join("; "));
            self.found.push(Found { caption, ..open.figure });
        }
    }
}

/// Whether a text is the caption of a figure. One in the style of captions needs only its number;
/// in running text something must set the number apart from what follows.
fn is_caption(text: &str, is_title: bool) -> bool {
    if text.len() > LONGEST_CAPTION || !is_numbered(text) {
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

/// Notes stand between a table and its caption in any number.
fn is_note(text: &str) -> bool {
    text.starts_with("NOTE")
}

/// `Figure 5.3-1: Void` is what is left of a figure.
fn is_void(caption: &str) -> bool {
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

/// Draws the figures of a document, and puts each into its section. `media` gives the bytes of the
/// picture that a relation leads to.
pub(super) fn draw(
    document: &mut Document,
    found: Vec<Found>,
    media: impl FnMut(&str) -> Option<Vec<u8>>,
) {
    let options = Options::default();
    let (mut seen, mut bytes) = (Seen::new(media), 0);
    for found in found {
        let Some(section) = document.sections.get_mut(found.place.0) else { continue };
        let mut figure = seen.of(&found.drawings);
        figure.block = found.place.1;
        figure.kind = kind(&found);
        // Old equations are pictures without the object that made them.
        let is_equation = found.caption.is_none()
            && !figure.formats.is_empty()
            && figure.formats.iter().all(|format| format == "WMF");
        if is_equation {
            continue;
        }
        if figure.kind == FigureKind::CaptionAlone {
            figure.faults.push("nothing stands before the caption".to_owned());
        }
        if let Some(drawn) = found.table.as_ref().and_then(|table| draw_grid(table, &options)) {
            let (width, height) = (drawn.width, drawn.height);
            figure.picture = Some(Picture { png: drawn.png, width, height });
        }
        if figure.picture.is_none() && figure.faults.is_empty() {
            let what = match figure.kind {
                FigureKind::Table => "a table that is too large for a picture",
                FigureKind::Chart => "the chart keeps no values that could be drawn",
                _ => "these shapes cannot be drawn",
            };
            figure.faults.push(what.to_owned());
        }
        bytes += figure.picture.as_ref().map_or(0, |picture| picture.png.len());
        if bytes > MOST_BYTES {
            figure.picture = None;
            figure.faults.push("the document has more pictures than are kept".to_owned());
        }
        figure.caption = found.caption;
        figure.labels.extend(found.words);
        section.figures.push(figure);
    }
}

fn kind(found: &Found) -> FigureKind {
    if found.table.is_some() {
        return FigureKind::Table;
    }
    let kinds = || found.drawings.iter().map(|drawing| drawing.kind);
    kinds()
        .find(|kind| *kind == FigureKind::Picture)
        .or_else(|| kinds().next())
        .unwrap_or(FigureKind::CaptionAlone)
}

/// The cells of a table with what is written in them; one that continues the cell above is part of
/// it.
fn grid(table: &Table) -> Grid {
    let mut cells: Vec<Cell> = Vec::new();
    // One of more is a table that happens to stand above a caption.
    if table.rows.iter().map(|row| row.cells.len()).sum::<usize>() > MOST_CELLS {
        return Grid { cells };
    }
    for (row, stored) in table.rows.iter().enumerate() {
        let mut column = stored.skipped;
        for cell in &stored.cells {
            let above = cells.iter_mut().rev().find(|above| {
                cell.continues && above.column == column && above.row + above.rows == row
            });
            match above {
                Some(above) => above.rows += 1,
                None => cells.push(Cell {
                    row,
                    column,
                    rows: 1,
                    columns: cell.span,
                    text: words(&cell.items),
                }),
            }
            column += cell.span;
        }
    }
    Grid { cells }
}

/// The paragraphs of a cell as lines.
fn words(items: &[Item]) -> String {
    let mut lines = Vec::new();
    for item in items {
        item.visit(&mut |paragraph| lines.push(squeeze(&paragraph.text)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests;
