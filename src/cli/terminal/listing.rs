//! Lists as columns under headings: wrapped to the width of a terminal, one line for each entry elsewhere.

use super::{
    Screen,
    wrap::{columns, wrap},
};

/// Blanks between two columns.
const GAP: usize = 2;
/// Minimum width of the column that is wrapped: a narrower one would have a line for each word.
const MIN_FLEXIBLE: usize = 20;

/// A list as columns.
pub(in crate::cli) struct ColumnList {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    flexible: usize,
}

impl ColumnList {
    /// An empty list; the column `flexible` is wrapped if the lines are too long.
    pub(in crate::cli) fn new<T: ToString>(headings: &[T], flexible: usize) -> Self {
        let headings = headings.iter().map(ToString::to_string).collect();
        Self { headings, rows: Vec::new(), flexible }
    }

    /// Adds an entry.
    pub(in crate::cli) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        // Names are written by others: control characters in them must not reach the terminal.
        let clean = |cell: String| cell.replace(char::is_control, " ");
        self.rows.push(cells.into_iter().map(clean).collect());
    }

    /// Whether there are no entries.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The list as text, with line breaks at the ends of all lines.
    pub(in crate::cli) fn render(&self, screen: &Screen) -> String {
        let mut widths: Vec<usize> = self.headings.iter().map(|text| columns(text)).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(columns(cell));
            }
        }
        let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        if screen.is_terminal
            && let Some(width) = widths.get_mut(self.flexible)
        {
            let rest = total - *width;
            *width = (*width).min(screen.width.saturating_sub(rest).max(MIN_FLEXIBLE));
        }
        let palette = screen.palette;
        let mut out = print_row(&self.headings, &widths, &|_, text| palette.bold(text));
        for row in &self.rows {
            let paint = |column: usize, text: &str| match column {
                0 => palette.number(text),
                _ => text.to_owned(),
            };
            out.push_str(&print_row(row, &widths, &paint));
        }
        out
    }
}

/// One entry, on as many lines as its longest cell needs.
fn print_row(row: &[String], widths: &[usize], paint: &dyn Fn(usize, &str) -> String) -> String {
    let cells: Vec<Vec<String>> =
        row.iter().zip(widths).map(|(cell, width)| wrap(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for line in 0..height {
        let mut blanks = 0;
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let text = cell.get(line).map_or("", String::as_str);
            if !text.is_empty() {
                out.push_str(&" ".repeat(blanks));
                out.push_str(&paint(column, text));
                blanks = 0;
            }
            blanks += width - columns(text).min(*width) + GAP;
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{super::Palette, *};

    fn render(width: usize, is_terminal: bool) -> String {
        let mut list = ColumnList::new(&["TDoc", "Title", "Status"], 1);
        list.push(["R1-1".into(), "A long title of many words".into(), "noted".into()]);
        list.push(["R1-22".into(), String::new(), "agreed".into()]);
        list.render(&Screen { palette: Palette { is_coloured: false }, width, is_terminal })
    }

    #[test]
    fn long_cells_are_wrapped_on_a_terminal_alone() {
        let wide = "TDoc   Title                       Status\n\
                    R1-1   A long title of many words  noted\n\
                    R1-22                              agreed\n";
        assert_eq!(render(40, false), wide);
        let narrow = "TDoc   Title                  Status\n\
                      R1-1   A long title of many   noted\n       \
                      words\n\
                      R1-22                         agreed\n";
        assert_eq!(render(36, true), narrow);
    }
}
