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
mod figure_table;
mod font;
mod gdi;
mod geometry;
mod labels;
mod picture_format;
mod raster;
mod reader;
mod svg;
mod symbols;
mod text;
mod wmf;

pub use draw::{
    DrawOptions, DrawnPicture, MAX_STACKED_PICTURES, draw_picture, draw_stacked_pictures,
};
pub use error::DrawError;
pub use figure_table::{FigureCell, FigureTable, draw_figure_table};
pub use labels::PictureLabel;
pub use picture_format::PictureFormat;
pub use symbols::{symbol_char, wingding_char};
