//! Timers, counters, constants and causes: tables with a row for each.

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of the name of a cause; longer cells are remarks.
const MAX_CAUSE_BYTES: usize = 100;
/// Maximum length of the name of a timer, counter or constant: these are symbols or a few words.
const MAX_NAME_BYTES: usize = 40;

/// Reads the tables of timers, counters, constants and causes of a section.
pub(crate) fn read_quantities(blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let Some(kind) = kind_of_table(&grid) else { continue };
        for row in &grid.rows {
            let Some(cell) = row.first() else { continue };
            let text = grid.print_row(row);
            let names = match kind {
                DefinedNameKind::Cause => cause_names(cell, row.get(1).map(String::as_str)),
                _ => quantity_names(cell),
            };
            let names = names.into_iter();
            into.names.extend(names.map(|name| DefinedName::in_row(kind, name, text.clone())));
        }
    }
}

/// The kind of a table, by the headings of its first column and of another one. The first heading alone is not enough:
/// many tables begin with a timer or a cause.
fn kind_of_table(grid: &Grid) -> Option<DefinedNameKind> {
    let first = grid.heads.first()?.to_lowercase();
    let has = |words: &[&str]| grid.column(words).is_some_and(|column| column > 0);
    match () {
        () if first.starts_with("timer") && has(&["start", "stop", "expiry", "value"]) => {
            Some(DefinedNameKind::Timer)
        }
        () if first.starts_with("counter") && has(&["reset", "increment", "max"]) => {
            Some(DefinedNameKind::Counter)
        }
        () if first.starts_with("constant") && has(&["usage", "value", "meaning"]) => {
            Some(DefinedNameKind::Constant)
        }
        () if first.starts_with("range bound") && has(&["explanation"]) => {
            Some(DefinedNameKind::Constant)
        }
        () if first.contains("cause") && has(&["meaning"]) => Some(DefinedNameKind::Cause),
        () => None,
    }
}

/// The names of a cause: its number, if it has one, and its words.
fn cause_names<'a>(cell: &'a str, meaning: Option<&'a str>) -> Vec<&'a str> {
    let first_line = |text: &'a str| text.lines().next().unwrap_or_default().trim();
    let cell = first_line(cell);
    if cell.is_empty() || cell.starts_with("NOTE") {
        return Vec::new();
    }
    let is_number = cell.chars().all(|c| c.is_ascii_digit() || c == '#');
    let words = if is_number { meaning.map(first_line) } else { None };
    let is_name = |name: &&str| (1..=MAX_CAUSE_BYTES).contains(&name.len());
    std::iter::once(cell).chain(words).filter(is_name).collect()
}

/// The names in the first cell of a row: `T3480`, with a remark on the lines below; `T310, T312`; `Mobile reachable`.
fn quantity_names(cell: &str) -> Vec<&str> {
    let line = cell.lines().next().unwrap_or_default();
    if line.starts_with("NOTE") {
        return Vec::new();
    }
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_alphabetic()) && (2..=MAX_NAME_BYTES).contains(&name.len())
    };
    line.split([',', '/']).map(|part| without_remark(part.trim())).filter(is_name).collect()
}

/// A name without a remark after it: the first word if it has digits or capitals, otherwise all of it.
fn without_remark(text: &str) -> &str {
    let first = text.split(' ').next().unwrap_or_default();
    let is_symbol =
        first.chars().skip(1).any(|c| c.is_ascii_digit() || c.is_uppercase() || c == '_');
    if is_symbol { first } else { text }
}
