//! What both kinds of Windows metafiles draw with: device contexts, pens, brushes, fonts, paths.
//!
//! [MS-EMF] and [MS-WMF] describe the records; what they mean is described with the functions of GDI
//! that they stand for.

mod blit;
mod context;
mod objects;
mod player;
mod shapes;
mod write;

pub(crate) use blit::{Blit, blend_mode_of};
pub(crate) use context::DeviceContext;
pub(crate) use objects::{Brush, Font, GdiObject, LineStyle, Pen, color_from_colorref};
pub(crate) use player::{ClipMode, PaintMode, Player};
pub(crate) use shapes::{ArcKind, EllipticArc};
pub(crate) use write::TextOut;
