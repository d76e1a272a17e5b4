//! Loading the catalog from redb.

use rayon::prelude::*;
use redb::{ReadOnlyTable, ReadTransaction, ReadableTable};

use super::{DocumentCatalog, DocumentEntry};
use crate::{
    DocumentRow, PassageRow, StoreError, TdocContentRow, TdocTextEntry,
    tables::{
        codec,
        definitions::{
            COUNTERS, DOCUMENTS, FIGURES, HEADINGS, NEXT_CONTENT, PASSAGES, TDOC_CONTENTS,
        },
        figures::read_figure_contents,
        headings::read_headings,
    },
};
use database_file::DatabaseFile;

/// Reads the documents and the content ids of their passages. Those that do not decode are left out and noted.
pub(crate) fn load_catalog(metadata: &DatabaseFile) -> Result<DocumentCatalog, StoreError> {
    let txn = metadata.begin_read()?;
    let tables = CatalogTables::open(&txn)?;
    let mut catalog = DocumentCatalog::default();
    let mut rows = Vec::new();
    for entry in txn.open_table(DOCUMENTS)?.iter()? {
        let (id, row) = entry?;
        rows.push((id.value(), row.value().to_vec()));
    }
    // Millions of passages: this is most of what a start takes.
    let documents: Vec<Result<DocumentEntry, StoreError>> =
        rows.par_iter().map(|(id, row)| tables.read_document(*id, row)).collect();
    for ((id, row), document) in rows.iter().zip(documents) {
        match document {
            Ok(document) => catalog.insert_document(document),
            Err(error @ StoreError::Decode { .. }) => {
                let name = codec::decode::<DocumentRow>(row, "document").map_or_else(
                    |_| String::new(),
                    |row| format!(" ({} {})", row.number, row.version),
                );
                catalog.note_damage(format!("document {id}{name}: {error}"));
            }
            Err(error) => return Err(error),
        }
    }
    load_tdocs(&txn, tables.contents, &mut catalog)?;
    for damage in catalog.damage() {
        tracing::error!(damage, "the database is damaged; opened read-only");
    }
    Ok(catalog)
}

/// The tables that documents are read from.
struct CatalogTables {
    passages: ReadOnlyTable<u64, &'static [u8]>,
    figures: ReadOnlyTable<u64, &'static [u8]>,
    headings: ReadOnlyTable<u32, &'static [u8]>,
    /// The next content id.
    contents: u64,
}

impl CatalogTables {
    fn open(txn: &ReadTransaction) -> Result<Self, StoreError> {
        let contents = txn.open_table(COUNTERS)?.get(NEXT_CONTENT)?;
        Ok(Self {
            passages: txn.open_table(PASSAGES)?,
            figures: txn.open_table(FIGURES)?,
            headings: txn.open_table(HEADINGS)?,
            contents: contents.map_or(0, |value| value.value()),
        })
    }

    fn read_document(&self, id: u32, row: &[u8]) -> Result<DocumentEntry, StoreError> {
        let row: DocumentRow = codec::decode(row, "document")?;
        let end = row.first_passage.checked_add(u64::from(row.passage_count));
        let ids = row.first_passage..end.ok_or(StoreError::Decode { what: "document" })?;
        let mut passages = Vec::new();
        for passage in self.passages.range(ids)? {
            let passage: PassageRow = codec::decode(passage?.1.value(), "passage")?;
            // A damaged id must not be accepted: the size of a `ContentSet` grows with its largest id.
            if passage.content >= self.contents {
                return Err(StoreError::Decode { what: "content id" });
            }
            passages.push((passage.content, passage.section));
        }
        if passages.len() != row.passage_count as usize {
            return Err(StoreError::Decode { what: "list of passages" });
        }
        let figures = read_figure_contents(&self.figures, id)?;
        let headings = read_headings(&self.headings, id)?;
        let others = figures.iter().chain(headings.iter().flatten());
        if others.into_iter().any(|content| *content >= self.contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        Ok(DocumentEntry { id, row, passages, figures, headings })
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
        match codec::decode::<TdocContentRow>(row.value(), "TDoc text") {
            Ok(row) if is_known(&row) => {
                catalog.insert_tdoc(TdocTextEntry { key: key.value(), row });
            }
            _ => catalog.note_damage(format!("the text of TDoc {} cannot be decoded", key.value())),
        }
    }
    Ok(())
}
