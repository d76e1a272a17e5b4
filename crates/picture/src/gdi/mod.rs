//! The tools with which both kinds of Windows metafiles draw: device contexts, pens, brushes, fonts, paths.
//!
//! [MS-EMF] and [MS-WMF] describe the records, which have the meaning of the GDI functions of the same
//! names.

mod blit;
mod context;
mod objects;
mod player;
mod shapes;
mod write;

pub(crate) use blit::{Blit, SRCCOPY, blend_mode_of};
pub(crate) use context::{DeviceContext, MM_ANISOTROPIC};
pub(crate) use objects::{
    Brush, Font, GdiObject, LineStyle, PS_NULL, PS_STYLE_MASK, Pen, UNREADABLE_PATTERN_COLOR,
    color_from_colorref,
};
pub(crate) use player::{ClipMode, PaintMode, Player};
pub(crate) use shapes::{ArcKind, EllipticArc};
pub(crate) use write::{TA_BASELINE, TA_CENTER, TA_RIGHT, TA_UPDATECP, TextOut};
