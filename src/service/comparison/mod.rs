//! Versions of a document compared: whole documents, single sections, and the changes that a document records.

mod alignment;
mod compare_documents;
mod compare_sections;
mod contents;
mod hunks;
mod list_changes;
mod marked_text;
mod summary;
mod versions;

pub(super) use alignment::AlignmentCache;
