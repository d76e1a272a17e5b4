//! Values that tables code bit by bit: `0 0 1 | EPS only`, including causes.

use document_model::{Block, Table, TableRow};

use crate::{
    grid::cell_text,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum number of bits of a coded value, which are an octet: more zeros and ones are a bitmap or a number.
const MAX_BITS: usize = 8;
/// Maximum length of a meaning; longer ones are remarks.
const MAX_MEANING_BYTES: usize = 120;
/// Maximum number of values of a section: an octet has 256, and each value repeats the title.
const MAX_VALUES: usize = 300;

/// A value with its bits as printed and its meaning.
pub(crate) struct CodedValue {
    pub(crate) bits: String,
    pub(crate) meaning: String,
    /// Whether all bits are in one cell.
    is_one_cell: bool,
}

/// The coded values of a section, in the order of its tables.
pub(crate) fn coded_values(blocks: &[Block]) -> Vec<CodedValue> {
    let tables = blocks.iter().filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    tables.flat_map(values_of_table).take(MAX_VALUES).collect()
}

/// Reads the causes of a section whose title names an element with causes: each by its words and by its number, `EMM
/// cause #35`.
pub(crate) fn read_causes(title: &str, blocks: &[Block], into: &mut SectionNames) {
    if !title.to_lowercase().contains("cause") {
        return;
    }
    for CodedValue { bits, meaning, .. } in coded_values(blocks) {
        let Ok(number) = u8::from_str_radix(&bits, 2) else { continue };
        let text = format!("{title} #{number}: {meaning}\nBits: {bits}");
        for name in [meaning, format!("{title} #{number}")] {
            let mut cause = DefinedName::in_row(DefinedNameKind::Cause, name, text.clone());
            cause.within = Some(title.to_owned());
            into.names.push(cause);
        }
    }
}

/// Reads the other coded values of a section.
pub(crate) fn read_values(title: &str, blocks: &[Block], into: &mut SectionNames) {
    if title.to_lowercase().contains("cause") {
        return;
    }
    for CodedValue { bits, meaning, .. } in coded_values(blocks) {
        if is_filler(&meaning) {
            continue;
        }
        let text = format!("{title}: {meaning}\nBits: {bits}");
        let mut value = DefinedName::in_row(DefinedNameKind::Value, meaning, text);
        value.within = Some(title.to_owned());
        into.names.push(value);
    }
}

/// Reads the fields of a section whose values are coded in tables, each with its values: `Type of use (octet 3, bits
/// 1 to 2)`.
pub(crate) fn read_coded_fields(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let mut open: Option<(String, String, usize)> = None;
        for row in &table.rows {
            let cells: Vec<String> = row.cells.iter().map(cell_text).collect();
            let mut filled = cells.iter().filter(|cell| !cell.is_empty());
            let first = filled.next();
            let head = if filled.next().is_none() { first } else { None };
            if let Some((name, head)) = head.and_then(|head| Some((field_name(head)?, head))) {
                close_field(title, open.take(), into);
                open = Some((name.to_owned(), head.clone(), 0));
            } else if let (Some((_, definition, values)), Some(value)) =
                (&mut open, coded_value(row))
                && *values < MAX_VALUES
            {
                definition.push_str(&format!("\n{}: {}", value.bits, value.meaning));
                *values += 1;
            }
        }
        close_field(title, open, into);
    }
}

/// Adds a field that has values. A single row with bits may be a remark, so a field needs two.
fn close_field(title: &str, open: Option<(String, String, usize)>, into: &mut SectionNames) {
    let Some((name, definition, _)) = open.filter(|(_, _, values)| *values > 1) else { return };
    let names = [Some(name.as_str()), split_abbreviation(&name).map(|(_, short)| short)];
    for name in names.into_iter().flatten() {
        let mut field = DefinedName::in_row(DefinedNameKind::Parameter, name, definition.clone());
        field.within = Some(title.to_owned());
        into.names.push(field);
    }
}

/// The words of a name and their abbreviation: `User plane optimization (UP)`.
fn split_abbreviation(name: &str) -> Option<(&str, &str)> {
    let (words, short) = name.strip_suffix(')')?.rsplit_once('(')?;
    let is_short = short.len() >= 2 && short.len() < words.len();
    is_short.then_some((words.trim_end(), short.trim()))
}

/// The name of a field in a row that gives its position in the octets: `Type of use (octet 3, bits 1 to 2)`.
fn field_name(head: &str) -> Option<&str> {
    let line = head.lines().next()?;
    let place = ["(octet", "(bit"].iter().filter_map(|place| line.find(place)).min()?;
    let name = line[..place].trim();
    (2..=MAX_MEANING_BYTES).contains(&name.len()).then_some(name)
}

/// A text without the remark at its end: `ISR activated (NOTE 1)`, `Redundancy version (if present)`.
pub(crate) fn without_note(text: &str) -> &str {
    match text.rfind('(') {
        Some(at)
            if ["NOTE", "IF PRESENT"]
                .iter()
                .any(|remark| text[at..].to_uppercase().contains(remark)) =>
        {
            text[..at].trim_end()
        }
        _ => text,
    }
}

/// Whether a meaning is a filler, such as an unused value. As names, these would be found in every section.
fn is_filler(meaning: &str) -> bool {
    let words = meaning.to_lowercase();
    ["n/a", "reserved", "spare", "unused", "not used", "all other values"]
        .iter()
        .any(|filler| words.starts_with(filler))
}

/// The values of a table. A single bit is a value only below a row that says so, and bits in one cell only if another
/// value begins with 0: otherwise 0, 1, 10 and 11 are numbers, as they are among other numbers.
pub(crate) fn values_of_table(table: &Table) -> impl Iterator<Item = CodedValue> + '_ {
    let first_cells = || table.rows.iter().filter_map(|row| row.cells.first()).map(cell_text);
    let has_bit = first_cells().any(|text| names_bit(&text));
    let has_zero = first_cells().any(|text| text.len() > 1 && text.starts_with('0'));
    let has_number = table.rows.iter().any(is_numbered);
    let is_certain = move |value: &CodedValue| match (value.is_one_cell, value.bits.len()) {
        (true, _) => has_zero && !has_number,
        (false, 1) => has_bit && !has_number,
        (false, _) => true,
    };
    table.rows.iter().filter_map(coded_value).filter(is_certain)
}

/// Whether a text announces a bit: `Bit`, `Integrity check (octet 3, bit 2)`.
fn names_bit(text: &str) -> bool {
    let inner = text.strip_suffix(')').and_then(|text| text.rsplit_once(", bit "));
    text.eq_ignore_ascii_case("bit") || inner.is_some_and(|(_, bit)| bit.parse::<u8>().is_ok())
}

/// Whether a row begins with a number that cannot be bits: `2 | Foo`. Rows of several numbers name the bits of an
/// octet.
fn is_numbered(row: &TableRow) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let cells: Vec<String> = row.cells.iter().take(2).map(cell_text).collect();
    match cells.as_slice() {
        [first, second] => {
            is_number(first)
                && first.bytes().any(|byte| byte > b'1')
                && !second.is_empty()
                && !is_number(second)
        }
        _ => false,
    }
}

/// The value of a row that begins with bits and ends with words.
fn coded_value(row: &TableRow) -> Option<CodedValue> {
    let cells: Vec<String> = row.cells.iter().map(cell_text).collect();
    let mut bits: String =
        cells.iter().map(String::as_str).take_while(|text| matches!(*text, "0" | "1")).collect();
    let mut columns = bits.len();
    let is_one_cell = bits.is_empty();
    if is_one_cell {
        // All bits in one cell.
        let first = cells.first()?;
        bits = first.split_whitespace().collect();
        columns = 1;
        if !bits.bytes().all(|bit| matches!(bit, b'0' | b'1')) {
            return None;
        }
    }
    let mut rest = cells.iter().skip(columns).filter(|text| !text.is_empty());
    let meaning = rest.next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let meaning = without_note(&meaning).to_owned();
    let is_value = (1..=MAX_BITS).contains(&bits.len())
        && rest.next().is_none()
        && meaning.len() <= MAX_MEANING_BYTES
        && meaning.starts_with(char::is_alphanumeric);
    is_value.then_some(CodedValue { bits, meaning, is_one_cell })
}
