//! The size and the forms of drawn pictures.

/// Maximum factor by which drawings are enlarged. Without it, a symbol of ten pixels would be drawn 1,200 pixels wide.
const MAX_ENLARGEMENT: f64 = 20.0;

/// The size and the forms of drawn pictures.
#[derive(Debug, Clone, Copy)]
pub struct DrawOptions {
    /// The width of drawings in pixels; bitmaps are reduced to it, never enlarged.
    pub width: u32,
    /// The maximum height in pixels.
    pub max_height: u32,
    /// Whether a drawing is also returned as SVG.
    pub keeps_drawing: bool,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self { width: 1200, max_height: 4000, keeps_drawing: false }
    }
}

impl DrawOptions {
    /// Maximum height of stacked pictures and of tables, in pixels: they are read from top to bottom, so they need not
    /// fit on a screen. By default 12,000 pixels, which take 58 MB.
    pub(crate) fn max_long_height(&self) -> u32 {
        const MAX_HEIGHTS: u32 = 3;
        self.max_height.saturating_mul(MAX_HEIGHTS)
    }

    /// The scale for a drawing of a given width and height, and its size in pixels. `None` if the
    /// given size is not positive and finite.
    pub(crate) fn fit_size(&self, (width, height): (f64, f64)) -> Option<(f64, u32, u32)> {
        if !(width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()) {
            return None;
        }
        let scale = (f64::from(self.width) / width)
            .min(f64::from(self.max_height) / height)
            .min(MAX_ENLARGEMENT);
        let pixels = |length: f64| ((length * scale).ceil() as u32).max(1);
        Some((scale, pixels(width), pixels(height)))
    }
}
