//! Reads Word documents, new and old, into paragraphs and tables, and from these into sections of blocks.
//!
//! `.docx` is read by a streaming reader that keeps memory low, `.doc` through a library; both
//! pass the same items to the same assembler. This crate knows nothing about the archives that contain
//! the files.

#![forbid(unsafe_code)]

mod assemble;
mod attached;
mod body;
mod carried_text;
mod chart;
mod code_lines;
mod diagram;
mod dom;
mod embedded_object;
mod equations;
mod fields;
mod figure_renderer;
mod figures;
mod foreign;
mod green_letters;
mod inline_text;
mod item;
mod legacy;
mod listed_headings;
mod math;
mod namespaces;
mod notes;
mod number_format;
mod numbering;
mod open_elements;
mod package;
mod package_reading;
mod part_name;
mod picture_crop;
mod pieces;
mod properties;
mod repair;
mod role;
mod run_fonts;
mod run_format;
mod run_marks;
mod run_properties;
mod shapes;
mod strikethrough;
mod styles;
mod table;
mod table_grid;
mod theme;
mod tracked_changes;
mod visio;
pub mod xml;

pub use foreign::{TEXT_FORMAT_BYTES, TextFormat, read_text, read_text_pieces, rebuild_package};
pub use item::Highlight;
pub use legacy::{is_word_file, read_doc, read_doc_pieces};
pub use package::{DocxReadOptions, is_package, read_docx, read_docx_pieces};
pub use pieces::PieceRow;
pub use pieces::{ParagraphPiece, Piece, PieceKind, TablePiece};
pub use strikethrough::STRIKE_MARKER;
pub use strikethrough::{
    remove_strike_marks, remove_struck_text, render_strike_marks, skip_struck_prefix,
};
pub use tracked_changes::TrackedChanges;

#[cfg(test)]
#[path = "../tests/support/test_docx.rs"]
mod test_docx;
#[cfg(test)]
mod tests;
