//! What a document is once it is read, and the bounds and refusals under which one is read.
//!
//! Owns archives under [`Limits`], headings, tables of contents, covers, and the section tree. Knows
//! nothing of Word's or any other format's markup.

mod archive;
mod contents;
mod cover;
mod document;
mod error;
mod heading;
mod limits;
pub mod sections;
mod text;

pub use archive::{Archive, Budget, Entry};
pub use contents::{ends_in_page, parse_entry};
pub use cover::{MAX_LINES, read_cover};
pub use document::{
    Block, BlockKind, ContentsEntry, Cover, Document, Figure, FigureKind, Picture, Section,
};
pub use error::{Bound, ExtractError, one_line};
pub use heading::{Heading, parse_heading, split_number};
pub use limits::Limits;
pub use sections::{PartSections, TreeBuilder, join, repeated_numbers, settle_parents};
pub use text::{push_plain, squeeze, squeeze_lines};
