//! A body as pieces in the order of the text, each with its place in the file: what anchors point to.
//!
//! Unlike a specification, a contribution is not made of numbered sections: paragraphs stay as they are.

use document::{Limits, squeeze_lines};

use super::assemble::{heading_of, list_depth};
use super::item::{Highlight, Item, Paragraph, Table};
use super::role::Role;
use super::table::{render, unframe};

/// A piece of the text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A paragraph.
    Line(Line),
    /// A table.
    Table(TablePiece),
}

impl Piece {
    /// Whether it is an empty paragraph.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Line(line) if line.text.is_empty() && line.label.is_none())
    }
}

/// A paragraph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Which paragraph of the file it is, from 1.
    pub ordinal: u32,
    /// Rendered page breaks before it.
    pub breaks: u32,
    /// What it is.
    pub kind: LineKind,
    /// What automatic numbering prints before it; `-` for a bullet.
    pub label: Option<String>,
    /// Its text, line breaks kept.
    pub text: String,
    /// Whether its first words are bold.
    pub bold: bool,
    /// The colour behind the first of its words that have one.
    pub highlight: Option<Highlight>,
    /// Whether tabs part its text, as they part number, title and source of a document.
    pub has_tabs: bool,
    /// Of text in a frame (a table of one cell): which frame of the file it is, from 1.
    pub frame: Option<u32>,
    /// Whether its style is `Agreement`.
    pub is_agreement: bool,
    /// Whether a tracked change touched it.
    pub changed: bool,
    /// The text stood in a column of a table, from 0.
    pub column: Option<usize>,
}

/// What a paragraph is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LineKind {
    /// Plain text.
    #[default]
    Text,
    /// A heading with its level, from 1.
    Heading(u8),
    /// An item of a list with its depth, from 1.
    Item(u8),
    /// A line of a table of contents, or of a list that is made of captions.
    Listed,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TablePiece {
    /// Its head row and rule as Markdown.
    pub head: String,
    /// Its other rows as Markdown.
    pub rows: Vec<TableRow>,
    /// The paragraphs of its cells, row by row.
    pub lines: Vec<Line>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TableRow {
    /// The first paragraph of it.
    pub ordinal: u32,
    /// Rendered page breaks before it.
    pub breaks: u32,
    /// Whether a tracked change touched it.
    pub changed: bool,
    /// The row as Markdown.
    pub text: String,
}

/// Takes the items of a body one by one.
pub(super) struct Pieces<'a> {
    limits: &'a Limits,
    pieces: Vec<Piece>,
    /// Frames that began.
    frames: u32,
    /// The frame that is open.
    frame: Option<u32>,
}

impl<'a> Pieces<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, pieces: Vec::new(), frames: 0, frame: None }
    }

    /// The pieces, once the body has ended.
    pub(super) fn finish(self) -> Vec<Piece> {
        self.pieces
    }

    /// Takes the next item.
    pub(super) fn take(&mut self, item: Item) {
        match item {
            Item::Paragraph(paragraph) => {
                let framed = line(&paragraph, None).map(|line| Line { frame: self.frame, ..line });
                self.pieces.extend(framed.map(Piece::Line));
                paragraph.boxed.into_iter().for_each(|item| self.take(item));
            }
            Item::Table(table) => match unframe(table) {
                Ok(items) => {
                    self.frames = self.frames.saturating_add(1);
                    let outer = self.frame.replace(self.frames);
                    items.into_iter().for_each(|item| self.take(item));
                    self.frame = outer;
                }
                Err(table) => self.pieces.extend(self.table(&table).map(Piece::Table)),
            },
        }
    }

    fn table(&self, table: &Table) -> Option<TablePiece> {
        let rendered = render("", table, self.limits)?;
        let (head, body) = rendered.text.split_at(rendered.head_bytes as usize);
        let mut lines = Vec::new();
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let from = lines.len();
            let mut known = TableRow::default();
            let mut column = row.skipped;
            for cell in &row.cells {
                for item in &cell.items {
                    item.visit(&mut |paragraph| {
                        if known.ordinal == 0 {
                            let place = paragraph.place;
                            (known.ordinal, known.breaks) = (place.ordinal, place.breaks);
                        }
                        known.changed |= paragraph.changed;
                        lines.extend(line(paragraph, Some(column)));
                    });
                }
                column += cell.span;
            }
            // A row is known by its first words.
            if let Some(line) = lines.get(from) {
                (known.ordinal, known.breaks) = (line.ordinal, line.breaks);
            }
            rows.push(known);
        }
        let row = |(at, text): (&usize, &str)| {
            let known = rows.get(*at).cloned().unwrap_or_default();
            TableRow { text: text.to_owned(), ..known }
        };
        // Only line breaks part rows: a cell has none.
        let rows = rendered.rows.iter().zip(body.split('\n')).map(row).collect();
        Some(TablePiece { head: head.trim_end().to_owned(), rows, lines })
    }
}

/// A line of a list that Word has made ends in a tab and its page.
fn without_page(text: &str) -> &str {
    let is_page =
        |page: &str| matches!(page.len(), 1..=4) && page.bytes().all(|b| b.is_ascii_digit());
    match text.trim_end().rsplit_once('\t') {
        Some((before, page)) if is_page(page) => before,
        _ => text,
    }
}

/// A paragraph with text; an empty one ends what stands before it, so it stays where it is not in a table.
fn line(paragraph: &Paragraph, column: Option<usize>) -> Option<Line> {
    let listed = matches!(paragraph.role, Role::Contents | Role::ListOfCaptions);
    let text = if listed { without_page(&paragraph.text) } else { &paragraph.text };
    let text = squeeze_lines(text);
    let label = paragraph.label.as_deref();
    // A label may stand alone, before text in paragraphs of its own.
    if text.is_empty() && (label == Some("-") || label.is_none() && column.is_some()) {
        return None;
    }
    let kind = match paragraph.role {
        _ if listed => LineKind::Listed,
        _ => match (heading_of(paragraph), list_depth(paragraph)) {
            (Some((_, level)), _) => LineKind::Heading(level),
            (None, Some(depth)) => LineKind::Item(depth),
            (None, None) => LineKind::Text,
        },
    };
    let place = paragraph.place;
    Some(Line {
        ordinal: place.ordinal,
        breaks: place.breaks,
        kind,
        label: paragraph.label.clone(),
        text,
        bold: paragraph.bold,
        highlight: paragraph.highlight,
        has_tabs: paragraph.text.trim().contains('\t'),
        frame: None,
        is_agreement: paragraph.role == Role::Agreement,
        changed: paragraph.changed,
        column,
    })
}
