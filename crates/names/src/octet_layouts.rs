//! Layouts of information elements in octets, as NAS and the tunnelling protocols draw them: a heading row of the
//! bits 8 to 1, and below it a row for each octet, which NAS names after the bits and the tunnelling protocols before them. The values
//! that tables code bit by bit follow.

use std::fmt::Write as _;

use document_model::{Block, Table, TableCell, TableRow};

use crate::{
    coded_values::coded_values,
    grid::cell_text,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Bits of an octet.
const BITS: u16 = 8;
/// Maximum length of the place of octets; `(m+16) to (m+24)` has 16 bytes.
const MAX_PLACE_BYTES: usize = 24;
/// The heading of a layout stands in its first row, or below the word "Bits".
const MAX_HEAD_ROWS: usize = 2;

/// Reads the layouts of a section as the definition of the element that its title names.
pub(crate) fn read_layouts(title: &str, blocks: &[Block], into: &mut SectionNames) {
    let layouts: Vec<String> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Table(table) => print_layout(table),
            _ => None,
        })
        .collect();
    if layouts.is_empty() || title.is_empty() {
        return;
    }
    let mut text = layouts.join("\n\n");
    for (index, value) in coded_values(blocks).iter().enumerate() {
        text.push_str(if index == 0 { "\n\n" } else { "\n" });
        write!(text, "{}: {}", value.bits, value.meaning).expect("a text takes every line");
    }
    let element = DefinedName::in_row(DefinedNameKind::Element, title, text);
    into.names.push(element);
}

/// The octets of a layout, one per line: `octet 3: bits 8 to 5 spare, bits 4 to 1 EPS attach result`; `None` for any
/// other table.
fn print_layout(table: &Table) -> Option<String> {
    if let Some(rows) = rows_of_led_layout(table) {
        return print_led_layout(rows);
    }
    let has_head = table.rows.iter().take(2).any(is_bit_head);
    let mut text = String::new();
    for row in table.rows.iter().filter(|row| !is_bit_head(row)) {
        let (label, cells) = row.cells.split_last()?;
        let label = cell_text(label).replace('\n', " ");
        if !label.to_lowercase().starts_with("octet") {
            continue;
        }
        // If the columns are not the eight bits, they do not give positions.
        let columns: u32 = cells.iter().map(|cell| u32::from(cell.span.max(1))).sum();
        let has_bits = has_head && row.skipped_columns == 0 && columns == u32::from(BITS);
        add_octet(&mut text, &label, &print_fields(cells, has_bits));
    }
    (!text.is_empty()).then_some(text)
}

/// The rows of a layout that names octets before their bits, below its heading.
fn rows_of_led_layout(table: &Table) -> Option<&[TableRow]> {
    let head = table.rows.iter().take(MAX_HEAD_ROWS).position(is_octets_head)?;
    table.rows.get(head + 1..)
}

/// Whether a table is a layout that names octets before their bits.
pub(crate) fn is_led_layout(table: &Table) -> bool {
    rows_of_led_layout(table).is_some()
}

/// The octets of a layout that names each before its bits: `5`, `6 to (n+4)`; `None` if there are none. The columns around the layout
/// are empty.
fn print_led_layout(rows: &[TableRow]) -> Option<String> {
    let mut text = String::new();
    for row in rows {
        let mut cells = row.cells.iter().enumerate();
        let Some((at, label)) = cells.find(|(_, cell)| !cell_text(cell).is_empty()) else {
            continue;
        };
        let label = cell_text(label).replace('\n', " ");
        if !is_octet_place(&label) {
            continue;
        }
        let mut columns = 0;
        let mut end = at + 1;
        while end < row.cells.len() && columns < BITS {
            columns += row.cells[end].span.max(1);
            end += 1;
        }
        let fields = print_fields(&row.cells[at + 1..end], columns == BITS);
        if !fields.is_empty() {
            add_octet(&mut text, &format!("octet {label}"), &fields);
        }
    }
    (!text.is_empty()).then_some(text)
}

/// The fields of an octet; `has_bits` if its columns are the eight bits.
fn print_fields(cells: &[TableCell], has_bits: bool) -> String {
    let mut fields = Vec::new();
    let mut bit = BITS;
    for cell in cells {
        let (first, last) = (bit, bit.saturating_sub(cell.span.max(1) - 1));
        bit = last.saturating_sub(1);
        let name = cell_text(cell).replace('\n', " ");
        if name.is_empty() {
            continue;
        }
        fields.push(match () {
            () if (first, last) == (BITS, 1) || !has_bits => name,
            () if first == last => format!("bit {first} {name}"),
            () => format!("bits {first} to {last} {name}"),
        });
    }
    fields.join(", ")
}

/// Adds a line for an octet.
fn add_octet(text: &mut String, label: &str, fields: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    write!(text, "{label}: {fields}").expect("a text takes every line");
}

/// Whether a text is the place of an octet or of several: `5`, `1 to 2`, `6 to (n+4)`, `m to (m+3)`, `(p+1)`.
fn is_octet_place(text: &str) -> bool {
    let is_place = |word: &str| {
        let word = word.trim_matches(|c| matches!(c, '(' | ')'));
        let mut parts = word.split(['+', '-']).filter(|part| !part.is_empty());
        parts.all(|part| {
            part.bytes().all(|byte| byte.is_ascii_digit())
                || (part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_lowercase()))
        })
    };
    text.len() <= MAX_PLACE_BYTES
        && text.chars().any(char::is_alphanumeric)
        && text.split_whitespace().all(|word| word == "to" || is_place(word))
}

/// Whether a row is the heading of a layout that names octets before their bits: `Octets`, 8 7 6 5 4 3 2 1.
fn is_octets_head(row: &TableRow) -> bool {
    let mut cells = row.cells.iter().map(cell_text).filter(|text| !text.is_empty());
    let is_led = cells.next().is_some_and(|first| first.eq_ignore_ascii_case("octets"));
    is_led && cells.take(usize::from(BITS)).eq((1..=BITS).rev().map(|bit| bit.to_string()))
}

/// Whether a row numbers the bits in descending order: 8 7 6 5 4 3 2 1.
fn is_bit_head(row: &TableRow) -> bool {
    let bits = row.cells.iter().map(cell_text).filter(|text| !text.is_empty());
    bits.take(usize::from(BITS)).eq((1..=BITS).rev().map(|bit| bit.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::table;

    /// A layout; a number after a bar is the span of a cell.
    fn layout(rows: &[&[&str]]) -> SectionNames {
        let Block::Table(mut table) = table(rows) else { unreachable!("a table") };
        for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
            let text = cell_text(cell);
            if let Some((name, span)) = text.split_once('|') {
                cell.span = span.parse().expect("a span");
                cell.paragraphs[0].text = name.into();
            }
        }
        let mut names = SectionNames::default();
        read_layouts("Lamp ID", &[Block::Table(table)], &mut names);
        names
    }

    #[test]
    fn a_layout_that_names_octets_first_is_read() {
        let names = layout(&[
            &["", "", "Bits|8", ""],
            &["", "Octets", "8", "7", "6", "5", "4", "3", "2", "1", ""],
            &["", "1 to 2", "Type = 21 (decimal)|8", ""],
            &["", "5", "Spare|6", "V6", "V4", ""],
            &["", "m to (m+3)", "IPv4 address|8", ""],
            &["", "", "not an octet|8", ""],
        ]);
        let found: Vec<(&str, &str)> =
            names.names.iter().map(|name| (name.name.as_str(), name.definition.as_str())).collect();
        let octets = "octet 1 to 2: Type = 21 (decimal)\noctet 5: bits 8 to 3 Spare, bit 2 V6, bit 1 V4\noctet m to (m+3): IPv4 address";
        assert_eq!(found, [("Lamp ID", octets)]);
    }

    #[test]
    fn places_of_octets_are_numbers_and_single_letters() {
        for place in ["5", "1 to 2", "6 to (n+4)", "m to (m+3)", "(p+1)", "k-1"] {
            assert!(is_octet_place(place), "{place}");
        }
        for words in
            ["", "Type", "octet 5", "TEID", "5 bits", "(+)", "to the end of the element, and on"]
        {
            assert!(!is_octet_place(words), "{words}");
        }
    }
}
