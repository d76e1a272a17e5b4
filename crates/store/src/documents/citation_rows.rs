//! The rows of citations in redb: those of each section, and the sections that cite a target.

use citation::PlacedCitation;
use redb::WriteTransaction;

use crate::{
    StoreError,
    tables::{
        citations::cited_key,
        codec::Compressed,
        definitions::{CITATIONS, CITED_TARGETS},
    },
};

/// Writes the citations of a section of the document `number`.
pub(super) fn insert_citations(
    txn: &WriteTransaction,
    number: &str,
    section: u64,
    citations: &[PlacedCitation],
) -> Result<(), StoreError> {
    if citations.is_empty() {
        return Ok(());
    }
    let stored = Compressed::of_slice(citations)?;
    txn.open_table(CITATIONS)?.insert(section, &stored)?;
    let mut targets = txn.open_table(CITED_TARGETS)?;
    for row in citations {
        targets.insert((cited_key(number, &row.citation).as_str(), section), ())?;
    }
    Ok(())
}

/// Removes the citations of a section of the document `number`.
pub(super) fn remove_citations(
    txn: &WriteTransaction,
    number: &str,
    section: u64,
) -> Result<(), StoreError> {
    let removed = {
        let mut table = txn.open_table(CITATIONS)?;
        table.remove(section)?.map(|value| value.value().decode("citations"))
    };
    let mut targets = txn.open_table(CITED_TARGETS)?;
    for row in removed.transpose()?.unwrap_or_default() {
        targets.remove((cited_key(number, &row.citation).as_str(), section))?;
    }
    Ok(())
}
