//! Loading the catalog from redb.

use redb::{ReadTransaction, ReadableTable};

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

/// Reads the documents and the content ids of their passages.
pub(crate) fn load_catalog(metadata: &DatabaseFile) -> Result<DocumentCatalog, StoreError> {
    let txn = metadata.begin_read()?;
    let documents = txn.open_table(DOCUMENTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let figures = txn.open_table(FIGURES)?;
    let headings = txn.open_table(HEADINGS)?;
    let contents = txn.open_table(COUNTERS)?.get(NEXT_CONTENT)?.map_or(0, |value| value.value());
    let mut catalog = DocumentCatalog::default();
    for entry in documents.iter()? {
        let (id, row) = entry?;
        let row: DocumentRow = codec::decode(row.value(), "document")?;
        let ids = row.first_passage..row.first_passage + u64::from(row.passage_count);
        let mut passage_contents = Vec::with_capacity(row.passage_count as usize);
        for passage in passages.range(ids)? {
            let passage: PassageRow = codec::decode(passage?.1.value(), "passage")?;
            // A damaged id must not be accepted: the size of a `ContentSet` grows with its largest id.
            if passage.content >= contents {
                return Err(StoreError::Decode { what: "content id" });
            }
            passage_contents.push((passage.content, passage.section));
        }
        let figure_contents = read_figure_contents(&figures, id.value())?;
        let heading_contents = read_headings(&headings, id.value())?;
        let others = figure_contents.iter().chain(heading_contents.iter().flatten());
        if others.into_iter().any(|content| *content >= contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        catalog.insert_document(DocumentEntry {
            id: id.value(),
            row,
            passages: passage_contents,
            figures: figure_contents,
            headings: heading_contents,
        });
    }
    load_tdocs(&txn, contents, &mut catalog)?;
    Ok(catalog)
}

/// Reads the documents of meetings; `contents` is the next content id.
fn load_tdocs(
    txn: &ReadTransaction,
    contents: u64,
    catalog: &mut DocumentCatalog,
) -> Result<(), StoreError> {
    for entry in txn.open_table(TDOC_CONTENTS)?.iter()? {
        let (key, row) = entry?;
        let row: TdocContentRow = codec::decode(row.value(), "TDoc text")?;
        // As above: the size of a `ContentSet` grows with its largest id.
        if row.passages.iter().any(|(content, _)| *content >= contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        catalog.insert_tdoc(TdocTextEntry { key: key.value(), row });
    }
    Ok(())
}
