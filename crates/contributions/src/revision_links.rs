//! Chains of revisions.

use domain::TdocId;
use register::Column;
use store::TdocRow;

/// Documents of a chain of revisions, at most. Each one searches all chunks of the catalog, and a register can link
/// any documents.
const MAX_REVISIONS: usize = 100;
/// Documents that replace one document, or are replaced by it, at most; a register with more is wrong. Each one is
/// compared with all that were found.
const MAX_LINKS: usize = 20;

/// The links in the row of a document: an older document and its replacement. A link to itself is skipped.
pub(super) fn row_links(id: &TdocId, row: &TdocRow) -> Vec<(TdocId, TdocId)> {
    let mut links = Vec::new();
    for (column, is_later) in [(Column::RevisionOf, false), (Column::RevisedTo, true)] {
        let cell = row.entry.column_text(column).unwrap_or_default();
        for other in cell.split([',', ';', ' ', '\n']).filter_map(|other| other.parse().ok()) {
            if other != *id {
                links.push(if is_later { (id.clone(), other) } else { (other, id.clone()) });
            }
        }
    }
    links
}

/// All documents that can be reached, nearest first; `linked` returns the documents that one leads to. Registers
/// contain cycles: each document is visited once.
pub(super) fn reachable_documents<'a, L: Iterator<Item = &'a TdocId>>(
    start: &TdocId,
    linked: impl Fn(&TdocId) -> L,
) -> Vec<TdocId> {
    let mut seen = vec![start.clone()];
    let mut next_index = 0;
    while next_index < seen.len() && seen.len() < MAX_REVISIONS {
        let mut links: Vec<&TdocId> = Vec::new();
        for next in linked(&seen[next_index]) {
            if links.len() < MAX_LINKS && !links.contains(&next) {
                links.push(next);
            }
        }
        for next in links {
            if !seen.contains(next) {
                seen.push(next.clone());
            }
        }
        next_index += 1;
    }
    seen.remove(0);
    seen
}
