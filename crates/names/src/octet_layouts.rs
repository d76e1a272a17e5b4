//! Layouts of information elements in octets, as NAS and the tunnelling protocols draw them: a heading row of the
//! bits 8 to 1, and below it a row for each octet. The values that tables code bit by bit follow.

use std::fmt::Write as _;

use document_model::{Block, Table, TableRow};

use crate::{
    coded_values::coded_values,
    grid::cell_text,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Bits of an octet.
const BITS: u16 = 8;

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
    let has_head = table.rows.iter().take(2).any(is_bit_head);
    let mut text = String::new();
    for row in table.rows.iter().filter(|row| !is_bit_head(row)) {
        let (label, cells) = row.cells.split_last()?;
        let label = cell_text(label).replace('\n', " ");
        if !label.to_lowercase().starts_with("octet") {
            continue;
        }
        let mut fields = Vec::new();
        let mut bit = BITS;
        // If the columns are not the eight bits, they do not give positions.
        let columns: u32 = cells.iter().map(|cell| u32::from(cell.span.max(1))).sum();
        let has_bits = has_head && row.skipped_columns == 0 && columns == u32::from(BITS);
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
        if !text.is_empty() {
            text.push('\n');
        }
        write!(text, "{label}: {}", fields.join(", ")).expect("a text takes every line");
    }
    (!text.is_empty()).then_some(text)
}

/// Whether a row numbers the bits in descending order: 8 7 6 5 4 3 2 1.
fn is_bit_head(row: &TableRow) -> bool {
    let bits = row.cells.iter().map(cell_text).filter(|text| !text.is_empty());
    bits.take(usize::from(BITS)).eq((1..=BITS).rev().map(|bit| bit.to_string()))
}
