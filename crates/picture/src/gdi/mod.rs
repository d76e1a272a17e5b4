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

pub(crate) use blit::{Blit, blend_of};
pub(crate) use context::Context;
pub(crate) use objects::{Brush, Font, Line, Object, Pen, color};
pub(crate) use player::{ClipMode, Paint, Player};
pub(crate) use shapes::{Arc, ArcKind};
pub(crate) use write::TextOut;
