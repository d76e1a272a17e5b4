//! The result of the library, as items of a body.

use std::vec;

use office_oxide::ir::{
    Element, InlineContent, List, Section, Table as IrTable, TextSpan, VerticalAlign,
};

use document_model::FIGURE_MARKER;

use super::objects::{MarkedObject, OBJECT_SIGN};
use crate::equations::equation_marker;
use crate::inline_text::{InlineText, RunStyle, Script};
use crate::item::{BodyCell, BodyItem, BodyParagraph, BodyRow, BodyTable, Drawing};
use crate::role::{ParagraphRole, named_role};

/// Maximum nesting of lists, cells and text boxes, which are read recursively.
const MAX_DEPTH: usize = 16;
/// Maximum number of columns that a cell spans; Word allows 63. As in `.docx`, each row is as wide as the widest.
const MAX_COLUMN_SPAN: usize = 64;
/// Maximum number of rows that a cell spans.
const MAX_ROW_SPAN: u32 = 10_000;

/// Turns the result of the library into items, with the objects that signs in the text mark.
pub(super) struct ItemReader {
    keeps_spans: bool,
    /// The objects whose signs have not been read yet.
    objects: Option<vec::IntoIter<MarkedObject>>,
    /// Number of signs without an object.
    surplus: usize,
}

/// A cell that spans rows below its own.
struct SpanningCell {
    column: usize,
    /// Columns that it covers.
    columns: usize,
    rows_left: u32,
}

impl ItemReader {
    /// A reader of a file in which these objects are marked; of a file without marks if there are none.
    pub(super) fn new(keeps_spans: bool, objects: Vec<MarkedObject>) -> Self {
        let objects = (!objects.is_empty()).then(|| objects.into_iter());
        Self { keeps_spans, objects, surplus: 0 }
    }

    /// Whether every object had its sign, and every sign its object.
    pub(super) fn has_met_all(&self) -> bool {
        self.surplus == 0 && self.objects.as_ref().is_none_or(|left| left.len() == 0)
    }

    pub(super) fn read_sections(&mut self, sections: &[Section]) -> Vec<BodyItem> {
        let mut items = Vec::new();
        for element in sections.iter().flat_map(|section| &section.elements) {
            self.push_element(element, &mut items, 0);
        }
        items
    }

    fn push_element(&mut self, element: &Element, items: &mut Vec<BodyItem>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match element {
            Element::Heading(heading) => {
                let role = ParagraphRole::Heading(heading.clamped_level());
                items.push(self.read_paragraph(role, &heading.content));
            }
            Element::Paragraph(body) => {
                let role = body.style.as_deref().and_then(named_role).unwrap_or_default();
                items.push(self.read_paragraph(role, &body.content));
            }
            Element::Table(table) => items.push(BodyItem::Table(self.read_table(table, depth))),
            Element::List(list) => self.push_list(list, items, depth),
            Element::TextBox(inner) => {
                for element in &inner.content {
                    self.push_element(element, items, depth + 1);
                }
            }
            Element::Footnote(note) | Element::Endnote(note) => {
                for element in &note.content {
                    self.push_element(element, items, depth + 1);
                }
            }
            Element::CodeBlock(code) => {
                for line in code.content.lines() {
                    let mut paragraph = OpenText::new(self.keeps_spans);
                    self.push_text(&mut paragraph, line, RunStyle::default());
                    items.push(paragraph.finish(ParagraphRole::Code));
                }
            }
            // Pictures, breaks and shapes, and what the library may add.
            _ => {}
        }
    }

    fn read_paragraph(&mut self, role: ParagraphRole, content: &[InlineContent]) -> BodyItem {
        let mut paragraph = OpenText::new(self.keeps_spans);
        for piece in content {
            match piece {
                InlineContent::Text(span) => {
                    self.push_text(&mut paragraph, &span.text, read_style(span));
                }
                InlineContent::LineBreak => paragraph.inline.text.push('\n'),
                _ => {}
            }
        }
        paragraph.finish(role)
    }

    /// Adds text, and the objects whose signs are in it.
    fn push_text(&mut self, paragraph: &mut OpenText, text: &str, style: RunStyle) {
        let Some(objects) = &mut self.objects else {
            paragraph.inline.push_run(text, style);
            return;
        };
        for (index, part) in text.split(OBJECT_SIGN).enumerate() {
            if index > 0 {
                match objects.next() {
                    Some(object) => paragraph.push_object(object, style),
                    None => self.surplus += 1,
                }
            }
            if !part.is_empty() {
                paragraph.inline.push_run(part, style);
            }
        }
    }

    fn push_list(&mut self, list: &List, items: &mut Vec<BodyItem>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        for (index, item) in list.items.iter().enumerate() {
            let first = items.len();
            for element in &item.content {
                self.push_element(element, items, depth + 1);
            }
            if let Some(BodyItem::Paragraph(paragraph)) = items.get_mut(first) {
                let count = u64::from(list.start_number.unwrap_or(1)) + index as u64;
                let label = if list.ordered { format!("{count}.") } else { "-".to_owned() };
                paragraph.label = Some(label);
                paragraph.label_level = list.level.min(8);
            }
            if let Some(nested) = &item.nested {
                self.push_list(nested, items, depth + 1);
            }
        }
    }

    fn read_table(&mut self, table: &IrTable, depth: usize) -> BodyTable {
        let mut rows: Vec<BodyRow> = Vec::with_capacity(table.rows.len());
        let mut spanning: Vec<SpanningCell> = Vec::new();
        for source in &table.rows {
            let mut row = BodyRow { is_head: source.is_header, ..BodyRow::default() };
            let mut column = 0;
            let mut next_spanning = Vec::new();
            for cell in &source.cells {
                fill_spanned_cells(&spanning, &mut column, &mut row);
                let columns = usize::try_from(cell.col_span).unwrap_or(1).clamp(1, MAX_COLUMN_SPAN);
                let mut items = Vec::new();
                for element in &cell.content {
                    self.push_element(element, &mut items, depth + 1);
                }
                row.cells.push(BodyCell { items, span: columns, ..BodyCell::default() });
                if cell.row_span > 1 {
                    let rows_left = cell.row_span.min(MAX_ROW_SPAN);
                    next_spanning.push(SpanningCell { column, columns, rows_left });
                }
                column += columns;
            }
            fill_spanned_cells(&spanning, &mut column, &mut row);
            spanning.extend(next_spanning);
            spanning.iter_mut().for_each(|cell| cell.rows_left -= 1);
            spanning.retain(|cell| cell.rows_left > 0);
            rows.push(row);
        }
        BodyTable { rows, grid: Vec::new() }
    }
}

/// A paragraph that is being read.
struct OpenText {
    inline: InlineText,
    pictures: Vec<Drawing>,
}

impl OpenText {
    fn new(keeps_spans: bool) -> Self {
        Self { inline: InlineText::new(keeps_spans), pictures: Vec::new() }
    }

    fn push_object(&mut self, object: MarkedObject, style: RunStyle) {
        match object {
            MarkedObject::Sign => self.inline.text.push(OBJECT_SIGN),
            MarkedObject::Symbol(sign) => {
                // It is part of its run.
                let style = RunStyle { begins: false, ..style };
                self.inline.push_run(sign.encode_utf8(&mut [0; 4]), style);
            }
            MarkedObject::Formula(latex) => self.inline.push_formula(&latex),
            MarkedObject::UnreadEquation(drawing) => {
                let words = drawing.words.join(" ");
                let marker = self.inline.push_marker(&equation_marker(&words));
                let words = Vec::new();
                self.pictures.push(Drawing { marker, is_equation: true, words, ..drawing });
            }
            MarkedObject::Figure(drawing) => {
                let marker = self.inline.push_marker(FIGURE_MARKER);
                self.pictures.push(Drawing { marker, ..drawing });
            }
        }
    }

    fn finish(self, role: ParagraphRole) -> BodyItem {
        let InlineText { text, spans, .. } = self.inline;
        let pictures = self.pictures;
        BodyItem::Paragraph(BodyParagraph {
            role,
            text,
            spans,
            pictures,
            ..BodyParagraph::default()
        })
    }
}

fn read_style(span: &TextSpan) -> RunStyle {
    let script = match span.vertical_align {
        Some(VerticalAlign::Superscript) => Some(Script::Superscript),
        Some(VerticalAlign::Subscript) => Some(Script::Subscript),
        _ => None,
    };
    RunStyle { script, begins: true, italic: span.italic }
}

/// Adds the cells from above that cover the current column.
fn fill_spanned_cells(spanning: &[SpanningCell], column: &mut usize, row: &mut BodyRow) {
    while let Some(cell) = spanning.iter().find(|cell| cell.column == *column) {
        row.cells.push(BodyCell { span: cell.columns, continues: true, ..BodyCell::default() });
        *column += cell.columns;
    }
}
