//! Tables of documents, drawn with lines to the width of the output.

use super::{
    Palette,
    wrap::{columns, wrap},
};

/// The narrowest column that can still be read. A table whose columns would be narrower is printed row by row.
const MIN_COLUMN: usize = 6;
/// A line break within a cell, as the text of sections has it.
const LINE_BREAK: &str = "<br>";

/// A table whose first row is its head. One that has too many columns for the width is printed row by row, each value
/// after the heading of its column. `paint` gets the text of a cell.
pub(super) fn draw_table(
    rows: &[Vec<String>],
    width: usize,
    palette: Palette,
    paint: &dyn Fn(&str) -> String,
) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let for_text = width.saturating_sub(3 * count + 1);
    let needed = needed_widths(rows, count, needed_columns);
    let is_narrow = needed.iter().sum::<usize>() > for_text && for_text < count * MIN_COLUMN;
    match count {
        0 => String::new(),
        _ if is_narrow => print_records(rows, width, palette, paint),
        _ => {
            let words = needed_widths(rows, count, longest_word);
            draw_grid(rows, &share_width(&needed, &words, for_text), palette, paint)
        }
    }
}

/// The lines of a cell.
fn cell_lines(cell: &str, width: usize) -> Vec<String> {
    cell.split(LINE_BREAK).flat_map(|line| wrap(line, width)).collect()
}

/// Whether a row is a note over the whole width: its first cell has all of the text, and too much for one column.
fn is_note(row: &[String], widths: &[usize]) -> bool {
    let needed = row.first().map_or(0, |cell| needed_columns(cell));
    widths.len() > 1
        && row.iter().skip(1).all(String::is_empty)
        && widths.first().is_some_and(|width| needed > *width)
}

fn needed_columns(cell: &str) -> usize {
    cell.split(LINE_BREAK).map(columns).max().unwrap_or(0)
}

fn longest_word(cell: &str) -> usize {
    cell.split(LINE_BREAK).flat_map(str::split_whitespace).map(columns).max().unwrap_or(0)
}

/// The widths that columns need for what `measure` measures of their cells.
fn needed_widths(
    rows: &[Vec<String>],
    count: usize,
    measure: impl Fn(&str) -> usize,
) -> Vec<usize> {
    // A row of one value is a note over the whole width, and does not count for its first column.
    let is_measure = |row: &&Vec<String>| count == 1 || row.iter().skip(1).any(|c| !c.is_empty());
    let needed = |column: usize| {
        let cells = rows.iter().filter(is_measure).filter_map(|row| row.get(column));
        cells.map(|cell| measure(cell)).max().unwrap_or(0).max(1)
    };
    (0..count).map(needed).collect()
}

/// The widths of the columns: what each needs; if that is too much, the same for all that need more, but at least the
/// longest word of each column if there is room for that.
fn share_width(needed: &[usize], words: &[usize], available: usize) -> Vec<usize> {
    let has_room = words.iter().sum::<usize>() <= available;
    let widths = |share: usize| -> Vec<usize> {
        let columns = needed.iter().zip(words);
        columns
            .map(|(needed, word)| share.max(if has_room { *word } else { 0 }).min(*needed))
            .collect()
    };
    let fits = |share: &usize| widths(*share).iter().sum::<usize>() <= available;
    let share = (1..=available).rev().find(fits).unwrap_or(1);
    let mut widths = widths(share);
    let mut left = available.saturating_sub(widths.iter().sum());
    for (width, needed) in widths.iter_mut().zip(needed) {
        if left > 0 && *width < *needed && *width == share {
            (*width, left) = (*width + 1, left - 1);
        }
    }
    widths
}

/// A rule of the grid, from its signs at the left, between columns, and at the right.
fn draw_rule(widths: &[usize], palette: Palette, signs: [&str; 3]) -> String {
    let bars: Vec<String> = widths.iter().map(|width| "\u{2500}".repeat(width + 2)).collect();
    palette.dim(&format!("{}{}{}", signs[0], bars.join(signs[1]), signs[2])) + "\n"
}

fn draw_grid(
    rows: &[Vec<String>],
    widths: &[usize],
    palette: Palette,
    paint: &dyn Fn(&str) -> String,
) -> String {
    let whole = widths.iter().sum::<usize>() + 3 * (widths.len() - 1);
    let mut drawn = Vec::with_capacity(rows.len());
    for row in rows {
        let of_row = if is_note(row, widths) { vec![whole] } else { widths.to_vec() };
        let cell = |column: usize| row.get(column).map_or("", String::as_str);
        let cells =
            of_row.iter().enumerate().map(|(column, width)| cell_lines(cell(column), *width));
        let cells: Vec<Vec<String>> = cells.collect();
        drawn.push((cells, of_row));
    }
    let is_tall = |cells: &[Vec<String>]| cells.iter().any(|cell| cell.len() > 1);
    let has_rules = drawn.iter().skip(1).any(|(cells, _)| is_tall(cells));
    let bar = palette.dim("\u{2502}");
    let mut out = draw_rule(widths, palette, ["\u{250c}", "\u{252c}", "\u{2510}"]);
    for (index, (cells, of_row)) in drawn.iter().enumerate() {
        if index == 1 || (index > 1 && has_rules) {
            out.push_str(&draw_rule(widths, palette, ["\u{251c}", "\u{253c}", "\u{2524}"]));
        }
        for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            for (cell, width) in cells.iter().zip(of_row) {
                let text = cell.get(line).map_or("", String::as_str);
                let painted = if index == 0 { palette.bold(text) } else { paint(text) };
                let blanks = " ".repeat(width.saturating_sub(columns(text)));
                out.push_str(&format!("{bar} {painted}{blanks} "));
            }
            out.push_str(&bar);
            out.push('\n');
        }
    }
    out + &draw_rule(widths, palette, ["\u{2514}", "\u{2534}", "\u{2518}"])
}

fn print_records(
    rows: &[Vec<String>],
    width: usize,
    palette: Palette,
    paint: &dyn Fn(&str) -> String,
) -> String {
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    let mut out = String::new();
    for row in rows {
        if !out.is_empty() {
            out.push('\n');
        }
        for (index, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let name = head.get(index).map_or("", String::as_str);
            let label = if name.is_empty() { String::new() } else { format!("{name}: ") };
            let lines = cell_lines(&format!("{label}{cell}"), width.saturating_sub(2));
            for (line, text) in lines.iter().enumerate() {
                let indent = if line == 0 { "" } else { "  " };
                let text = match text.strip_prefix(label.as_str()) {
                    Some(rest) if line == 0 => palette.bold(&label) + &paint(rest),
                    _ => paint(text),
                };
                out.push_str(&format!("{indent}{text}\n"));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(rows: &[&[&str]], width: usize) -> String {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        draw_table(&rows, width, Palette { is_coloured: false }, &str::to_owned)
    }

    #[test]
    fn a_table_takes_the_width_it_needs() {
        let drawn = draw(&[&["Timer", "Start"], &["T310", "x"]], 80);
        assert_eq!(drawn.lines().count(), 5, "{drawn}");
        assert!(drawn.contains("│ T310  │ x     │"), "{drawn}");
    }

    #[test]
    fn wide_cells_are_wrapped_and_rows_divided() {
        let drawn = draw(&[&["A", "B"], &["x", "one two three four"], &["y", "five"]], 20);
        assert!(drawn.lines().all(|line| columns(line) <= 20), "{drawn}");
        assert!(drawn.contains("│ x │ one two      │\n│   │ three four   │\n├───"), "{drawn}");
    }

    #[test]
    fn a_long_name_stays_whole_where_there_is_room() {
        let text =
            "The number of cells that a UE is configured with at most, in all groups together";
        let rows: [&[&str]; 2] = [&["Field", "Text", "Use"], &["maxNrofCells-r17", text, text]];
        let drawn = draw(&rows, 48);
        assert!(drawn.lines().all(|line| columns(line) <= 48), "{drawn}");
        assert!(drawn.contains("│ maxNrofCells-r17 │ The"), "{drawn}");
        // Where there is none, all columns get the same.
        let narrow = draw(&[&["A", "B"], &["maxNrofCells-r17", "maxNrofBands-r17"]], 30);
        assert!(narrow.contains("│ maxNrofCells │ maxNrofBand │\n│ -r17         │"), "{narrow}");
    }

    #[test]
    fn no_width_is_left_over() {
        assert_eq!(share_width(&[100, 10], &[20, 5], 36), [26, 10]);
        assert_eq!(share_width(&[100, 100, 3], &[30, 5, 3], 50), [30, 17, 3]);
        assert_eq!(share_width(&[90, 90], &[60, 60], 51), [26, 25]);
        assert_eq!(share_width(&[4, 5], &[4, 5], 60), [4, 5]);
    }

    #[test]
    fn a_note_takes_the_whole_width_and_lines_of_a_cell_stay_apart() {
        let rows: [&[&str]; 3] = [&["A", "B"], &["x<br>y", "z"], &["NOTE 1: both", ""]];
        let drawn = draw(&rows, 30);
        assert!(drawn.contains("│ x │ z │\n│ y │   │\n"), "{drawn}");
        assert!(drawn.contains("│ NOTE  │\n│ 1:    │\n│ both  │"), "{drawn}");
    }

    #[test]
    fn a_heading_over_all_columns_is_one_line() {
        let drawn = draw(&[&["Cause value", "", ""], &["8", "7", "IMSI unknown"]], 40);
        assert!(drawn.contains("│ Cause value          │\n├───┼───┼"), "{drawn}");
    }

    #[test]
    fn a_table_with_too_many_columns_is_a_list_of_rows() {
        let head: Vec<String> = (0..9).map(|column| format!("H{column}")).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let drawn = draw(&[&head, &["a", "", "c"]], 40);
        assert_eq!(drawn, "H0: a\nH2: c\n");
    }
}
