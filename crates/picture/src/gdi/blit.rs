//! Bitmaps.

use resvg::tiny_skia::{BlendMode, IntRect, Pixmap};

use super::player::Player;
use crate::{
    bitmap::Bitmap,
    geometry::{Matrix, Point},
};

/// A part of a bitmap and where it is put.
pub(crate) struct Blit<'a> {
    pub bitmap: &'a Bitmap,
    /// The corner and the size of the part, from the upper left one of the bitmap.
    pub source: (Point, Point),
    /// The corner and the size of the target, in logical units; sizes may be negative.
    pub target: (Point, Point),
    pub blend: BlendMode,
}

/// How a ternary raster operation joins the bitmap with what is there; none where it uses no
/// bitmap.
///
/// Masks in figures are black and white, for which these blends are exact.
pub(crate) fn blend_mode_of(operation: u32) -> Option<BlendMode> {
    match operation {
        // DSna, NOP, and those that only fill.
        0x0022_0326 | 0x00aa_0029 | 0x00f0_0021 | 0x00ff_0062 | 0x0000_0042 => None,
        0x0088_00c6 => Some(BlendMode::Multiply),
        0x00ee_0086 => Some(BlendMode::Screen),
        0x0066_0046 => Some(BlendMode::Difference),
        _ => Some(BlendMode::SourceOver),
    }
}

impl Player {
    /// Draws a part of a bitmap on the canvas.
    pub(crate) fn blit_bitmap(&mut self, blit: &Blit<'_>) {
        if self.context.draws_nothing {
            return;
        }
        let pixels = &blit.bitmap.pixels;
        let Some(part) = crop_bitmap(pixels, blit.source) else { return };
        let ((left, top), (width, height)) = blit.target;
        let (columns, rows) = (f64::from(part.width()), f64::from(part.height()));
        let transform = Matrix::from_scale(width / columns, height / rows)
            .then(Matrix::from_translation(left, top))
            .then(self.to_pixels());
        if !transform.is_usable() || !self.canvas.try_spend(2 * (columns * rows) as u64) {
            return;
        }
        let across = transform.a.hypot(transform.b);
        let down = transform.c.hypot(transform.d);
        let (part, shrunk) = shrink_bitmap(part, across, down);
        let transform = Matrix::from_scale(shrunk.0, shrunk.1).then(transform);
        self.canvas.draw_image(&part, transform, blit.blend, &self.context.clip);
    }

    /// Fills a rectangle as PatBlt does.
    pub(crate) fn blit_pattern(&mut self, operation: u32, (at, size): (Point, Point)) {
        let rectangle = (at, (at.0 + size.0, at.1 + size.1));
        let brush = match operation {
            // PATINVERT, the first and the last of the steps of `let_through`.
            0x005a_0049 => {
                if let super::Brush::Plain(color) = &self.context.brush {
                    self.inverted = match self.inverted {
                        Some(before) if before == *color => None,
                        _ => Some(*color),
                    };
                }
                return;
            }
            // DPa, the step between them where the area is a rectangle.
            0x00a0_00c9 => {
                // By itself it only keeps bits of what is there.
                if self.inverted.is_some() {
                    let masked = std::mem::replace(&mut self.context.masks, true);
                    self.fill_rectangle(rectangle);
                    self.context.masks = masked;
                }
                return;
            }
            0x00f0_0021 => None,
            0x0000_0042 => Some(super::color_from_colorref(0)),
            0x00ff_0062 => Some(super::color_from_colorref(0x00ff_ffff)),
            _ => return,
        };
        let before = self.context.brush.clone();
        if let Some(color) = brush {
            self.context.brush = super::Brush::Plain(color);
        }
        self.fill_rectangle(rectangle);
        self.context.brush = before;
    }
}

/// The requested part of a bitmap, or the whole bitmap where that part is empty.
fn crop_bitmap(pixels: &Pixmap, ((left, top), (width, height)): (Point, Point)) -> Option<Pixmap> {
    let whole = IntRect::from_xywh(0, 0, pixels.width(), pixels.height())?;
    let requested = IntRect::from_xywh(left as i32, top as i32, width as u32, height as u32);
    let part = requested.and_then(|requested| requested.intersect(&whole)).unwrap_or(whole);
    if part == whole { Some(pixels.clone()) } else { pixels.clone_rect(part) }
}

/// A bitmap that is drawn at half its size or smaller, shrunk by the mean of its pixels: sampling
/// alone would lose thin lines. Returns by how much in both directions.
fn shrink_bitmap(pixels: Pixmap, across: f64, down: f64) -> (Pixmap, (f64, f64)) {
    let factor =
        |scale: f64| if scale > 0.0 { (1.0 / scale).floor().clamp(1.0, 64.0) } else { 1.0 };
    let (by_x, by_y) = (factor(across) as u32, factor(down) as u32);
    if by_x == 1 && by_y == 1 {
        return (pixels, (1.0, 1.0));
    }
    let (width, height) = (pixels.width().div_ceil(by_x), pixels.height().div_ceil(by_y));
    let Some(mut small) = Pixmap::new(width, height) else { return (pixels, (1.0, 1.0)) };
    for row in 0..height {
        for column in 0..width {
            let mean = mean_pixel(&pixels, (column * by_x, row * by_y), (by_x, by_y));
            let at = ((row * width + column) * 4) as usize;
            small.data_mut()[at..at + 4].copy_from_slice(&mean);
        }
    }
    (small, (f64::from(by_x), f64::from(by_y)))
}

fn mean_pixel(pixels: &Pixmap, (left, top): (u32, u32), (width, height): (u32, u32)) -> [u8; 4] {
    let (right, bottom) = ((left + width).min(pixels.width()), (top + height).min(pixels.height()));
    let mut sums = [0_u32; 4];
    for row in top..bottom {
        let from = ((row * pixels.width() + left) * 4) as usize;
        let to = ((row * pixels.width() + right) * 4) as usize;
        for pixel in pixels.data()[from..to].as_chunks::<4>().0 {
            sums.iter_mut().zip(pixel).for_each(|(sum, part)| *sum += u32::from(*part));
        }
    }
    let count = ((right - left) * (bottom - top)).max(1);
    sums.map(|sum| (sum / count) as u8)
}
