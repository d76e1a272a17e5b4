//! The rows of a history.

use document_model::Block;
use domain::Version;
use serde::{Deserialize, Serialize};

use crate::{
    column::{ColumnKind, is_blank, is_tdoc, split_tdocs},
    date::parse_date,
    layout::{Cell, Layout, read_cells},
};

/// What a history records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeHistory {
    /// Its rows, in the order of the annex: usually the oldest first.
    pub rows: Vec<HistoryRow>,
    /// Rows with text below no known heading, or that say neither what was changed nor in which version.
    pub unread: usize,
}

/// A row: a change request, or another step of the document's life.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryRow {
    /// Year and month, with the day if it is printed: `2024-03`. A row without a date that has the meeting of the row
    /// above has the date of that row.
    pub date: Option<String>,
    /// The meeting, as printed.
    pub meeting: Option<String>,
    /// The documents of the meeting.
    pub tdocs: Vec<String>,
    /// The document of the working group, in histories that have a column for it.
    pub group_tdoc: Option<String>,
    /// The number of the change request, as printed.
    pub cr: Option<String>,
    /// Its revision.
    pub revision: Option<String>,
    /// Its category.
    pub category: Option<String>,
    /// The subject; lines are separated by line breaks.
    pub subject: Option<String>,
    /// The version that was changed.
    pub old_version: Option<Version>,
    /// The version that has the change.
    pub new_version: Option<Version>,
}

/// Whether a section with this title is a history.
pub fn is_history_title(title: &str) -> bool {
    let words: Vec<String> = title
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.ends_with(&["change".to_owned(), "history".to_owned()])
        || words == ["document", "history"]
        || words == ["history"]
}

/// Reads the tables of an annex.
pub fn read_history(blocks: &[Block]) -> ChangeHistory {
    let mut history = ChangeHistory::default();
    let mut layout: Option<Layout> = None;
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let mut above: Vec<(ColumnKind, String)> = Vec::new();
        for row in &table.rows {
            let cells = read_cells(row);
            if let Some(head) = Layout::from_head(&cells) {
                layout = Some(head);
                above.clear();
                continue;
            }
            if is_empty_or_title(&cells) {
                continue;
            }
            let Some(layout) = &layout else {
                history.unread += 1;
                continue;
            };
            let kinds = layout.assign(&cells);
            let values = collect_values(&cells, &kinds, &above);
            match to_row(&values, history.rows.last()) {
                Some(row) => history.rows.push(row),
                None => history.unread += 1,
            }
            above = values;
        }
    }
    history
}

/// Whether a row has no text of its own, or spans the whole table and repeats the title of the annex.
fn is_empty_or_title(cells: &[Cell]) -> bool {
    let mut texts = cells.iter().filter_map(|cell| cell.text.as_deref()).filter(|t| !is_blank(t));
    match (texts.next(), texts.next()) {
        (Some(only), None) => is_history_title(only),
        (None, _) => true,
        _ => false,
    }
}

/// The values of a row by column. A cell that continues the one above has its value; cells of one column are joined.
fn collect_values(
    cells: &[Cell],
    kinds: &[Option<ColumnKind>],
    above: &[(ColumnKind, String)],
) -> Vec<(ColumnKind, String)> {
    let mut values: Vec<(ColumnKind, String)> = Vec::with_capacity(cells.len());
    for (cell, kind) in cells.iter().zip(kinds) {
        let Some(kind) = kind else { continue };
        let text = match &cell.text {
            Some(text) => text.as_str(),
            None => above.iter().find(|(of, _)| of == kind).map_or("", |(_, value)| value),
        };
        match values.iter_mut().find(|(of, _)| of == kind) {
            Some((_, value)) if is_blank(value) => text.clone_into(value),
            Some((_, value)) if !is_blank(text) && value != text => {
                value.push(' ');
                value.push_str(text);
            }
            Some(_) => {}
            None => values.push((*kind, text.to_owned())),
        }
    }
    values
}

fn to_row(values: &[(ColumnKind, String)], before: Option<&HistoryRow>) -> Option<HistoryRow> {
    let text = |kind: ColumnKind| {
        let value = values.iter().find(|(of, _)| *of == kind).map(|(_, value)| value.trim());
        value.filter(|value| !is_blank(value)).map(str::to_owned)
    };
    let version = |kind| text(kind).and_then(|value| value.parse::<Version>().ok());
    let (mut meeting, mut printed) = (text(ColumnKind::Meeting), text(ColumnKind::Date));
    // Histories without a column for dates print one in place of the meeting if there was none.
    if printed.is_none() && meeting.as_deref().is_some_and(|text| parse_date(text).is_some()) {
        std::mem::swap(&mut meeting, &mut printed);
    }
    let date = match (&printed, before) {
        (None, Some(before)) if meeting.is_some() && before.meeting == meeting => {
            before.date.clone()
        }
        _ => printed.as_deref().and_then(parse_date),
    };
    let cr = text(ColumnKind::Cr);
    let tdocs = text(ColumnKind::Tdoc).map(|value| {
        if is_tdoc(&value) { split_tdocs(&value).map(str::to_owned).collect() } else { vec![value] }
    });
    let row = HistoryRow {
        date,
        meeting,
        tdocs: tdocs.unwrap_or_default(),
        group_tdoc: text(ColumnKind::GroupTdoc),
        cr,
        revision: text(ColumnKind::Revision),
        category: text(ColumnKind::Category),
        subject: text(ColumnKind::Subject),
        old_version: version(ColumnKind::OldVersion),
        new_version: version(ColumnKind::NewVersion),
    };
    let has_version = row.new_version.is_some() || row.old_version.is_some();
    let is_read = row.subject.is_some() || row.cr.is_some() || has_version;
    is_read.then_some(row)
}

#[cfg(test)]
mod tests;
