//! What the body of a document consists of, in the order of the text: paragraphs and tables.

use picture::PictureCrop;
use quick_xml::events::BytesStart;

use super::role::ParagraphRole;
use super::xml::attribute_value;
use document::{FigureKind, PrintedSize};
use document_model::{RichText, RichTextBuilder, Span, SpanKind};

/// A piece of the body.
#[derive(Debug)]
pub(super) enum BodyItem {
    Paragraph(BodyParagraph),
    Table(BodyTable),
}

/// The position of a paragraph in its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ParagraphPosition {
    /// The ordinal of its `w:p` in the body, from 1 in the order of the file. Paragraphs in cells and text boxes
    /// count, paragraphs of fallbacks do not. 0 in files that have no such order.
    pub(super) ordinal: u32,
    /// Rendered page breaks before its first text.
    pub(super) breaks: u32,
}

/// A finished paragraph.
#[derive(Debug, Default)]
pub(super) struct BodyParagraph {
    pub(super) role: ParagraphRole,
    /// Its position in the file.
    pub(super) position: ParagraphPosition,
    /// Whether its first words are set in bold, on the run itself.
    pub(super) bold: bool,
    /// The colour behind the first of its words that have one.
    pub(super) highlight: Option<Highlight>,
    /// Where these words begin, as in [`super::pieces::ParagraphPiece::highlight_start`].
    pub(super) highlight_start: u32,
    /// How many characters these words have.
    pub(super) highlight_chars: u32,
    /// Whether its words are green, or on green.
    pub(super) is_green: bool,
    /// Whether a tracked change touched it.
    pub(super) changed: bool,
    /// Outline level set on the paragraph itself, 0 to 8.
    pub(super) outline: Option<u8>,
    /// What automatic numbering prints before the text.
    pub(super) label: Option<String>,
    /// Depth of automatic numbering, from 0.
    pub(super) label_level: u8,
    /// Text in plain characters, tabs and line breaks kept.
    pub(super) text: String,
    /// What parts of the text are; recorded only in specifications.
    pub(super) spans: Vec<Span>,
    /// The content of text boxes that are anchored here.
    pub(super) boxed: Vec<BodyItem>,
    /// Pictures in it, equations left out.
    pub(super) pictures: Vec<Drawing>,
}

impl BodyParagraph {
    /// How many markers of figures and of equations are in its text.
    pub(super) fn marker_count(&self) -> u32 {
        let markers = self.spans.iter().filter(|span| span.kind == SpanKind::Figure);
        markers.fold(0, |count, _| count + 1)
    }

    /// The text with its spans.
    pub(super) fn rich_text(&self) -> RichText {
        let mut rich = RichTextBuilder::default();
        rich.push_str(&self.text);
        for span in &self.spans {
            rich.add_span(span.start as usize, span.end as usize, span.kind);
        }
        rich.finish()
    }
}

/// A highlight colour: in meeting reports it shows the outcome of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Highlight {
    /// `green` in Word's ST_HighlightColor.
    Green,
    /// `darkYellow` in Word's ST_HighlightColor.
    DarkYellow,
    /// `yellow` in Word's ST_HighlightColor.
    Yellow,
    /// `cyan` in Word's ST_HighlightColor.
    Cyan,
    /// `red` in Word's ST_HighlightColor.
    Red,
    /// `magenta` in Word's ST_HighlightColor.
    Magenta,
    /// Any other.
    Other,
}

impl Highlight {
    /// The colour that a `w:highlight` or a `w:shd` of a run sets; `None` if it sets none. White and black mark
    /// nothing.
    pub(super) fn from_run_property(start: &BytesStart<'_>) -> Option<Self> {
        let is_named = start.name().as_ref() == "w:highlight";
        let name = if is_named { attribute_value(start, "w:val") } else { None };
        let named = match name.as_deref() {
            Some(name) => name.to_ascii_lowercase(),
            None => attribute_value(start, "w:fill")?.to_ascii_lowercase(),
        };
        Some(match named.as_str() {
            "none" | "white" | "auto" | "ffffff" | "black" | "000000" => return None,
            "green" | "00ff00" => Self::Green,
            "darkyellow" | "808000" => Self::DarkYellow,
            "yellow" | "ffff00" => Self::Yellow,
            "cyan" | "00ffff" => Self::Cyan,
            "red" | "ff0000" => Self::Red,
            "magenta" | "ff00ff" => Self::Magenta,
            _ => Self::Other,
        })
    }
}

/// A picture, object or drawing in the text.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Drawing {
    /// The index of its marker in the text of its paragraph, from 0.
    pub(super) marker: u32,
    /// Its size on the page, if the file says it.
    pub(super) size: Option<PrintedSize>,
    /// Whether it is the preview of an equation that cannot be read, which is never a figure.
    pub(super) is_equation: bool,
    /// The relationships of its pictures; empty if it has no preview. If there is a sketch, they
    /// are among its shapes.
    pub(super) media: Vec<String>,
    /// What is not shown of its picture, if it is one picture.
    pub(super) crop: PictureCrop,
    /// Its shapes as SVG, if it has no preview; pictures among them by their relationships.
    pub(super) sketch: Option<String>,
    /// The words in its shapes, if the text does not contain them.
    pub(super) words: Vec<String>,
    /// The relationship of the Visio drawing that it was made from.
    pub(super) visio: Option<String>,
    /// What the figure is made of.
    pub(super) kind: FigureKind,
}

/// A finished table.
#[derive(Debug, Default)]
pub(super) struct BodyTable {
    pub(super) rows: Vec<BodyRow>,
    /// Widths of the columns of its grid in twentieths of a point, as far as the file says them.
    pub(super) grid: Vec<u32>,
}

/// A row of a table.
#[derive(Debug, Default)]
pub(super) struct BodyRow {
    pub(super) cells: Vec<BodyCell>,
    /// Columns of the grid left free before the first cell.
    pub(super) skipped_columns: usize,
    /// Marked as a head row, repeated on every page.
    pub(super) is_head: bool,
    /// Left out by a tracked change.
    pub(super) is_left_out: bool,
}

/// A cell of a table.
#[derive(Debug)]
pub(super) struct BodyCell {
    pub(super) items: Vec<BodyItem>,
    /// Columns of the grid it covers, at least 1.
    pub(super) span: usize,
    /// Whether it continues the cell above.
    pub(super) continues: bool,
    /// Left out by a tracked change.
    pub(super) is_left_out: bool,
}

impl Default for BodyCell {
    fn default() -> Self {
        Self { items: Vec::new(), span: 1, continues: false, is_left_out: false }
    }
}

impl BodyItem {
    /// Calls `visit` with each paragraph in the order of the text, text boxes and cells included.
    pub(super) fn visit_paragraphs<'a>(&'a self, visit: &mut dyn FnMut(&'a BodyParagraph)) {
        match self {
            Self::Paragraph(paragraph) => {
                visit(paragraph);
                paragraph.boxed.iter().for_each(|item| item.visit_paragraphs(visit));
            }
            Self::Table(table) => {
                let cells = table.rows.iter().flat_map(|row| &row.cells);
                cells.flat_map(|cell| &cell.items).for_each(|item| item.visit_paragraphs(visit));
            }
        }
    }
}
