//! Information elements in the tables of messages: those of the application protocols (`IE/Group Name`) and of NAS (`IEI`).

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedKind, DefinedName, NamePresence, SectionNames},
};

/// Longest name of an element in bytes; longer cells are remarks.
const MAX_NAME_BYTES: usize = 100;

/// Reads the tables of elements of a section; its title is the message, or the element that they are in.
pub(crate) fn read_elements(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let (Some(name), Some(presence)) = (name_column(&grid), grid.column(&["presence"])) else {
            continue;
        };
        let mut parents: Vec<String> = Vec::new();
        for row in &grid.rows {
            let Some(cell) = row.get(name) else { continue };
            let depth = cell.chars().take_while(|c| *c == '>').count();
            let text = cell.trim_start_matches('>').trim().replace('\n', " ");
            if text.is_empty() || text.len() > MAX_NAME_BYTES || text.starts_with("NOTE") {
                continue;
            }
            parents.truncate(depth);
            let within: Vec<&str> =
                std::iter::once(title).chain(parents.iter().map(String::as_str)).collect();
            let mut element = DefinedName::new(DefinedKind::Element, &text, grid.print_row(row));
            element.within = Some(within.join(" > "));
            element.presence = row.get(presence).and_then(|code| presence_of(code));
            into.names.push(element);
            parents.push(text);
        }
    }
}

fn name_column(grid: &Grid) -> Option<usize> {
    let is_name = |head: &String| {
        let head = head.to_lowercase();
        head.starts_with("ie/group name") || head.starts_with("information element")
    };
    grid.heads.iter().position(is_name)
}

/// What a code of presence says.
fn presence_of(code: &str) -> Option<NamePresence> {
    match code.trim() {
        "" => None,
        "M" => Some(NamePresence::Mandatory),
        "O" => Some(NamePresence::Optional),
        code if code.starts_with('C') => Some(NamePresence::Conditional),
        code => Some(NamePresence::Other(code.to_owned())),
    }
}
