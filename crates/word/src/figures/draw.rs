//! Draws figures, and pictures in lines of text.

use picture::{DrawOptions, FigureCell, FigureTable, draw_figure_table};

use document_model::CAPTION_ALONE;

use document::{Document, FigureKind, InlinePicture, collapse_whitespace};

use super::repeated_words::RepeatedWords;
use super::{CollectedFigure, CollectedPictures, PlacedDrawing};
use crate::figure_renderer::{FigureRenderer, to_figure_image};
use crate::item::{BodyItem, BodyTable, Drawing};

/// Maximum bytes of all pictures of one document. With 64 MiB of SVG, they fit in the 256 MiB of a worker's reply.
const MAX_PICTURE_BYTES: usize = 160 << 20;
/// Maximum bytes of all drawings of one document as SVG; further figures have only their pictures, and are not lost.
const MAX_SVG_BYTES: usize = 64 << 20;
/// Maximum number of cells of a table that is drawn. 2,000 were too few for long tables with figure captions.
const MAX_DRAWN_CELLS: usize = 4000;
/// Maximum number of pictures in lines of text, as many as a package may have parts. One part may be shown many times.
const MAX_INLINE_PICTURES: usize = 20_000;
/// Units of a printed size in a point.
const TWIPS_PER_POINT: u32 = 20;
/// The resolution of a picture in a line: sharp on a screen of high resolution.
const PIXELS_PER_POINT: u32 = 4;
/// Widths of pictures in lines differ by at least this much, in points: a picture that is printed in many sizes is
/// drawn at most 25 times.
const WIDTH_STEP_POINTS: u32 = 20;
/// Maximum bytes of the words of a picture in a line, which is an equation or a symbol and not a text.
const MAX_WORDS_BYTES: usize = 300;
/// The widest picture in a line, in points; a line of an A4 page has about 480.
const MAX_INLINE_POINTS: u32 = 500;

/// Draws the pictures of a document and adds each to its section. `media` returns the bytes of the
/// picture that a relationship targets.
pub(crate) fn draw_pictures(
    document: &mut Document,
    pictures: CollectedPictures,
    media: impl FnMut(&str) -> Option<Vec<u8>>,
) {
    let CollectedPictures { figures, mut inline } = pictures;
    let options = DrawOptions { keeps_drawing: true, ..DrawOptions::default() };
    let (mut renderer, mut bytes, mut svg_bytes) = (FigureRenderer::new(media), 0, 0);
    let mut repeated = RepeatedWords::default();
    for collected in figures {
        let Some(section) = document.sections.get_mut(collected.position.0) else { continue };
        let drawings: Vec<&Drawing> =
            collected.drawings.iter().map(|placed| &placed.drawing).collect();
        let mut figure = renderer.render_drawings(&drawings, options);
        figure.block = collected.position.1;
        figure.kind = classify_figure(&collected);
        // Old equations are pictures without the object that made them.
        let is_equation = collected.caption.is_none()
            && !figure.formats.is_empty()
            && figure.formats.iter().all(|format| format == "WMF");
        if is_equation {
            inline.extend(collected.drawings);
            continue;
        }
        if figure.kind == FigureKind::CaptionAlone {
            figure.faults.push(CAPTION_ALONE.to_owned());
        }
        if let Some(drawn) =
            collected.table.as_ref().and_then(|table| draw_figure_table(table, &options))
        {
            figure.picture = Some(to_figure_image(drawn));
        }
        if figure.picture.is_none() && figure.faults.is_empty() {
            let what = match figure.kind {
                FigureKind::Table => "the table is too large to draw",
                FigureKind::Chart => "the chart contains no values to draw",
                _ => "these shapes cannot be drawn",
            };
            figure.faults.push(what.to_owned());
        }
        if let Some(picture) = &mut figure.picture {
            bytes += picture.png.len();
            svg_bytes += picture.svg.as_ref().map_or(0, String::len);
            if svg_bytes > MAX_SVG_BYTES {
                picture.svg = None;
            }
        }
        if bytes > MAX_PICTURE_BYTES {
            figure.picture = None;
            figure.faults.push("the pictures of the document exceed the size limit".to_owned());
        }
        figure.caption = collected.caption;
        let words = drawings.into_iter().flat_map(|drawing| &drawing.words);
        let new: Vec<String> =
            words.filter(|words| !figure.labels.contains(words)).cloned().collect();
        figure.labels.extend(new);
        figure.labels.extend(collected.words);
        if figure.picture.is_some() {
            repeated.note_figure(
                (collected.position.0, section),
                &collected.shape_blocks,
                &figure.labels,
                figure.caption.as_deref(),
            );
        }
        section.figures.push(figure);
    }
    draw_inline_pictures(document, inline, &mut renderer, bytes);
    repeated.remove_from(&mut document.sections);
}

/// Draws the pictures in lines of text; `bytes` are those of the pictures that were drawn before.
fn draw_inline_pictures<M: FnMut(&str) -> Option<Vec<u8>>>(
    document: &mut Document,
    mut inline: Vec<PlacedDrawing>,
    renderer: &mut FigureRenderer<M>,
    mut bytes: usize,
) {
    inline.sort_by_key(|placed| (placed.position, placed.marker));
    if inline.len() > MAX_INLINE_PICTURES {
        let left_out = inline.len() - MAX_INLINE_PICTURES;
        document
            .warnings
            .push(format!("{left_out} inline pictures were skipped: there are too many"));
        inline.truncate(MAX_INLINE_PICTURES);
    }
    for placed in inline {
        if let Some(section) = document.sections.get_mut(placed.position.0)
            && bytes < MAX_PICTURE_BYTES
            && let Some(picture) = draw_inline(renderer, &placed)
        {
            bytes += picture.image.png.len();
            section.inline_pictures.push(picture);
        }
    }
}

/// Draws a picture in a line of text.
fn draw_inline<M: FnMut(&str) -> Option<Vec<u8>>>(
    renderer: &mut FigureRenderer<M>,
    placed: &PlacedDrawing,
) -> Option<InlinePicture> {
    let printed =
        placed.drawing.size.map_or(MAX_INLINE_POINTS, |size| size.width / TWIPS_PER_POINT);
    // A picture that is printed in many sizes is drawn in a few.
    let printed = printed.clamp(1, MAX_INLINE_POINTS).next_multiple_of(WIDTH_STEP_POINTS);
    let width = printed * PIXELS_PER_POINT;
    let options = DrawOptions { width, ..DrawOptions::default() };
    let figure = renderer.render_drawings(&[&placed.drawing], options);
    Some(InlinePicture {
        block: placed.position.1,
        marker: placed.marker,
        size: placed.drawing.size,
        words: join_words(&figure.labels),
        image: figure.picture?,
    })
}

/// The labels of a picture in a line as one text of bounded length.
fn join_words(labels: &[String]) -> String {
    let mut words = labels.join(" ");
    let end = (0..=MAX_WORDS_BYTES.min(words.len())).rev().find(|at| words.is_char_boundary(*at));
    words.truncate(end.unwrap_or(0));
    words
}

fn classify_figure(figure: &CollectedFigure) -> FigureKind {
    if figure.table.is_some() {
        return FigureKind::Table;
    }
    let kinds = || figure.drawings.iter().map(|placed| placed.drawing.kind);
    kinds()
        .find(|kind| *kind == FigureKind::Picture)
        .or_else(|| kinds().next())
        .unwrap_or(FigureKind::CaptionAlone)
}

/// The cells of a table with their text; a cell that continues the cell above is part of
/// it.
pub(super) fn build_grid(table: &BodyTable) -> FigureTable {
    let mut cells: Vec<FigureCell> = Vec::new();
    // A larger table only happens to precede a caption.
    if table.rows.iter().map(|row| row.cells.len()).sum::<usize>() > MAX_DRAWN_CELLS {
        return FigureTable { cells };
    }
    for (row, stored) in table.rows.iter().enumerate() {
        let mut column = stored.skipped_columns;
        for cell in &stored.cells {
            let above = cells.iter_mut().rev().find(|above| {
                cell.continues && above.column == column && above.row + above.rows == row
            });
            match above {
                Some(above) => above.rows += 1,
                None => cells.push(FigureCell {
                    row,
                    column,
                    rows: 1,
                    columns: cell.span,
                    text: join_paragraphs(&cell.items),
                }),
            }
            column += cell.span;
        }
    }
    FigureTable { cells }
}

/// The paragraphs of a cell as lines.
fn join_paragraphs(items: &[BodyItem]) -> String {
    let mut lines = Vec::new();
    for item in items {
        item.visit_paragraphs(&mut |paragraph| lines.push(collapse_whitespace(&paragraph.text)));
    }
    lines.join("\n")
}
