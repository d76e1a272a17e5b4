//! Enhanced metafiles ([MS-EMF]): the records of GDI, played on a canvas.
//!
//! Files that contain every picture twice, as GDI and as EMF+ records, are drawn from the GDI records;
//! files of EMF+ records alone, and files with a nested metafile, by the EMF+ player.

mod bitmaps;
mod enumerations;
mod header;
mod player;
mod plus;
mod record_types;
mod records;
mod text;

use crate::{
    blank::is_blank, canvas::Canvas, error::DrawError, gdi::Player, geometry::Matrix,
    options::DrawOptions, painted::PaintedPicture,
};
use header::EmfHeader;
use player::play_records;
use plus::PlusMode;

/// Draws a file and reads the text in it.
pub(crate) fn draw_emf(bytes: &[u8], options: &DrawOptions) -> Result<PaintedPicture, DrawError> {
    draw_scaled_emf(bytes, options, false).map(|(painted, _)| painted)
}

/// Draws a file that may be nested in another one; also returns the pixels per device unit.
fn draw_scaled_emf(
    bytes: &[u8],
    options: &DrawOptions,
    is_nested: bool,
) -> Result<(PaintedPicture, f64), DrawError> {
    let header = EmfHeader::from_bytes(bytes)
        .ok_or_else(|| DrawError::damaged("EMF", "the header is truncated"))?;
    let ((left, top), (right, bottom)) = options.crop.crop_rectangle(header.view);
    let (scale, width, height) =
        options.fit_size((right - left, bottom - top)).ok_or(DrawError::TooMuch)?;
    let view = Matrix::from_translation(-left, -top).then(Matrix::from_scale(scale, scale));
    let new_player = || {
        let canvas = if is_nested {
            Canvas::new_transparent(width, height)
        } else {
            Canvas::new(width, height)
        };
        let canvas = canvas.ok_or(DrawError::TooMuch)?.recording(options.keeps_drawing);
        let mut player = Player::new(canvas, view);
        player.context.mapping.per_millimetre = header.per_millimetre;
        Ok(player)
    };
    let mode = plus::select_plus_mode(bytes, is_nested);
    if mode != PlusMode::GdiOnly {
        let (canvas, runs, is_complete) =
            plus::play_plus_records(bytes, new_player()?, view, is_nested)
                .ok_or(DrawError::TooMuch)?;
        if is_complete || mode == PlusMode::PlusOnly {
            let painted = PaintedPicture::from_canvas(canvas, runs)?;
            // Some programs write an EMF+ part that shows nothing in addition to a picture in plain EMF.
            if is_nested || !is_blank(&painted.pixels) {
                return Ok((painted, scale));
            }
        }
    }
    let mut player = new_player()?;
    play_records(bytes, &mut player);
    Ok((PaintedPicture::from_canvas(player.canvas, player.runs)?, scale))
}
