//! The documents of all registers in memory, indexed for questions.

use std::collections::{BTreeMap, HashMap, HashSet};

use organizations::OrganizationDirectory;
use register::Column;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{
    Meeting,
    entry::{TdocEntry, plain_change_number},
    learned_parties::LearnedParties,
    linked_folders::LinkedFolders,
    revision_links::RevisionLinks,
    topics::Abbreviations,
};
use domain::{DocNumber, MeetingId, TdocId};
use store::{Snapshot, StoreError, TdocRow};

/// All documents of one state of the store.
pub struct TdocCatalog {
    /// Which state, as [`store::TdocReader::tdocs_generation`] numbers it.
    pub generation: u64,
    /// Who the documents are from.
    pub directory: OrganizationDirectory,
    /// The abbreviations that titles write out.
    pub abbreviations: Abbreviations,
    /// The meetings, by group and number.
    pub meetings: Vec<Meeting>,
    /// The documents, newest first.
    pub(super) entries: Vec<TdocEntry>,
    row_by_id: HashMap<TdocId, u32>,
    /// The documents of each word of titles and abstracts, ascending.
    pub(super) rows_by_word: HashMap<Box<str>, Vec<u32>>,
    /// The documents of each organization, ascending.
    rows_by_organization: HashMap<u32, Vec<u32>>,
    /// The change requests to each specification with a number, ascending.
    rows_by_change: HashMap<(DocNumber, Box<str>), Vec<u32>>,
    revisions: RevisionLinks,
    /// Documents that no register lists, known from their own file only.
    unlisted: HashSet<TdocId>,
}

impl TdocCatalog {
    /// Reads everything that is stored.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let mut rows: Vec<(TdocId, TdocRow)> = Vec::new();
        snapshot.tdocs().for_each_tdoc(|id, row| rows.push((id, row)))?;
        let mut meetings: BTreeMap<MeetingId, Meeting> = BTreeMap::new();
        for row in snapshot.meetings().meeting_rows()? {
            meetings.insert(row.id.clone(), Meeting::new(row));
        }
        rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        let unlisted = snapshot.tdocs().unlisted_tdocs()?;
        Ok(Self::new(snapshot.tdocs().tdocs_generation()?, &rows, meetings, unlisted))
    }

    /// An empty catalog.
    #[cfg(test)]
    pub(super) fn empty() -> Self {
        Self::new(0, &[], BTreeMap::new(), HashSet::new())
    }

    /// A catalog of documents and a meeting.
    #[cfg(test)]
    pub(super) fn of_rows(rows: &[(TdocId, TdocRow)], meeting: store::MeetingRow) -> Self {
        let meetings = BTreeMap::from([(meeting.id.clone(), Meeting::new(meeting))]);
        Self::new(0, rows, meetings, HashSet::new())
    }

    fn new(
        generation: u64,
        rows: &[(TdocId, TdocRow)],
        mut meetings: BTreeMap<MeetingId, Meeting>,
        unlisted: HashSet<TdocId>,
    ) -> Self {
        for (_, row) in rows {
            if !meetings.contains_key(&row.meeting) {
                let id = row.meeting.clone();
                meetings.insert(id.clone(), Meeting::from_id(id));
            }
        }
        let meeting_indexes: HashMap<MeetingId, u32> =
            (0..).zip(meetings.keys()).map(|(index, id)| (id.clone(), index)).collect();
        let mut learned = LearnedParties::from_rows(rows);
        let mut folders = LinkedFolders::default();
        let mut catalog = Self {
            generation,
            directory: OrganizationDirectory::from_shipped_list(std::iter::empty()),
            abbreviations: Abbreviations::default(),
            meetings: meetings.into_values().collect(),
            entries: Vec::with_capacity(rows.len()),
            row_by_id: HashMap::with_capacity(rows.len()),
            rows_by_word: HashMap::new(),
            rows_by_organization: HashMap::new(),
            rows_by_change: HashMap::new(),
            revisions: RevisionLinks::default(),
            unlisted,
        };
        for (index, (id, row)) in (0..).zip(rows) {
            let meeting = meeting_indexes[&row.meeting];
            let counted = &mut catalog.meetings[meeting as usize];
            counted.documents += 1;
            counted.registered += usize::from(!catalog.unlisted.contains(id));
            let entry = learned.build_entry(id, row, meeting);
            for party in &entry.parties {
                let rows = catalog.rows_by_organization.entry(party.organization).or_default();
                if rows.last() != Some(&index) {
                    rows.push(index);
                }
            }
            if let (Some(spec), Some(number)) = (&entry.spec, &entry.change_number) {
                let change = (spec.clone(), number.clone());
                catalog.rows_by_change.entry(change).or_default().push(index);
            }
            if let Some(link) = row.entry.url.as_deref() {
                folders.add_link(meeting, id, link);
            }
            catalog.index_words(index, row);
            catalog
                .abbreviations
                .add_text(row.entry.column_text(Column::Title).unwrap_or_default());
            catalog.revisions.add_links(id, row);
            catalog.row_by_id.insert(id.clone(), index);
            catalog.entries.push(entry);
        }
        for (meeting, url) in folders.into_most_frequent() {
            catalog.meetings[meeting as usize].document_folder_url = Some(url);
        }
        catalog.directory = learned.directory;
        catalog
    }

    fn index_words(&mut self, index: u32, row: &TdocRow) {
        for column in [Column::Title, Column::Abstract] {
            for word in title_words(row.entry.column_text(column).unwrap_or_default()) {
                let rows = self.rows_by_word.entry(word.into_boxed_str()).or_default();
                if rows.last() != Some(&index) {
                    rows.push(index);
                }
            }
        }
    }

    /// A document by its number.
    pub fn get(&self, id: &TdocId) -> Option<&TdocEntry> {
        self.entries.get(*self.row_by_id.get(id)? as usize)
    }

    /// Whether some register lists a document.
    pub fn is_listed(&self, id: &TdocId) -> bool {
        self.row_by_id.contains_key(id) && !self.unlisted.contains(id)
    }

    /// The documents that a document replaces, directly or not, the earliest first.
    pub fn earlier_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        self.revisions.earlier_revisions(id)
    }

    /// The documents that replace a document, directly or not, the latest last.
    pub fn later_revisions(&self, id: &TdocId) -> Vec<TdocId> {
        self.revisions.later_revisions(id)
    }

    /// The meeting of a document.
    pub fn meeting_of(&self, entry: &TdocEntry) -> &Meeting {
        &self.meetings[entry.meeting_index as usize]
    }

    /// The index of a meeting in `meetings`, also where its id has the mark of an electronic meeting and the known
    /// one has not, or the other way round.
    pub fn meeting_index(&self, id: &MeetingId) -> Option<u32> {
        let find =
            |id: &MeetingId| self.meetings.binary_search_by(|meeting| meeting.id.cmp(id)).ok();
        let index = find(id).or_else(|| find(&id.electronic_twin()?))?;
        u32::try_from(index).ok()
    }

    /// The id under which a meeting is known; its own where it is not known.
    pub fn known_meeting(&self, id: MeetingId) -> MeetingId {
        let index = self.meeting_index(&id);
        let known = index.and_then(|index| self.meetings.get(index as usize));
        known.map_or(id, |meeting| meeting.id.clone())
    }

    /// The documents that an organization is a party of, newest first.
    pub fn organization_entries(&self, organization: u32) -> impl Iterator<Item = &TdocEntry> {
        let rows = self.rows_by_organization.get(&organization).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|row| &self.entries[*row as usize])
    }

    /// How many documents an organization is a party of.
    pub fn organization_entry_count(&self, organization: u32) -> usize {
        self.rows_by_organization.get(&organization).map_or(0, Vec::len)
    }

    /// The documents of a change request to a specification, all revisions of it, newest first.
    pub fn change_request_entries(
        &self,
        spec: &DocNumber,
        number: &str,
    ) -> impl Iterator<Item = &TdocEntry> {
        let change = (spec.clone(), plain_change_number(number).into_boxed_str());
        let rows = self.rows_by_change.get(&change).map_or(&[][..], Vec::as_slice);
        rows.iter().map(|row| &self.entries[*row as usize])
    }

    /// All documents, newest first.
    pub fn entries(&self) -> impl Iterator<Item = &TdocEntry> {
        self.entries.iter()
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// The words of a title: runs of letters and digits, in lower case and without diacritics.
pub(super) fn title_words(text: &str) -> impl Iterator<Item = String> {
    let plain: String =
        text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    let words: Vec<String> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

#[cfg(test)]
pub(super) mod tests {
    use register::PartyRole;

    use super::*;
    use crate::import::tests::entry;

    /// Number, meeting and texts of a row.
    pub(crate) type Row<'a> = (&'a str, &'a str, &'a [(Column, &'a str)]);

    /// A catalog of rows.
    pub(crate) fn catalog(rows: &[Row<'_>], meetings: Vec<Meeting>) -> TdocCatalog {
        let mut parsed: Vec<(TdocId, TdocRow)> = rows
            .iter()
            .map(|(id, meeting, texts)| {
                let meeting = meeting.parse().expect("a meeting");
                (id.parse().expect("a number"), TdocRow { meeting, entry: entry(id, texts) })
            })
            .collect();
        parsed.sort_by(|(a, _), (b, _)| a.cmp(b));
        let meetings = meetings.into_iter().map(|meeting| (meeting.id.clone(), meeting)).collect();
        TdocCatalog::new(1, &parsed, meetings, HashSet::new())
    }

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
        let roles: Vec<PartyRole> = catalog
            .organization_entries(example)
            .flat_map(|entry| entry.parties.iter())
            .filter(|party| party.organization == example)
            .map(|party| party.role)
            .collect();
        // Newest first: the summary that it moderated, then what it submitted with others.
        assert_eq!(roles, [PartyRole::Editor, PartyRole::CoSubmitter]);
    }

    #[test]
    fn what_registers_misspell_is_no_company() {
        use PartyRole::{CoSubmitter as C, Editor as E, Submitter as S};
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
            let parties: Vec<(&str, PartyRole)> = entry
                .parties
                .iter()
                .filter_map(|party| Some((party, catalog.directory.get(party.organization)?)))
                .map(|(party, organization)| (organization.id.as_str(), party.role))
                .collect();
            assert_eq!(parties, *expected, "{cell}");
        }
    }
}
