//! A body as pieces in the order of the text, each with its position in the file, which anchors point to.
//!
//! Unlike a specification, a contribution does not consist of numbered sections: paragraphs stay as they are.

use document::collapse_line_whitespace;
use document_model::{TableLimits, print_table};

use super::assemble::{detect_heading, list_depth};
use super::item::{BodyItem, BodyParagraph, BodyTable, Highlight};
use super::role::ParagraphRole;
use super::table::{convert_table, unwrap_frame};

/// A piece of the text.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// A paragraph.
    Paragraph(ParagraphPiece),
    /// A table.
    Table(TablePiece),
}

impl Piece {
    /// Whether it is an empty paragraph.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Paragraph(line) if line.text.is_empty() && line.label.is_none())
    }
}

/// A paragraph.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParagraphPiece {
    /// The ordinal of the paragraph in the file, from 1.
    pub ordinal: u32,
    /// Rendered page breaks before it.
    pub breaks: u32,
    /// The kind of the paragraph.
    pub kind: PieceKind,
    /// What automatic numbering prints before it; `-` for a bullet.
    pub label: Option<String>,
    /// Its text, line breaks kept.
    pub text: String,
    /// Whether its first words are bold.
    pub bold: bool,
    /// The colour behind the first of its words that have one.
    pub highlight: Option<Highlight>,
    /// How many characters precede these words, blanks and struck words not counted.
    pub highlight_start: u32,
    /// How many characters these words have, counted in the same way.
    pub highlight_chars: u32,
    /// Whether its words are green, or on green: the colour of the letters counts as that behind them.
    pub is_green: bool,
    /// Whether tabs separate parts of its text, such as number, title and source of a document.
    pub has_tabs: bool,
    /// The ordinal of the frame (a table of one cell) that contains it, from 1.
    pub frame: Option<u32>,
    /// Whether its style is `Agreement`.
    pub is_agreement: bool,
    /// Whether a tracked change touched it.
    pub changed: bool,
    /// The column of the table that contains it, from 0.
    pub column: Option<usize>,
}

/// The kind of a paragraph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PieceKind {
    /// Plain text.
    #[default]
    Text,
    /// A heading with its level, from 1.
    Heading(u8),
    /// An item of a list with its depth, from 1.
    Item(u8),
    /// A line of a table of contents, or of a list that is made of captions.
    ContentsLine,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TablePiece {
    /// Its head row and rule as Markdown.
    pub head: String,
    /// Its other rows as Markdown.
    pub rows: Vec<PieceRow>,
    /// The paragraphs of its cells, row by row.
    pub lines: Vec<ParagraphPiece>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PieceRow {
    /// The ordinal of its first paragraph.
    pub ordinal: u32,
    /// Rendered page breaks before it.
    pub breaks: u32,
    /// Whether a tracked change touched it.
    pub changed: bool,
    /// The row as Markdown.
    pub text: String,
}

/// Collects the items of a body as pieces.
#[derive(Default)]
pub(super) struct PieceCollector {
    pieces: Vec<Piece>,
    /// Frames so far.
    frame_count: u32,
    /// The frame that is open.
    frame: Option<u32>,
}

impl PieceCollector {
    /// The pieces, once the body has ended.
    pub(super) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }

    /// Adds the next item.
    pub(super) fn push_item(&mut self, item: BodyItem) {
        match item {
            BodyItem::Paragraph(paragraph) => {
                let framed = build_paragraph_piece(&paragraph, None)
                    .map(|line| ParagraphPiece { frame: self.frame, ..line });
                self.pieces.extend(framed.map(Piece::Paragraph));
                paragraph.boxed.into_iter().for_each(|item| self.push_item(item));
            }
            BodyItem::Table(table) => match unwrap_frame(table) {
                Ok(items) => {
                    self.frame_count = self.frame_count.saturating_add(1);
                    let outer = self.frame.replace(self.frame_count);
                    items.into_iter().for_each(|item| self.push_item(item));
                    self.frame = outer;
                }
                Err(table) => self.pieces.extend(self.build_table_piece(&table).map(Piece::Table)),
            },
        }
    }

    fn build_table_piece(&self, table: &BodyTable) -> Option<TablePiece> {
        let rendered = print_table(&convert_table(None, table), &TableLimits::default())?;
        let (head, body) = rendered.text.split_at(rendered.head_bytes as usize);
        let mut lines = Vec::new();
        let mut rows = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let first_line = lines.len();
            let mut table_row = PieceRow::default();
            let mut column = row.skipped_columns;
            for cell in &row.cells {
                for item in &cell.items {
                    item.visit_paragraphs(&mut |paragraph| {
                        if table_row.ordinal == 0 {
                            table_row.ordinal = paragraph.position.ordinal;
                            table_row.breaks = paragraph.position.breaks;
                        }
                        table_row.changed |= paragraph.changed;
                        lines.extend(build_paragraph_piece(paragraph, Some(column)));
                    });
                }
                column += cell.span;
            }
            // The position of a row is the position of its first text.
            if let Some(line) = lines.get(first_line) {
                (table_row.ordinal, table_row.breaks) = (line.ordinal, line.breaks);
            }
            rows.push(table_row);
        }
        let row = |(index, text): (&usize, &str)| {
            let table_row = rows.get(*index).cloned().unwrap_or_default();
            PieceRow { text: text.to_owned(), ..table_row }
        };
        // Line breaks separate only rows: a cell has none.
        let rows = rendered.rows.iter().zip(body.split('\n')).map(row).collect();
        Some(TablePiece { head: head.trim_end().to_owned(), rows, lines })
    }
}

/// Removes the tab and the page number that end a line of a generated list.
fn strip_page_number(text: &str) -> &str {
    let is_page =
        |page: &str| matches!(page.len(), 1..=4) && page.bytes().all(|b| b.is_ascii_digit());
    match text.trim_end().rsplit_once('\t') {
        Some((before, page)) if is_page(page) => before,
        _ => text,
    }
}

/// A paragraph with text. Outside tables, an empty paragraph is kept, because it ends the unit that precedes it.
fn build_paragraph_piece(
    paragraph: &BodyParagraph,
    column: Option<usize>,
) -> Option<ParagraphPiece> {
    let listed = matches!(paragraph.role, ParagraphRole::Contents | ParagraphRole::ListOfCaptions);
    let text = if listed { strip_page_number(&paragraph.text) } else { &paragraph.text };
    let text = collapse_line_whitespace(text);
    let label = paragraph.label.as_deref();
    // A label may be a paragraph by itself, with its text in the next ones.
    if text.is_empty() && (label == Some("-") || label.is_none() && column.is_some()) {
        return None;
    }
    let kind = match paragraph.role {
        _ if listed => PieceKind::ContentsLine,
        _ => match (detect_heading(paragraph), list_depth(paragraph)) {
            (Some((_, level)), _) => PieceKind::Heading(level),
            (None, Some(depth)) => PieceKind::Item(depth),
            (None, None) => PieceKind::Text,
        },
    };
    let position = paragraph.position;
    Some(ParagraphPiece {
        ordinal: position.ordinal,
        breaks: position.breaks,
        kind,
        label: paragraph.label.clone(),
        text,
        bold: paragraph.bold,
        highlight: paragraph.highlight,
        highlight_start: paragraph.highlight_start,
        highlight_chars: paragraph.highlight_chars,
        is_green: paragraph.is_green,
        has_tabs: paragraph.text.trim().contains('\t'),
        frame: None,
        is_agreement: paragraph.role == ParagraphRole::Agreement,
        changed: paragraph.changed,
        column,
    })
}
