//! The view that filters have of a chunk.

use super::{
    chunk::CatalogChunk,
    chunk_rows::{ChunkRow, ChunkRows},
    party_index::PartyRow,
    text_key::TextKey,
};
use crate::entry::{PartyRoles, TdocEntry, TdocTraits};
use domain::TdocId;

/// Documents that follow each other in the order of lists.
#[derive(Clone, Copy)]
pub(crate) struct CatalogRun<'a>(&'a CatalogChunk);

impl<'a> CatalogRun<'a> {
    pub(super) fn of(chunk: &'a CatalogChunk) -> Self {
        Self(chunk)
    }

    /// The traits of a document.
    pub(crate) fn traits_of(self, row: ChunkRow) -> &'a TdocTraits {
        self.0.traits.of(row)
    }

    /// Those whose traits match a test.
    pub(crate) fn with_traits(self, passes: impl Fn(&TdocTraits) -> bool) -> ChunkRows {
        self.0.traits.rows(passes)
    }

    /// The number of those whose traits match a test.
    pub(crate) fn count_with_traits(self, passes: impl Fn(&TdocTraits) -> bool) -> usize {
        self.0.traits.count(passes)
    }

    /// The first document.
    pub(crate) fn first(self) -> Option<&'a TdocId> {
        self.0.first()
    }

    /// The row of a document.
    pub(crate) fn row_of(self, id: &TdocId) -> Option<ChunkRow> {
        self.0.row_of(id)
    }

    /// A document by its row.
    pub(crate) fn entry(self, row: ChunkRow) -> &'a TdocEntry {
        self.0.entry(row)
    }

    /// The meetings of the documents, by their numbers.
    pub(crate) fn meeting_keys(self) -> &'a [u32] {
        self.0.meeting_keys()
    }

    /// Those that have all words in title or abstract.
    pub(crate) fn with_words(self, words: &[TextKey]) -> ChunkRows {
        self.0.facts.words.rows_with_all(words)
    }

    /// Those about a specification.
    pub(crate) fn about(self, spec: TextKey) -> ChunkRows {
        self.0.specs.rows_with(spec)
    }

    /// Those for a work item.
    pub(crate) fn for_work_item(self, code: TextKey) -> ChunkRows {
        self.0.work_items.rows_with(code)
    }

    /// Those on an agenda item or below it.
    pub(crate) fn on_agenda_item(self, item: TextKey) -> ChunkRows {
        self.0.agenda_items.rows_with(item)
    }

    /// Those of which an organization is a party.
    pub(crate) fn party_rows(self, organization: u32) -> &'a [PartyRow] {
        self.0.parties.rows_of(organization)
    }

    /// Those in which some party has one of some roles.
    pub(crate) fn with_roles(self, roles: PartyRoles) -> ChunkRows {
        let parties = self.0.parties.rows().iter();
        parties.filter(|party| party.roles.has_some_of(roles)).map(|party| party.row).collect()
    }
}
