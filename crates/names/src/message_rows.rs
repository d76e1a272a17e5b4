//! Information elements in the tables of messages: those of the application protocols (`IE/Group Name`), of NAS
//! (`IEI`), and of the tunnelling protocols GTP and PFCP (`Information elements`, `P`).

use document_model::{Block, Table, TableRow};

use crate::{
    grid::{Grid, cell_text},
    name::{DefinedName, NamePresence, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum length of an element name; longer cells are remarks.
const MAX_NAME_BYTES: usize = 100;

/// Reads the tables of elements of a section; its title is the message, or the element that they are in.
pub(crate) fn read_elements(title: &str, blocks: &[Block], into: &mut SectionNames) {
    for block in blocks {
        let Block::Table(table) = block else { continue };
        let (octets, rows) = split_octets(&table.rows);
        let Some(mut grid) = Grid::of_rows(rows) else { continue };
        let presence = grid.column(&["presence"]).or_else(|| grid.column_named("p"));
        let (Some(name), Some(presence)) = (name_column(&grid), presence) else { continue };
        join_second_heads(&mut grid, name);
        let caption = table.caption.as_ref().map(|caption| caption.as_str());
        let subject = subject_of(caption.unwrap_or_default(), octets);
        // Only tables of whole NAS messages have identifiers.
        let is_message = grid.column_named("iei").is_some();
        let subject = subject.unwrap_or_else(|| TableSubject {
            kind: is_message.then_some(DefinedNameKind::Message),
            name: title.to_owned(),
            within: None,
        });
        if let Some(kind) = subject.kind {
            let rows: Vec<String> = grid.rows.iter().map(|row| row_on_a_line(row)).collect();
            let heads = octets.iter().map(octet_line).collect::<String>();
            let text = format!("{heads}{}\n{}", row_on_a_line(&grid.heads), rows.join("\n"));
            let mut whole = DefinedName::in_row(kind, subject.name.as_str(), text);
            whole.within.clone_from(&subject.within);
            into.names.push(whole);
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
                subject.path().chain(parents.iter().map(String::as_str)).collect();
            let mut element =
                DefinedName::in_row(DefinedNameKind::Element, &text, grid.print_row(row));
            element.within = Some(within.join(" > "));
            element.presence = row.get(presence).and_then(|code| presence_of(code));
            into.names.push(element);
            parents.push(text);
        }
    }
}

/// What the rows of a table are the elements of.
struct TableSubject {
    /// The kind of a name that the whole table defines; `None` if it is defined elsewhere.
    kind: Option<DefinedNameKind>,
    name: String,
    /// The message of a grouped element.
    within: Option<String>,
}

impl TableSubject {
    /// The names from the message down.
    fn path(&self) -> impl Iterator<Item = &str> {
        self.within.as_deref().into_iter().chain([self.name.as_str()])
    }
}

/// The subject of a table by its caption: a message of NAS (`Table 8.2.1.1: ATTACH ACCEPT message content`), a message of a
/// tunnelling protocol (`Table 7.4.2.1-1: Information Elements in Heartbeat Request`), or a grouped element of it (`Table 7.5.2.2-1:
/// Create PDR IE within PFCP Session Establishment Request`), whose table begins with octets.
fn subject_of(caption: &str, octets: &[TableRow]) -> Option<TableSubject> {
    let title = caption.split_once(':').map(|(_, title)| title.trim());
    let named = |kind, name: &str, within: Option<&str>| {
        let name = name.trim();
        let is_name = !name.is_empty() && name.len() <= MAX_NAME_BYTES;
        let within = within.map(|message| message.trim().to_owned());
        is_name.then(|| TableSubject { kind: Some(kind), name: name.to_owned(), within })
    };
    if octets.is_empty() {
        let title = title?;
        if let Some(message) = title.strip_suffix("message content") {
            return named(DefinedNameKind::Message, message, None);
        }
        let (lead, message) = title.split_at_checked(ELEMENTS_IN.len())?;
        let message = lead.eq_ignore_ascii_case(ELEMENTS_IN).then(|| without_article(message))?;
        return named(DefinedNameKind::Message, message, None);
    }
    let of_caption = title.map(|title| {
        let parts = title.split_once(" within ").or_else(|| title.split_once(" IE in "));
        match parts {
            Some((name, whole)) => {
                (without_element(name), Some(without_element(without_article(whole))))
            }
            None => (without_element(title), None),
        }
    });
    let of_octets = octets.iter().find_map(element_of_octets);
    match (of_caption, of_octets) {
        // A caption without the word that divides it: `Remove QER IE PFCP Session Modification Request`.
        (Some((name, None)), Some(element))
            if name.strip_prefix(element.as_str()).is_some_and(|rest| rest.starts_with(" IE ")) =>
        {
            let message = name.strip_prefix(element.as_str()).and_then(|rest| rest.get(4..));
            named(DefinedNameKind::Element, &element, message)
        }
        (Some((name, message)), _) => named(DefinedNameKind::Element, name, message),
        (None, Some(name)) => named(DefinedNameKind::Element, &name, None),
        (None, None) => None,
    }
}

/// How the caption of the table of a message begins.
const ELEMENTS_IN: &str = "Information Elements in ";

fn without_article(name: &str) -> &str {
    let name = name.trim_start();
    ["a ", "an ", "the "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name)
}

/// The name of an element without the word for it: `Create PDR IE`, `PDI grouped IE`.
fn without_element(name: &str) -> &str {
    let name = name.trim();
    let name = name.strip_suffix(" IE").unwrap_or(name);
    name.strip_suffix(" grouped").or_else(|| name.strip_suffix(" Grouped")).unwrap_or(name)
}

/// The rows that give the first octets of a grouped element, and those below, of which the first names the columns.
fn split_octets(rows: &[TableRow]) -> (&[TableRow], &[TableRow]) {
    let begins_with_octet = |row: &TableRow| {
        row.cells.first().is_some_and(|cell| cell_text(cell).to_lowercase().starts_with("octet"))
    };
    let count = rows.iter().take_while(|row| begins_with_octet(row)).count();
    rows.split_at(count)
}

/// Whether a table is that of a grouped element.
pub(crate) fn begins_with_octets(table: &Table) -> bool {
    let (octets, rows) = split_octets(&table.rows);
    let is_named = Grid::of_rows(rows).is_some_and(|grid| name_column(&grid).is_some());
    !octets.is_empty() && is_named
}

/// The element that an octet gives the type of: `Create PDR IE Type = 1 (decimal)`.
fn element_of_octets(row: &TableRow) -> Option<String> {
    row.cells.iter().find_map(|cell| {
        let text = cell_text(cell);
        let (name, _) = text.split_once(" IE Type")?;
        Some(name.split_whitespace().collect::<Vec<_>>().join(" "))
    })
}

/// A row of octets on a line: `Octet 1 and 2: Create PDR IE Type = 1 (decimal)`.
fn octet_line(row: &TableRow) -> String {
    let cells = row.cells.iter().map(cell_text).filter(|text| !text.is_empty());
    let cells: Vec<String> =
        cells.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    format!("{}\n", cells.join(": "))
}

/// Joins a second heading row, which names the columns below a heading over several of them (`Appl.`: `Sxa`, `Sxb`), to the first.
fn join_second_heads(grid: &mut Grid, name: usize) {
    let is_head = grid.rows.first().is_some_and(|row| {
        let named = row.get(name).map(String::as_str).unwrap_or_default();
        let is_filled = row.iter().any(|cell| !cell.is_empty());
        is_filled && (named.is_empty() || Some(named) == grid.heads.get(name).map(String::as_str))
    });
    if !is_head || grid.rows.len() < 2 {
        return;
    }
    let second = grid.rows.remove(0);
    for (head, below) in grid.heads.iter_mut().zip(second) {
        if !below.is_empty() {
            *head = below;
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::table;

    /// The names of a table with a caption: kind, name, place.
    fn read(caption: &str, rows: &[&[&str]]) -> Vec<String> {
        let Block::Table(mut table) = table(rows) else { unreachable!("a table") };
        table.caption = Some(caption.into());
        let mut names = SectionNames::default();
        read_elements("General", &[Block::Table(table)], &mut names);
        let line = |name: DefinedName| {
            format!("{} {} in {}", name.kind, name.name, name.within.as_deref().unwrap_or("-"))
        };
        names.names.into_iter().map(line).collect()
    }

    #[test]
    fn the_caption_of_a_table_names_its_message() {
        let rows: &[&[&str]] =
            &[&["Information elements", "P", "IE Type"], &["Wick ID", "M", "Wick ID"]];
        for (caption, message) in [
            ("Table 7.1-1: Information Elements in a Lamp Setup Request", "Lamp Setup Request"),
            ("Table 7.1-1: Information Elements in an Oil Request", "Oil Request"),
            ("Table 7.1-1: Information elements in Echo Request", "Echo Request"),
        ] {
            let found =
                [format!("message {message} in -"), format!("element Wick ID in {message}")];
            assert_eq!(read(caption, rows), found, "{caption}");
        }
        for caption in ["", "Table 7.1-1: Lamps", "Table 7.1-1: Information Elements in "] {
            assert_eq!(read(caption, rows), ["element Wick ID in General"], "{caption}");
        }
    }

    #[test]
    fn octets_above_the_heading_make_a_table_a_grouped_element() {
        let rows: &[&[&str]] = &[
            &["Octet 1 and 2", "", "Create Lamp IE Type = 1 (decimal)", ""],
            &["Octets 3 and 4", "", "Length = n", ""],
            &["Information elements", "P", "Appl.", "Appl."],
            &["", "", "Sxa", "Sxb"],
            &["Wick ID", "M", "X", "-"],
        ];
        for (caption, place) in [
            ("Table 7.2-1: Create Lamp IE within Lamp Setup Request", Some("Lamp Setup Request")),
            ("Table 7.2-1: Create Lamp IE within a Lamp Setup Request", Some("Lamp Setup Request")),
            ("Table 7.2-1: Create Lamp IE in LAMPS", Some("LAMPS")),
            ("Table 7.2-1: Create Lamp IE within Lamp List IE", Some("Lamp List")),
            ("Table 7.2-1: Create Lamp IE Lamp Setup Request", Some("Lamp Setup Request")),
            ("Table 7.2-1: Create Lamp grouped IE", None),
            ("", None),
        ] {
            let path = place.map_or_else(String::new, |place| format!("{place} > "));
            let found = [
                format!("element Create Lamp in {}", place.unwrap_or("-")),
                format!("element Wick ID in {path}Create Lamp"),
            ];
            assert_eq!(read(caption, rows), found, "{caption}");
        }
        let mut names = SectionNames::default();
        read_elements("General", &[table(rows)], &mut names);
        assert_eq!(
            names.names.last().map(|name| name.definition.as_str()),
            Some("Information elements: Wick ID\nP: M\nSxa: X\nSxb: -")
        );
    }
}
