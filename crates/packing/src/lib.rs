//! An index as packs in a depot, and packs as an index.
//!
//! Owns the way between the store and a depot: what is exported, what is reused from an earlier export, and the order
//! in which packs are imported. Promises that every document of an export is whole, as it was before or after a
//! concurrent change, and that an import loses nothing that was there. Knows nothing of models or callers.

#![forbid(unsafe_code)]

mod carried;
mod embed;
mod error;
mod export;
mod export_report;
mod import;
mod known_packs;
mod publish;
mod reading;
mod verify;

pub use carried::{DefinitionsSource, ReadDefinitions};
pub use embed::{EmbedReport, EmbedTexts, embed_packs};
pub use error::PackingError;
pub use export::{export_documents, export_index};
pub use export_report::{ExportReport, Pacing};
pub use import::{PackImportReport, PackImporter};
pub use known_packs::IndexExport;
pub use publish::{add_embeddings, collect_built_packs, collect_packs};
pub use verify::{DepotReport, verify_pack, verify_packs};
