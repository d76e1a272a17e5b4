//! Chains of revisions.

use domain::TdocId;
use register::{Column, MergedTdoc};
use serde::{Deserialize, Serialize};
use store::TdocRow;

/// Documents of a chain of revisions, at most. Each one searches all chunks of the catalog, and a register can link
/// any documents.
const MAX_REVISIONS: usize = 100;
/// Documents that replace one document, or are replaced by it, at most; a register with more is wrong. Each one is
/// compared with all that were found.
const MAX_LINKS: usize = 20;

/// Pairs of documents that the row of one links.
#[derive(Debug, Default)]
pub(super) struct RowLinks {
    /// An older document and its replacement.
    pub(super) revisions: Vec<(TdocId, TdocId)>,
    /// A document and the one into which it was merged.
    pub(super) merges: Vec<(TdocId, TdocId)>,
}

/// The links in the row of a document, from its columns or otherwise its remarks. A link to itself is skipped.
pub(super) fn row_links(id: &TdocId, row: &TdocRow) -> RowLinks {
    let remarked = row.entry.links();
    let listed = |column| {
        let cell = row.entry.column_text(column).unwrap_or_default();
        cell.split([',', ';', ' ', '\n']).filter_map(|other| other.parse().ok()).collect()
    };
    let mut links = RowLinks::default();
    let earlier: Vec<TdocId> = listed(Column::RevisionOf);
    for earlier in earlier.into_iter().chain(remarked.revision_of) {
        links.revisions.push((earlier, id.clone()));
    }
    let later: Vec<TdocId> = listed(Column::RevisedTo);
    for later in later.into_iter().chain(remarked.revised_to) {
        links.revisions.push((id.clone(), later));
    }
    for into in remarked.merged_into {
        links.merges.push((id.clone(), into));
    }
    for MergedTdoc { tdoc, into } in remarked.merged {
        links.merges.push((tdoc, into.unwrap_or_else(|| id.clone())));
    }
    links.revisions.retain(|(one, other)| one != other);
    links.merges.retain(|(one, other)| one != other);
    links
}

/// The links of many rows, sorted by the older document, or by the one that was merged.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct LinkList(Box<[(TdocId, TdocId)]>);

impl LinkList {
    /// A list of links in any order. Those of one document keep it.
    pub(super) fn new(mut links: Vec<(TdocId, TdocId)>) -> Self {
        links.sort_by(|a, b| a.0.cmp(&b.0));
        Self(links.into())
    }

    /// The same links, each the other way round.
    pub(super) fn reversed(&self) -> Self {
        Self::new(self.0.iter().map(|(from, to)| (to.clone(), from.clone())).collect())
    }

    /// The documents to which a document is linked.
    pub(super) fn linked_from(&self, id: &TdocId) -> impl Iterator<Item = &TdocId> {
        let start = self.0.partition_point(|link| link.0 < *id);
        self.0[start..].iter().take_while(move |link| link.0 == *id).map(|link| &link.1)
    }

    /// Whether a list from a file is sorted, as lookups require.
    pub(super) fn is_well_formed(&self) -> bool {
        self.0.is_sorted_by(|one, next| one.0 <= next.0)
    }
}

/// Linked documents without repetitions: the rows of both documents may say the same.
pub(super) fn unique_documents<'a>(linked: impl Iterator<Item = &'a TdocId>) -> Vec<TdocId> {
    let mut unique: Vec<TdocId> = Vec::new();
    for id in linked {
        if unique.len() < MAX_LINKS && !unique.contains(id) {
            unique.push(id.clone());
        }
    }
    unique
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
