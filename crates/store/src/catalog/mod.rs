//! Which documents there are, in memory.

mod changes;
mod document_catalog;
mod load;

pub(crate) use changes::CatalogChanges;
pub use document_catalog::{DocumentCatalog, DocumentEntry, DocumentFilter};
pub(crate) use load::{ContentsSource, insert_contents_row, load_catalog};
