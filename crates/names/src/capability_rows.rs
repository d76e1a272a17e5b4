//! Capabilities of the terminal: tables whose rows begin with the name of a capability and its definition.

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of a name; longer lines are remarks. Names of capabilities are compounds of many words.
const MAX_NAME_BYTES: usize = 100;

/// Reads the tables of capabilities of a section, in the form of TS 38.306.
pub(crate) fn read_capabilities(blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let first = grid.heads.first().map(|head| head.to_lowercase()).unwrap_or_default();
        if !first.starts_with("definitions for parameters") || grid.column(&["per"]).is_none() {
            continue;
        }
        for row in &grid.rows {
            let Some((line, text)) = row.first().and_then(|cell| cell.split_once('\n')) else {
                continue;
            };
            let names = line.split([',', '/']).map(str::trim).filter(|name| is_name(name));
            for name in names {
                let mut found =
                    DefinedName::in_row(DefinedNameKind::Capability, name, grid.print_row(row));
                found.description = Some(text.trim().to_owned());
                into.names.push(found);
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    (2..=MAX_NAME_BYTES).contains(&text.len())
        && text.starts_with(|c: char| c.is_alphabetic())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
}
