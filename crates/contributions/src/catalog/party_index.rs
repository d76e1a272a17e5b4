//! The parties of a chunk's documents, by organization.

use domain::RegisterStatus;

use super::chunk_rows::ChunkRow;
use crate::entry::{PartyRoles, TdocEntry};
use domain::DocKind;

/// Organizations with the documents of which they are a party.
///
/// The organizations are stored apart from their documents: a query for one of them visits thousands of chunks, and
/// costs a few memory reads in each.
#[derive(Debug, Default)]
pub(super) struct PartyIndex {
    /// Ascending, each once.
    organizations: Box<[u32]>,
    /// For each, the end of its documents in `rows`.
    ends: Box<[u32]>,
    /// The documents of each, ascending, each once.
    rows: Box<[PartyRow]>,
}

/// A document of which an organization is a party, with the properties that are counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartyRow {
    pub(crate) row: ChunkRow,
    /// The organization's roles in it.
    pub(crate) roles: PartyRoles,
    pub(crate) kind: DocKind,
    pub(crate) status: RegisterStatus,
}

impl PartyIndex {
    /// The parties of documents, in their order.
    pub(super) fn new(entries: &[TdocEntry]) -> Self {
        let mut parties: Vec<(u32, PartyRow)> = Vec::new();
        for (row, entry) in (0..=ChunkRow::MAX).zip(entries) {
            let TdocEntry { kind, status, .. } = *entry;
            parties.extend(entry.parties.iter().map(|party| {
                let roles = PartyRoles::of(&[party.role]);
                (party.organization, PartyRow { row, roles, kind, status })
            }));
        }
        parties.sort_unstable_by_key(|(organization, party)| (*organization, party.row));
        parties.dedup_by(|(next, party), (first, into)| {
            let is_same = (*next, party.row) == (*first, into.row);
            if is_same {
                into.roles.extend(party.roles);
            }
            is_same
        });
        let (mut organizations, mut ends) = (Vec::new(), Vec::new());
        let mut end = 0;
        for of_one in parties.chunk_by(|(one, _), (next, _)| one == next) {
            organizations.push(of_one[0].0);
            end += of_one.len() as u32;
            ends.push(end);
        }
        Self {
            organizations: organizations.into(),
            ends: ends.into(),
            rows: parties.into_iter().map(|(_, party)| party).collect(),
        }
    }

    /// The documents of which an organization is a party.
    pub(super) fn rows_of(&self, organization: u32) -> &[PartyRow] {
        // All of the hundred or so are compared: unlike those of a binary search, these reads do not wait for each
        // other.
        let at = self.organizations.iter().filter(|known| **known < organization).count();
        if self.organizations.get(at) != Some(&organization) {
            return &[];
        }
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start as usize..self.ends[at] as usize]
    }

    /// The documents of all organizations, some more than once.
    pub(super) fn rows(&self) -> &[PartyRow] {
        &self.rows
    }

    /// The organizations, each with the number of its documents.
    pub(super) fn counts(&self) -> impl Iterator<Item = (u32, u32)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let counts = starts.zip(&self.ends).map(|(start, end)| end - start);
        self.organizations.iter().copied().zip(counts)
    }
}
