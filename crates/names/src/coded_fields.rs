//! Fields whose values a table lists by their codes: `Table 6.2.3.4-1: SI field interpretation`.
//!
//! A code such as `01` is not a name: the name is that of the field, and the table is its definition.

use crate::{
    codes::is_code,
    grid::Grid,
    name::{DefinedName, SectionNames},
};
use domain::DefinedNameKind;

/// Maximum number of rows of such a table: longer ones are data, such as an index for each configuration.
const MAX_ROWS: usize = 64;
/// Minimum number of lower-case letters of a cell of one word that describes something: shorter ones are units.
const MIN_LETTERS: usize = 5;
/// Maximum length of a name; a longer subject is a sentence.
const MAX_NAME_BYTES: usize = 100;
/// Maximum length of a definition, in bytes: it is stored for each name of the field.
const MAX_TEXT_BYTES: usize = 4000;
/// Words of captions before the name of a field, in lower case.
const BEFORE: [&str; 12] = [
    "mapping between values of ",
    "mapping of ",
    "mapping between ",
    "values of ",
    "value of ",
    "interpretation of ",
    "definition of ",
    "meaning of ",
    "encoding of ",
    "coding of ",
    "format of ",
    "the ",
];
/// Words after it; the last introduces the use of the field.
const BEHIND: [&str; 7] =
    [" field", " elements", " values", " interpretation", " to ", " in ", " for "];

/// Reads the field whose values a table lists, given by the subject of the table.
pub(crate) fn read_field(grid: &Grid, subject: &str, into: &mut SectionNames) {
    // Codes of other lengths may be in further columns.
    let is_coded = |row: &Vec<String>| {
        row.iter().find(|cell| !cell.is_empty()).is_some_and(|cell| is_quoted_code(cell))
    };
    let says = |cell: &String| {
        cell.contains(' ') || cell.chars().filter(|c| c.is_lowercase()).count() >= MIN_LETTERS
    };
    let has_text = grid.rows.iter().any(|row| row.iter().skip(1).any(says));
    if grid.rows.len() > MAX_ROWS || !has_text || !grid.rows.iter().all(is_coded) {
        return;
    }
    let is_name = |name: &&str| {
        (2..=MAX_NAME_BYTES).contains(&name.len()) && name.contains(char::is_alphabetic)
    };
    let names: Vec<&str> = field_names(subject).into_iter().filter(is_name).collect();
    if names.is_empty() {
        return;
    }
    let rows = std::iter::once(&grid.heads).chain(&grid.rows);
    let mut definition = subject.to_owned();
    for row in rows {
        let mut cells: Vec<String> = row.iter().map(|cell| cell.replace('\n', " ")).collect();
        // A cell may span several columns.
        cells.dedup();
        let line = cells.join(" | ");
        if definition.len() + line.len() > MAX_TEXT_BYTES {
            break;
        }
        definition.push('\n');
        definition.push_str(&line);
    }
    let named = |name| DefinedName::in_row(DefinedNameKind::Parameter, name, definition.clone());
    into.names.extend(names.into_iter().map(named));
}

/// Whether a cell is a code, in quotation marks or not, or several: `'01'`, `0_3`.
fn is_quoted_code(cell: &str) -> bool {
    let signs = ['\'', '"', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '_'];
    let plain = cell.replace(signs, " ");
    !plain.trim().is_empty() && is_code(&plain)
}

/// The names of a field in the subject of its table: without its use, and with it, because "X for Y" may be a name
/// too.
fn field_names(subject: &str) -> Vec<&str> {
    let mut name = subject.trim();
    loop {
        let lower = name.to_ascii_lowercase();
        match BEFORE.iter().find(|words| lower.starts_with(**words)) {
            Some(words) => name = &name[words.len()..],
            None => break,
        }
    }
    let lower = name.to_ascii_lowercase();
    let end_at = |behind: &[&str]| {
        let ends = behind.iter().filter_map(|words| lower.find(words));
        name[..ends.filter(|end| *end > 0).min().unwrap_or(name.len())].trim()
    };
    let mut names = vec![end_at(&BEHIND)];
    if let Some((_, behind)) = BEHIND.split_last() {
        names.push(end_at(behind));
    }
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_named_in_the_caption_of_its_values() {
        for (subject, names) in [
            ("XI field interpretation", &["XI"][..]),
            ("Mapping of Lamp indication field values to lamps", &["Lamp indication"]),
            ("Lamp request", &["Lamp request"]),
            ("Mapping between values of lampState elements and lamps", &["lampState"]),
            ("Blinks indicator in format 0_3", &["Blinks indicator"]),
            ("Values of LID for lamps", &["LID", "LID for lamps"]),
        ] {
            assert_eq!(field_names(subject), names);
        }
    }

    #[test]
    fn the_table_defines_the_field_and_numbers_alone_define_none() {
        let grid = |rows: &[[&str; 2]]| Grid {
            heads: vec!["Value".into(), "Description".into()],
            rows: rows
                .iter()
                .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
                .collect(),
            ..Grid::default()
        };
        let mut found = SectionNames::default();
        read_field(
            &grid(&[["'00'", "a whole lamp"], ["01", "the first part"]]),
            "XI field",
            &mut found,
        );
        assert_eq!(found.names.len(), 1);
        assert_eq!(found.names[0].name, "XI");
        assert_eq!(
            found.names[0].definition,
            "XI field\nValue | Description\n'00' | a whole lamp\n01 | the first part"
        );
        read_field(&grid(&[["0", "12"], ["1", "13"]]), "Table of numbers", &mut found);
        read_field(&grid(&[["0", "a lamp"], ["lamp", "a word"]]), "Lamps", &mut found);
        assert_eq!(found.names.len(), 1);
    }
}
