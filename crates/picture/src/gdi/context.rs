//! The state of a device context.

use resvg::tiny_skia::Color;

use super::objects::{Brush, Font, Pen};
use crate::{
    clip::ClipRegion,
    font::FontRequest,
    geometry::{Matrix, Point},
};

/// [MS-EMF] MapMode.
const MM_TEXT: u32 = 1;
const MM_LOMETRIC: u32 = 2;
const MM_HIMETRIC: u32 = 3;
const MM_LOENGLISH: u32 = 4;
const MM_HIENGLISH: u32 = 5;
const MM_TWIPS: u32 = 6;
const MM_ISOTROPIC: u32 = 7;
pub(crate) const MM_ANISOTROPIC: u32 = 8;

/// Everything that SaveDC saves.
#[derive(Clone)]
pub(crate) struct DeviceContext {
    pub world: Matrix,
    pub mapping: Mapping,
    pub pen: Pen,
    pub brush: Brush,
    pub font: Font,
    pub text_color: Color,
    pub back_color: Color,
    /// Whether text is written on its background colour.
    pub is_opaque: bool,
    /// The bits of SetTextAlign.
    pub text_align: u32,
    /// The last rectangle to which the clip was narrowed, as the record has it.
    pub last_clip: Option<(Point, Point)>,
    /// Whether areas are filled by the non-zero winding rule; otherwise by the even-odd rule.
    pub fills_winding: bool,
    pub is_clockwise: bool,
    /// Whether nothing is drawn: R2_NOP.
    pub draws_nothing: bool,
    /// Whether areas only clear bits of the destination: R2_MASKPEN.
    pub masks: bool,
    pub position: Point,
    pub clip: ClipRegion,
}

/// How logical coordinates become device coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Mapping {
    /// One of the `MM_` constants.
    pub mode: u32,
    pub window_origin: Point,
    pub window_extent: Point,
    pub viewport_origin: Point,
    pub viewport_extent: Point,
    /// Units of the device in a millimetre.
    pub per_millimetre: Point,
}

impl DeviceContext {
    pub(crate) fn new(clip: ClipRegion) -> Self {
        Self {
            world: Matrix::IDENTITY,
            mapping: Mapping::default(),
            pen: Pen::default(),
            brush: Brush::Plain(Color::WHITE),
            font: Font::new(-12.0, &FontRequest { name: "Arial", ..FontRequest::default() }),
            text_color: Color::BLACK,
            back_color: Color::WHITE,
            is_opaque: true,
            text_align: 0,
            last_clip: None,
            fills_winding: false,
            is_clockwise: false,
            draws_nothing: false,
            masks: false,
            position: (0.0, 0.0),
            clip,
        }
    }
}

impl Default for Mapping {
    fn default() -> Self {
        Self {
            mode: MM_TEXT,
            window_origin: (0.0, 0.0),
            window_extent: (1.0, 1.0),
            viewport_origin: (0.0, 0.0),
            viewport_extent: (1.0, 1.0),
            per_millimetre: (1.0, 1.0),
        }
    }
}

impl Mapping {
    /// From logical to device coordinates.
    pub(crate) fn device_matrix(&self) -> Matrix {
        let (x, y) = self.per_millimetre;
        let metric = |millimetres: f64| (x * millimetres, -y * millimetres);
        let (x, y) = match self.mode {
            MM_LOMETRIC => metric(0.1),
            MM_HIMETRIC => metric(0.01),
            MM_LOENGLISH => metric(0.254),
            MM_HIENGLISH => metric(0.0254),
            MM_TWIPS => metric(25.4 / 1440.0),
            MM_ISOTROPIC | MM_ANISOTROPIC => (
                finite_ratio(self.viewport_extent.0, self.window_extent.0),
                finite_ratio(self.viewport_extent.1, self.window_extent.1),
            ),
            _ => (1.0, 1.0),
        };
        let (left, top) = self.window_origin;
        Matrix::from_translation(-left, -top)
            .then(Matrix::from_scale(x, y))
            .then(Matrix::from_translation(self.viewport_origin.0, self.viewport_origin.1))
    }
}

/// A ratio; 1 if it is 0 or not finite, which would hide the picture.
fn finite_ratio(numerator: f64, denominator: f64) -> f64 {
    let ratio = numerator / denominator;
    if ratio.is_finite() && ratio != 0.0 { ratio } else { 1.0 }
}
