//! Which documents there are, in memory.

mod document_catalog;
mod load;

pub use document_catalog::{DocumentCatalog, DocumentEntry, DocumentFilter};
pub(crate) use load::{ContentsSource, insert_contents_row, load_catalog};
