//! Loading the catalog from redb.

use std::ops::Range;

use rayon::prelude::*;
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable, WriteTransaction};

use super::{DocumentCatalog, DocumentEntry};
use crate::{
    DocumentRow, PassageRow, StoreError, TdocContentRow, TdocTextEntry,
    tables::{
        codec::{Packed, StoredRow},
        definitions::{
            COUNTERS, DOCUMENT_CONTENTS, DOCUMENTS, FIGURES, HEADINGS, NEXT_CONTENT, PASSAGES,
            READING_CHECKS, TDOC_CONTENTS,
        },
        document_contents::DocumentContents,
        figures::{FigureRow, read_figure_contents},
        headings::read_headings,
    },
};
use database_file::DatabaseFile;
use domain::ReadingCheck;

/// A catalog that was read from redb.
pub(crate) struct LoadedCatalog {
    pub(crate) catalog: DocumentCatalog,
    /// Documents whose contents have no row of their own, or a damaged one.
    without_row: Vec<u32>,
}

/// What the contents of documents are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContentsSource {
    /// The row of each document, if it has one.
    Rows,
    /// The rows of passages, figures and headings: this takes longer, and finds those that are damaged.
    Parts,
}

/// Reads the documents and their content ids. Documents that cannot be decoded are left out and noted.
pub(crate) fn load_catalog(
    metadata: &DatabaseFile,
    source: ContentsSource,
) -> Result<LoadedCatalog, StoreError> {
    let txn = metadata.begin_read()?;
    let tables = CatalogTables::open(&txn)?;
    let mut loaded = LoadedCatalog { catalog: DocumentCatalog::default(), without_row: Vec::new() };
    let catalog = &mut loaded.catalog;
    let mut rows = Vec::new();
    for entry in txn.open_table(DOCUMENTS)?.iter()? {
        let (id, row) = entry?;
        rows.push((id.value(), row.value().into_owned()));
    }
    let documents: Vec<Result<LoadedDocument, StoreError>> =
        rows.par_iter().map(|(id, row)| tables.read_document(*id, row, source)).collect();
    for ((id, row), document) in rows.iter().zip(documents) {
        match document {
            Ok(document) => {
                if !document.has_row {
                    loaded.without_row.push(*id);
                }
                catalog.insert_document(document.entry);
            }
            Err(error @ StoreError::Decode { .. }) => {
                let name = row.decode("document").map_or_else(
                    |_| String::new(),
                    |row| format!(" ({} {})", row.number, row.version),
                );
                catalog.note_damage(format!("document {id}{name}: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    load_tdocs(&txn, tables.contents, catalog)?;
    catalog.take_changes();
    for damage in catalog.damage() {
        tracing::error!(damage, "the database is damaged; opened read-only");
    }
    Ok(loaded)
}

impl LoadedCatalog {
    /// Writes the missing rows of contents. Without them, only the next start takes longer, so a failure, such as a
    /// full disk, is logged.
    pub(crate) fn store_missing_rows(&self, metadata: &DatabaseFile) -> Result<(), StoreError> {
        let entries = self.without_row.iter().filter_map(|id| self.catalog.get(*id));
        let entries: Vec<&DocumentEntry> = entries.map(AsRef::as_ref).collect();
        if entries.is_empty() {
            return Ok(());
        }
        if let Err(error) = insert_rows(metadata, &entries) {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the next start will take longer");
            if metadata.has_failed() {
                metadata.reopen_file()?;
            }
        }
        Ok(())
    }
}

fn insert_rows(metadata: &DatabaseFile, entries: &[&DocumentEntry]) -> Result<(), StoreError> {
    let txn = metadata.begin_write()?;
    entries.iter().try_for_each(|entry| insert_contents_row(&txn, entry))?;
    Ok(txn.commit()?)
}

/// Writes the row of a document's contents.
pub(crate) fn insert_contents_row(
    txn: &WriteTransaction,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    let row = entry.contents.encode(&entry.row)?;
    txn.open_table(DOCUMENT_CONTENTS)?.insert(entry.id, row.as_slice())?;
    Ok(())
}

/// A document, and whether its contents have a row of their own.
struct LoadedDocument {
    entry: DocumentEntry,
    has_row: bool,
}

/// The tables that documents are read from.
struct CatalogTables {
    rows: ReadOnlyTable<u32, &'static [u8]>,
    passages: ReadOnlyTable<u64, Packed<PassageRow>>,
    figures: ReadOnlyTable<u64, Packed<FigureRow>>,
    headings: ReadOnlyTable<u32, Packed<Vec<Option<u64>>>>,
    reading: ReadOnlyTable<u32, Packed<Vec<ReadingCheck>>>,
    /// The next content id.
    contents: u64,
}

impl CatalogTables {
    fn open(txn: &ReadTransaction) -> Result<Self, StoreError> {
        let contents = txn.open_table(COUNTERS)?.get(NEXT_CONTENT)?;
        Ok(Self {
            rows: txn.open_table(DOCUMENT_CONTENTS)?,
            passages: txn.open_table(PASSAGES)?,
            figures: txn.open_table(FIGURES)?,
            headings: txn.open_table(HEADINGS)?,
            reading: txn.open_table(READING_CHECKS)?,
            contents: contents.map_or(0, |value| value.value()),
        })
    }

    fn read_document(
        &self,
        id: u32,
        row: &StoredRow<'_, Packed<DocumentRow>>,
        source: ContentsSource,
    ) -> Result<LoadedDocument, StoreError> {
        let row = row.decode("document")?;
        let end = row.first_passage.checked_add(u64::from(row.passage_count));
        let passages = row.first_passage..end.ok_or(StoreError::Decode { what: "document" })?;
        let stored = match source {
            ContentsSource::Rows => self.rows.get(id)?,
            ContentsSource::Parts => None,
        };
        let stored = stored.and_then(|stored| DocumentContents::decode(stored.value(), &row));
        let stored = stored.filter(|contents| self.are_known(contents));
        let has_row = stored.is_some();
        let contents = stored.map_or_else(|| self.collect_contents(id, passages), Ok)?;
        let reading = self.reading.get(id)?.map(|row| row.value().decode("reading check"));
        let reading = reading.transpose()?;
        Ok(LoadedDocument { entry: DocumentEntry { id, row, contents, reading }, has_row })
    }

    /// The contents of a document, from the rows of its parts.
    fn collect_contents(
        &self,
        id: u32,
        passage_ids: Range<u64>,
    ) -> Result<DocumentContents, StoreError> {
        let count = passage_ids.end - passage_ids.start;
        let mut passages = Vec::new();
        for passage in self.passages.range(passage_ids)? {
            let passage: PassageRow = passage?.1.value().decode("passage")?;
            passages.push((passage.content, passage.section));
        }
        // The ids of passages are counted from the first: after a missing one, all others would get the id of their
        // neighbour.
        if passages.len() as u64 != count {
            return Err(StoreError::Decode { what: "list of passages" });
        }
        let figures = read_figure_contents(&self.figures, id)?;
        let headings = read_headings(&self.headings, id)?;
        let contents = DocumentContents { passages, figures, headings };
        if self.are_known(&contents) {
            Ok(contents)
        } else {
            Err(StoreError::Decode { what: "content id" })
        }
    }

    /// Whether all ids have been assigned. Others must not be accepted: the size of a `ContentSet` grows with its largest id.
    fn are_known(&self, contents: &DocumentContents) -> bool {
        contents.ids().all(|content| content < self.contents)
    }
}

/// Reads the documents of meetings; `contents` is the next content id.
fn load_tdocs(
    txn: &ReadTransaction,
    contents: u64,
    catalog: &mut DocumentCatalog,
) -> Result<(), StoreError> {
    for entry in txn.open_table(TDOC_CONTENTS)?.iter()? {
        let (key, row) = entry?;
        // As above: the size of a `ContentSet` grows with its largest id.
        let is_known =
            |row: &TdocContentRow| row.passages.iter().all(|(content, _)| *content < contents);
        match row.value().decode("TDoc text") {
            Ok(row) if is_known(&row) => {
                catalog.insert_tdoc(TdocTextEntry { key: key.value(), row });
            }
            _ => catalog.note_damage(format!("the text of TDoc {} cannot be decoded", key.value())),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
