//! Tables of any subject that name things and describe each: parameters of a procedure, information elements of a
//! flow, errors of an API, features, events, conditions; and tables of codes: `Codepoint | LCID values`.
//!
//! A table names things if one column has a distinct short text in each row, and another one describes, or counts,
//! them. Readers of known tables alone found .72 of a blind sample of 300 rows.

use std::collections::HashSet;

use document_model::{Block, Table};

use crate::{
    attribute_rows::element_type,
    coded_fields,
    coded_values::{values_of_table, without_note},
    codes::is_code,
    grid::Grid,
    message_rows::{begins_with_octets, presence_of},
    name::{DefinedName, NamePresence, SectionNames},
    octet_layouts::is_led_layout,
};
use domain::DefinedNameKind;

/// Maximum length of a name; longer cells are remarks.
const MAX_NAME_BYTES: usize = 160;
/// Maximum number of rows of a table; longer ones are data.
const MAX_ROWS: usize = 500;
/// Beginnings and ends of headings whose column describes what the row names, in lower case.
const DESCRIBING: [&str; 15] = [
    "description",
    "definition",
    "explanation",
    "meaning",
    "usage",
    "semantics",
    "documentation",
    "interpretation",
    "purpose",
    "information contents",
    "remarks",
    "status code",
    "function",
    // Fields of a layout: `Number of bits`.
    "bits",
    "bitwidth",
];
/// Ends of headings whose column names things even if no other column describes them.
const NAMING: [&str; 6] =
    ["name", "names", "attributes", "operating band", "bandwidth class", "signalling label"];
/// First words of the headings of columns of codes.
const CODES: [&str; 9] =
    ["bit", "bits", "value", "values", "code", "codepoint", "index", "type", "number"];
/// Kinds by a word of the heading above the names; the first match counts, so specific words precede general ones.
const KINDS: [(&str, DefinedNameKind); 17] = [
    ("error", DefinedNameKind::Cause),
    ("cause", DefinedNameKind::Cause),
    ("timer", DefinedNameKind::Timer),
    ("counter", DefinedNameKind::Counter),
    ("constant", DefinedNameKind::Constant),
    ("feature", DefinedNameKind::Capability),
    ("capability", DefinedNameKind::Capability),
    ("condition", DefinedNameKind::Condition),
    ("attribute", DefinedNameKind::Attribute),
    ("type name", DefinedNameKind::Schema),
    ("information", DefinedNameKind::Element),
    ("element", DefinedNameKind::Element),
    ("procedure", DefinedNameKind::Procedure),
    ("operation", DefinedNameKind::Operation),
    ("enumeration", DefinedNameKind::Value),
    ("value", DefinedNameKind::Value),
    ("bit", DefinedNameKind::Value),
];

/// Reads the tables of a section that no other reader has read.
pub(crate) fn read_described_rows(title: &str, blocks: &[Block], into: &mut SectionNames) {
    let read: HashSet<String> = into.names.iter().map(|name| name.definition.clone()).collect();
    for block in blocks {
        let Block::Table(table) = block else { continue };
        if is_led_layout(table) || begins_with_octets(table) {
            continue;
        }
        let Some(grid) = Grid::read(table).map(Grid::without_remarks) else { continue };
        if grid.heads.is_empty() {
            continue;
        }
        let is_read = |grid: &Grid| grid.rows.iter().any(|row| read.contains(&grid.print_row(row)));
        let joined = Grid::read(table).map(Grid::with_joined_heads).map(Grid::without_remarks);
        if grid.rows.len() > MAX_ROWS || is_read(&grid) || joined.as_ref().is_some_and(is_read) {
            continue;
        }
        let named = named_column(&grid);
        if let (Some(joined), Some(subject)) = (&joined, subject_of(table))
            && (named.is_none() || has_codes(&grid))
        {
            coded_fields::read_field(joined, subject, into);
        }
        // A single code of zeros and ones may be among others.
        if values_of_table(table).nth(1).is_some() {
            continue;
        }
        let within = subject_of(table).unwrap_or(title);
        if let Some((column, kind)) = named {
            read_rows(&grid, column, kind, within, into);
        } else if defines_its_section(&grid) {
            read_section_definition(title, &grid, into);
        } else if has_no_heads(&grid) {
            read_pairs(&grid, within, into);
        }
    }
}

fn read_rows(
    grid: &Grid,
    column: usize,
    kind: DefinedNameKind,
    within: &str,
    into: &mut SectionNames,
) {
    let presence = presence_column(grid);
    let data_type = grid.column_named("data type").filter(|data_type| *data_type != column);
    for row in &grid.rows {
        let Some(name) = row.get(column).and_then(|cell| name_in(cell)) else { continue };
        let mut found = DefinedName::in_row(kind, name, grid.print_row(row));
        // Types, timers and counters have one name in the whole document.
        found.within = match kind {
            DefinedNameKind::Schema | DefinedNameKind::Timer | DefinedNameKind::Counter => None,
            _ => Some(within.to_owned()),
        };
        let told = presence.and_then(|column| presence_in(row.get(column)?));
        found.presence = told.or_else(|| row.iter().find_map(|cell| required_in(cell)));
        let types = data_type.and_then(|column| element_type(row.get(column)?));
        found.types.extend(types.map(str::to_owned));
        into.names.push(found);
    }
}

/// Whether a table defines the title of its section: `Definition | ...`, as for measurements.
fn defines_its_section(grid: &Grid) -> bool {
    grid.heads.len() == 2 && plain(&grid.heads[0]) == "definition"
}

/// Adds the title of a section, and its abbreviation in parentheses: `Reference power (R-RSRP)`.
fn read_section_definition(title: &str, grid: &Grid, into: &mut SectionNames) {
    let rows = std::iter::once(&grid.heads).chain(&grid.rows);
    let lines: Vec<String> = rows.map(|row| row.join(": ")).collect();
    let short = title.rsplit_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    for name in std::iter::once(title).chain(short) {
        if name.len() <= MAX_NAME_BYTES {
            into.names.push(DefinedName::in_row(
                DefinedNameKind::Parameter,
                name,
                lines.join("\n"),
            ));
        }
    }
}

/// Whether the first row of a table is like all others: a word, and a text that describes it.
fn has_no_heads(grid: &Grid) -> bool {
    let is_pair = |row: &Vec<String>| match row.as_slice() {
        [name, text] => {
            name_in(name).is_some_and(|name| !name.contains(' '))
                && text.split_whitespace().count() > 2
        }
        _ => false,
    };
    grid.rows.len() >= 2
        && is_pair(&grid.heads)
        && grid.rows.iter().filter(|row| is_pair(row)).count() * 10 >= grid.rows.len() * 8
}

fn read_pairs(grid: &Grid, within: &str, into: &mut SectionNames) {
    for row in std::iter::once(&grid.heads).chain(&grid.rows) {
        let [cell, text] = row.as_slice() else { continue };
        let Some(name) = name_in(cell) else { continue };
        let text = format!("{}: {text}", cell.trim());
        let mut found = DefinedName::in_row(DefinedNameKind::Parameter, name, text);
        found.within = Some(within.to_owned());
        into.names.push(found);
    }
}

/// The column that says whether each row has to be present, by its cells: headings vary.
fn presence_column(grid: &Grid) -> Option<usize> {
    (0..grid.heads.len()).find(|column| {
        let cells = grid.rows.iter().filter_map(|row| row.get(*column));
        let told = cells.filter(|cell| presence_in(cell).is_some()).count();
        told * 10 >= grid.rows.len() * 6
    })
}

/// Whether something has to be present: `M`, `O`, `CM`, `Mandatory (NOTE 2)`.
fn presence_in(cell: &str) -> Option<NamePresence> {
    match cell.trim() {
        code @ ("M" | "O" | "C" | "CM" | "CO") => presence_of(code),
        words if words.starts_with("Mandatory") => Some(NamePresence::Mandatory),
        words if words.starts_with("Optional") => Some(NamePresence::Optional),
        words if words.starts_with("Conditional") => Some(NamePresence::Conditional),
        _ => None,
    }
}

/// The presence at the beginning of a description: `REQUIRED. The type of ...`.
fn required_in(cell: &str) -> Option<NamePresence> {
    match cell.split(['.', ' ', '\n']).next()? {
        "REQUIRED" => Some(NamePresence::Mandatory),
        "OPTIONAL" => Some(NamePresence::Optional),
        _ => None,
    }
}

/// The subject of a table, by its caption: `Table 6.1.7.3-1: Application errors`, `Table 6-1 Bitmap`.
fn subject_of(table: &Table) -> Option<&str> {
    let caption = table.caption.as_ref()?.as_str();
    let after_number = || caption.strip_prefix("Table ")?.split_once(' ').map(|(_, rest)| rest);
    let after_colon = caption.split_once(':').map(|(_, subject)| subject);
    let subject = after_colon.or_else(after_number).unwrap_or(caption).trim();
    (!subject.is_empty()).then_some(subject)
}

/// The column with the names of a table, and their kind.
fn named_column(grid: &Grid) -> Option<(usize, DefinedNameKind)> {
    let heads: Vec<String> = grid.heads.iter().map(|head| plain(head)).collect();
    // The use of a type by an API is not its definition.
    if heads.first()? == "data type" && heads.iter().any(|head| head == "cardinality") {
        return None;
    }
    let is_coded = has_codes(grid);
    // A row of a table of codes may be reserved, or a list.
    let least = if is_coded { 50 } else { 70 };
    let column = (0..heads.len()).find(|column| has_names(grid, *column, least))?;
    let is_describing = |head: &String| {
        head == "use"
            || DESCRIBING.iter().any(|word| head.starts_with(word) || head.ends_with(word))
    };
    let is_named = heads.iter().skip(column + 1).any(is_describing)
        || NAMING.iter().any(|word| heads[column].ends_with(word))
        || heads[column].starts_with("value for ")
        // The subject of each row, beside words.
        || column == 0 && heads[0].is_empty() && has_words(grid);
    if !is_named && !is_coded {
        return None;
    }
    let head = &heads[column];
    let kind = KINDS.iter().find(|(word, _)| head.contains(word)).map(|(_, kind)| *kind);
    let otherwise = if is_coded { DefinedNameKind::Value } else { DefinedNameKind::Parameter };
    Some((column, kind.unwrap_or(otherwise)))
}

/// A heading in lower case and on one line.
fn plain(head: &str) -> String {
    head.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the first column has only codes, and a heading that says so.
fn has_codes(grid: &Grid) -> bool {
    let head = plain(&grid.heads[0]);
    let first_word = head.split([' ', '/', '(']).next().unwrap_or_default();
    CODES.contains(&first_word)
        && grid.rows.iter().all(|row| row.first().is_some_and(|cell| is_code(cell)))
}

/// Whether most rows have words after their first cell.
fn has_words(grid: &Grid) -> bool {
    let says =
        |row: &&Vec<String>| row.iter().skip(1).any(|cell| cell.contains(' ') && !is_code(cell));
    grid.rows.iter().filter(says).count() * 2 > grid.rows.len()
}

/// Whether at least `least` percent of the cells of a column are names, and at least half of these are distinct.
fn has_names(grid: &Grid, column: usize, least: usize) -> bool {
    let names: Vec<&str> = grid.rows.iter().filter_map(|row| name_in(row.get(column)?)).collect();
    let distinct: HashSet<&str> = names.iter().copied().collect();
    !names.is_empty()
        && names.len() * 100 >= grid.rows.len() * least
        && distinct.len() * 2 >= names.len()
}

/// The name in a cell: its first line, without marks of nesting, quotation marks and notes in parentheses.
fn name_in(cell: &str) -> Option<&str> {
    let line = cell.lines().next()?.trim_start_matches('>').trim();
    let name = without_note(line).trim_matches(['"', '\u{201c}', '\u{201d}', '\'']);
    let is_name = name.len() <= MAX_NAME_BYTES
        && name.starts_with(char::is_alphanumeric)
        && name.chars().any(char::is_alphabetic)
        && !name.starts_with("NOTE")
        && !name.ends_with(['.', ';', ':'])
        && !is_code(name);
    is_name.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::table;

    fn names(rows: &[&[&str]]) -> Vec<(DefinedNameKind, String, Option<String>)> {
        let mut found = SectionNames::default();
        read_described_rows("Title (T-RSRP)", &[table(rows)], &mut found);
        found.names.into_iter().map(|name| (name.kind, name.name, name.within)).collect()
    }

    #[test]
    fn rows_with_a_description_are_named_by_their_first_short_text() {
        use DefinedNameKind::{Capability, Cause, Condition, Element, Parameter, Schema, Value};
        use domain::DefinedNameKind;
        type Rows = &'static [&'static [&'static str]];
        let cases: [(Rows, &[(DefinedNameKind, &str)]); 13] = [
            (
                &[
                    &["Application Error", "HTTP status code", "Description"],
                    &["USER_NOT_FOUND", "404", "Nobody."],
                    &["NOT_ALLOWED", "403", "No."],
                ],
                &[(Cause, "USER_NOT_FOUND"), (Cause, "NOT_ALLOWED")],
            ),
            (
                &[
                    &["Feature number", "Feature Name", "Description"],
                    &["1", "Sharing", "It shares."],
                    &["2", "Waking", "It wakes."],
                ],
                &[(Capability, "Sharing"), (Capability, "Waking")],
            ),
            (
                &[&["Information element", "Status", "Description"], &["UE ID", "M", "Which."]],
                &[(Element, "UE ID")],
            ),
            (
                &[&["Conditional Presence", "Explanation"], &["Setup", "It is there."]],
                &[(Condition, "Setup")],
            ),
            (
                &[&["Type Name", "Type Definition", "Description"], &["Supi", "string", "It."]],
                &[(Schema, "Supi")],
            ),
            (
                &[&["Parameter", "Explanation"], &["Rate (NOTE 1)", "How fast."]],
                &[(Parameter, "Rate")],
            ),
            (
                &[
                    &["Codepoint", "Index", "LCID values"],
                    &["0", "64", "CCCH"],
                    &["1-2", "65", "BSR"],
                ],
                &[(Value, "CCCH"), (Value, "BSR")],
            ),
            (&[&["Index", "Kind"], &["12", "Data PDU"]], &[(Value, "Data PDU")]),
            (
                &[&["Grant", "Number of bits"], &["Hopping flag", "1"]],
                &[(Parameter, "Hopping flag")],
            ),
            (&[&["Value for the Wake header", "Reference"], &["Soon", "5.1"]], &[(Value, "Soon")]),
            (&[&["Channel name", "Up", "Down"], &["Paging", "", "X"]], &[(Parameter, "Paging")]),
            (
                &[
                    &["Srx", "Level of the beacon (dB)"],
                    &["Squal", "Its quality in decibels"],
                    &["Pc", "The compensation of power"],
                ],
                &[(Parameter, "Srx"), (Parameter, "Squal"), (Parameter, "Pc")],
            ),
            (
                &[&["Definition", "The power of the beacon."], &["Applies to", "Units"]],
                &[(Parameter, "Title (T-RSRP)"), (Parameter, "T-RSRP")],
            ),
        ];
        for (rows, expected) in cases {
            let found = names(rows);
            let found: Vec<(DefinedNameKind, &str)> =
                found.iter().map(|(kind, name, _)| (*kind, name.as_str())).collect();
            assert_eq!(found, expected, "{rows:?}");
        }
    }

    #[test]
    fn tables_of_data_and_of_pointers_name_nothing() {
        for rows in [
            &[&["Data type", "Cardinality", "Description"][..], &["Supi", "1", "It."]][..],
            &[&["Data type", "Reference", "Comments"], &["A", "5.1", "It."]],
            &[&["Band", "Uplink"], &["1", "1920"]],
            &[&["Index", "Modulation order", "Rate"], &["0", "2", "120"]],
            &[&["Date", "Meeting", "Subject"], &["2020", "RP-1", "Corrections"]],
            &[&["Case", "Description"], &["The UE sends it.", "x"]],
            &[&["Band", "Low", "High"], &["n1", "1920", "1980"]],
        ] {
            assert_eq!(names(rows), [], "{rows:?}");
        }
    }

    #[test]
    fn a_table_that_was_read_is_not_read_again() {
        let rows: &[&[&str]] = &[&["Timer", "Description"], &["T390", "It ends."]];
        let mut found = SectionNames::default();
        let text = "Timer: T390\nDescription: It ends.".to_owned();
        found.names.push(DefinedName::in_row(DefinedNameKind::Timer, "T390", text));
        read_described_rows("Title", &[table(rows)], &mut found);
        assert_eq!(found.names.len(), 1);
    }
}
