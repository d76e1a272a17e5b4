//! Terms in redb: collected from section texts, written and removed with their document.

use redb::WriteTransaction;

use super::{REVISION, TermRow, clauses::definition_sections, entries::entries, lookup::keys_of};
use crate::{
    Catalog, DocumentFilter, SectionHead, StoreError, codec,
    tables::{
        BATCH, COUNTERS, SECTION_HEADS, SECTION_TEXTS, TERM_KEYS, TERMS, TERMS_BATCH,
        TERMS_REVISION, place_key, places_of,
    },
};
use database_file::DatabaseFile;

/// Most entries of one document.
const MAX_ENTRIES: usize = 20_000;

/// The terms that a document's sections define; `text_of` gives the text of the section at a
/// place and is asked for few of them.
pub(crate) fn collect<'a>(
    heads: impl Iterator<Item = &'a SectionHead>,
    mut text_of: impl FnMut(u32) -> Result<String, StoreError>,
) -> Result<Vec<TermRow>, StoreError> {
    let mut rows = Vec::new();
    for (section, lists) in definition_sections(heads) {
        let found = entries(&text_of(section)?, lists).into_iter();
        rows.extend(found.map(|entry| TermRow {
            section,
            kind: entry.kind,
            term: entry.term,
            meaning: entry.meaning,
        }));
    }
    rows.truncate(MAX_ENTRIES);
    Ok(rows)
}

/// Makes the tables, so that readers find them.
pub(crate) fn create(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(TERMS)?;
    txn.open_table(TERM_KEYS)?;
    Ok(())
}

/// Writes the terms of a document.
pub(crate) fn insert(
    txn: &WriteTransaction,
    document: u32,
    rows: &[TermRow],
) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    for (ordinal, row) in (0u32..).zip(rows) {
        let id = place_key(document, ordinal);
        terms.insert(id, codec::encode(row).as_slice())?;
        for key in keys_of(row) {
            keys.insert((key.as_str(), id), ())?;
        }
    }
    Ok(())
}

/// Takes the terms of a document out.
pub(crate) fn remove(txn: &WriteTransaction, document: u32) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    let all = places_of(document);
    for removed in terms.extract_from_if(all, |_, _| true)? {
        let (id, row) = removed?;
        let row: TermRow = codec::decode(row.value(), "term")?;
        for key in keys_of(&row) {
            keys.remove((key.as_str(), id.value()))?;
        }
    }
    Ok(())
}

/// Makes all terms again from the section texts where the tables are of another revision or older
/// than the documents.
pub(crate) fn settle(metadata: &DatabaseFile, catalog: &Catalog) -> Result<(), StoreError> {
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
    create(&write)?;
    for entry in catalog.matching(&DocumentFilter::default()) {
        insert(&write, entry.id, &collect_stored(&txn, entry.id)?)?;
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
pub(super) fn collect_stored(
    txn: &redb::ReadTransaction,
    document: u32,
) -> Result<Vec<TermRow>, StoreError> {
    let heads = txn.open_table(SECTION_HEADS)?;
    let texts = txn.open_table(SECTION_TEXTS)?;
    let mut sections: Vec<SectionHead> = Vec::new();
    for head in heads.range(places_of(document))? {
        sections.push(codec::decode(head?.1.value(), "section")?);
    }
    collect(sections.iter(), |place| {
        let value = texts.get(place_key(document, place))?;
        value.map_or(Ok(String::new()), |value| codec::decompress(value.value()))
    })
}
