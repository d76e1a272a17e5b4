//! Reading terms: by their written forms, and all of them.

use std::ops::ControlFlow;

use definitions::TermEntry;

use crate::{
    Snapshot, StoreError,
    tables::{
        codec::{Packed, StoredRow},
        definitions::{TERM_KEYS, TERMS},
        keys::document_key_range,
    },
};

/// A term and the document that defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinedTerm {
    /// Document id.
    pub document: u32,
    /// The entry.
    pub row: TermEntry,
}

/// Abbreviations, terms and symbols of a snapshot.
#[derive(Clone, Copy)]
pub struct TermReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Abbreviations, terms and symbols that documents define.
    pub fn terms(&self) -> TermReader<'_> {
        TermReader { snapshot: self }
    }
}

impl TermReader<'_> {
    /// The terms under a key (see [`domain::term_key`]), in the order of their documents.
    pub fn find_terms(&self, key: &str) -> Result<Vec<DefinedTerm>, StoreError> {
        let keys = self.snapshot.metadata.open_table(TERM_KEYS)?;
        let terms = self.snapshot.metadata.open_table(TERMS)?;
        let mut matching = Vec::new();
        for entry in keys.range((key, 0)..=(key, u64::MAX))? {
            let id = entry?.0.value().1;
            if let Some(row) = terms.get(id)? {
                matching.push(decode_term(id, &row.value())?);
            }
        }
        Ok(matching)
    }

    /// Calls `take` once with each key of a term that begins with the prefix, in order, until it breaks.
    pub fn for_each_key(
        &self,
        prefix: &str,
        mut take: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let table = self.snapshot.metadata.open_table(TERM_KEYS)?;
        let mut last = String::new();
        for row in table.range((prefix, 0)..)? {
            let row = row?.0;
            let key = row.value().0;
            if !key.starts_with(prefix) {
                break;
            }
            if key != last {
                last.clear();
                last.push_str(key);
                if take(key).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The terms that a document defines, in the order of its text.
    pub fn document_terms(&self, document: u32) -> Result<Vec<TermEntry>, StoreError> {
        let terms = self.snapshot.metadata.open_table(TERMS)?;
        let rows = terms.range(document_key_range(document))?;
        rows.map(|entry| {
            let (id, row) = entry?;
            Ok(decode_term(id.value(), &row.value())?.row)
        })
        .collect()
    }

    /// All terms of all documents, in the order of documents and their texts.
    pub fn for_each_term(&self, mut take: impl FnMut(DefinedTerm)) -> Result<(), StoreError> {
        let terms = self.snapshot.metadata.open_table(TERMS)?;
        for entry in terms.range::<u64>(..)? {
            let (id, row) = entry?;
            take(decode_term(id.value(), &row.value())?);
        }
        Ok(())
    }

    /// Whether the stored terms of a document are under their keys.
    pub(crate) fn has_consistent_terms(&self, document: u32) -> Result<bool, StoreError> {
        let terms = self.snapshot.metadata.open_table(TERMS)?;
        let keys = self.snapshot.metadata.open_table(TERM_KEYS)?;
        for entry in terms.range(document_key_range(document))? {
            let (id, row) = entry?;
            for key in decode_term(id.value(), &row.value())?.row.keys() {
                if keys.get((key.as_str(), id.value()))?.is_none() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

fn decode_term(id: u64, row: &StoredRow<'_, Packed<TermEntry>>) -> Result<DefinedTerm, StoreError> {
    let document = u32::try_from(id >> 32).expect("shifted to 32 bits");
    Ok(DefinedTerm { document, row: row.decode("term")? })
}
