//! Rows of tables as parts: below the caption and the head of their table, with the notes that they refer to.

use std::collections::BTreeSet;

use document_model::{Table, TableLimits, print_table};

use super::{
    part_limit::MAX_PART_BYTES,
    part_rank::PartWords,
    word_match::{join_words, split_words},
};

/// A table as its printed lines.
#[derive(Debug, Default)]
pub(super) struct TableLines {
    /// The caption line, the head row and its rule, with line breaks.
    head: String,
    rows: Vec<PrintedRow>,
    notes: Vec<RowNote>,
}

/// A row below the head.
#[derive(Debug)]
pub(super) struct PrintedRow {
    /// Its index in the table.
    pub(super) index: usize,
    line: String,
    cells: Vec<String>,
}

/// A note in a row of its table.
#[derive(Debug)]
pub(super) struct RowNote {
    /// The index of its row.
    pub(super) row: usize,
    /// `1`, `2a`; empty for the only note of a table.
    number: String,
    pub(super) text: String,
}

impl TableLines {
    /// Prints a table; empty if it has no text.
    pub(super) fn print(table: &Table) -> Self {
        let Some(printed) = print_table(table, &TableLimits::default()) else {
            return Self::default();
        };
        let (head, body) = printed.text.split_at(printed.head_bytes as usize);
        let mut lines = Self { head: head.to_owned(), ..Self::default() };
        for (index, line) in printed.rows.iter().zip(body.lines()) {
            let cells = split_cells(line);
            let is_remark = cells.len() > 1
                && cells.iter().skip(1).all(|cell| cell.is_empty() || *cell == cells[0]);
            let notes = if is_remark { read_notes(*index, &cells[0]) } else { Vec::new() };
            if notes.is_empty() {
                lines.rows.push(PrintedRow { index: *index, line: line.to_owned(), cells });
            } else {
                lines.notes.extend(notes);
            }
        }
        lines
    }

    pub(super) fn rows(&self) -> &[PrintedRow] {
        &self.rows
    }

    pub(super) fn notes(&self) -> &[RowNote] {
        &self.notes
    }

    /// The words of its caption and head.
    pub(super) fn head_words(&self) -> Vec<String> {
        split_words(&self.head)
    }

    /// Whether its caption has a number, given as one word: `table7.5.1`.
    pub(super) fn is_captioned(&self, caption: &str) -> bool {
        let line =
            self.head.lines().next().filter(|line| !line.starts_with('|')).unwrap_or_default();
        let number: Vec<String> = line.split_whitespace().take(2).flat_map(split_words).collect();
        join_words(&number) == caption
    }

    /// Rows below the head, with the rows that they are in and the notes that they refer to.
    pub(super) fn print_rows(&self, wanted: &BTreeSet<usize>) -> String {
        let mut shown: BTreeSet<usize> = BTreeSet::new();
        let mut cited = self.head.clone();
        for (place, row) in
            self.rows.iter().enumerate().filter(|(_, row)| wanted.contains(&row.index))
        {
            shown.extend(self.places_above(place));
            shown.insert(place);
            cited.push_str(&row.line);
        }
        let mut text = self.head.clone();
        for (place, row) in self.rows.iter().enumerate() {
            if shown.contains(&place) {
                text.push_str(&row.line);
                text.push('\n');
            }
        }
        for note in self.notes.iter().filter(|note| is_cited(&cited, &note.number)) {
            text.push_str(&note.text);
            text.push('\n');
        }
        text.trim_end().to_owned()
    }

    /// All rows, as far as there is room.
    pub(super) fn print_all(&self) -> String {
        let mut text = self.head.clone();
        for (shown, row) in self.rows.iter().enumerate() {
            if text.len() + row.line.len() > MAX_PART_BYTES {
                text.push_str(&format!(
                    "[{} of {} rows left out]\n",
                    self.rows.len() - shown,
                    self.rows.len()
                ));
                break;
            }
            text.push_str(&row.line);
            text.push('\n');
        }
        for note in &self.notes {
            if text.len() + note.text.len() <= MAX_PART_BYTES {
                text.push_str(&note.text);
                text.push('\n');
            }
        }
        text.trim_end().to_owned()
    }

    /// The rows that a row is in: those with fewer `>` before their name, and the nearest heading within the table.
    fn places_above(&self, place: usize) -> Vec<usize> {
        let mut above = Vec::new();
        let mut depth = depth_of(&self.rows[place]);
        for (index, row) in self.rows[..place].iter().enumerate().rev() {
            if depth == 0 {
                break;
            }
            if depth_of(row) < depth {
                depth = depth_of(row);
                above.push(index);
            }
        }
        let is_heading = |row: &PrintedRow| {
            row.cells.len() > 1 && row.cells.iter().skip(1).all(String::is_empty)
        };
        let heading = self.rows[..place].iter().rposition(is_heading);
        if !is_heading(&self.rows[place]) {
            above.extend(heading);
        }
        above
    }
}

impl PrintedRow {
    pub(super) fn words(&self) -> PartWords {
        PartWords::of_row(&self.cells)
    }

    /// What it is called: its first cell with text.
    pub(super) fn key(&self) -> Option<&str> {
        self.cells.iter().map(String::as_str).find(|cell| !cell.is_empty())
    }
}

/// The number of `>` before the name of an element.
fn depth_of(row: &PrintedRow) -> usize {
    row.key().unwrap_or_default().chars().take_while(|c| *c == '>').count()
}

/// The cells of a printed row.
fn split_cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|');
    let mut cells = vec![String::new()];
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&'|') => cells.extend_last(chars.next()),
            '|' => cells.push(String::new()),
            c => cells.extend_last(Some(c)),
        }
    }
    cells.pop();
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Adds a character to the last of some texts.
trait ExtendLast {
    fn extend_last(&mut self, c: Option<char>);
}

impl ExtendLast for Vec<String> {
    fn extend_last(&mut self, c: Option<char>) {
        if let Some(last) = self.last_mut() {
            last.extend(c);
        }
    }
}

/// The notes of a row that is one cell over all columns: one for each line that begins with `NOTE`.
fn read_notes(row: usize, cell: &str) -> Vec<RowNote> {
    let mut notes: Vec<RowNote> = Vec::new();
    for line in cell.split("<br>") {
        match (note_number(line), notes.last_mut()) {
            (Some(number), _) => {
                notes.push(RowNote { row, number: number.to_owned(), text: line.to_owned() })
            }
            (None, Some(open)) => {
                open.text.push(' ');
                open.text.push_str(line);
            }
            // The row does not begin with a note: it is a heading.
            (None, None) => return Vec::new(),
        }
    }
    notes
}

/// The number of a line that begins a note; empty if it has none.
fn note_number(line: &str) -> Option<&str> {
    let (word, rest) = line.split_at_checked(4)?;
    let (number, _) = rest.split_once(':')?;
    let number = number.trim();
    let is_number = number.len() <= 4 && number.chars().all(|c| c.is_ascii_alphanumeric());
    (word.eq_ignore_ascii_case("note") && is_number).then_some(number)
}

/// Whether a text refers to a note: `NOTE 2`, `(NOTE 1, NOTE 3)`, `NOTE`.
fn is_cited(text: &str, number: &str) -> bool {
    let words = split_words(text);
    let has_digit = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    words.iter().enumerate().filter(|(_, word)| word.starts_with("note")).any(|(index, word)| {
        let next = words.get(index + 1).filter(|word| has_digit(word));
        match word.as_str() {
            "note" | "notes" => {
                next.map_or(number.is_empty(), |next| next.eq_ignore_ascii_case(number))
            }
            // `NOTE2`
            word => word[4..].eq_ignore_ascii_case(number),
        }
    })
}
