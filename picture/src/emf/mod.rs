//! Enhanced metafiles ([MS-EMF]): the records of GDI, played on a canvas.
//!
//! Files that hold every picture twice, as GDI and as EMF+ records, are drawn from the GDI ones; files
//! of EMF+ records alone by the player of those.

mod header;
mod player;
mod plus;
mod records;

use header::Header;
use player::play;
use resvg::tiny_skia::Pixmap;

use crate::{
    canvas::Canvas, draw::Options, error::DrawError, gdi::Player, geometry::Matrix, labels::Run,
};

/// Draws a file, and reads the words in it.
pub(crate) fn draw(bytes: &[u8], options: &Options) -> Result<(Pixmap, Vec<Run>), DrawError> {
    let header =
        Header::read(bytes).ok_or_else(|| DrawError::damaged("EMF", "the header is cut off"))?;
    let ((left, top), (right, bottom)) = header.view;
    let (scale, width, height) =
        options.fit((right - left, bottom - top)).ok_or(DrawError::TooMuch)?;
    let view = Matrix::shift(-left, -top).then(Matrix::scale(scale, scale));
    let canvas = Canvas::new(width, height).ok_or(DrawError::TooMuch)?;
    let mut player = Player::new(canvas, view);
    player.context.mapping.per_millimetre = header.per_millimetre;
    let (canvas, runs) = if plus::is_alone(bytes) {
        plus::play(bytes, player, view).ok_or(DrawError::TooMuch)?
    } else {
        play(bytes, &mut player);
        (player.canvas, player.runs)
    };
    if canvas.is_spent() {
        return Err(DrawError::TooMuch);
    }
    Ok((canvas.into_pixmap(), runs))
}
