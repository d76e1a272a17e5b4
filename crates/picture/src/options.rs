//! The size and the forms of drawn pictures.

use crate::geometry::Point;

/// Maximum factor by which drawings are enlarged. Without it, a symbol of ten pixels would be drawn 1,200 pixels wide.
const MAX_ENLARGEMENT: f64 = 20.0;

/// The edges of a picture that are not shown, in thousandths of a percent of its width and height, as `a:srcRect` of
/// DrawingML has them. Negative ones, which add an empty edge, count as none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct PictureCrop {
    /// At the left.
    pub left: i32,
    /// At the top.
    pub top: i32,
    /// At the right.
    pub right: i32,
    /// At the bottom.
    pub bottom: i32,
}

impl PictureCrop {
    /// The whole width or height.
    pub const WHOLE: i32 = 100_000;
    /// A crop of nothing.
    pub const NONE: Self = Self { left: 0, top: 0, right: 0, bottom: 0 };
    /// Programs write smaller edges when they round; a picture without them would be drawn anew for nothing.
    const MIN_EDGE: i32 = 500;
    /// A smaller rest, in the same unit, is not a picture: the numbers mean something else.
    const MIN_REST: i32 = 1000;

    /// The shares of the width and of the height at which the shown part begins and ends; `None` if all is shown, or too
    /// little.
    pub(crate) fn shown_part(self) -> Option<(Point, Point)> {
        let edge = |edge: i32| if edge < Self::MIN_EDGE { 0 } else { edge.min(Self::WHOLE) };
        let (left, top) = (edge(self.left), edge(self.top));
        let (right, bottom) = (Self::WHOLE - edge(self.right), Self::WHOLE - edge(self.bottom));
        let is_all = (left, top, right, bottom) == (0, 0, Self::WHOLE, Self::WHOLE);
        if is_all || right - left < Self::MIN_REST || bottom - top < Self::MIN_REST {
            return None;
        }
        let share = |edge: i32| f64::from(edge) / f64::from(Self::WHOLE);
        Some(((share(left), share(top)), (share(right), share(bottom))))
    }

    /// The shown part of a rectangle.
    pub(crate) fn crop_rectangle(self, (from, to): (Point, Point)) -> (Point, Point) {
        let Some((start, end)) = self.shown_part() else { return (from, to) };
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        let corner = |share: Point| (from.0 + share.0 * width, from.1 + share.1 * height);
        (corner(start), corner(end))
    }
}

/// The size and the forms of drawn pictures.
#[derive(Debug, Clone, Copy)]
pub struct DrawOptions {
    /// The width of drawings in pixels; bitmaps are reduced to it, never enlarged.
    pub width: u32,
    /// The maximum height in pixels.
    pub max_height: u32,
    /// Whether a drawing is also returned as SVG.
    pub keeps_drawing: bool,
    /// What is not shown of metafiles and bitmaps; SVG is shown whole.
    pub crop: PictureCrop,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self { width: 1200, max_height: 4000, keeps_drawing: false, crop: PictureCrop::NONE }
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
