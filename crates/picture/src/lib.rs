//! Draws figures of office documents as PNG and reads the text in them.
//!
//! Owns the conversion from the bytes of a picture to a PNG and its labels, for Windows metafiles (EMF,
//! EMF+ and WMF), PNG, JPEG, GIF, TIFF, BMP and SVG. The metafile players of this crate skip records
//! that they cannot read, as Windows does; the fonts are part of this crate, so that a picture is the
//! same on every machine.
//!
//! Promises that no input panics, and that the work and the memory for one picture are bounded. It
//! knows nothing about documents, captions or files.

#![forbid(unsafe_code)]

mod bitmap;
mod blank;
mod budget;
mod canvas;
mod clip;
mod draw;
mod drawing;
mod emf;
mod encode;
mod error;
mod figure_table;
mod font;
mod gdi;
mod geometry;
mod glyph_numbers;
mod labels;
mod options;
mod paint;
mod painted;
mod picture_format;
mod raster;
mod reader;
mod svg;
mod symbol_font;
mod text;
mod wmf;

pub use blank::is_blank_png;
pub use draw::{DrawnPicture, MAX_STACKED_PICTURES, draw_picture, draw_stacked_pictures};
pub use error::DrawError;
pub use figure_table::{FigureCell, FigureTable, draw_figure_table};
pub use labels::PictureLabel;
pub use options::{DrawOptions, PictureCrop};
pub use picture_format::PictureFormat;
pub use symbol_font::{SymbolFont, UNKNOWN_SYMBOL, plain_sign, private_code};
pub use wmf::{EquationPicture, read_equation_picture};
