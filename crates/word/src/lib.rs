//! Word documents, new and old: to paragraphs and tables, and from these to sections of blocks.
//!
//! `.docx` is read by a streaming reader that keeps memory low, `.doc` through a library; both
//! give the same items to the same assembler. Nothing here knows of the archives around.

mod assemble;
mod body;
mod chart;
mod diagram;
mod dom;
mod figures;
mod frames;
mod item;
mod latex;
mod legacy;
mod math;
mod notes;
mod numbering;
mod package;
mod pieces;
mod role;
mod seen;
mod shapes;
mod strikes;
mod styles;
mod symbols;
mod table;
mod visio;
pub mod xml;

pub use assemble::fence;
pub use item::FIGURE;
pub use item::Highlight;
pub use legacy::{is_word_file, read_doc, read_doc_pieces};
pub use package::{How, is_package, read_docx, read_docx_pieces};
pub use pieces::TableRow;
pub use pieces::{Line, LineKind, Piece, TablePiece};
pub use strikes::STRIKE;
pub use strikes::{after_strikes, unstruck, with_strikes, without_strikes};

#[cfg(test)]
#[path = "../tests/support/test_docx.rs"]
mod test_docx;
#[cfg(test)]
mod tests;
