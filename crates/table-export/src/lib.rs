//! An index as tables in Parquet: documents, sections, passages with their vectors, figures, names, references and decisions.
//!
//! Owns the columns of the tables, which `docs/export.md` describes. Promises that all tables are of one state of the
//! index, that a table exists whole or not at all, and that none is replaced before all are written. Knows nothing of
//! readers.

#![forbid(unsafe_code)]

mod columns;
mod decisions;
mod document_text;
mod documents;
mod error;
mod figures;
mod names;
mod passages;
mod references;
mod sections;
mod table_file;

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use serde::{Deserialize, Serialize};
use store::Snapshot;

pub use error::TableError;

use document_text::DocumentText;
use table_file::TableFile;

/// A table that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTable {
    /// Its file.
    pub file: PathBuf,
    /// Its rows.
    pub rows: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// Writes all tables of an index into a folder, replacing earlier ones. `step` gets the documents done and the total.
pub fn export_tables(
    snapshot: &Snapshot,
    folder: &Path,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<Vec<WrittenTable>, TableError> {
    std::fs::create_dir_all(folder).map_err(TableError::io("create", folder))?;
    let model = snapshot.contents().text_model()?;
    let dimension = model.as_ref().map_or(1, |model| model.dimension);
    let about = [
        ("specbox.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("specbox.text_model", model.map(|model| model.name).unwrap_or_default()),
    ];
    let mut documents = TableFile::create(folder, "documents", &about);
    let mut sections = TableFile::create(folder, "sections", &about);
    let mut passages = TableFile::create(folder, "passages", &about);
    let mut figures = TableFile::create(folder, "figures", &about);
    let mut names = TableFile::create(folder, "names", &about);
    let mut references = TableFile::create(folder, "references", &about);
    let mut decisions = TableFile::create(folder, "decisions", &about);
    let ids: Vec<u32> = snapshot.catalog().document_ids().collect();
    let entries: Vec<_> = ids.iter().filter_map(|id| snapshot.catalog().get(*id)).collect();
    if entries.is_empty() {
        return Err(TableError::Empty);
    }
    for (done, entry) in entries.iter().enumerate() {
        if cancel.load(Ordering::Acquire) {
            return Err(TableError::Cancelled);
        }
        step(done, entries.len());
        let text = DocumentText::read(snapshot, entry)?;
        documents.write(documents::row(entry)?)?;
        sections.write(sections::rows(&text)?)?;
        passages.write(passages::rows(snapshot, &text, dimension)?)?;
        figures.write(figures::rows(snapshot, &text)?)?;
        names.write(names::rows(snapshot, &text)?)?;
        references.write(references::rows(snapshot, &text)?)?;
    }
    decisions.write(decisions::rows(snapshot)?)?;
    step(entries.len(), entries.len());
    let mut tables = [documents, sections, passages, figures, names, references, decisions];
    tables.iter_mut().try_for_each(TableFile::close)?;
    let written = tables.iter_mut().map(TableFile::put_in_place).collect::<Result<_, _>>()?;
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(TableError::io("sync", folder))?;
    Ok(written)
}
