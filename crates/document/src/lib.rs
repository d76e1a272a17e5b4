//! The extracted document, and the limits and errors of the extraction.
//!
//! Owns archives under [`Limits`], headings, tables of contents, covers, and the section tree. Knows
//! nothing of Word's or any other format's markup.

#![forbid(unsafe_code)]

mod archive;
mod contents;
mod cover;
mod document;
mod error;
mod expected_numbers;
mod heading;
mod limits;
mod observed_reader;
mod progress;
pub mod sections;
mod text;

pub use archive::{Archive, ArchiveEntry, UnpackBudget};
pub use contents::{find_missing_entries, fold_entry, has_page_number, parse_contents_entry};
pub use cover::{MAX_COVER_LINES, begins_with_identity, read_cover};
pub use document::{
    ContentsEntry, CoverPage, Document, Figure, FigureImage, FigureKind, FileProperties,
    InlinePicture, PrintedSize, Section,
};
pub use error::{ExtractError, LimitKind, one_line};
pub use heading::{Heading, parse_heading, split_number};
pub use limits::Limits;
pub use observed_reader::ObservedReader;
pub use sections::{
    PartSections, SectionTreeBuilder, join_parts, repeated_numbers, resolve_parents,
};
pub use text::{collapse_line_whitespace, collapse_whitespace, push_plain_text};
