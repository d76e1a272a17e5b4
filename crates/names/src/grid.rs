//! Tables as headings and rows of text.

use document_model::{Table, TableCell, TableRow};

use crate::table_notes::{TableNote, cited_notes, is_remark, read_notes};

/// A table whose first row names the columns.
#[derive(Default)]
pub(crate) struct Grid {
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// The notes below it.
    pub(crate) notes: Vec<TableNote>,
}

impl Grid {
    /// The texts of a table; `None` if it has no rows below its heading.
    pub(crate) fn read(table: &Table) -> Option<Self> {
        Self::of_rows(&table.rows)
    }

    /// The texts of the rows of a table, of which the first names the columns.
    pub(crate) fn of_rows(rows: &[TableRow]) -> Option<Self> {
        let (head, rows) = rows.split_first()?;
        let heads = row_texts(head, &[]);
        let mut texts: Vec<Vec<String>> = Vec::new();
        for row in rows {
            let above = texts.last().map_or(&[][..], Vec::as_slice);
            let row = row_texts(row, above);
            // The heading row is repeated where the table continues; as a row, it would define its own headings.
            if row != heads {
                texts.push(row);
            }
        }
        let notes = read_notes(&texts);
        (!texts.is_empty()).then_some(Self { heads, rows: texts, notes })
    }

    /// Joins a second heading row, below cells that span several columns, to the first: `AVP flag rules`, `Must`.
    pub(crate) fn with_joined_heads(mut self) -> Self {
        let spans = |heads: &[String]| heads.windows(2).any(|pair| pair[0] == pair[1]);
        if spans(&self.heads) && self.rows.len() > 1 {
            let second = self.rows.remove(0);
            for (head, below) in self.heads.iter_mut().zip(second) {
                if !below.is_empty() && *head != below {
                    *head = below;
                }
            }
        }
        self
    }

    /// Removes the rows that are one cell over all columns: notes and headings.
    pub(crate) fn without_remarks(mut self) -> Self {
        self.rows.retain(|row| row.len() < 2 || !is_remark(row));
        self
    }

    /// The first column whose heading contains one of the words, in lower case.
    pub(crate) fn column(&self, words: &[&str]) -> Option<usize> {
        self.heads.iter().position(|head| {
            let head = head.to_lowercase();
            words.iter().any(|word| head.contains(word))
        })
    }

    /// The column with exactly this heading, in any case.
    pub(crate) fn column_named(&self, name: &str) -> Option<usize> {
        self.heads.iter().position(|head| head.trim().eq_ignore_ascii_case(name))
    }

    /// A row as printed: each heading with its cell, and the notes that it refers to.
    pub(crate) fn print_row(&self, row: &[String]) -> String {
        let cells = self.heads.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let mut lines: Vec<String> =
            cells.map(|(head, cell)| format!("{}: {cell}", head.replace('\n', " "))).collect();
        // A cell may span several columns.
        lines.dedup();
        let filled = self.heads.iter().zip(row).filter(|(_, cell)| !cell.is_empty());
        let texts: Vec<&str> =
            filled.flat_map(|(head, cell)| [head.as_str(), cell.as_str()]).collect();
        if !is_remark(row) {
            lines.extend(cited_notes(&self.notes, &texts).into_iter().map(str::to_owned));
        }
        lines.join("\n")
    }
}

/// The cells of a row by the columns of the grid; a cell that continues the one above has its text.
fn row_texts(row: &TableRow, above: &[String]) -> Vec<String> {
    let mut texts = vec![String::new(); usize::from(row.skipped_columns)];
    for cell in &row.cells {
        let text = if cell.continues {
            above.get(texts.len()).cloned().unwrap_or_default()
        } else {
            cell_text(cell)
        };
        for _ in 0..cell.span.max(1) {
            texts.push(text.clone());
        }
    }
    texts
}

/// The text of a cell, a line for each paragraph.
pub(crate) fn cell_text(cell: &TableCell) -> String {
    let lines: Vec<String> = cell
        .paragraphs
        .iter()
        .map(|line| match &line.label {
            Some(label) => format!("{label} {}", line.text.as_str()),
            None => line.text.as_str().to_owned(),
        })
        .collect();
    lines.join("\n").trim().to_owned()
}
