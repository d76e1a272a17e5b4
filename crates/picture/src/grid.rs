//! Tables as pictures: figures that are drawn with the cells of a table, such as the bits of a header.

use resvg::tiny_skia::{BlendMode, Color, FillRule, LineCap, LineJoin, PathBuilder, Rect, Stroke};

use crate::{
    canvas::{Canvas, Fill},
    draw::{Drawn, Options, Sketch, finish},
    font::{Chosen, Wanted, choose},
    geometry::Matrix,
    kind::Kind,
    text::{Run, advances},
};

/// A table: cells on a grid of rows and columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// Its cells, in reading order.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// Its first row, from 0.
    pub row: usize,
    /// Its first column, from 0.
    pub column: usize,
    /// Rows that it covers, at least 1.
    pub rows: usize,
    /// Columns that it covers, at least 1.
    pub columns: usize,
    /// What is written in it, with line breaks.
    pub text: String,
}

/// Size of the letters in pixels.
const EM: f64 = 18.0;
const LINE: f64 = 24.0;
const MARGIN: f64 = 8.0;
/// The least width of a column, and of a row's height.
const LEAST: f64 = 34.0;
/// A table of more rows or columns is a table, not a figure.
const MOST_LINES: usize = 400;
const MOST_LETTERS: usize = 20_000;

/// Draws a table. None where it has no cell with text, or more cells than a figure has.
pub fn draw_grid(grid: &Grid, options: &Options) -> Option<Drawn> {
    let columns = grid.cells.iter().map(|cell| cell.column + cell.columns).max()?;
    let rows = grid.cells.iter().map(|cell| cell.row + cell.rows).max()?;
    let letters: usize = grid.cells.iter().map(|cell| cell.text.len()).sum();
    if columns > MOST_LINES || rows > MOST_LINES || letters > MOST_LETTERS {
        return None;
    }
    let font = choose(&Wanted { name: "Arial", ..Wanted::default() });
    let lefts = starts(&widths(grid, columns, font, f64::from(options.width)));
    let texts: Vec<Vec<String>> = grid
        .cells
        .iter()
        .map(|cell| wrapped(&cell.text, font, span(&lefts, cell.column, cell.columns)))
        .collect();
    let tops = starts(&heights(grid, rows, &texts));
    let (width, height) = (*lefts.last()? + 2.0, *tops.last()? + 2.0);
    if height > f64::from(options.max_height) {
        return None;
    }
    let mut canvas = Canvas::new(width.ceil() as u32, height.ceil() as u32)?;
    for (cell, lines) in grid.cells.iter().zip(&texts) {
        let (left, top) = (lefts[cell.column] + 1.0, tops[cell.row] + 1.0);
        let size = (span(&lefts, cell.column, cell.columns), span(&tops, cell.row, cell.rows));
        frame(&mut canvas, (left, top), size);
        write(&mut canvas, (left, top), size, lines, font);
    }
    finish(Sketch { kind: Kind::Png, pixels: canvas.into_pixmap(), runs: Vec::new() }).ok()
}

/// Where each of some lengths begins, and where the last ends.
fn starts(lengths: &[f64]) -> Vec<f64> {
    let mut at = 0.0;
    let mut starts = vec![at];
    starts.extend(lengths.iter().map(|length| {
        at += length;
        at
    }));
    starts
}

fn span(starts: &[f64], first: usize, count: usize) -> f64 {
    starts[first + count] - starts[first]
}

fn width(text: &str, font: Chosen) -> f64 {
    advances(font, EM, text.chars()).iter().sum()
}

/// Columns as wide as what is written in them, all together no wider than the picture.
fn widths(grid: &Grid, columns: usize, font: Chosen, most: f64) -> Vec<f64> {
    let mut widths = vec![LEAST; columns];
    let mut cells: Vec<&Cell> = grid.cells.iter().collect();
    cells.sort_by_key(|cell| cell.columns);
    for cell in cells {
        let lines = cell.text.lines().map(|line| width(line, font));
        let wanted = lines.fold(0.0, f64::max) + 2.0 * MARGIN;
        let place = cell.column..cell.column + cell.columns;
        let there: f64 = widths[place.clone()].iter().sum();
        let more = (wanted.min(most / 2.0) - there).max(0.0) / cell.columns as f64;
        widths[place].iter_mut().for_each(|width| *width += more);
    }
    let whole: f64 = widths.iter().sum();
    if whole > most {
        widths.iter_mut().for_each(|width| *width *= most / whole);
    }
    widths
}

fn heights(grid: &Grid, rows: usize, texts: &[Vec<String>]) -> Vec<f64> {
    let mut heights = vec![LEAST; rows];
    let mut cells: Vec<(&Cell, usize)> =
        grid.cells.iter().zip(texts).map(|(cell, lines)| (cell, lines.len())).collect();
    cells.sort_by_key(|(cell, _)| cell.rows);
    for (cell, lines) in cells {
        let place = cell.row..cell.row + cell.rows;
        let there: f64 = heights[place.clone()].iter().sum();
        let more = (lines as f64 * LINE + 2.0 * MARGIN - there).max(0.0) / cell.rows as f64;
        heights[place].iter_mut().for_each(|height| *height += more);
    }
    heights
}

/// Lines no wider than a cell, cut between words.
fn wrapped(text: &str, font: Chosen, cell: f64) -> Vec<String> {
    let most = cell - MARGIN;
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if width(&longer, font) <= most || line.is_empty() {
                line = longer;
            } else {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

fn frame(canvas: &mut Canvas, (left, top): (f64, f64), (width, height): (f64, f64)) {
    let rectangle = Rect::from_xywh(left as f32, top as f32, width as f32, height as f32);
    let Some(rectangle) = rectangle else { return };
    let stroke = Stroke {
        width: 1.4,
        line_cap: LineCap::Square,
        line_join: LineJoin::Miter,
        ..Stroke::default()
    };
    let clip = canvas.whole();
    canvas.stroke(&PathBuilder::from_rect(rectangle), stroke, Color::BLACK, &clip);
}

/// Writes lines in the middle of a cell; a word that is too long is made narrower.
fn write(
    canvas: &mut Canvas,
    (left, top): (f64, f64),
    (cell_width, cell_height): (f64, f64),
    lines: &[String],
    font: Chosen,
) {
    let first = top + (cell_height - lines.len() as f64 * LINE) / 2.0 + LINE * 0.75;
    for (place, line) in lines.iter().enumerate() {
        let natural = width(line, font);
        let stretch = ((cell_width - 4.0) / natural.max(1.0)).clamp(0.2, 1.0);
        let mut at = 0.0;
        let characters: Vec<(char, f64)> = line
            .chars()
            .zip(advances(font, EM, line.chars()))
            .map(|(character, advance)| {
                let place = (character, at);
                at += advance * stretch;
                place
            })
            .collect();
        let run = Run { font, em: EM, stretch, characters: &characters };
        let x = left + (cell_width - natural * stretch) / 2.0;
        let Some(path) = run.outlines(Matrix::shift(x, first + place as f64 * LINE)) else {
            continue;
        };
        let clip = canvas.whole();
        let (fill, blend) = (Fill::Plain(Color::BLACK), BlendMode::SourceOver);
        canvas.fill(&path, FillRule::Winding, &fill, blend, &clip);
    }
}
