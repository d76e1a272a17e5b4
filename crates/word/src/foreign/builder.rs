//! Builds paragraphs and tables from the events of a format that is not Word's.

use document::{ExtractError, LimitKind, Limits};

use crate::inline_text::{InlineText, RunStyle};
use crate::item::{BodyCell, BodyItem, BodyParagraph, BodyRow, BodyTable, ParagraphPosition};
use crate::open_elements::MAX_SPAN;
use crate::role::ParagraphRole;

/// Maximum number of rows that a cell covers. A cell of a hostile page may claim any number; each row repeats it.
const MAX_ROW_SPAN: usize = 1000;

/// Collects items.
pub(super) struct ItemBuilder<'a> {
    name: &'a str,
    limits: &'a Limits,
    keeps_spans: bool,
    items: Vec<BodyItem>,
    tables: Vec<OpenTable>,
    paragraph: Option<PendingParagraph>,
    paragraph_count: u32,
    /// The first limit that was exceeded.
    exceeded: Option<ExtractError>,
}

/// A paragraph that is still open.
struct PendingParagraph {
    start: ParagraphStart,
    inline: InlineText,
}

/// A table that is still open.
#[derive(Default)]
struct OpenTable {
    table: BodyTable,
    /// For each column, how many more rows the cell above covers.
    covered: Vec<usize>,
    /// The column after the last cell of the open row.
    column: usize,
    is_in_cell: bool,
    /// Whether a row is open. A row may end twice: by its end tag, and by the next row.
    is_in_row: bool,
    cell_count: usize,
}

/// What the next paragraph is.
#[derive(Default)]
pub(super) struct ParagraphStart {
    pub(super) role: ParagraphRole,
    /// Its printed number or bullet.
    pub(super) label: Option<String>,
    /// The depth of its list, from 0.
    pub(super) depth: u8,
    /// Its level in the outline, from 0.
    pub(super) outline: Option<u8>,
}

/// A cell that begins.
#[derive(Clone, Copy)]
pub(super) struct CellStart {
    /// Columns that it covers.
    pub(super) columns: usize,
    /// Rows that it covers.
    pub(super) rows: usize,
    /// Whether it is the head of its row or column.
    pub(super) is_head: bool,
}

impl<'a> ItemBuilder<'a> {
    pub(super) fn new(name: &'a str, limits: &'a Limits, keeps_spans: bool) -> Self {
        Self {
            name,
            limits,
            keeps_spans,
            items: Vec::new(),
            tables: Vec::new(),
            paragraph: None,
            paragraph_count: 0,
            exceeded: None,
        }
    }

    /// The items, once the text has ended.
    pub(super) fn finish(mut self) -> Result<Vec<BodyItem>, ExtractError> {
        self.end_paragraph();
        while !self.tables.is_empty() {
            self.end_table();
        }
        self.exceeded.map_or(Ok(self.items), Err)
    }

    /// Whether a limit was exceeded, so that reading on is of no use.
    pub(super) fn is_exceeded(&self) -> bool {
        self.exceeded.is_some()
    }

    fn exceed_limit(&mut self, kind: LimitKind, limit: usize) {
        let error = || ExtractError::limit_exceeded(self.name, kind, limit as u64);
        self.exceeded.get_or_insert_with(error);
    }

    /// Begins a paragraph; one that is open ends.
    pub(super) fn begin_paragraph(&mut self, start: ParagraphStart) {
        self.end_paragraph();
        self.paragraph =
            Some(PendingParagraph { start, inline: InlineText::new(self.keeps_spans) });
    }

    /// Whether a paragraph is open.
    pub(super) fn has_open_paragraph(&self) -> bool {
        self.paragraph.is_some()
    }

    /// The text of the open paragraph so far.
    pub(super) fn open_text(&self) -> &str {
        self.paragraph.as_ref().map_or("", |open| &open.inline.text)
    }

    /// Adds text to the open paragraph, and begins one if none is open.
    pub(super) fn push_text(&mut self, text: &str, style: RunStyle) {
        if self.paragraph.is_none() {
            self.begin_paragraph(ParagraphStart::default());
        }
        if let Some(open) = &mut self.paragraph {
            open.inline.push_run(text, style);
        }
    }

    /// Ends the open paragraph. One without text is left out.
    pub(super) fn end_paragraph(&mut self) {
        let Some(open) = self.paragraph.take() else { return };
        if open.inline.text.trim().is_empty() {
            return;
        }
        self.paragraph_count = self.paragraph_count.saturating_add(1);
        let paragraph = BodyParagraph {
            role: open.start.role,
            label: open.start.label,
            label_level: open.start.depth.min(8),
            outline: open.start.outline,
            position: ParagraphPosition { ordinal: self.paragraph_count, breaks: 0 },
            text: open.inline.text,
            spans: open.inline.spans,
            ..BodyParagraph::default()
        };
        self.deliver_item(BodyItem::Paragraph(paragraph));
    }

    /// Adds an item to the innermost open cell. Text between cells is before the table, as a browser shows it.
    fn deliver_item(&mut self, item: BodyItem) {
        let open = self.tables.iter_mut().rev().find(|open| open.is_in_cell);
        let row = open.and_then(|open| open.table.rows.last_mut());
        match row.and_then(|row| row.cells.last_mut()) {
            Some(cell) => cell.items.push(item),
            None => self.items.push(item),
        }
    }

    /// Begins a table, within the open cell if there is one.
    pub(super) fn begin_table(&mut self) {
        self.end_paragraph();
        let limit = self.limits.table_depth;
        if self.tables.len() >= limit {
            self.exceed_limit(LimitKind::TableDepth, limit);
            return;
        }
        self.tables.push(OpenTable::default());
    }

    /// Begins a row of the open table.
    pub(super) fn begin_row(&mut self) {
        self.end_row();
        let limit = self.limits.table_cells;
        let Some(open) = self.tables.last_mut() else { return };
        open.table.rows.push(BodyRow::default());
        open.is_in_row = true;
        open.cell_count += 1;
        if open.cell_count > limit {
            self.exceed_limit(LimitKind::TableCells, limit);
        }
    }

    /// Begins a cell, in a new row if the table has none.
    pub(super) fn begin_cell(&mut self, start: CellStart) {
        self.end_cell();
        let limit = self.limits.table_cells;
        let Some(open) = self.tables.last_mut() else { return };
        if open.table.rows.is_empty() {
            open.table.rows.push(BodyRow::default());
        }
        open.is_in_row = true;
        open.cover_columns();
        if open.column >= MAX_SPAN {
            return;
        }
        let span = start.columns.clamp(1, MAX_SPAN - open.column);
        let rows = start.rows.clamp(1, MAX_ROW_SPAN);
        let end = open.column + span;
        open.covered.resize(open.covered.len().max(end), 0);
        open.covered[open.column..end].fill(rows - 1);
        open.column = end;
        open.is_in_cell = true;
        open.cell_count += 1;
        if let Some(row) = open.table.rows.last_mut() {
            row.is_head = start.is_head && (row.is_head || row.cells.is_empty());
            row.cells.push(BodyCell { span, ..BodyCell::default() });
        }
        if open.cell_count > limit {
            self.exceed_limit(LimitKind::TableCells, limit);
        }
    }

    /// Ends the open cell.
    pub(super) fn end_cell(&mut self) {
        self.end_paragraph();
        if let Some(open) = self.tables.last_mut() {
            open.is_in_cell = false;
        }
    }

    /// Ends the open row.
    pub(super) fn end_row(&mut self) {
        self.end_cell();
        if let Some(open) = self.tables.last_mut()
            && std::mem::take(&mut open.is_in_row)
        {
            open.cover_columns();
            open.column = 0;
        }
    }

    /// Ends the open table.
    pub(super) fn end_table(&mut self) {
        self.end_row();
        let Some(open) = self.tables.pop() else { return };
        if open.table.rows.iter().any(|row| !row.cells.is_empty()) {
            self.deliver_item(BodyItem::Table(open.table));
        }
    }

    /// How many tables are open.
    pub(super) fn table_depth(&self) -> usize {
        self.tables.len()
    }
}

impl OpenTable {
    /// Adds the cells that continue the ones above, up to the next column that none covers.
    fn cover_columns(&mut self) {
        let Some(row) = self.table.rows.last_mut() else { return };
        while let Some(rows) = self.covered.get_mut(self.column).filter(|rows| **rows > 0) {
            *rows -= 1;
            self.column += 1;
            self.cell_count += 1;
            row.cells.push(BodyCell { continues: true, ..BodyCell::default() });
        }
    }
}
