//! Changes of tables: rows, cells, and the words in them.

use document_model::{CellParagraph, RichText, Table, TableCell, TableRow};

use crate::{
    alignment::{Unit, align_units},
    edit::{Edit, apply_edits},
    text_change::TextChange,
};

/// How a table became another.
#[derive(Debug, Clone, PartialEq)]
pub struct TableChange {
    /// The title above it.
    pub caption: CaptionChange,
    /// Its rows.
    pub rows: Vec<Edit<TableRow, RowChange>>,
}

/// How the title of a table became another.
#[derive(Debug, Clone, PartialEq)]
pub enum CaptionChange {
    /// The same, or missing in both.
    Kept,
    /// It was removed.
    Deleted(RichText),
    /// It was added.
    Inserted(RichText),
    /// Its words changed.
    Changed(TextChange),
}

/// How a row became another.
#[derive(Debug, Clone, PartialEq)]
pub struct RowChange {
    /// Whether the new one is a heading row.
    pub is_head: bool,
    /// Free columns before its first cell in the new one.
    pub skipped_columns: u16,
    /// Its cells.
    pub cells: Vec<Edit<TableCell, CellChange>>,
}

/// How a cell became another.
#[derive(Debug, Clone, PartialEq)]
pub struct CellChange {
    /// Columns that the new one covers.
    pub span: u16,
    /// Whether the new one continues the cell above.
    pub continues: bool,
    /// Its paragraphs.
    pub paragraphs: Vec<Edit<CellParagraph, CellParagraphChange>>,
}

/// How a paragraph of a cell became another.
#[derive(Debug, Clone, PartialEq)]
pub struct CellParagraphChange {
    /// The label of the new one.
    pub label: Option<String>,
    /// Its words.
    pub text: TextChange,
}

impl TableChange {
    /// The change from one table to another.
    pub fn between(old: &Table, new: &Table) -> Self {
        let caption = match (&old.caption, &new.caption) {
            (old, new) if old == new => CaptionChange::Kept,
            (None, None) => CaptionChange::Kept,
            (Some(caption), None) => CaptionChange::Deleted(caption.clone()),
            (None, Some(caption)) => CaptionChange::Inserted(caption.clone()),
            (Some(old), Some(new)) => CaptionChange::Changed(TextChange::between(old, new)),
        };
        Self { caption, rows: align_units(&old.rows, &new.rows, true, RowChange::between) }
    }

    /// The new table; `None` if the change is not of this one.
    pub fn apply(&self, old: &Table) -> Option<Table> {
        let caption = match &self.caption {
            CaptionChange::Kept => old.caption.clone(),
            CaptionChange::Deleted(caption) if old.caption.as_ref() != Some(caption) => {
                return None;
            }
            CaptionChange::Deleted(_) => None,
            CaptionChange::Inserted(caption) => Some(caption.clone()),
            CaptionChange::Changed(change) => Some(change.apply(old.caption.as_ref()?)?),
        };
        let rows = apply_edits(&old.rows, &self.rows, |row, change| change.apply(row))?;
        Some(Table { caption, rows })
    }
}

impl RowChange {
    fn between(old: &TableRow, new: &TableRow) -> Self {
        let cells = if old.cells.len() == new.cells.len() {
            // The same columns: cells are compared in place, whatever their words. Aligned by similarity, a new value
            // would be a deleted and an inserted cell.
            let pairs = old.cells.iter().zip(&new.cells);
            pairs.map(|(old, new)| CellChange::edit_in_place(old, new)).collect()
        } else {
            align_units(&old.cells, &new.cells, false, CellChange::between)
        };
        Self { is_head: new.is_head, skipped_columns: new.skipped_columns, cells }
    }

    fn apply(&self, old: &TableRow) -> Option<TableRow> {
        let cells = apply_edits(&old.cells, &self.cells, |cell, change| change.apply(cell))?;
        Some(TableRow { is_head: self.is_head, skipped_columns: self.skipped_columns, cells })
    }
}

impl CellChange {
    fn edit_in_place(old: &TableCell, new: &TableCell) -> Edit<TableCell, Self> {
        if old == new {
            Edit::Kept { count: 1 }
        } else {
            Edit::Changed { change: Self::between(old, new) }
        }
    }

    fn between(old: &TableCell, new: &TableCell) -> Self {
        let (before, after) = (&old.paragraphs, &new.paragraphs);
        let paragraphs = match (&before[..], &after[..]) {
            ([old], [new]) if old != new => {
                vec![Edit::Changed { change: CellParagraphChange::between(old, new) }]
            }
            _ => align_units(before, after, false, CellParagraphChange::between),
        };
        Self { span: new.span, continues: new.continues, paragraphs }
    }

    fn apply(&self, old: &TableCell) -> Option<TableCell> {
        let apply =
            |paragraph: &CellParagraph, change: &CellParagraphChange| change.apply(paragraph);
        let paragraphs = apply_edits(&old.paragraphs, &self.paragraphs, apply)?;
        Some(TableCell { span: self.span, continues: self.continues, paragraphs })
    }
}

impl CellParagraphChange {
    fn between(old: &CellParagraph, new: &CellParagraph) -> Self {
        Self { label: new.label.clone(), text: TextChange::between(&old.text, &new.text) }
    }

    fn apply(&self, old: &CellParagraph) -> Option<CellParagraph> {
        Some(CellParagraph { label: self.label.clone(), text: self.text.apply(&old.text)? })
    }
}

impl Unit for TableRow {
    fn text(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(Unit::text).collect();
        cells.join(" | ")
    }
}

impl Unit for TableCell {
    fn text(&self) -> String {
        let lines: Vec<String> = self.paragraphs.iter().map(Unit::text).collect();
        lines.join("\n")
    }
}

impl Unit for CellParagraph {
    fn text(&self) -> String {
        match &self.label {
            Some(label) => format!("{label} {}", self.text.as_str()),
            None => self.text.as_str().to_owned(),
        }
    }
}
