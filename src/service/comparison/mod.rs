//! Versions of a document compared: whole documents, single sections, and the changes that a document records.

mod alignment;
mod attribution;
mod cache;
mod compare_documents;
mod compare_sections;
mod contents;
mod get_change_request;
mod heading_only;
mod hunks;
mod list_changes;
mod marked_text;
mod mirrors;
mod paragraph_ages;
mod recorded;
mod registered;
mod section_history;
mod summary;
mod tracked;
mod version_changes;
pub(super) mod versions;
pub use paragraph_ages::paragraph_ages;

pub(super) use cache::ComparisonCache;
pub use paragraph_ages::ParagraphAges;
pub(super) use tracked::read_touched_clauses;
pub(super) use version_changes::VersionChanges;
pub(super) use versions::find_versions;

/// The words of a text: letters, digits and underscores.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
