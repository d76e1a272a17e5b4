//! A picture as it was painted, before it is written to a file.

use resvg::tiny_skia::Pixmap;

use crate::{canvas::Canvas, drawing::VectorDrawing, error::DrawError, labels::TextRun};

/// A picture as it was painted.
pub(crate) struct PaintedPicture {
    pub pixels: Pixmap,
    pub runs: Vec<TextRun>,
    /// What was painted as elements, if it is kept.
    pub drawing: Option<VectorDrawing>,
}

impl PaintedPicture {
    /// What is on a canvas, unless painting it was too much work.
    pub(crate) fn from_canvas(canvas: Canvas, runs: Vec<TextRun>) -> Result<Self, DrawError> {
        if canvas.is_spent() {
            return Err(DrawError::TooMuch);
        }
        let (pixels, drawing) = canvas.finish();
        Ok(Self { pixels, runs, drawing })
    }
}
