//! The rows of a document in redb: written and removed inside a transaction.

use std::collections::HashMap;

use redb::{ReadableTable, WriteTransaction};

use super::caption_rows::{insert_captions, remove_captions};
use super::citation_rows::{insert_citations, remove_citations};
use super::figure_rows::{insert_figures, remove_figures};
use super::heading_rows::{insert_headings, remove_headings};
use super::inline_picture_rows::{insert_inline_pictures, remove_inline_pictures};
use crate::{
    DocumentEntry, DocumentRow, NewDocument, PassageRow, PictureHash, SectionHead, SourceRow,
    StoreError,
    catalog::insert_contents_row,
    commit::CommitBatch,
    names_index,
    picture_folder::forget_drawings,
    tables::{
        codec::Packed,
        definitions::{
            CONTENT_PASSAGES, DOCUMENT_CONTENTS, DOCUMENT_IDS, DOCUMENTS, PASSAGES, READING_CHECKS,
            SECTION_BODIES, SECTION_HEADS, SECTION_NUMBERS, SECTION_TEXTS, SOURCES,
        },
        document_contents::DocumentContents,
        keys::{pack_key, version_key},
        sections::encode_section_body,
    },
    terms,
};

/// The id of a document version, assigned once and never changed.
pub(super) fn assign_document_id(
    txn: &WriteTransaction,
    batch: &mut CommitBatch,
    row: &DocumentRow,
) -> Result<u32, StoreError> {
    let mut ids = txn.open_table(DOCUMENT_IDS)?;
    let key = version_key(&row.number, row.version);
    if let Some(id) = ids.get(key.as_str())? {
        return Ok(id.value());
    }
    let id =
        u32::try_from(batch.next_document).map_err(|_| StoreError::Full { what: "documents" })?;
    ids.insert(key.as_str(), id)?;
    batch.next_document += 1;
    Ok(id)
}

/// What is left to clean up after the rows of a document were removed.
#[derive(Debug)]
pub(super) struct RemovedDocument {
    /// The batch that wrote it.
    pub(super) batch: u64,
    /// The pictures that it showed.
    pub(super) pictures: Vec<PictureHash>,
}

/// Removes the rows of a document, if there are any.
pub(super) fn remove_document_rows(
    txn: &WriteTransaction,
    id: u32,
) -> Result<Option<RemovedDocument>, StoreError> {
    let removed = {
        let mut table = txn.open_table(DOCUMENTS)?;
        table.remove(id)?.map(|row| row.value().decode("document"))
    };
    let Some(row) = removed.transpose()? else { return Ok(None) };
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut bodies = txn.open_table(SECTION_BODIES)?;
    let mut texts = txn.open_table(SECTION_TEXTS)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    let mut pictures = Vec::new();
    for ordinal in 0..row.section_count {
        let key = pack_key(id, ordinal);
        if let Some(head) = heads.remove(key)? {
            let head: SectionHead = head.value().decode("section")?;
            numbers.remove((head.number.as_str(), key))?;
        }
        bodies.remove(key)?;
        remove_citations(txn, row.number.as_str(), key)?;
        pictures.extend(remove_inline_pictures(txn, key)?);
        texts.remove(key)?;
    }
    terms::remove_terms(txn, id)?;
    names_index::remove_names(txn, id)?;
    let mut passages = txn.open_table(PASSAGES)?;
    let mut occurrences = txn.open_multimap_table(CONTENT_PASSAGES)?;
    for passage in row.first_passage..row.first_passage + u64::from(row.passage_count) {
        if let Some(value) = passages.remove(passage)? {
            let value: PassageRow = value.value().decode("passage")?;
            occurrences.remove(value.content, passage)?;
        }
    }
    pictures.extend(remove_figures(txn, id)?);
    forget_drawings(txn, &pictures)?;
    remove_headings(txn, id)?;
    remove_captions(txn, id)?;
    txn.open_table(DOCUMENT_CONTENTS)?.remove(id)?;
    txn.open_table(READING_CHECKS)?.remove(id)?;
    txn.open_table(SOURCES)?.remove(&row.source_hash)?;
    Ok(Some(RemovedDocument { batch: row.batch, pictures }))
}

/// Writes the sections of a document, and the terms and names they define.
pub(super) fn insert_sections(
    txn: &WriteTransaction,
    id: u32,
    new: &NewDocument,
) -> Result<(), StoreError> {
    let number = &new.row.number;
    let mut heads = txn.open_table(SECTION_HEADS)?;
    let mut bodies = txn.open_table(SECTION_BODIES)?;
    let mut numbers = txn.open_table(SECTION_NUMBERS)?;
    for (ordinal, section) in (0u32..).zip(&new.sections) {
        let key = pack_key(id, ordinal);
        heads.insert(key, Packed::of(&section.head))?;
        numbers.insert((section.head.number.as_str(), key), ())?;
        if !section.body.is_empty() {
            bodies.insert(key, encode_section_body(&section.body)?)?;
        }
        insert_citations(txn, number.as_str(), key, &section.citations)?;
        insert_inline_pictures(txn, key, &section.inline_pictures)?;
    }
    if let Some(checks) = &new.reading {
        txn.open_table(READING_CHECKS)?.insert(id, Packed::of_slice(checks))?;
    }
    insert_captions(txn, id, new)?;
    terms::insert_terms(txn, id, &new.definitions.terms)?;
    names_index::insert_names(txn, id, &new.definitions)
}

/// Writes passages, figures and the document itself.
pub(super) fn insert_contents(
    txn: &WriteTransaction,
    batch: &mut CommitBatch,
    id: u32,
    row: DocumentRow,
    new: &NewDocument,
    contents: &HashMap<[u8; 32], u64>,
) -> Result<DocumentEntry, StoreError> {
    let mut passages = txn.open_table(PASSAGES)?;
    let mut occurrences = txn.open_multimap_table(CONTENT_PASSAGES)?;
    let mut passage_contents = Vec::with_capacity(new.passages.len());
    for passage in &new.passages {
        let content = contents[&passage.hash];
        passages.insert(batch.next_passage, Packed::of(&passage.to_row(id, content)))?;
        occurrences.insert(content, batch.next_passage)?;
        passage_contents.push((content, passage.section));
        batch.next_passage += 1;
    }
    let contents = DocumentContents {
        passages: passage_contents,
        figures: insert_figures(txn, id, &new.figures, contents)?,
        headings: insert_headings(txn, id, &new.sections, contents)?,
    };
    txn.open_table(DOCUMENTS)?.insert(id, Packed::of(&row))?;
    let entry = DocumentEntry { id, row, contents, reading: new.reading.clone() };
    insert_contents_row(txn, &entry)?;
    Ok(entry)
}

/// Records which documents a source held: those that `source` lists, and this last one.
pub(super) fn insert_source(
    txn: &WriteTransaction,
    entry: &DocumentEntry,
    source: &SourceRow,
) -> Result<(), StoreError> {
    let mut row = source.clone();
    row.read.documents.push(entry.id);
    txn.open_table(SOURCES)?.insert(&entry.row.source_hash, Packed::of(&row))?;
    Ok(())
}
