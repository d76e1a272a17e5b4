//! Tables of text, and the format of scores in them.

use std::fmt;

use evaluation::ConfidenceInterval;

/// Rows under a heading, each column as wide as its widest cell. Text is aligned left,
/// numbers right.
pub(crate) struct TextTable {
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(crate) fn new(heading: &[&str]) -> Self {
        Self { rows: vec![heading.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    /// Adds a row; one that is shorter than the heading may have a last cell of any length.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn column_width(&self, column: usize) -> usize {
        let columns = self.rows[0].len();
        let sized_rows =
            self.rows.iter().filter(|row| row.len() == columns || column + 1 < row.len());
        sized_rows
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> =
            (0..self.rows[0].len()).map(|column| self.column_width(column)).collect();
        let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                let padded = if is_number(cell) {
                    format!("{cell:>width$}  ")
                } else {
                    format!("{cell:<width$}  ")
                };
                line.push_str(&padded);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// `0.641`
pub(crate) fn format_score(value: f64) -> String {
    format!("{value:.3}")
}

/// `0.641 [0.576, 0.704]`
pub(crate) fn with_interval(interval: ConfidenceInterval) -> String {
    format!("{:.3} [{:.3}, {:.3}]", interval.mean, interval.low, interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = TextTable::new(&["arm", "n", "score"]);
        table.push(vec!["words".into(), "7".into(), "0.5".into()]);
        table.push(vec!["w".into(), "100".into(), "-0.25".into()]);
        table.push(vec!["w".into(), "a long remark".into()]);
        assert_eq!(
            table.to_string(),
            "arm    n    score\nwords    7    0.5\nw      100  -0.25\nw      a long remark\n"
        );
    }
}
