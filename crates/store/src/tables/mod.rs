//! The content of `meta.redb`: tables, keys, the encoding of values, and the rows.

pub(crate) mod captions;
pub(crate) mod citations;
pub(crate) mod codec;
pub(crate) mod decisions;
pub(crate) mod definitions;
pub(crate) mod document_contents;
pub(crate) mod documents;
pub(crate) mod figures;
#[cfg(test)]
mod format_page_tests;
pub(crate) mod headings;
pub(crate) mod inline_pictures;
pub(crate) mod journal_entry;
pub(crate) mod keys;
pub(crate) mod registers;
pub(crate) mod sections;
pub(crate) mod segments;
pub(crate) mod tdoc_jobs;
pub(crate) mod tdoc_texts;
pub(crate) mod tdocs;
