//! What is open while the body is walked, and what single elements add to it.

use quick_xml::events::BytesStart;

use super::item::{Cell, Drawing, EQUATION, FIGURE, Highlight, Item, Row, Table};
use super::shapes::Shapes;
use super::strikes;
use super::xml::{attribute, is_on, number};
use document::FigureKind;

/// Most columns a cell may cover; Word allows 63.
const MAX_SPAN: usize = 64;

/// A paragraph or table that is still open.
pub(super) enum Frame {
    Paragraph(OpenParagraph),
    Table(Table),
}

/// A paragraph that is still open.
#[derive(Default)]
pub(super) struct OpenParagraph {
    pub(super) style: Option<String>,
    /// Numbering instance and level set on the paragraph itself.
    pub(super) instance: Option<u32>,
    pub(super) level: Option<u8>,
    pub(super) outline: Option<u8>,
    /// The end of the paragraph is deleted: the text runs on in the next one.
    pub(super) joins_next: bool,
    /// Which `w:p` of the body it is.
    pub(super) ordinal: u32,
    /// Rendered page breaks before its first text.
    pub(super) breaks: Option<u32>,
    /// Whether its first words are bold.
    pub(super) bold: bool,
    /// The colour behind the first of its words that have one.
    pub(super) highlight: Option<Highlight>,
    /// Whether a tracked change touched it.
    pub(super) changed: bool,
    /// Whether its last words are struck through.
    pub(super) struck: bool,
    pub(super) text: String,
    pub(super) boxed: Vec<Item>,
    pub(super) pictures: Vec<Drawing>,
}

impl OpenParagraph {
    /// Marks that struck words begin, or end.
    pub(super) fn mark_strike(&mut self, begins: bool) {
        self.struck = begins;
        self.text.push(if begins { strikes::BEGINS } else { strikes::ENDS });
    }

    /// Takes an element of the paragraph's properties.
    pub(super) fn take_property(&mut self, start: &BytesStart<'_>) {
        match start.name().as_ref() {
            "w:pStyle" => self.style = attribute(start, "w:val").map(|id| id.into_owned()),
            "w:numId" => self.instance = number(start),
            "w:ilvl" => self.level = number(start),
            "w:outlineLvl" => self.outline = number(start),
            _ => {}
        }
    }
}

/// Takes an element of the frame of a table: rows, cells and their properties; false for others.
pub(super) fn take_table_element(table: &mut Table, name: &str, start: &BytesStart<'_>) -> bool {
    let row = table.rows.last_mut();
    match name {
        "w:tr" => table.rows.push(Row::default()),
        "w:trPr" => {}
        "w:tc" => {
            if let Some(row) = row {
                row.cells.push(Cell::default());
            }
        }
        "w:gridBefore" => {
            if let Some(row) = row {
                row.skipped = number(start).unwrap_or(0).min(MAX_SPAN);
            }
        }
        "w:tblHeader" => {
            if let Some(row) = row {
                row.head = is_on(start);
            }
        }
        "w:gridSpan" => {
            if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                cell.span = number(start).unwrap_or(1).clamp(1, MAX_SPAN);
            }
        }
        "w:vMerge" => {
            if let Some(cell) = row.and_then(|row| row.cells.last_mut()) {
                cell.continues = attribute(start, "w:val").as_deref() != Some("restart");
            }
        }
        _ => return false,
    }
    true
}

/// A picture, object or drawing that is still open.
#[derive(Default)]
pub(super) struct Picture {
    shown: bool,
    equation: bool,
    drawing: Drawing,
    pub(super) shapes: Shapes,
}

impl Picture {
    /// Takes an element within the picture.
    pub(super) fn take_content(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "v:imagedata" => {
                self.shown = true;
                self.drawing.media.extend(attribute(start, "r:id").map(|id| id.into_owned()));
            }
            "a:blip" => {
                self.shown = true;
                self.drawing.media.extend(attribute(start, "r:embed").map(|id| id.into_owned()));
            }
            "c:chart" => {
                self.shown = true;
                self.drawing.kind = FigureKind::Chart;
                self.drawing.media.extend(attribute(start, "r:id").map(|id| id.into_owned()));
            }
            "dgm:relIds" => {
                self.shown = true;
                self.drawing.kind = FigureKind::Shapes;
                self.drawing.media.extend(attribute(start, "r:dm").map(|id| id.into_owned()));
            }
            "wpc:wpc" | "wpg:wgp" | "v:group" => {
                self.shown = true;
                self.drawing.kind = FigureKind::Shapes;
            }
            "o:OLEObject" => {
                let program = attribute(start, "ProgID").unwrap_or_default();
                self.shown = true;
                self.equation = program.starts_with("Equation");
                if program.starts_with("Visio") {
                    self.drawing.visio = attribute(start, "r:id").map(|id| id.into_owned());
                }
            }
            _ => {}
        }
    }

    /// What is to be drawn, unless it is an equation or nothing.
    pub(super) fn into_drawing(self) -> Option<Drawing> {
        let mut drawing = self.drawing;
        if drawing.kind == FigureKind::Shapes && self.shapes.has_own() {
            drawing.sketch = self.shapes.into_svg();
        }
        (self.shown && !self.equation).then_some(drawing)
    }

    /// Adds the marker of the picture to the text around it; figures in a row get one.
    pub(super) fn push_marker(&self, text: &mut String) {
        let marker = if self.equation { EQUATION } else { FIGURE };
        if !self.shown || (marker == FIGURE && text.trim_end().ends_with(FIGURE)) {
            return;
        }
        if !text.is_empty() && !text.ends_with(char::is_whitespace) {
            text.push(' ');
        }
        text.push_str(marker);
        text.push(' ');
    }
}

/// Whether superscript text would change its meaning on the line: 2 with 16 raised is not 216.
pub(super) fn is_exponent(before: &str, raised: &str) -> bool {
    let on_value = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']'));
    let raised = raised.trim();
    let value =
        raised.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '\u{2212}'));
    on_value && (value || raised.len() == 1)
}

/// Elements without text of the accepted document.
pub(super) fn is_skipped(name: &str) -> bool {
    matches!(
        name,
        "w:pPrChange"
            | "w:rPrChange"
            | "w:tblPrChange"
            | "w:tcPrChange"
            | "w:trPrChange"
            | "w:sectPrChange"
            | "w:tblPrExChange"
            | "w:numberingChange"
            | "w:instrText"
            | "w:delInstrText"
            | "w:delText"
            | "v:shapetype"
            | "w:sdtPr"
            | "w:sdtEndPr"
            | "w:sectPr"
            | "w:tblGrid"
            | "w:tblPr"
            | "w:tabs"
    )
}
