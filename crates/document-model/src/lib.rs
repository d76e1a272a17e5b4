//! The document model: what a section consists of, and the plain text that is derived from it.
//!
//! Owns the typed blocks and the one function that prints them as text ([`print_blocks`]). Texts of the
//! API, passages, pages and references are all derived from these blocks; nothing reads structure back
//! from text. Knows no file format and no storage. `docs/document-model.md` describes it for people.

#![forbid(unsafe_code)]

mod block;
mod body;
mod context_header;
mod contribution;
mod plain_text;
mod rich_text;
mod text_range;

pub use block::{
    Block, CellParagraph, CodeBlock, CodeLanguage, ListItem, Paragraph, ParagraphKind, Table,
    TableCell, TableRow, split_list_label,
};
pub use body::{FigurePosition, MODEL_VERSION, SectionBody};
pub use context_header::{SectionHeading, build_context_header, build_heading_path};
pub use contribution::{TdocPassageRow, TdocUnitRow};
pub use plain_text::{
    PrintedBlock, PrintedTable, TableLimits, fence_code, join_printed_blocks, print_block,
    print_blocks, print_table,
};
pub use rich_text::{RichText, RichTextBuilder, Span, SpanKind};
pub use text_range::{TextRange, slice_passage};

/// Marks a figure in a text.
pub const FIGURE_MARKER: &str = "[figure]";
/// The fault of a figure that is only a caption: its figure may be text, drawn with characters.
pub const CAPTION_ALONE: &str = "no picture precedes the caption";
/// Marks an equation that could not be read in a text.
pub const EQUATION_MARKER: &str = "[equation]";
