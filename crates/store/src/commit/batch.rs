//! Ids that a batch assigns, inside its transaction.

use std::collections::HashMap;

use redb::{ReadableTable, WriteTransaction};

use crate::{
    ModelRow, StoreError,
    tables::{
        codec::Packed,
        definitions::{
            BATCH, CONTENT_IDS, COUNTERS, MODELS, NEXT_CONTENT, NEXT_DOCUMENT, NEXT_PASSAGE,
            TEXT_MODEL,
        },
        keys::content_key,
    },
};

/// The number of the batch in progress, and the next ids. A commit of several documents has a batch for each.
pub(crate) struct CommitBatch {
    pub(crate) number: u64,
    /// The first batch of the commit.
    pub(crate) first: u64,
    pub(crate) next_document: u64,
    pub(crate) next_passage: u64,
    next_content: u64,
}

impl CommitBatch {
    /// The numbers that follow those of the last commit.
    pub(crate) fn begin(txn: &WriteTransaction) -> Result<Self, StoreError> {
        let counters = txn.open_table(COUNTERS)?;
        let read = |key| -> Result<u64, StoreError> {
            Ok(counters.get(key)?.map_or(0, |value| value.value()))
        };
        let number = read(BATCH)? + 1;
        Ok(Self {
            number,
            first: number,
            next_document: read(NEXT_DOCUMENT)?.max(1),
            next_passage: read(NEXT_PASSAGE)?.max(1),
            next_content: read(NEXT_CONTENT)?,
        })
    }

    /// Writes the numbers back, for the batch after this one.
    pub(crate) fn store_counters(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut counters = txn.open_table(COUNTERS)?;
        counters.insert(BATCH, self.number)?;
        counters.insert(NEXT_DOCUMENT, self.next_document)?;
        counters.insert(NEXT_PASSAGE, self.next_passage)?;
        counters.insert(NEXT_CONTENT, self.next_content)?;
        Ok(())
    }
}

/// A count that a row stores in 32 bits; `what` names the things counted in the error.
pub(crate) fn checked_count(length: usize, what: &'static str) -> Result<u32, StoreError> {
    u32::try_from(length).map_err(|_| StoreError::Full { what })
}

/// Stores the model with the first document; rejects another model after that.
pub(crate) fn check_or_store_model(
    txn: &WriteTransaction,
    model: &ModelRow,
) -> Result<(), StoreError> {
    let mut table = txn.open_table(MODELS)?;
    let stored = table.get(TEXT_MODEL)?.map(|value| value.value().decode("model"));
    match stored.transpose()? {
        None => {
            table.insert(TEXT_MODEL, Packed::of(model))?;
            Ok(())
        }
        Some(stored) => model.check_stored(&stored),
    }
}

/// The ids of all contents of a document, new ones for new texts.
pub(crate) fn assign_content_ids<'a>(
    txn: &WriteTransaction,
    batch: &mut CommitBatch,
    hashes: impl Iterator<Item = &'a [u8; 32]>,
) -> Result<HashMap<[u8; 32], u64>, StoreError> {
    let mut table = txn.open_table(CONTENT_IDS)?;
    let mut ids = HashMap::new();
    for hash in hashes {
        let key = content_key(hash);
        let known = table.get(key)?.map(|value| value.value());
        let id = match known {
            Some(id) => id,
            None => {
                table.insert(key, batch.next_content)?;
                batch.next_content += 1;
                batch.next_content - 1
            }
        };
        ids.insert(*hash, id);
    }
    Ok(ids)
}
