//! The documents of all registers in memory, as questions need them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use organizations::Directory;
use register::{Column, Role, Status, parties};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{DocKind, Meeting};
use domain::{DocNumber, Group, MeetingId, Release, TdocId};
use store::{Snapshot, StoreError, TdocRow};

/// A document with what filters look at.
#[derive(Debug)]
pub struct TdocEntry {
    /// Its number.
    pub id: TdocId,
    /// Its meeting, by its place in [`Catalog::meetings`].
    pub meeting: u32,
    /// Its kind.
    pub kind: DocKind,
    /// What became of it.
    pub status: Option<Status>,
    /// Its item of the agenda.
    pub agenda_item: Option<Box<str>>,
    /// Who it is from, in the order of the register.
    pub parties: Box<[PartyEntry]>,
    /// Codes of work items, in upper case.
    pub(super) work_items: Box<[Box<str>]>,
    pub(super) spec: Option<DocNumber>,
    pub(super) release: Option<Release>,
}

/// An organization and what it is to a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartyEntry {
    /// Its number in [`Catalog::directory`].
    pub organization: u32,
    /// Its role.
    pub role: Role,
}

/// All documents of one state of the store.
pub struct Catalog {
    /// The state, by [`Snapshot::tdocs_generation`].
    pub generation: u64,
    /// Who the documents are from.
    pub directory: Directory,
    /// The meetings, by group and number.
    pub meetings: Vec<Meeting>,
    /// The documents, newest first.
    pub(super) entries: Vec<TdocEntry>,
    by_id: HashMap<TdocId, u32>,
    /// The documents of each word of titles and abstracts, ascending.
    pub(super) words: HashMap<Box<str>, Vec<u32>>,
    /// The documents of each organization, ascending.
    by_organization: HashMap<u32, Vec<u32>>,
    revisions: Revisions,
    /// Documents of which only their own file tells.
    unlisted: HashSet<TdocId>,
}

/// Which document takes the place of which, as either of the two says.
#[derive(Default)]
struct Revisions {
    earlier: HashMap<TdocId, Vec<TdocId>>,
    later: HashMap<TdocId, Vec<TdocId>>,
}

/// A chain of revisions is not followed further.
const MOST_REVISIONS: usize = 100;
/// Documents that may take the place of one, or give theirs to one; a register that says more is wrong.
const MOST_LINKS: usize = 20;

impl Revisions {
    fn add(&mut self, id: &TdocId, row: &TdocRow) {
        for (column, is_later) in [(Column::RevisionOf, false), (Column::RevisedTo, true)] {
            let cell = row.entry.text(column).unwrap_or_default();
            for other in cell.split([',', ';', ' ', '\n']).filter_map(|other| other.parse().ok()) {
                let (old, new) = if is_later { (id.clone(), other) } else { (other, id.clone()) };
                insert(&mut self.later, &old, &new);
                insert(&mut self.earlier, &new, &old);
            }
        }
    }
}

fn insert(links: &mut HashMap<TdocId, Vec<TdocId>>, from: &TdocId, to: &TdocId) {
    let known = links.entry(from.clone()).or_default();
    if from != to && known.len() < MOST_LINKS && !known.contains(to) {
        known.push(to.clone());
    }
}

/// All that can be reached, nearest first.
fn reached(links: &HashMap<TdocId, Vec<TdocId>>, start: &TdocId) -> Vec<TdocId> {
    let mut seen = vec![start.clone()];
    let mut at = 0;
    while at < seen.len() && seen.len() < MOST_REVISIONS {
        for next in links.get(&seen[at]).into_iter().flatten() {
            if !seen.contains(next) {
                seen.push(next.clone());
            }
        }
        at += 1;
    }
    seen.remove(0);
    seen
}

impl Catalog {
    /// Reads everything that is stored.
    pub fn load(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let mut rows: Vec<(TdocId, TdocRow)> = Vec::new();
        snapshot.each_tdoc(|id, row| rows.push((id, row)))?;
        let mut meetings: BTreeMap<MeetingId, Meeting> = BTreeMap::new();
        for row in snapshot.meetings()? {
            meetings.insert(row.id.clone(), Meeting::new(row));
        }
        rows.sort_by(|(a, _), (b, _)| a.cmp(b));
        let unlisted = snapshot.unlisted_tdocs()?;
        Ok(Self::new(snapshot.tdocs_generation()?, &rows, meetings, unlisted))
    }

    /// A catalog of nothing.
    #[cfg(test)]
    pub(super) fn empty() -> Self {
        Self::new(0, &[], BTreeMap::new(), HashSet::new())
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
                meetings.insert(id.clone(), Meeting::unknown(id));
            }
        }
        let places: HashMap<MeetingId, u32> =
            (0..).zip(meetings.keys()).map(|(place, id)| (id.clone(), place)).collect();
        let mut learned = Learned::of(rows);
        let mut catalog = Self {
            generation,
            directory: Directory::shipped(std::iter::empty()),
            meetings: meetings.into_values().collect(),
            entries: Vec::with_capacity(rows.len()),
            by_id: HashMap::with_capacity(rows.len()),
            words: HashMap::new(),
            by_organization: HashMap::new(),
            revisions: Revisions::default(),
            unlisted,
        };
        for (place, (id, row)) in (0..).zip(rows) {
            let meeting = places[&row.meeting];
            let of = &mut catalog.meetings[meeting as usize];
            of.documents += 1;
            of.registered += usize::from(!catalog.unlisted.contains(id));
            let entry = learned.entry(id, row, meeting);
            for party in &entry.parties {
                let of = catalog.by_organization.entry(party.organization).or_default();
                if of.last() != Some(&place) {
                    of.push(place);
                }
            }
            catalog.add_words(place, row);
            catalog.revisions.add(id, row);
            catalog.by_id.insert(id.clone(), place);
            catalog.entries.push(entry);
        }
        catalog.directory = learned.directory;
        catalog
    }

    fn add_words(&mut self, place: u32, row: &TdocRow) {
        for column in [Column::Title, Column::Abstract] {
            for word in words(row.entry.text(column).unwrap_or_default()) {
                let of = self.words.entry(word.into_boxed_str()).or_default();
                if of.last() != Some(&place) {
                    of.push(place);
                }
            }
        }
    }

    /// A document by its number.
    pub fn get(&self, id: &TdocId) -> Option<&TdocEntry> {
        self.entries.get(*self.by_id.get(id)? as usize)
    }

    /// Whether some register lists a document.
    pub fn is_listed(&self, id: &TdocId) -> bool {
        self.by_id.contains_key(id) && !self.unlisted.contains(id)
    }

    /// The documents that a document takes the place of, directly or not, the earliest first.
    pub fn earlier_than(&self, id: &TdocId) -> Vec<TdocId> {
        let mut earlier = reached(&self.revisions.earlier, id);
        earlier.reverse();
        earlier
    }

    /// The documents that take the place of a document, directly or not, the latest last.
    pub fn later_than(&self, id: &TdocId) -> Vec<TdocId> {
        reached(&self.revisions.later, id)
    }

    /// The meeting of a document.
    pub fn meeting_of(&self, entry: &TdocEntry) -> &Meeting {
        &self.meetings[entry.meeting as usize]
    }

    /// A meeting by its id.
    pub fn meeting(&self, id: &MeetingId) -> Option<u32> {
        let place = self.meetings.binary_search_by(|meeting| meeting.id.cmp(id)).ok()?;
        u32::try_from(place).ok()
    }

    /// Whether any meeting is of a group.
    pub fn knows_group(&self, group: Group) -> bool {
        self.meetings.iter().any(|meeting| meeting.id.group() == group)
    }

    /// The documents that an organization is a party of, newest first.
    pub fn of_organization(&self, organization: u32) -> impl Iterator<Item = &TdocEntry> {
        let places = self.by_organization.get(&organization).map_or(&[][..], Vec::as_slice);
        places.iter().map(|place| &self.entries[*place as usize])
    }

    /// How many documents an organization is a party of.
    pub fn count_of(&self, organization: u32) -> usize {
        self.by_organization.get(&organization).map_or(0, Vec::len)
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

/// Who is who, learned from all source cells, the most frequent names first.
struct Learned {
    directory: Directory,
    by_cell: HashMap<String, Box<[PartyEntry]>>,
}

impl Learned {
    fn of(rows: &[(TdocId, TdocRow)]) -> Self {
        let mut cells: HashMap<&str, u32> = HashMap::new();
        for cell in rows.iter().filter_map(|(_, row)| row.entry.text(Column::Source)) {
            *cells.entry(cell).or_default() += 1;
        }
        let parted: Vec<_> =
            cells.into_iter().map(|(cell, count)| (cell, count, parties(cell))).collect();
        let mut names: HashMap<&str, u32> = HashMap::new();
        for (_, count, parties) in &parted {
            // On some pages an incoming statement has the number it had at home for a source.
            let of_somebody = parties.iter().filter(|party| party.name.parse::<TdocId>().is_err());
            of_somebody.for_each(|party| *names.entry(&party.name).or_default() += count);
        }
        let mut names: Vec<(&str, u32)> = names.into_iter().collect();
        names.sort_unstable_by_key(|(name, count)| (Reverse(*count), *name));
        let mut directory = Directory::shipped(Group::all().map(Group::name));
        let learned: HashMap<&str, Option<u32>> = names
            .into_iter()
            .map(|(name, count)| (name, directory.learn(name, count.into())))
            .collect();
        let by_cell = parted.iter().map(|(cell, _, parties)| {
            let mut entries: Vec<PartyEntry> = Vec::new();
            for party in parties {
                let organization = learned.get(party.name.as_str()).copied().flatten();
                let Some(organization) = organization else { continue };
                // Two names of one organization are one, in the role that says most.
                match entries.iter_mut().find(|known| known.organization == organization) {
                    Some(known) if known.role == Role::Editor => known.role = party.role,
                    Some(_) => {}
                    None => entries.push(PartyEntry { organization, role: party.role }),
                }
            }
            ((*cell).to_owned(), entries.into_boxed_slice())
        });
        let by_cell = by_cell.collect();
        Self { directory, by_cell }
    }

    fn entry(&mut self, id: &TdocId, row: &TdocRow, meeting: u32) -> TdocEntry {
        let text = |column| row.entry.text(column);
        let parties = text(Column::Source).and_then(|cell| self.by_cell.get(cell).cloned());
        let mut parties = parties.unwrap_or_default();
        let roles: Vec<Role> = parties.iter().map(|party| party.role).collect();
        let kind = DocKind::of(&row.entry, &roles);
        if kind.is_of_others() {
            parties.iter_mut().for_each(|party| party.role = Role::Editor);
        }
        TdocEntry {
            id: id.clone(),
            meeting,
            kind,
            status: row.entry.status(),
            agenda_item: text(Column::AgendaItem).map(Box::from),
            parties,
            work_items: work_items(text(Column::WorkItems).unwrap_or_default())
                .map(|code| code.to_uppercase().into_boxed_str())
                .collect(),
            spec: text(Column::Spec).and_then(|spec| spec.parse().ok()),
            release: text(Column::Release).and_then(|release| release.parse().ok()),
        }
    }
}

/// The codes of work items in a cell.
pub fn work_items(cell: &str) -> impl Iterator<Item = &str> {
    cell.split([',', ';', ' ', '\n']).map(str::trim).filter(|code| !code.is_empty())
}

/// The words of a title: runs of letters and digits, in lower case and without marks.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
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
    use super::*;
    use crate::import::tests::entry;

    /// Number, meeting and texts of a row.
    pub(crate) type Row<'a> = (&'a str, &'a str, &'a [(Column, &'a str)]);

    /// A catalog of rows.
    pub(crate) fn catalog(rows: &[Row<'_>], meetings: Vec<Meeting>) -> Catalog {
        let mut made: Vec<(TdocId, TdocRow)> = rows
            .iter()
            .map(|(id, meeting, texts)| {
                let meeting = meeting.parse().expect("a meeting");
                (id.parse().expect("a number"), TdocRow { meeting, entry: entry(id, texts) })
            })
            .collect();
        made.sort_by(|(a, _), (b, _)| a.cmp(b));
        let meetings = meetings.into_iter().map(|meeting| (meeting.id.clone(), meeting)).collect();
        Catalog::new(1, &made, meetings, HashSet::new())
    }

    #[test]
    fn chains_of_revisions_are_followed_both_ways_and_rings_end() {
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
        assert_eq!(catalog.earlier_than(&id("R1-2400003")), ["R1-2400001", "R1-2400002"].map(id));
        assert_eq!(catalog.later_than(&id("R1-2400001")), ["R1-2400002", "R1-2400003"].map(id));
        assert_eq!(catalog.later_than(&id("R1-2400008")), [id("R1-2400009")]);
        assert_eq!(catalog.earlier_than(&id("R1-2400001")), []);
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
        let nokia = catalog.directory.with_id("nokia").expect("it is on the list");
        let example = catalog.directory.with_name("Example Radio").expect("learned");
        assert_eq!((catalog.count_of(nokia), catalog.count_of(example)), (2, 2));
        let roles: Vec<Role> = catalog
            .of_organization(example)
            .flat_map(|entry| entry.parties.iter())
            .filter(|party| party.organization == example)
            .map(|party| party.role)
            .collect();
        // Newest first: the summary that it moderated, then what it submitted with others.
        assert_eq!(roles, [Role::Editor, Role::CoSubmitter]);
    }
}
