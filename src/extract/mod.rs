//! Bytes to structure: a specification as sections of blocks, whatever file it came from.
//!
//! It owns archives, Word documents old and new, covers, tables of contents, and the worker
//! process that reads files nobody vouches for. It promises that no input makes it panic or
//! outgrow [`Limits`], and knows nothing of storage, passages or search.

mod archive;
mod contents;
mod contribution;
mod converter;
mod cover;
mod document;
mod error;
mod extraction;
mod gather;
mod heading;
mod limits;
mod minutes;
mod read;
mod register_file;
mod sections;
#[cfg(test)]
mod test_docx;
mod text;
mod word;
pub mod worker;

pub use contribution::{
    ChangeCover, Contribution, ContributionUnit, ReadFile, TextBlock, TextKind, UnitKind,
    read_contribution,
};
pub use converter::find_converter;
pub use document::{
    Block, BlockKind, ContentsEntry, Cover, Document, Figure, FigureKind, Picture, Section,
};
pub use error::{Bound, ExtractError};
pub use extraction::{Extracted, Extraction, Fate, Identity, Member, Options, Pipeline};
pub use limits::Limits;
pub use minutes::RecordedDecision;
pub use read::{read_file, read_group};
pub use register_file::read_register;
pub(crate) use word::unstruck;
pub use word::{FIGURE, STRIKE};
