//! Enhanced metafiles ([MS-EMF]): the records of GDI, played on a canvas.
//!
//! Files that hold every picture twice, as GDI and as EMF+ records, are drawn from the GDI ones;
//! files of EMF+ records alone, and those that hold a metafile within, by the player of those.

mod header;
mod player;
mod plus;
mod records;

use header::Header;
use player::play;
use plus::Wanted;
use resvg::tiny_skia::Pixmap;

use crate::{
    canvas::Canvas, draw::Options, error::DrawError, gdi::Player, geometry::Matrix, labels::Run,
};

/// Draws a file, and reads the words in it.
pub(crate) fn draw(bytes: &[u8], options: &Options) -> Result<(Pixmap, Vec<Run>), DrawError> {
    draw_scaled(bytes, options, false).map(|(pixels, runs, _)| (pixels, runs))
}

/// The same, of a file that may lie within another one; also the pixels of one unit of the device.
fn draw_scaled(
    bytes: &[u8],
    options: &Options,
    is_nested: bool,
) -> Result<(Pixmap, Vec<Run>, f64), DrawError> {
    let header =
        Header::read(bytes).ok_or_else(|| DrawError::damaged("EMF", "the header is cut off"))?;
    let ((left, top), (right, bottom)) = header.view;
    let (scale, width, height) =
        options.fit((right - left, bottom - top)).ok_or(DrawError::TooMuch)?;
    let view = Matrix::shift(-left, -top).then(Matrix::scale(scale, scale));
    let blank = || {
        let canvas = match is_nested {
            true => Canvas::clear(width, height),
            false => Canvas::new(width, height),
        };
        let mut player = Player::new(canvas.ok_or(DrawError::TooMuch)?, view);
        player.context.mapping.per_millimetre = header.per_millimetre;
        Ok(player)
    };
    let wanted = plus::is_wanted(bytes, is_nested);
    let mut drawn = None;
    if wanted != Wanted::No {
        let played = plus::play(bytes, blank()?, view, is_nested).ok_or(DrawError::TooMuch)?;
        let (canvas, runs, is_whole) = played;
        drawn = (is_whole || wanted == Wanted::Alone).then_some((canvas, runs));
    }
    let (canvas, runs) = match drawn {
        Some(drawn) => drawn,
        None => {
            let mut player = blank()?;
            play(bytes, &mut player);
            (player.canvas, player.runs)
        }
    };
    if canvas.is_spent() {
        return Err(DrawError::TooMuch);
    }
    Ok((canvas.into_pixmap(), runs, scale))
}
