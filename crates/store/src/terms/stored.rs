//! Terms in redb: collected from section texts, written and removed with their document.

use redb::WriteTransaction;

use super::{
    REVISION, clauses::find_definition_sections, entries::parse_entries, keys::build_term_keys,
};
use crate::{
    DocumentCatalog, DocumentFilter, SectionHead, SectionKey, StoreError, TermRow,
    tables::{
        codec,
        definitions::{BATCH, COUNTERS, TERM_KEYS, TERMS, TERMS_BATCH, TERMS_REVISION},
        documents::{read_section_heads, read_section_text},
        keys::{document_key_range, pack_key},
    },
};
use database_file::DatabaseFile;

/// Entries of one document, at most.
const MAX_ENTRIES: usize = 20_000;

/// The terms that a document's sections define; `text_of` gives the text of the section with
/// an ordinal, and is called for few of them.
pub(crate) fn collect_terms<'a>(
    heads: impl Iterator<Item = &'a SectionHead>,
    mut text_of: impl FnMut(u32) -> Result<String, StoreError>,
) -> Result<Vec<TermRow>, StoreError> {
    let mut rows = Vec::new();
    for (section, lists) in find_definition_sections(heads) {
        let entries = parse_entries(&text_of(section)?, lists).into_iter();
        rows.extend(entries.map(|entry| TermRow {
            section,
            kind: entry.kind,
            term: entry.term,
            meaning: entry.meaning,
        }));
    }
    rows.truncate(MAX_ENTRIES);
    Ok(rows)
}

/// Writes the terms of a document.
pub(crate) fn insert_terms(
    txn: &WriteTransaction,
    document: u32,
    rows: &[TermRow],
) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    for (ordinal, row) in (0u32..).zip(rows) {
        let id = pack_key(document, ordinal);
        terms.insert(id, codec::encode(row).as_slice())?;
        for key in build_term_keys(row) {
            keys.insert((key.as_str(), id), ())?;
        }
    }
    Ok(())
}

/// Removes the terms of a document.
pub(crate) fn remove_terms(txn: &WriteTransaction, document: u32) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    let all = document_key_range(document);
    for removed in terms.extract_from_if(all, |_, _| true)? {
        let (id, row) = removed?;
        let row: TermRow = codec::decode(row.value(), "term")?;
        for key in build_term_keys(&row) {
            keys.remove((key.as_str(), id.value()))?;
        }
    }
    Ok(())
}

/// Rebuilds all terms from the section texts where the tables are of another revision or older than the
/// documents.
pub(crate) fn rebuild_outdated_terms(
    metadata: &DatabaseFile,
    catalog: &DocumentCatalog,
) -> Result<(), StoreError> {
    let txn = metadata.begin_read()?;
    let counters = txn.open_table(COUNTERS)?;
    let read = |key| -> Result<u64, StoreError> {
        Ok(counters.get(key)?.map_or(0, |value| value.value()))
    };
    let batch = read(BATCH)?;
    if read(TERMS_REVISION)? == REVISION && read(TERMS_BATCH)? == batch {
        return Ok(());
    }
    let write = metadata.begin_write()?;
    write.delete_table(TERMS)?;
    write.delete_table(TERM_KEYS)?;
    write.open_table(TERMS)?;
    write.open_table(TERM_KEYS)?;
    for entry in catalog.matching_documents(&DocumentFilter::default()) {
        insert_terms(&write, entry.id, &collect_stored_terms(&txn, entry.id)?)?;
    }
    {
        let mut counters = write.open_table(COUNTERS)?;
        counters.insert(TERMS_REVISION, REVISION)?;
        counters.insert(TERMS_BATCH, batch)?;
    }
    write.commit()?;
    tracing::info!(documents = catalog.len(), "collected abbreviations and terms from the texts");
    Ok(())
}

/// The terms of a stored document, from its section texts.
pub(super) fn collect_stored_terms(
    txn: &redb::ReadTransaction,
    document: u32,
) -> Result<Vec<TermRow>, StoreError> {
    let sections = read_section_heads(txn, document)?;
    collect_terms(sections.iter(), |ordinal| {
        read_section_text(txn, SectionKey { document, ordinal })
    })
}
