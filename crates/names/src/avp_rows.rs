//! Attribute-value pairs of Diameter: tables with a row for each, with its code and type.

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of a name; longer cells are remarks.
const MAX_NAME_BYTES: usize = 80;

/// Reads the tables of attribute-value pairs of a section.
pub(crate) fn read_avps(blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table).map(Grid::with_joined_heads) else { continue };
        let (Some(name), Some(code)) = (grid.column(&["attribute name"]), grid.column(&["code"]))
        else {
            continue;
        };
        for row in &grid.rows {
            let text = row.get(name).map(|cell| cell.trim()).unwrap_or_default();
            // A name without a hyphen, such as `MSISDN`, is one beside its number.
            let has_code = row.get(code).is_some_and(|code| code.trim().parse::<u32>().is_ok());
            let is_name = (2..=MAX_NAME_BYTES).contains(&text.len())
                && (text.contains('-') || has_code)
                && text.chars().all(|c| c.is_alphanumeric() || c == '-');
            if is_name {
                let row = DefinedName::in_row(DefinedNameKind::Element, text, grid.print_row(row));
                into.names.push(row);
            }
        }
    }
}
