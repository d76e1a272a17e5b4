//! The documents that rows of registers link: revisions, and documents that were merged.

use super::{TdocCatalog, chunk::CatalogChunk};
use crate::revision_links::{LinkList, reachable_documents, unique_documents};
use domain::TdocId;

impl TdocCatalog {
    /// The documents that a document replaces, directly or not, the earliest first.
    pub fn earlier_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        let mut earlier =
            reachable_documents(id, |of| self.linked_documents(of, |chunk| &chunk.replaces));
        earlier.reverse();
        earlier
    }

    /// The documents that replace a document, directly or not, the latest last.
    pub fn later_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        reachable_documents(id, |of| self.linked_documents(of, |chunk| &chunk.facts.replaced_by))
    }

    /// The documents into which a document was merged.
    pub fn merged_into(&self, id: &TdocId) -> Vec<TdocId> {
        unique_documents(self.linked_documents(id, |chunk| &chunk.facts.merged_into))
    }

    /// The documents that were merged into a document.
    pub fn merged_documents(&self, id: &TdocId) -> Vec<TdocId> {
        unique_documents(self.linked_documents(id, |chunk| &chunk.merges))
    }

    /// The documents that a list of each chunk links from a document.
    fn linked_documents<'a>(
        &'a self,
        id: &TdocId,
        list_of: fn(&CatalogChunk) -> &LinkList,
    ) -> impl Iterator<Item = &'a TdocId> + use<'a> {
        let id = id.clone();
        self.chunks
            .iter()
            .flat_map(move |chunk| list_of(chunk).linked_from(&id).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use domain::RegisterStatus;
    use register::Column;

    use super::*;
    use crate::catalog::tests::{Row, catalog};

    #[test]
    fn chains_of_revisions_are_followed_both_ways_and_cycles_end() {
        let catalog = catalog(
            &[
                ("R1-2400001", "R1-116", &[(Column::RevisedTo, "R1-2400002")]),
                ("R1-2400003", "R1-116", &[(Column::RevisionOf, "R1-2400002")]),
                ("R1-2400008", "R1-116", &[(Column::RevisionOf, "R1-2400009")]),
                ("R1-2400009", "R1-116", &[(Column::RevisionOf, "R1-2400008")]),
            ],
            Vec::new(),
        );
        let id = |number: &str| -> TdocId { number.parse().expect("a number") };
        assert_eq!(
            catalog.earlier_revisions(&id("R1-2400003")),
            ["R1-2400001", "R1-2400002"].map(id)
        );
        assert_eq!(
            catalog.later_revisions(&id("R1-2400001")),
            ["R1-2400002", "R1-2400003"].map(id)
        );
        assert_eq!(catalog.later_revisions(&id("R1-2400008")), [id("R1-2400009")]);
        assert_eq!(catalog.earlier_revisions(&id("R1-2400001")), []);
    }

    #[test]
    fn remarks_chain_revisions_and_merges_are_apart_from_them() {
        let rows: [Row<'_>; 3] = [
            (
                "S2-2400001",
                "S2-161",
                &[(Column::Status, "Revised, merging S2-2400007, to S2-2400002")],
            ),
            ("S2-2400002", "S2-161", &[(Column::Status, "Revised to S2-2400003")]),
            ("S2-2400007", "S2-161", &[(Column::Status, "Merged into S2-2400002")]),
        ];
        let catalog = catalog(&rows, Vec::new());
        let id = |number: &str| -> TdocId { number.parse().expect("a number") };
        let later = catalog.later_revisions(&id("S2-2400001"));
        assert_eq!(later, ["S2-2400002", "S2-2400003"].map(id));
        assert_eq!(catalog.later_revisions(&id("S2-2400007")), []);
        assert_eq!(catalog.merged_into(&id("S2-2400007")), [id("S2-2400002")]);
        assert_eq!(catalog.merged_documents(&id("S2-2400002")), [id("S2-2400007")]);
        let statuses = rows.map(|(number, ..)| catalog.get(&id(number)).map(|entry| entry.status));
        let expected = [RegisterStatus::Revised, RegisterStatus::Revised, RegisterStatus::Merged];
        assert_eq!(statuses, expected.map(Some));
    }
}
