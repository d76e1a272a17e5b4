//! Enhanced metafiles ([MS-EMF]): the records of GDI, played on a canvas.
//!
//! Files that hold every picture twice, as GDI and as EMF+ records, are drawn from the GDI records;
//! files of EMF+ records alone, and files with a nested metafile, by the EMF+ player.

mod bitmaps;
mod enumerations;
mod header;
mod player;
mod plus;
mod record_types;
mod records;
mod text;

use header::EmfHeader;
use player::play_records;
use plus::PlusMode;
use resvg::tiny_skia::Pixmap;

use crate::{
    blank::is_blank, canvas::Canvas, error::DrawError, gdi::Player, geometry::Matrix,
    labels::TextRun, options::DrawOptions,
};

/// Draws a file and reads the text in it.
pub(crate) fn draw_emf(
    bytes: &[u8],
    options: &DrawOptions,
) -> Result<(Pixmap, Vec<TextRun>), DrawError> {
    draw_scaled_emf(bytes, options, false).map(|(pixels, runs, _)| (pixels, runs))
}

/// Draws a file that may be nested in another one; also returns the pixels per device unit.
fn draw_scaled_emf(
    bytes: &[u8],
    options: &DrawOptions,
    is_nested: bool,
) -> Result<(Pixmap, Vec<TextRun>, f64), DrawError> {
    let header = EmfHeader::from_bytes(bytes)
        .ok_or_else(|| DrawError::damaged("EMF", "the header is cut off"))?;
    let ((left, top), (right, bottom)) = header.view;
    let (scale, width, height) =
        options.fit_size((right - left, bottom - top)).ok_or(DrawError::TooMuch)?;
    let view = Matrix::from_translation(-left, -top).then(Matrix::from_scale(scale, scale));
    let new_player = || {
        let canvas = match is_nested {
            true => Canvas::new_transparent(width, height),
            false => Canvas::new(width, height),
        };
        let mut player = Player::new(canvas.ok_or(DrawError::TooMuch)?, view);
        player.context.mapping.per_millimetre = header.per_millimetre;
        Ok(player)
    };
    let mode = plus::select_plus_mode(bytes, is_nested);
    if mode != PlusMode::GdiOnly {
        let (canvas, runs, is_complete) =
            plus::play_plus_records(bytes, new_player()?, view, is_nested)
                .ok_or(DrawError::TooMuch)?;
        if is_complete || mode == PlusMode::PlusOnly {
            let pixels = finish(canvas)?;
            // Some programs write an EMF+ part that shows nothing, beside a picture in plain EMF.
            if is_nested || !is_blank(&pixels) {
                return Ok((pixels, runs, scale));
            }
        }
    }
    let mut player = new_player()?;
    play_records(bytes, &mut player);
    Ok((finish(player.canvas)?, player.runs, scale))
}

/// The pixels of a canvas, unless drawing took too much.
fn finish(canvas: Canvas) -> Result<Pixmap, DrawError> {
    if canvas.is_spent() { Err(DrawError::TooMuch) } else { Ok(canvas.into_pixmap()) }
}
