//! Which documents there are, in memory.

mod changes;
mod document_catalog;
mod document_entry;
mod load;

pub(crate) use changes::CatalogChanges;
pub use document_catalog::DocumentCatalog;
pub use document_entry::{DocumentEntry, DocumentFilter};
pub(crate) use load::{ContentsSource, insert_contents_row, load_catalog};
