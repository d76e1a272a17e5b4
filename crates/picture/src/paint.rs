//! What areas are filled with and paths are stroked with.

use resvg::tiny_skia::{Color, Pixmap, Stroke};

/// What an area is filled with.
#[derive(Clone)]
pub(crate) enum Fill {
    Plain(Color),
    /// Repeated over the area.
    Tile(std::rc::Rc<Pixmap>),
    /// From one point of the canvas to the other.
    Gradient {
        from: (f32, f32),
        to: (f32, f32),
        colors: [Color; 2],
    },
}

/// How a path is stroked.
#[derive(Clone)]
pub(crate) struct Line {
    /// Without dashes.
    pub stroke: Stroke,
    /// Lengths of dashes and gaps in turn; empty for a solid line.
    pub dashes: Vec<f32>,
}
