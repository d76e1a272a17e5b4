//! Information elements in the tables of messages: those of the application protocols (`IE/Group Name`), of NAS
//! (`IEI`), and of the tunnelling protocols GTP and PFCP (`Information elements`, `P`).

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedName, NamePresence, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of an element name; longer cells are remarks.
const MAX_NAME_BYTES: usize = 100;

/// Reads the tables of elements of a section; its title is the message, or the element that they are in.
pub(crate) fn read_elements(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let presence = grid.column(&["presence"]).or_else(|| grid.column_named("p"));
        let (Some(name), Some(presence)) = (name_column(&grid), presence) else { continue };
        let caption = table.caption.as_ref().and_then(|caption| message_in(caption.as_str()));
        let title = caption.unwrap_or(title);
        // Only tables of whole NAS messages have identifiers.
        if grid.column_named("iei").is_some() {
            let rows: Vec<String> = grid.rows.iter().map(|row| row_on_a_line(row)).collect();
            let text = format!("{}\n{}", row_on_a_line(&grid.heads), rows.join("\n"));
            into.names.push(DefinedName::in_row(DefinedNameKind::Message, title, text));
        }
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
            let mut element =
                DefinedName::in_row(DefinedNameKind::Element, &text, grid.print_row(row));
            element.within = Some(within.join(" > "));
            element.presence = row.get(presence).and_then(|code| presence_of(code));
            into.names.push(element);
            parents.push(text);
        }
    }
}

/// The message in the title of a table of NAS: `Table 8.2.1.1: ATTACH ACCEPT message content`.
fn message_in(caption: &str) -> Option<&str> {
    let (_, title) = caption.split_once(':')?;
    let message = title.trim().strip_suffix("message content")?.trim();
    (!message.is_empty() && message.len() <= MAX_NAME_BYTES).then_some(message)
}

/// The cells of a row on one line, separated by bars.
fn row_on_a_line(row: &[String]) -> String {
    let cells: Vec<String> =
        row.iter().map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    cells.join(" | ")
}

fn name_column(grid: &Grid) -> Option<usize> {
    let is_name = |head: &String| {
        let head = head.to_lowercase();
        head.starts_with("ie/group name") || head.starts_with("information element")
    };
    grid.heads.iter().position(is_name)
}

/// The meaning of a presence code.
pub(crate) fn presence_of(code: &str) -> Option<NamePresence> {
    match code.trim() {
        "" => None,
        "M" => Some(NamePresence::Mandatory),
        "O" => Some(NamePresence::Optional),
        code if code.starts_with('C') => Some(NamePresence::Conditional),
        code => Some(NamePresence::Other(code.to_owned())),
    }
}
