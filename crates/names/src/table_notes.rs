//! Notes below a table, and the rows that refer to them: `NOTE 2`.

/// A note below a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableNote {
    /// Its number as printed; empty for the only note of a table.
    number: String,
    /// The note with its label.
    text: String,
}

/// The word that begins notes, and refers to them.
const LABEL: &str = "note";
/// Maximum length of a note in bytes; the rest is cut. Each row that refers to it repeats it.
const MAX_NOTE_BYTES: usize = 600;

/// The notes in the rows of a table: rows that are one cell over all columns, with one or several lines for each note.
pub(crate) fn read_notes(rows: &[Vec<String>]) -> Vec<TableNote> {
    let mut notes: Vec<TableNote> = Vec::new();
    for row in rows.iter().filter(|row| is_remark(row)) {
        for line in row[0].lines() {
            match split_label(line) {
                Some(number) => {
                    notes.push(TableNote { number: number.to_owned(), text: line.to_owned() });
                }
                None => {
                    let Some(open) = notes.last_mut() else { continue };
                    open.text.push(' ');
                    open.text.push_str(line.trim());
                }
            }
        }
    }
    for note in &mut notes {
        note.text.truncate(note.text.floor_char_boundary(MAX_NOTE_BYTES));
    }
    notes
}

/// Whether a row is one cell over all columns.
pub(crate) fn is_remark(row: &[String]) -> bool {
    row.first().is_some_and(|first| row.iter().all(|cell| cell == first))
}

/// The notes that the texts of a row and its headings refer to, each once and in the order of the table.
pub(crate) fn cited_notes<'a>(notes: &'a [TableNote], texts: &[&str]) -> Vec<&'a str> {
    if notes.is_empty() {
        return Vec::new();
    }
    let cited: Vec<&str> = texts.iter().flat_map(|text| cited_numbers(text)).collect();
    let cited = notes.iter().filter(|note| cited.contains(&note.number.as_str()));
    cited.map(|note| note.text.as_str()).collect()
}

/// The number of a line that begins a note: `NOTE 2: ...`, `Note: ...`.
fn split_label(line: &str) -> Option<&str> {
    let rest = strip_word(line.trim_start())?;
    let (number, _) = rest.split_once(':')?;
    let number = number.trim();
    is_number(number).then_some(number)
}

/// The numbers that a cell refers to: `NOTE 2`, `(NOTE 1, NOTE 3)`, `NOTE`.
fn cited_numbers(cell: &str) -> Vec<&str> {
    let mut numbers = Vec::new();
    for (at, _) in cell.char_indices() {
        let begins_word = !cell[..at].ends_with(char::is_alphanumeric);
        let Some(rest) = strip_word(&cell[at..]) else { continue };
        if !begins_word {
            continue;
        }
        let rest = rest.trim_start_matches([' ', '\u{a0}']);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let number = &rest[..end];
        if number.starts_with(|c: char| c.is_ascii_digit()) {
            numbers.push(number)
        } else {
            numbers.push("")
        }
    }
    numbers
}

/// The text after the word, if a text begins with it and it ends there: "Noted" is not a reference.
fn strip_word(text: &str) -> Option<&str> {
    let (word, rest) = text.split_at_checked(LABEL.len())?;
    let is_word = word == "NOTE" || word == "Note";
    (is_word && !rest.starts_with(|c: char| c.is_alphabetic())).then_some(rest)
}

/// Whether a text is the number of a note: `2`, `12a`, or nothing.
fn is_number(text: &str) -> bool {
    text.len() <= 4
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && (text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn a_row_has_the_notes_that_it_refers_to() {
        let below = "NOTE 1:\tThe lamp is lit.\nNOTE 2: The lamp is out,\nfor want of oil.\nNOTE 10: Never.";
        let rows = [row(&["T1", "5 s\nNOTE 2", "(NOTE 2)"]), row(&[below, below, below])];
        let notes = read_notes(&rows);
        assert_eq!(notes.len(), 3);
        let cited = |cells: &[&str]| cited_notes(&notes, cells).join("|");
        assert_eq!(
            cited(&["T1", "5 s\nNOTE 2", "(NOTE 2)"]),
            "NOTE 2: The lamp is out, for want of oil."
        );
        assert_eq!(cited(&["T2", "see NOTE\u{a0}10 and NOTE 1"]).matches('|').count(), 1);
        assert_eq!(cited(&["T3", "NOTE 3, KEYNOTE 1, NOTEBOOK 2, Noted 1"]), "");
    }

    #[test]
    fn the_only_note_of_a_table_needs_no_number() {
        let below = "NOTE: In seconds. \u{e9}".to_owned() + &"\u{e9}".repeat(400);
        let notes = read_notes(&[row(&[&below, &below]), row(&["Note that: no label", "x"])]);
        assert_eq!(cited_notes(&notes, &["T1", "5 (NOTE)"]).len(), 1);
        assert_eq!(cited_notes(&notes, &["T1", "5"]).len(), 0);
    }
}
