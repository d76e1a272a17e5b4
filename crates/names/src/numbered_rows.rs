//! Tables of the numbers that a protocol in octets gives its messages, its elements and its causes: GTP and PFCP print them with a
//! column `Message Type value (Decimal)`, `IE Type value (Decimal)` or `Cause value (decimal)`.

use document_model::Block;

use crate::{
    grid::Grid,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of a name; longer cells are remarks. The longest of GTPv2 has 80 bytes.
const MAX_NAME_BYTES: usize = 120;

/// The columns of a table of numbers.
struct NumberedTable {
    kind: DefinedNameKind,
    /// What a number is called in front of it: `Cause #72`.
    label: &'static str,
    number: usize,
    name: usize,
}

/// Reads the tables of numbers of a section: each row by its name and by its number, `IE type 21`.
pub(crate) fn read_numbers(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let Some(grid) = Grid::read(table) else { continue };
        let Some(columns) = columns_of(&grid) else { continue };
        for row in &grid.rows {
            let (Some(number), Some(name)) = (row.get(columns.number), row.get(columns.name))
            else {
                continue;
            };
            let Ok(number) = number.trim().parse::<u16>() else { continue };
            let Some(name) = name_in(name) else { continue };
            let text = grid.print_row(row);
            for name in [name, format!("{}{number}", columns.label)] {
                let mut found = DefinedName::in_row(columns.kind, name, text.clone());
                found.within = (!title.is_empty()).then(|| title.to_owned());
                into.names.push(found);
            }
        }
    }
}

/// The columns of a table of numbers, by their headings.
fn columns_of(grid: &Grid) -> Option<NumberedTable> {
    let heads: Vec<String> =
        grid.heads.iter().map(|head| head.replace('\n', " ").to_lowercase()).collect();
    let starting = |words: &[&str]| {
        heads.iter().position(|head| words.iter().any(|word| head.starts_with(word)))
    };
    let table = |kind, label, number: usize, name: Option<usize>| {
        let name = name.filter(|name| *name != number)?;
        Some(NumberedTable { kind, label, number, name })
    };
    if let Some(number) = starting(&["message type value"]) {
        let name = heads.iter().position(|head| head == "message" || head == "messages");
        return table(DefinedNameKind::Message, "Message type ", number, name);
    }
    if let Some(number) = starting(&["ie type value"]) {
        let name = starting(&["information element"]);
        return table(DefinedNameKind::Element, "IE type ", number, name);
    }
    // If the causes stand in the first column, `quantities` reads the table.
    let number = starting(&["cause value"]).filter(|number| *number > 0)?;
    table(DefinedNameKind::Cause, "Cause #", number, starting(&["meaning"]))
}

/// The name in a cell; `None` for a remark, and for numbers that are kept free.
fn name_in(cell: &str) -> Option<String> {
    let name = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_end_matches('.');
    let words = name.to_lowercase();
    let is_free =
        ["reserved", "spare", "for future use", "unused", "not used", "shall not be used"]
            .iter()
            .any(|free| words.starts_with(free));
    let is_name = (2..=MAX_NAME_BYTES).contains(&name.len()) && !is_free;
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::table;

    fn read(rows: &[&[&str]]) -> Vec<(String, DefinedNameKind)> {
        let mut names = SectionNames::default();
        read_numbers("Types", &[table(rows)], &mut names);
        names.names.into_iter().map(|name| (name.name, name.kind)).collect()
    }

    #[test]
    fn rows_of_numbers_are_found_by_name_and_by_number() {
        use DefinedNameKind::{Cause, Element, Message};
        let named = |pairs: &[(&str, DefinedNameKind)]| {
            pairs.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect::<Vec<_>>()
        };
        for (rows, found) in [
            (
                &[
                    &["Message Type value (Decimal)", "Message", "Reference"][..],
                    &["0", "Reserved", ""],
                    &["", "Lamp messages", ""],
                    &["7", "Lamp\nRequest", "5.1"],
                    &["8 to 20", "For future use", ""],
                ][..],
                named(&[("Lamp Request", Message), ("Message type 7", Message)]),
            ),
            (
                &[
                    &["IE Type value\n(Decimal)", "Information elements", "Comment / Reference"],
                    &["1", "Wick", "Extendable / Clause 8.1"],
                    &["2 to 9", "Spare. For future use.", ""],
                    &["65536", "Oil", "too large for a type"],
                ],
                named(&[("Wick", Element), ("IE type 1", Element)]),
            ),
            (
                &[
                    &["Message Type", "Cause value (decimal)", "Meaning"],
                    &["", "0", "Reserved."],
                    &["Rejection", "72", "No lamp lit."],
                    &["", "73-255", "Spare."],
                ],
                named(&[("No lamp lit", Cause), ("Cause #72", Cause)]),
            ),
            // Numbers without a name beside them, and names without numbers, are other tables.
            (&[&["IE Type value", "Length"], &["1", "4"]], Vec::new()),
            (&[&["Value", "Meaning"], &["1", "Lit"]], Vec::new()),
        ] {
            assert_eq!(read(rows), found, "{rows:?}");
        }
    }
}
