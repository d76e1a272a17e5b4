//! Draws bitmaps and patterns.

use resvg::tiny_skia::{BlendMode, IntRect, Pixmap};

use super::player::Player;
use crate::{
    bitmap::Bitmap,
    drawing::VectorDrawing,
    geometry::{Matrix, Point},
};

/// A part of a bitmap and its target.
pub(crate) struct Blit<'a> {
    pub bitmap: &'a Bitmap,
    /// The drawing that the bitmap shows, if it is kept.
    pub drawing: Option<&'a VectorDrawing>,
    /// The corner and the size of the part; the corner is counted from the upper left one of the bitmap.
    pub source: (Point, Point),
    /// The corner and the size of the target, in logical units; sizes may be negative.
    pub target: (Point, Point),
    pub blend: BlendMode,
}

/// [MS-WMF] 2.1.1.31, TernaryRasterOperation. `D` is the destination, `P` the pattern, `S` the source;
/// the letters are in reverse Polish notation, as there.
const BLACKNESS: u32 = 0x0000_0042;
const ROP_DSNA: u32 = 0x0022_0326;
const PATINVERT: u32 = 0x005a_0049;
const SRCINVERT: u32 = 0x0066_0046;
const SRCAND: u32 = 0x0088_00c6;
const ROP_DPA: u32 = 0x00a0_00c9;
const ROP_D: u32 = 0x00aa_0029;
pub(crate) const SRCCOPY: u32 = 0x00cc_0020;
const SRCPAINT: u32 = 0x00ee_0086;
const PATCOPY: u32 = 0x00f0_0021;
const WHITENESS: u32 = 0x00ff_0062;

/// The blend of a ternary raster operation; `None` if it uses no bitmap.
///
/// Masks in figures are black and white, for which these blends are exact.
pub(crate) fn blend_mode_of(operation: u32) -> Option<BlendMode> {
    match operation {
        ROP_DSNA | ROP_D | PATCOPY | WHITENESS | BLACKNESS => None,
        SRCAND => Some(BlendMode::Multiply),
        SRCPAINT => Some(BlendMode::Screen),
        SRCINVERT => Some(BlendMode::Difference),
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
        let is_whole = (part.width(), part.height()) == (pixels.width(), pixels.height());
        let drawing = if is_whole { blit.drawing } else { None };
        let transform = Matrix::from_scale(width / columns, height / rows)
            .then(Matrix::from_translation(left, top))
            .then(self.to_pixels());
        if !transform.is_usable() || !self.canvas.try_spend(2 * (columns * rows) as u64) {
            return;
        }
        let across = transform.a.hypot(transform.b);
        let down = transform.c.hypot(transform.d);
        let (part, factors) = shrink_bitmap(part, across, down);
        let transform = Matrix::from_scale(factors.0, factors.1).then(transform);
        self.canvas.draw_image((&part, drawing), transform, blit.blend, &self.context.clip);
    }

    /// Fills a rectangle as PatBlt does.
    pub(crate) fn blit_pattern(&mut self, operation: u32, (corner, size): (Point, Point)) {
        let rectangle = (corner, (corner.0 + size.0, corner.1 + size.1));
        let color = match operation {
            // The first and the last step of a translucent area: see `fill_color`.
            PATINVERT => {
                if let super::Brush::Plain(color) = &self.context.brush {
                    self.inverted = match self.inverted {
                        Some(before) if before == *color => None,
                        _ => Some(*color),
                    };
                }
                return;
            }
            // The step between them if the area is a rectangle.
            ROP_DPA => {
                // On its own this operation only clears bits of the destination: it is ignored.
                if self.inverted.is_some() {
                    let masks_before = std::mem::replace(&mut self.context.masks, true);
                    self.fill_rectangle(rectangle);
                    self.context.masks = masks_before;
                }
                return;
            }
            PATCOPY => None,
            BLACKNESS => Some(super::color_from_colorref(0)),
            WHITENESS => Some(super::color_from_colorref(0x00ff_ffff)),
            _ => return,
        };
        let before = self.context.brush.clone();
        if let Some(color) = color {
            self.context.brush = super::Brush::Plain(color);
        }
        self.fill_rectangle(rectangle);
        self.context.brush = before;
    }
}

/// The requested part of a bitmap, or the whole bitmap if that part is empty.
fn crop_bitmap(pixels: &Pixmap, ((left, top), (width, height)): (Point, Point)) -> Option<Pixmap> {
    let whole = IntRect::from_xywh(0, 0, pixels.width(), pixels.height())?;
    let requested = IntRect::from_xywh(left as i32, top as i32, width as u32, height as u32);
    let part = requested.and_then(|requested| requested.intersect(&whole)).unwrap_or(whole);
    if part == whole { Some(pixels.clone()) } else { pixels.clone_rect(part) }
}

/// Shrinks a bitmap that is drawn at half its size or smaller, by the mean of its pixels: sampling
/// alone would lose thin lines. Also returns the factors for both directions.
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
            let offset = ((row * width + column) * 4) as usize;
            small.data_mut()[offset..offset + 4].copy_from_slice(&mean);
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
