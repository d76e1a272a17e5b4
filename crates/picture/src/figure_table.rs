//! Tables as pictures: figures that their authors drew with table cells, such as the bits of a header.

use resvg::tiny_skia::{Color, LineCap, LineJoin, PathBuilder, Rect, Stroke};

use crate::{
    canvas::Canvas,
    draw::{DrawnPicture, encode_picture},
    font::{FontRequest, FontSubstitute, substitute_font},
    geometry::Matrix,
    labels::TextRun,
    options::DrawOptions,
    paint::Line,
    painted::PaintedPicture,
    picture_format::PictureFormat,
    text::{GlyphRun, glyph_advances},
};

/// A table: cells on a grid of rows and columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureTable {
    /// Its cells, in reading order.
    pub cells: Vec<FigureCell>,
}

/// A cell of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureCell {
    /// Its first row, from 0.
    pub row: usize,
    /// Its first column, from 0.
    pub column: usize,
    /// Rows that it covers, at least 1.
    pub rows: usize,
    /// Columns that it covers, at least 1.
    pub columns: usize,
    /// Its text, with line breaks.
    pub text: String,
}

/// Size of the letters in pixels.
const FONT_SIZE: f64 = 18.0;
const LINE_HEIGHT: f64 = 24.0;
const MARGIN: f64 = 8.0;
/// Minimum width of a column and height of a row. Empty cells are part of such figures, and must be visible.
const MIN_CELL_SIZE: f64 = 34.0;
/// A table with more rows or columns is not a figure: 400 rows are higher than a picture may be, and 400 columns
/// would be 3 pixels wide.
const MAX_ROWS_OR_COLUMNS: usize = 400;
/// A table with more text is not a figure. 20,000 bytes were too few for long tables with figure captions.
const MAX_TEXT_BYTES: usize = 60_000;

/// Draws a table. `None` if it has no cells, or more rows, columns, text or height than a figure.
pub fn draw_figure_table(grid: &FigureTable, options: &DrawOptions) -> Option<DrawnPicture> {
    let columns = grid.cells.iter().map(|cell| cell.column + cell.columns).max()?;
    let rows = grid.cells.iter().map(|cell| cell.row + cell.rows).max()?;
    let text_bytes: usize = grid.cells.iter().map(|cell| cell.text.len()).sum();
    if columns > MAX_ROWS_OR_COLUMNS || rows > MAX_ROWS_OR_COLUMNS || text_bytes > MAX_TEXT_BYTES {
        return None;
    }
    let font = substitute_font(&FontRequest { name: "Arial", ..FontRequest::default() });
    let lefts = cumulative_offsets(&column_widths(grid, columns, font, f64::from(options.width)));
    let texts: Vec<Vec<String>> = grid
        .cells
        .iter()
        .map(|cell| wrap_text(&cell.text, font, span_length(&lefts, cell.column, cell.columns)))
        .collect();
    let tops = cumulative_offsets(&row_heights(grid, rows, &texts));
    let (width, height) = (*lefts.last()? + 2.0, *tops.last()? + 2.0);
    if height > f64::from(options.max_long_height()) {
        return None;
    }
    let canvas = Canvas::new(width.ceil() as u32, height.ceil() as u32)?;
    let mut canvas = canvas.recording(options.keeps_drawing);
    let mut runs = Vec::new();
    for (cell, lines) in grid.cells.iter().zip(&texts) {
        let (left, top) = (lefts[cell.column] + 1.0, tops[cell.row] + 1.0);
        let size = (
            span_length(&lefts, cell.column, cell.columns),
            span_length(&tops, cell.row, cell.rows),
        );
        draw_frame(&mut canvas, (left, top), size);
        runs.extend(write_lines(&mut canvas, (left, top), size, lines, font));
    }
    let (pixels, drawing) = canvas.finish();
    let painted = PaintedPicture { pixels, runs, drawing };
    encode_picture(PictureFormat::Png, painted).ok()
}

/// The start of each length when they follow one another, and the end of the last.
fn cumulative_offsets(lengths: &[f64]) -> Vec<f64> {
    let mut end = 0.0;
    let mut offsets = vec![end];
    offsets.extend(lengths.iter().map(|length| {
        end += length;
        end
    }));
    offsets
}

fn span_length(offsets: &[f64], first: usize, count: usize) -> f64 {
    offsets[first + count] - offsets[first]
}

fn text_width(text: &str, font: FontSubstitute) -> f64 {
    glyph_advances(font, FONT_SIZE, text.chars()).iter().sum()
}

/// Columns as wide as their text, all together no wider than the picture.
fn column_widths(
    grid: &FigureTable,
    columns: usize,
    font: FontSubstitute,
    max_width: f64,
) -> Vec<f64> {
    let mut widths = vec![MIN_CELL_SIZE; columns];
    let mut cells: Vec<&FigureCell> = grid.cells.iter().collect();
    cells.sort_by_key(|cell| cell.columns);
    for cell in cells {
        let lines = cell.text.lines().map(|line| text_width(line, font));
        let needed = lines.fold(0.0, f64::max) + 2.0 * MARGIN;
        let spanned = cell.column..cell.column + cell.columns;
        let current: f64 = widths[spanned.clone()].iter().sum();
        let extra = (needed.min(max_width / 2.0) - current).max(0.0) / cell.columns as f64;
        widths[spanned].iter_mut().for_each(|width| *width += extra);
    }
    let total: f64 = widths.iter().sum();
    if total > max_width {
        widths.iter_mut().for_each(|width| *width *= max_width / total);
    }
    widths
}

fn row_heights(grid: &FigureTable, rows: usize, texts: &[Vec<String>]) -> Vec<f64> {
    let mut heights = vec![MIN_CELL_SIZE; rows];
    let mut cells: Vec<(&FigureCell, usize)> =
        grid.cells.iter().zip(texts).map(|(cell, lines)| (cell, lines.len())).collect();
    cells.sort_by_key(|(cell, _)| cell.rows);
    for (cell, lines) in cells {
        let spanned = cell.row..cell.row + cell.rows;
        let current: f64 = heights[spanned.clone()].iter().sum();
        let needed = lines as f64 * LINE_HEIGHT + 2.0 * MARGIN;
        let extra = (needed - current).max(0.0) / cell.rows as f64;
        heights[spanned].iter_mut().for_each(|height| *height += extra);
    }
    heights
}

/// Wraps text between words to lines no wider than a cell.
fn wrap_text(text: &str, font: FontSubstitute, cell_width: f64) -> Vec<String> {
    let max_width = cell_width - MARGIN;
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
            if text_width(&longer, font) <= max_width || line.is_empty() {
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

fn draw_frame(canvas: &mut Canvas, (left, top): (f64, f64), (width, height): (f64, f64)) {
    let rectangle = Rect::from_xywh(left as f32, top as f32, width as f32, height as f32);
    let Some(rectangle) = rectangle else { return };
    let stroke = Stroke {
        width: 1.4,
        line_cap: LineCap::Square,
        line_join: LineJoin::Miter,
        ..Stroke::default()
    };
    let clip = canvas.full_clip();
    let line = Line { stroke, dashes: Vec::new() };
    canvas.stroke_path(&PathBuilder::from_rect(rectangle), line, Color::BLACK, &clip);
}

/// Writes lines in the middle of a cell; a word that is too long is compressed. Returns the runs as drawn.
fn write_lines(
    canvas: &mut Canvas,
    (left, top): (f64, f64),
    (cell_width, cell_height): (f64, f64),
    lines: &[String],
    font: FontSubstitute,
) -> Vec<TextRun> {
    let mut runs = Vec::new();
    let first_baseline =
        top + (cell_height - lines.len() as f64 * LINE_HEIGHT) / 2.0 + LINE_HEIGHT * 0.75;
    for (index, line) in lines.iter().enumerate() {
        let natural = text_width(line, font);
        let stretch = ((cell_width - 4.0) / natural.max(1.0)).clamp(0.2, 1.0);
        let mut x_offset = 0.0;
        let characters: Vec<(char, f64)> = line
            .chars()
            .zip(glyph_advances(font, FONT_SIZE, line.chars()))
            .map(|(character, advance)| {
                let positioned = (character, x_offset);
                x_offset += advance * stretch;
                positioned
            })
            .collect();
        let run = GlyphRun { font, em: FONT_SIZE, stretch, characters: &characters };
        let x = left + (cell_width - natural * stretch) / 2.0;
        let baseline = first_baseline + index as f64 * LINE_HEIGHT;
        let clip = canvas.full_clip();
        canvas.write_glyphs(&run, Matrix::from_translation(x, baseline), Color::BLACK, &clip);
        runs.push(TextRun {
            text: line.clone(),
            start: (x, baseline),
            end: (x + natural * stretch, baseline),
            em: FONT_SIZE,
        });
    }
    runs
}
