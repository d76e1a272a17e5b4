//! Tables that describe OpenAPI types: attributes with their data type and presence, and values of enumerations.

use document_model::Block;

use crate::{
    grid::Grid,
    message_rows::presence_of,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Words before the name of a type in the title of its section or table, in lower case.
const TITLE_WORDS: [&str; 6] = [
    "type",
    "data type",
    "enumeration",
    "definition of type",
    "definition of data type",
    "definition of enumeration",
];
/// Maximum length of a name; longer cells are remarks.
const MAX_NAME_BYTES: usize = 80;

/// Reads the tables of attributes and enumeration values of a section.
pub(crate) fn read_attributes(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let Some(kind) = kind_of_table(&grid) else { continue };
        let caption = table.caption.as_ref().and_then(|caption| {
            let (_, title) = caption.as_str().split_once(':')?;
            described_type(title)
        });
        let Some(of) = described_type(title).or(caption) else { continue };
        let presence = grid.column_named("p");
        let data_type = grid.column_named("data type");
        for row in &grid.rows {
            let name = row.first().map(|cell| cell.trim().trim_matches('"')).unwrap_or_default();
            if !is_name(name) {
                continue;
            }
            let mut found = DefinedName::in_row(kind, name, grid.print_row(row));
            found.within = Some(of.to_owned());
            found.presence = presence.and_then(|column| presence_of(row.get(column)?));
            let types = data_type.and_then(|column| element_type(row.get(column)?));
            found.types.extend(types.map(str::to_owned));
            into.names.push(found);
        }
        // The caption has another name than its clause: one of them is a mistake, and either may be looked up.
        if let Some(other) = caption.filter(|other| *other != of) {
            let rows: Vec<String> = grid.rows.iter().map(|row| grid.print_row(row)).collect();
            let mut found = DefinedName::in_row(DefinedNameKind::Schema, other, rows.join("\n"));
            found.types.push(of.to_owned());
            into.names.push(found);
        }
    }
}

fn kind_of_table(grid: &Grid) -> Option<DefinedNameKind> {
    let first = grid.heads.first()?.to_lowercase();
    match first.trim() {
        "attribute name" if grid.column_named("data type").is_some() => {
            Some(DefinedNameKind::Attribute)
        }
        "enumeration value" => Some(DefinedNameKind::Value),
        _ => None,
    }
}

/// The type in a title: `Type: AmfInfo`, `Definition of type AmfInfo`, `Enumeration: CauseAll`.
fn described_type(title: &str) -> Option<&str> {
    let (words, name) = title.trim().rsplit_once([' ', ':'])?;
    let words = words.trim_end_matches([':', ' ']).to_lowercase();
    (TITLE_WORDS.contains(&words.as_str()) && is_name(name)).then_some(name)
}

fn is_name(text: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&text.len())
        && text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// The type of an attribute, or of its elements: `array(Snssai)`, `map(array(PlmnId))`.
pub(crate) fn element_type(cell: &str) -> Option<&str> {
    let mut text = cell.trim();
    while let Some((_, inner)) = text.split_once('(') {
        text = inner.trim_end_matches(')');
    }
    is_name(text).then_some(text)
}
