//! Assigns the cells of a row to columns.

use document_model::TableRow;

use crate::column::{ColumnKind, is_blank, is_cr_number, is_tdoc, is_version};

/// The cost of a value that does not have the form of its column. It exceeds the 1 that a fitting value earns, so that
/// columns that fit only half of the values by chance score below none.
const ODD_VALUE: i32 = 2;
/// Minimum number of known columns of a heading row. A row of values can have one or two by chance: a subject that
/// speaks of comments reads like a heading.
const LEAST_COLUMNS: usize = 3;

/// The columns of a table, from a heading row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    columns: Vec<HeadColumn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct HeadColumn {
    /// Columns of the grid.
    grid: std::ops::Range<usize>,
    kind: Option<ColumnKind>,
}

/// A cell: its columns of the grid, and its text; `None` if it continues the one above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) grid: std::ops::Range<usize>,
    pub(crate) text: Option<String>,
}

/// The cells of a row.
pub(crate) fn read_cells(row: &TableRow) -> Vec<Cell> {
    let mut at = usize::from(row.skipped_columns);
    let mut cells = Vec::with_capacity(row.cells.len());
    for cell in &row.cells {
        let grid = at..at + usize::from(cell.span.max(1));
        at = grid.end;
        let lines: Vec<&str> = cell.paragraphs.iter().map(|line| line.text.as_str()).collect();
        let text = lines.join("\n").trim().to_owned();
        let text = (!cell.continues || !text.is_empty()).then_some(text);
        cells.push(Cell { grid, text });
    }
    cells
}

impl Layout {
    /// The layout of a heading row; `None` for another row.
    pub(crate) fn from_head(cells: &[Cell]) -> Option<Self> {
        let kind = |cell: &Cell| cell.text.as_deref().and_then(ColumnKind::from_head);
        let mut columns: Vec<HeadColumn> = cells
            .iter()
            .map(|cell| HeadColumn { grid: cell.grid.clone(), kind: kind(cell) })
            .collect();
        let has =
            |columns: &[HeadColumn], kind| columns.iter().any(|column| column.kind == Some(kind));
        let known = columns.iter().filter(|column| column.kind.is_some()).count();
        let is_head = known >= LEAST_COLUMNS && has(&columns, ColumnKind::Subject);
        if !is_head {
            return None;
        }
        if !has(&columns, ColumnKind::NewVersion) {
            let version = columns.iter_mut().find(|c| c.kind == Some(ColumnKind::OldVersion));
            if let Some(version) = version {
                version.kind = Some(ColumnKind::NewVersion);
            }
        }
        Some(Self { columns })
    }

    /// The column of each cell of a row: by its position in the grid, by its position among the cells, or by its form,
    /// whichever fits best.
    pub(crate) fn assign(&self, cells: &[Cell]) -> Vec<Option<ColumnKind>> {
        let by_grid: Vec<Option<ColumnKind>> =
            cells.iter().map(|cell| self.column_at(&cell.grid)).collect();
        let mut best = (fitness(cells, &by_grid), by_grid);
        let mut offer = |kinds: Vec<Option<ColumnKind>>, margin: i32| {
            let fits = fitness(cells, &kinds);
            if fits > best.0 + margin {
                best = (fits, kinds);
            }
        };
        if cells.len() == self.columns.len() {
            offer(self.columns.iter().map(|column| column.kind).collect(), 0);
        }
        // Without this margin, one odd value, such as a word instead of a number, would reassign the whole row.
        offer(assign_by_form(cells), ODD_VALUE);
        let (_, mut kinds) = best;
        fill_unknown_heads(cells, &mut kinds);
        kinds
    }

    /// The column that a range of the grid overlaps most.
    fn column_at(&self, grid: &std::ops::Range<usize>) -> Option<ColumnKind> {
        let overlap = |column: &&HeadColumn| {
            column.grid.end.min(grid.end).saturating_sub(column.grid.start.max(grid.start))
        };
        let covered = self.columns.iter().filter(|column| overlap(column) > 0);
        // Of equal overlaps the first: a cell begins in its column.
        covered.rev().max_by_key(overlap)?.kind
    }
}

/// How many cells have the form of their column; those that have another, and those that share one, count against it.
fn fitness(cells: &[Cell], kinds: &[Option<ColumnKind>]) -> i32 {
    let score = |(cell, kind): (&Cell, &Option<ColumnKind>)| {
        let text = cell.text.as_deref().unwrap_or_default();
        match kind {
            Some(kind) => kind.fits(text).map_or(0, |fits| if fits { 1 } else { -ODD_VALUE }),
            // Text below no known heading is lost.
            None if is_blank(text) => 0,
            None => -1,
        }
    };
    let with_text = |(cell, kind): (&Cell, &Option<ColumnKind>)| {
        if !is_blank(cell.text.as_deref().unwrap_or_default()) { *kind } else { None }
    };
    let mut columns: Vec<ColumnKind> = cells.iter().zip(kinds).filter_map(with_text).collect();
    let filled = columns.len();
    columns.sort_unstable();
    columns.dedup();
    let shared = (filled - columns.len()) as i32;
    cells.iter().zip(kinds).map(score).sum::<i32>() - shared
}

/// Assigns cells below a heading without words by their form, if nothing else in the row is of that kind.
fn fill_unknown_heads(cells: &[Cell], kinds: &mut [Option<ColumnKind>]) {
    for kind in [ColumnKind::NewVersion, ColumnKind::Category, ColumnKind::Tdoc] {
        if kinds.contains(&Some(kind)) {
            continue;
        }
        let fits = |cell: &Cell| kind.fits(cell.text.as_deref().unwrap_or_default()) == Some(true);
        let found = (0..cells.len()).find(|index| kinds[*index].is_none() && fits(&cells[*index]));
        if let Some(index) = found {
            kinds[index] = Some(kind);
        }
    }
}

/// The columns of cells by their form alone, in the order of all layouts since 1999.
fn assign_by_form(cells: &[Cell]) -> Vec<Option<ColumnKind>> {
    let mut kinds = vec![None; cells.len()];
    let text = |index: usize| cells[index].text.as_deref().unwrap_or_default().trim();
    let subject = (0..cells.len()).filter(|i| !is_tdoc(text(*i))).max_by_key(|i| text(*i).len());
    let versions: Vec<usize> = (0..cells.len()).filter(|i| is_version(text(*i))).collect();
    if let [.., old, new] = versions[..] {
        (kinds[old], kinds[new]) = (Some(ColumnKind::OldVersion), Some(ColumnKind::NewVersion));
    } else if let [new] = versions[..] {
        kinds[new] = Some(ColumnKind::NewVersion);
    }
    if let Some(subject) = subject.filter(|i| kinds[*i].is_none() && text(*i).len() > 3) {
        kinds[subject] = Some(ColumnKind::Subject);
    }
    let mut has_tdoc = None;
    for index in 0..cells.len() {
        if kinds[index].is_some() || is_blank(text(index)) {
            continue;
        }
        let has = |kinds: &[Option<ColumnKind>], kind| kinds.contains(&Some(kind));
        kinds[index] = match text(index) {
            value if crate::date::parse_date(value).is_some() && !has(&kinds, ColumnKind::Date) => {
                Some(ColumnKind::Date)
            }
            value if is_tdoc(value) && has_tdoc.is_none() => {
                has_tdoc = Some(index);
                Some(ColumnKind::Tdoc)
            }
            "A" | "B" | "C" | "D" | "E" | "F" => Some(ColumnKind::Category),
            value if has_tdoc.is_none() && !has(&kinds, ColumnKind::Meeting) && value.len() > 2 => {
                Some(ColumnKind::Meeting)
            }
            value if is_cr_number(value) && value.len() >= 3 && !has(&kinds, ColumnKind::Cr) => {
                Some(ColumnKind::Cr)
            }
            value if value.len() <= 2 && has(&kinds, ColumnKind::Cr) => Some(ColumnKind::Revision),
            _ => None,
        };
    }
    kinds
}
