//! Figures of office documents as PNG, and the words in them.
//!
//! Owns the way from the bytes of a picture to a PNG and its labels, for Windows metafiles (EMF, EMF+
//! and WMF), PNG, JPEG, GIF, TIFF, BMP and SVG. Metafiles are played by programs of this crate that go
//! on after a record they cannot read, as Windows does; fonts are the ones in this crate, so that a
//! picture is the same on every machine.
//!
//! Promises that no input panics, and that the work and the memory for one picture are bounded. It
//! knows nothing of documents, captions or files.

mod bitmap;
mod budget;
mod canvas;
mod clip;
mod draw;
mod emf;
mod encode;
mod error;
mod font;
mod gdi;
mod geometry;
mod grid;
mod kind;
mod labels;
mod raster;
mod reader;
mod svg;
mod symbols;
mod text;
mod wmf;

pub use draw::{Drawn, MOST_TOGETHER, Options, draw, draw_together};
pub use error::DrawError;
pub use grid::{Cell, Grid, draw_grid};
pub use kind::Kind;
pub use labels::Label;
pub use symbols::{symbol_char, wingding_char};
