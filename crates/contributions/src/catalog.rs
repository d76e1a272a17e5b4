//! The documents of all registers in memory, indexed for queries.
//!
//! The catalog consists of chunks that its states share: a change of one document rebuilds one chunk.

mod build;
#[cfg(test)]
mod change_tests;
mod chunk;
mod chunk_rows;
mod links;
mod party_index;
mod row_index;
mod run;
mod saved;
#[cfg(test)]
mod saved_tests;
mod text_key;
mod traits_index;
mod update;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use organizations::OrganizationDirectory;
use serde::{Deserialize, Serialize};

use super::{Meeting, entry::TdocEntry, topics::Abbreviations};
use chunk::CatalogChunk;
pub(crate) use chunk_rows::ChunkRows;
use domain::{DocNumber, MeetingId, TdocId};
pub(crate) use party_index::PartyRow;
pub(crate) use run::CatalogRun;
pub(crate) use text_key::TextKey;

/// All documents of one state of the store.
#[derive(Debug, Clone)]
pub struct TdocCatalog {
    /// The state, as [`store::TdocReader::tdocs_generation`] numbers it.
    pub generation: u64,
    /// The organizations of the documents.
    pub directory: Arc<OrganizationDirectory>,
    /// The abbreviations that titles write out.
    pub abbreviations: Arc<Abbreviations>,
    /// The meetings, by group and number.
    pub meetings: Vec<Meeting>,
    /// The documents, newest first; no chunk is empty.
    chunks: Vec<Arc<CatalogChunk>>,
    /// Documents that no register lists, known only from their own file.
    unlisted: Arc<HashSet<TdocId>>,
    /// Where the journal of the store ended.
    journal: JournalPosition,
    keys: MeetingKeys,
    /// For each organization, the number of documents of which it is a party.
    organization_counts: HashMap<u32, u32>,
    /// Chunks that were rebuilt since the catalog was written to a file; all if it was not.
    pub(super) replaced_chunks: usize,
}

/// The file is written again when more than one in so many chunks has changed. Writing encodes all chunks, for each
/// change far more work than the next start saves; an older file costs the rebuild of the changed chunks.
const UNSAVED_SHARE: usize = 16;

/// A position in the journal of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct JournalPosition {
    id: u64,
    last: u64,
}

/// Numbers of meetings that stay the same when meetings are added, so that unchanged chunks stay valid.
#[derive(Debug, Clone, Default)]
struct MeetingKeys {
    by_id: HashMap<MeetingId, u32>,
    /// For each number, the index in [`TdocCatalog::meetings`].
    indexes: Vec<u32>,
    /// For each number, the number of the meeting's documents.
    documents: Vec<u32>,
}

impl MeetingKeys {
    /// The number of a meeting; a new one if it has none.
    fn key_of(&mut self, id: &MeetingId) -> u32 {
        if let Some(key) = self.by_id.get(id) {
            return *key;
        }
        // There are some hundred meetings a year.
        let key = u32::try_from(self.documents.len()).unwrap_or(u32::MAX);
        self.documents.push(0);
        self.by_id.insert(id.clone(), key);
        key
    }
}

impl TdocCatalog {
    /// A document by its number.
    pub fn get(&self, id: &TdocId) -> Option<&TdocEntry> {
        self.chunks.get(self.chunk_of(id))?.get(id)
    }

    /// The chunk that has a document, or would have it.
    fn chunk_of(&self, id: &TdocId) -> usize {
        let after =
            self.chunks.partition_point(|chunk| chunk.first().is_some_and(|first| first <= id));
        after.saturating_sub(1)
    }

    /// Whether any register lists a document.
    pub fn is_listed(&self, id: &TdocId) -> bool {
        self.get(id).is_some() && !self.is_unlisted(id)
    }

    /// Whether a document of the catalog is known only from its own file.
    pub fn is_unlisted(&self, id: &TdocId) -> bool {
        self.unlisted.contains(id)
    }

    /// The meeting of a document.
    pub fn meeting_of(&self, entry: &TdocEntry) -> &Meeting {
        &self.meetings[self.meeting_index_of(entry) as usize]
    }

    /// The index of a document's meeting in `meetings`.
    pub fn meeting_index_of(&self, entry: &TdocEntry) -> u32 {
        self.meeting_index_of_key(entry.meeting_key)
    }

    /// The index of a meeting in `meetings`, given by its number.
    pub(super) fn meeting_index_of_key(&self, key: u32) -> u32 {
        self.keys.indexes[key as usize]
    }

    /// The values for each of `meetings`, by the numbers of the meetings.
    pub(super) fn by_meeting_key(&self, by_index: &[bool]) -> Vec<bool> {
        let given = |index: &u32| by_index.get(*index as usize).copied().unwrap_or_default();
        self.keys.indexes.iter().map(given).collect()
    }

    /// The documents of a meeting, given by its index in `meetings`, newest first.
    pub fn meeting_entries(&self, meeting: u32) -> impl Iterator<Item = &TdocEntry> {
        let id = self.meetings.get(meeting as usize).map(|meeting| &meeting.id);
        let key = id.and_then(|id| self.keys.by_id.get(id)).copied();
        let has_some = move |keys: &[u32]| key.is_some_and(|key| keys.contains(&key));
        self.runs(None, has_some).flat_map(move |run| {
            let of_meeting = run.with_traits(|traits| Some(traits.meeting_key) == key);
            of_meeting.rows().map(move |row| run.entry(row))
        })
    }

    /// The index of a meeting in `meetings`, also if only one of the two IDs has the mark of an electronic meeting:
    /// reports and registers name a meeting either way.
    pub fn meeting_index(&self, id: &MeetingId) -> Option<u32> {
        let find =
            |id: &MeetingId| self.meetings.binary_search_by(|meeting| meeting.id.cmp(id)).ok();
        let index = find(id).or_else(|| find(&id.electronic_twin()?))?;
        u32::try_from(index).ok()
    }

    /// The ID under which a meeting is known; its own if it is unknown.
    pub fn known_meeting(&self, id: MeetingId) -> MeetingId {
        let index = self.meeting_index(&id);
        let known = index.and_then(|index| self.meetings.get(index as usize));
        known.map_or(id, |meeting| meeting.id.clone())
    }

    /// The documents of which an organization is a party, newest first.
    pub fn organization_entries(&self, organization: u32) -> impl Iterator<Item = &TdocEntry> {
        self.chunks.iter().flat_map(move |chunk| {
            chunk.parties.rows_of(organization).iter().map(|party| chunk.entry(party.row))
        })
    }

    /// The number of documents of which an organization is a party.
    pub fn organization_entry_count(&self, organization: u32) -> usize {
        self.organization_counts.get(&organization).map_or(0, |count| *count as usize)
    }

    /// The change requests to a specification, each with its change request number in plain form, newest first.
    pub fn change_requests_to<'a>(
        &'a self,
        spec: &DocNumber,
    ) -> impl Iterator<Item = (&'a str, &'a TdocEntry)> {
        self.entries_about(spec).filter_map(|entry| Some((entry.change_number.as_deref()?, entry)))
    }

    /// The documents whose registers name a specification, newest first.
    pub fn entries_about<'a>(&'a self, spec: &DocNumber) -> impl Iterator<Item = &'a TdocEntry> {
        let spec = TextKey::of_spec(spec);
        self.runs(None, |_| true)
            .flat_map(move |run| run.about(spec).rows().map(move |row| run.entry(row)))
    }

    /// All documents, newest first.
    pub fn entries(&self) -> impl Iterator<Item = &TdocEntry> {
        self.chunks.iter().flat_map(|chunk| chunk.entries().iter())
    }

    /// The documents from which a filtered page is taken, in runs; a run is skipped if `admits_some` rejects the
    /// numbers of all its meetings.
    pub(super) fn runs<'a>(
        &'a self,
        after: Option<&TdocId>,
        admits_some: impl Fn(&[u32]) -> bool + 'a,
    ) -> impl Iterator<Item = CatalogRun<'a>> {
        let first = after.map_or(0, |after| self.chunk_of(after)).min(self.chunks.len());
        let admitted =
            self.chunks[first..].iter().filter(move |chunk| admits_some(chunk.meeting_keys()));
        admitted.map(|chunk| CatalogRun::of(chunk))
    }

    /// Whether updating the catalog in the file would be much work.
    pub(super) fn differs_much_from_file(&self) -> bool {
        self.replaced_chunks > self.chunks.len() / UNSAVED_SHARE
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.entries().len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use domain::SourceRole;
    use register::Column;
    use store::TdocRow;

    use super::*;
    use crate::import::tests::entry;

    /// Number, meeting and texts of a row.
    pub(crate) type Row<'a> = (&'a str, &'a str, &'a [(Column, &'a str)]);

    /// A catalog of rows.
    pub(crate) fn catalog(rows: &[Row<'_>], meetings: Vec<Meeting>) -> TdocCatalog {
        let parsed: Vec<(TdocId, TdocRow)> = rows
            .iter()
            .map(|(id, meeting, texts)| {
                let meeting = meeting.parse().expect("a meeting");
                (id.parse().expect("a number"), TdocRow { meeting, entry: entry(id, texts) })
            })
            .collect();
        TdocCatalog::of_rows(parsed, meetings)
    }

    #[test]
    fn spellings_of_one_organization_are_one() {
        let catalog = catalog(
            &[
                ("R1-2400001", "R1-116", &[(Column::Source, "Nokia, Nokia Shanghai Bell")]),
                ("R1-2400002", "R1-116", &[(Column::Source, "NOKIA Corp., Example Radio")]),
                ("R1-2400003", "R1-116", &[(Column::Source, "Moderator (Example Radio Ltd.)")]),
            ],
            Vec::new(),
        );
        let nokia = catalog.directory.index_of_id("nokia").expect("it is on the list");
        let example = catalog.directory.index_of_name("Example Radio").expect("learned");
        assert_eq!(
            (catalog.organization_entry_count(nokia), catalog.organization_entry_count(example)),
            (2, 2)
        );
        let roles: Vec<SourceRole> = catalog
            .organization_entries(example)
            .flat_map(|entry| entry.parties.iter())
            .filter(|party| party.organization == example)
            .map(|party| party.role)
            .collect();
        // Newest first: the summary that it moderated, then what it submitted with others.
        assert_eq!(roles, [SourceRole::Editor, SourceRole::CoSubmitter]);
    }

    #[test]
    fn what_registers_misspell_is_no_company() {
        use SourceRole::{CoSubmitter as C, Editor as E, Submitter as S};
        use domain::SourceRole;
        let known = "Intel Corporation, Huawei, HiSilicon, LG Electronics, Example Radio";
        let cells = [
            ("Intel Coporation", &[("intel", S)][..]),
            ("Huawei/HiSilicon", &[("huawei", S), ("hisilicon", C)]),
            ("Moderator (Huawei/HiSilicon)", &[("huawei", E), ("hisilicon", E)]),
            ("Huawei. LG Electronics", &[("huawei", S), ("lg-electronics", C)]),
            ("Moderater (Exampel Radio)", &[("example-radio", E)]),
            ("RAN1 Chair", &[("3gpp-ran1", E)]),
            ("IIT, Kharagpur", &[("iit-kharagpur", S)]),
            ("Void", &[]),
        ];
        let numbers: Vec<String> =
            (1..=20 + cells.len()).map(|number| format!("R1-24{number:05}")).collect();
        let sources = cells.iter().map(|(cell, _)| *cell).chain(std::iter::repeat(known));
        let texts: Vec<[(Column, &str); 1]> =
            sources.take(numbers.len()).map(|cell| [(Column::Source, cell)]).collect();
        let rows: Vec<Row<'_>> = numbers
            .iter()
            .zip(&texts)
            .map(|(number, text)| (number.as_str(), "R1-116", text.as_slice()))
            .collect();
        let catalog = catalog(&rows, Vec::new());
        for ((cell, expected), number) in cells.iter().zip(&numbers) {
            let id: TdocId = number.parse().expect("a number");
            let entry = catalog.get(&id).expect("an entry");
            let parties: Vec<(&str, SourceRole)> = entry
                .parties
                .iter()
                .filter_map(|party| Some((party, catalog.directory.get(party.organization)?)))
                .map(|(party, organization)| (organization.id.as_str(), party.role))
                .collect();
            assert_eq!(parties, *expected, "{cell}");
        }
    }
}
