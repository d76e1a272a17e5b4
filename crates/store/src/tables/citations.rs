//! Rows of citations: what the sections of documents refer to.

use redb::ReadTransaction;

use super::{
    definitions::{CITATIONS, CITED_TARGETS},
    documents::SectionKey,
};
use crate::StoreError;
use citation::{Citation, PlacedCitation};

/// The key of a citation's target in [`CITED_TARGETS`]; `own` is the number of the document that cites.
pub(crate) fn cited_key(own: &str, citation: &Citation) -> String {
    format!("{} {}", citation.document.as_deref().unwrap_or(own), citation.target)
}

/// The citations of a section, in order.
pub(crate) fn read_citations(
    txn: &ReadTransaction,
    key: SectionKey,
) -> Result<Vec<PlacedCitation>, StoreError> {
    let table = txn.open_table(CITATIONS)?;
    let value = table.get(key.to_packed())?;
    value.map_or(Ok(Vec::new()), |value| value.value().decode("citations"))
}

/// The sections that cite a document or anything in it.
pub(crate) fn read_sections_citing_document(
    txn: &ReadTransaction,
    document: &str,
) -> Result<Vec<SectionKey>, StoreError> {
    let table = txn.open_table(CITED_TARGETS)?;
    // '!' follows the blank in ASCII, so the range holds all targets in the document.
    let (from, to) = (format!("{document} "), format!("{document}!"));
    let mut keys = Vec::new();
    for entry in table.range((from.as_str(), 0)..(to.as_str(), 0))? {
        keys.push(SectionKey::from_packed(entry?.0.value().1));
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

/// The sections that cite a target of a document, or with `below` also what is within it: subclauses, and tables and
/// figures that contain its number. An empty target is the document as a whole.
pub(crate) fn read_citing_sections(
    txn: &ReadTransaction,
    document: &str,
    target: &str,
    below: bool,
) -> Result<Vec<SectionKey>, StoreError> {
    let table = txn.open_table(CITED_TARGETS)?;
    let mut keys = Vec::new();
    let own = format!("{document} {target}");
    // '-' and '.' follow each other in ASCII; '/' follows both.
    let mut ranges = vec![(own.clone(), (own.clone(), u64::MAX))];
    if below {
        ranges.push((format!("{own}-"), (format!("{own}/"), 0)));
    }
    for (from, to) in &ranges {
        for entry in table.range((from.as_str(), 0)..=(to.0.as_str(), to.1))? {
            keys.push(SectionKey::from_packed(entry?.0.value().1));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}
