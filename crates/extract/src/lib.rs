//! Bytes to structure: a specification as sections of blocks, whatever file it came from.
//!
//! It owns the selection and order of the files of a document, the reading of contributions, and the worker process
//! that reads untrusted files. It guarantees that no input makes it panic or exceed [`document::Limits`], and knows
//! nothing of storage or search.

#![forbid(unsafe_code)]

mod citations;
mod contribution;
mod converter;
mod extraction;
#[doc(hidden)]
pub mod fuzzing;
mod gather;
mod notes_options;
mod passages;
mod read;
mod reading;
mod register_file;
mod signature;
#[cfg(test)]
#[path = "../../word/tests/support/test_docx.rs"]
mod test_docx;
mod worker;

pub use contribution::{
    Contribution, ContributionPassage, ContributionUnit, ReadFile, RevisedSection, TextBlock,
    TextKind, read_contribution,
};
pub use converter::find_converter;
pub use extraction::{
    ArchiveMember, DocumentIdentity, ExtractOptions, ExtractedDocument, Extraction, MemberFate,
    Pipeline,
};
pub use notes_options::{NotesOptions, NotesRulesError};
pub use passages::{CutPassage, SectionPassages, TokenCount};
pub use read::{read_file, read_group};
pub use register_file::read_register;
pub use worker::{
    CounterLoader, ReadingWatch, Sandbox, TokenCounting, Worker, WorkerConfig, serve_stdin,
};
