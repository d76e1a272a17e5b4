//! Chains of revisions.

use std::collections::HashMap;

use domain::TdocId;
use register::Column;
use store::TdocRow;

/// Which document replaces which, as the register row of either says.
#[derive(Default)]
pub(super) struct RevisionLinks {
    earlier: HashMap<TdocId, Vec<TdocId>>,
    later: HashMap<TdocId, Vec<TdocId>>,
}

/// Documents of a chain of revisions, at most.
const MAX_REVISIONS: usize = 100;
/// Documents that replace one document, or are replaced by it, at most; a register with more is wrong.
const MAX_LINKS: usize = 20;

impl RevisionLinks {
    /// Adds the links in the row of a document.
    pub(super) fn add_links(&mut self, id: &TdocId, row: &TdocRow) {
        for (column, is_later) in [(Column::RevisionOf, false), (Column::RevisedTo, true)] {
            let cell = row.entry.column_text(column).unwrap_or_default();
            for other in cell.split([',', ';', ' ', '\n']).filter_map(|other| other.parse().ok()) {
                let (old, new) = if is_later { (id.clone(), other) } else { (other, id.clone()) };
                insert_link(&mut self.later, &old, &new);
                insert_link(&mut self.earlier, &new, &old);
            }
        }
    }

    /// The documents that a document replaces, directly or not, the earliest first.
    pub(super) fn earlier_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        let mut earlier = reachable_documents(&self.earlier, id);
        earlier.reverse();
        earlier
    }

    /// The documents that replace a document, directly or not, the latest last.
    pub(super) fn later_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        reachable_documents(&self.later, id)
    }
}

fn insert_link(links: &mut HashMap<TdocId, Vec<TdocId>>, from: &TdocId, to: &TdocId) {
    let known = links.entry(from.clone()).or_default();
    if from != to && known.len() < MAX_LINKS && !known.contains(to) {
        known.push(to.clone());
    }
}

/// All documents that can be reached, nearest first.
fn reachable_documents(links: &HashMap<TdocId, Vec<TdocId>>, start: &TdocId) -> Vec<TdocId> {
    let mut seen = vec![start.clone()];
    let mut next_index = 0;
    while next_index < seen.len() && seen.len() < MAX_REVISIONS {
        for next in links.get(&seen[next_index]).into_iter().flatten() {
            if !seen.contains(next) {
                seen.push(next.clone());
            }
        }
        next_index += 1;
    }
    seen.remove(0);
    seen
}
