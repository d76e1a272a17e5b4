//! Values of fields of the records: the enumerations of [MS-EMF] and [MS-WMF].

/// [MS-EMF] BackgroundMode.
pub(super) const OPAQUE: u32 = 2;
/// [MS-EMF] PolygonFillMode.
pub(super) const WINDING: u32 = 2;
/// [MS-EMF] ArcDirection.
pub(super) const AD_CLOCKWISE: u32 = 2;
/// [MS-EMF] ModifyWorldTransformMode.
pub(super) const MWT_IDENTITY: u32 = 1;
pub(super) const MWT_LEFTMULTIPLY: u32 = 2;
pub(super) const MWT_RIGHTMULTIPLY: u32 = 3;
pub(super) const MWT_SET: u32 = 4;
/// [MS-EMF] PenStyle: whether the width is in logical units.
pub(super) const PS_GEOMETRIC: u32 = 0x1_0000;
/// [MS-WMF] BrushStyle.
pub(super) const BS_NULL: u32 = 1;
/// [MS-EMF] Point: what is drawn to a point of PolyDraw, without the bit that closes the figure.
pub(super) const PT_MASK: u8 = 6;
pub(super) const PT_BEZIERTO: u8 = 4;
pub(super) const PT_MOVETO: u8 = 6;
/// [MS-EMF] GradientFill.
pub(super) const GRADIENT_FILL_RECT_V: u32 = 1;
pub(super) const GRADIENT_FILL_TRIANGLE: u32 = 2;

/// [MS-EMF] ExtTextOutOptions.
pub(super) const ETO_OPAQUE: u32 = 0x2;
pub(super) const ETO_GLYPH_INDEX: u32 = 0x10;
pub(super) const ETO_NO_RECT: u32 = 0x100;
pub(super) const ETO_SMALL_CHARS: u32 = 0x200;
pub(super) const ETO_PDY: u32 = 0x2000;
