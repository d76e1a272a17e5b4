//! Committing the texts of meeting documents (TDocs), each whole or not at all.
//!
//! Register rows of documents are stored separately (`registers.rs`) and joined at query time: a new register changes
//! every later answer without touching a text.

use redb::{ReadableTable, WriteTransaction};

use crate::{
    ContentVectors, JournalEntry, ModelRow, RevisedSectionRow, StoreError, TdocContentRow,
    TdocTextEnds, TdocTextEntry, TdocTextRow, Writer,
    commit::{CommitBatch, assign_content_ids, check_or_store_model, checked_count},
    hash_passage,
    journal::write_entry,
    tables::{
        codec::{Compressed, Packed},
        definitions::{
            CONTENT_TDOCS, COUNTERS, NEXT_TDOC, TDOC_CONTENTS, TDOC_KEYS, TDOC_REVISED,
            TDOC_TEXT_ENDS, TDOC_TEXTS,
        },
        keys::pack_key,
    },
};
use domain::TdocId;

/// The text of a document to be committed.
#[derive(Debug, Clone)]
pub struct NewTdocText {
    /// What is known of its file; contents, batch and whether it is embedded are set by the commit.
    pub row: TdocContentRow,
    /// Its text.
    pub text: TdocTextRow,
    /// Where its units and passages end.
    pub ends: TdocTextEnds,
    /// The sections that its tracked changes touch.
    pub revised: Vec<RevisedSectionRow>,
    /// Vectors of contents that had none yet.
    pub vectors: Vec<ContentVectors>,
}

/// The key of a document, assigned once and never changed.
fn assign_tdoc_key(txn: &WriteTransaction, id: &TdocId) -> Result<u32, StoreError> {
    let mut keys = txn.open_table(TDOC_KEYS)?;
    if let Some(key) = keys.get(id.as_str())? {
        return Ok(key.value());
    }
    let mut counters = txn.open_table(COUNTERS)?;
    let next = counters.get(NEXT_TDOC)?.map_or(1, |value| value.value());
    let key = u32::try_from(next).map_err(|_| StoreError::Full { what: "TDocs" })?;
    counters.insert(NEXT_TDOC, next + 1)?;
    keys.insert(id.as_str(), key)?;
    Ok(key)
}

/// Removes the rows of a document; returns the batch that wrote them.
fn remove_tdoc_rows(txn: &WriteTransaction, key: u32) -> Result<Option<u64>, StoreError> {
    let removed = {
        let mut table = txn.open_table(TDOC_CONTENTS)?;
        table.remove(key)?.map(|row| row.value().decode("TDoc text"))
    };
    let Some(row) = removed.transpose()? else { return Ok(None) };
    txn.open_table(TDOC_TEXTS)?.remove(key)?;
    txn.open_table(TDOC_TEXT_ENDS)?.remove(key)?;
    txn.open_table(TDOC_REVISED)?.remove(key)?;
    let mut occurrences = txn.open_multimap_table(CONTENT_TDOCS)?;
    for (ordinal, (content, _)) in (0u32..).zip(&row.passages) {
        occurrences.remove(content, pack_key(key, ordinal))?;
    }
    Ok(Some(row.batch))
}

impl Writer<'_> {
    /// Commits the text of a document, whole, in place of an earlier reading of it.
    pub fn commit_tdoc(&mut self, new: &NewTdocText, model: &ModelRow) -> Result<(), StoreError> {
        self.make_batch(|writer| writer.try_commit_tdoc(new, model))
    }

    fn try_commit_tdoc(&mut self, new: &NewTdocText, model: &ModelRow) -> Result<(), StoreError> {
        let txn = self.index.metadata.begin_write()?;
        let mut batch = CommitBatch::begin(&txn)?;
        check_or_store_model(&txn, model)?;
        let key = assign_tdoc_key(&txn, &new.row.id)?;
        let replaced = remove_tdoc_rows(&txn, key)?;
        let hashes: Vec<[u8; 32]> =
            new.text.passages.iter().map(|p| hash_passage(&p.text_with_header())).collect();
        let contents = assign_content_ids(&txn, &mut batch, hashes.iter())?;
        checked_count(hashes.len(), "passages")?;
        let kinds = new.row.passages.iter().map(|(_, kind)| *kind);
        let passages = hashes.iter().map(|hash| contents[hash]).zip(kinds).collect();
        let embedded = self.all_have_vectors(&contents, &new.vectors);
        let row = TdocContentRow { passages, embedded, batch: batch.number, ..new.row.clone() };
        txn.open_table(TDOC_CONTENTS)?.insert(key, Packed::of(&row))?;
        txn.open_table(TDOC_TEXTS)?.insert(key, Compressed::of(&new.text)?)?;
        let ends = Compressed::of(&new.ends)?;
        txn.open_table(TDOC_TEXT_ENDS)?.insert(key, &ends)?;
        if !new.revised.is_empty() {
            let revised = Compressed::of(&new.revised)?;
            txn.open_table(TDOC_REVISED)?.insert(key, &revised)?;
        }
        {
            let mut occurrences = txn.open_multimap_table(CONTENT_TDOCS)?;
            for (ordinal, (content, _)) in (0u32..).zip(&row.passages) {
                occurrences.insert(content, pack_key(key, ordinal))?;
            }
        }
        let vectors: Vec<&ContentVectors> = new.vectors.iter().collect();
        self.write_vectors(&txn, &vectors, &contents, model)?;
        write_entry(&txn, &JournalEntry::TdocText { id: new.row.id.clone() })?;
        let entry = TdocTextEntry { key, row };
        self.state.words.add_tdoc(&entry, &new.text)?;
        self.commit_lexical_and_metadata(txn, &batch, replaced)?;
        let mut catalog = (**self.store.snapshot().catalog()).clone();
        catalog.insert_tdoc(entry);
        self.publish_catalog(catalog);
        Ok(())
    }
}
