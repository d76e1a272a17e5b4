//! What registers and calendars say of meetings and their documents (TDocs).

use jiff::civil::Date;
use redb::{ReadableTable, ReadableTableMetadata, TableDefinition, WriteTransaction};
use register::{AgendaItem, Entry, Pack};
use serde::{Deserialize, Serialize};

use super::{Snapshot, StoreError, Writer, codec, tables::COUNTERS, tdoc_jobs};
use domain::{MeetingId, TdocId};

/// Number of a TDoc -> [`TdocRow`].
pub(super) const TDOCS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdocs");
/// Number of a change request's TDoc -> [`Pack`].
const TDOC_PACKS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdoc_packs");
/// Id of a meeting -> [`MeetingRow`].
const MEETINGS: TableDefinition<&str, &[u8]> = TableDefinition::new("meetings");
/// Key of [`COUNTERS`]: how often the tables of this file were changed.
const TDOCS_GENERATION: &str = "tdocs_generation";

/// A document of a meeting, as its register has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocRow {
    /// The meeting.
    pub meeting: MeetingId,
    /// What the register says.
    pub entry: Entry,
}

/// A meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingRow {
    /// Which.
    pub id: MeetingId,
    /// What a calendar says of it.
    pub calendar: Option<CalendarNote>,
    /// What its register says of it, and where that came from.
    pub register: Option<RegisterNote>,
}

/// What a calendar says of a meeting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarNote {
    /// Where it is.
    pub place: Option<String>,
    /// Its first day.
    pub start: Option<Date>,
    /// Its last day.
    pub end: Option<Date>,
    /// First and last number of its documents.
    pub range: Option<(String, String)>,
    /// Its folder on the standards body's file server.
    pub folder: Option<String>,
    /// Whether it was called off.
    pub is_cancelled: bool,
}

/// What a register says of its meeting as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterNote {
    /// Name of the file.
    pub file: String,
    /// When it was read, RFC 3339 in UTC.
    pub imported_at: String,
    /// Documents in it.
    pub rows: u32,
    /// First and last number of the meeting's own.
    pub range: Option<(TdocId, TdocId)>,
    /// Whether it lists the whole meeting, as far as its numbers tell.
    pub is_full: bool,
    /// The day on which the meeting began, as far as dates in the register tell.
    pub estimated_start: Option<Date>,
    /// Its folder on the standards body's file server, from the links.
    pub folder: Option<String>,
    /// Items of the agenda with their titles, in its order.
    pub agenda: Vec<AgendaItem>,
}

/// A register to be stored.
#[derive(Debug, Clone)]
pub struct NewRegister {
    /// The meeting it is of.
    pub meeting: MeetingId,
    /// What it says as a whole.
    pub note: RegisterNote,
    /// Its documents.
    pub entries: Vec<(TdocId, Entry)>,
    /// Change requests in packs.
    pub packs: Vec<(TdocId, Pack)>,
}

/// What an import did to the documents of a register.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// Documents that were not known.
    pub new: usize,
    /// Documents of which something else is said now.
    pub changed: usize,
    /// Documents that stay as they were.
    pub unchanged: usize,
}

/// Makes the tables, so that readers find them.
pub(super) fn create(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(TDOCS)?;
    txn.open_table(TDOC_PACKS)?;
    txn.open_table(MEETINGS)?;
    Ok(())
}

impl Writer<'_> {
    /// Stores what a register says, whole or not at all. What it does not list stays.
    pub fn import_register(&mut self, new: &NewRegister) -> Result<Imported, StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        let mut imported = Imported::default();
        {
            let mut table = txn.open_table(TDOCS)?;
            for (id, entry) in &new.entries {
                // Where a row stands in its file says nothing of the document.
                let entry = Entry { line: 0, ..entry.clone() };
                let mut row = TdocRow { meeting: new.meeting.clone(), entry };
                let known =
                    table.get(id.as_str())?.map(|value| codec::decode(value.value(), "TDoc"));
                let known: Option<TdocRow> = known.transpose()?;
                if let Some(known) = &known {
                    keep_unsaid(&mut row.entry, &known.entry);
                }
                match &known {
                    None => imported.new += 1,
                    Some(known) if *known == row || is_at_home(id, known, &row) => {
                        imported.unchanged += 1;
                        continue;
                    }
                    Some(_) => imported.changed += 1,
                }
                table.insert(id.as_str(), codec::encode(&row).as_slice())?;
            }
            tdoc_jobs::are_listed(&txn, new.entries.iter().map(|(id, _)| id))?;
            let mut packs = txn.open_table(TDOC_PACKS)?;
            for (id, pack) in &new.packs {
                packs.insert(id.as_str(), codec::encode(pack).as_slice())?;
            }
        }
        change_meeting(&txn, &new.meeting, |row| {
            // A list of some documents says less of the meeting than the register that is there.
            let says_more = |known: &RegisterNote| known.rows / 2 > new.note.rows;
            if !row.register.as_ref().is_some_and(says_more) {
                row.register = Some(new.note.clone());
            }
        })?;
        self.commit_tdocs(txn)?;
        Ok(imported)
    }

    /// Notes where the folders of meetings are, for meetings of which nothing says it yet. Returns how many
    /// were new.
    pub fn note_meeting_folders(
        &mut self,
        folders: &[(MeetingId, String)],
    ) -> Result<usize, StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        let mut new = 0;
        for (id, folder) in folders {
            change_meeting(&txn, id, |row| {
                let note = row.calendar.get_or_insert_with(|| {
                    new += 1;
                    CalendarNote::default()
                });
                note.folder.get_or_insert_with(|| folder.clone());
            })?;
        }
        self.commit_tdocs(txn)?;
        Ok(new)
    }

    /// Stores what a calendar says of meetings, in place of what one said before.
    pub fn import_calendar(
        &mut self,
        meetings: &[(MeetingId, CalendarNote)],
    ) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        for (id, note) in meetings {
            change_meeting(&txn, id, |row| row.calendar = Some(note.clone()))?;
        }
        self.commit_tdocs(txn)
    }

    fn commit_tdocs(&mut self, txn: WriteTransaction) -> Result<(), StoreError> {
        count_change(&txn)?;
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(())
    }
}

/// Counts a change of the tables of this file.
pub(super) fn count_change(txn: &WriteTransaction) -> Result<(), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let generation = counters.get(TDOCS_GENERATION)?.map_or(0, |value| value.value());
    counters.insert(TDOCS_GENERATION, generation + 1)?;
    Ok(())
}

/// What a register leaves out stays as an earlier one had it: pages have fewer columns than workbooks.
fn keep_unsaid(entry: &mut Entry, known: &Entry) {
    for (column, text) in &known.texts {
        entry.texts.entry(*column).or_insert_with(|| text.clone());
    }
    entry.url = entry.url.take().or_else(|| known.url.clone());
    entry.reserved = entry.reserved.or(known.reserved);
    entry.uploaded = entry.uploaded.or(known.uploaded);
}

/// Whether a document is known from a meeting of its own group, and now listed as a guest of another's.
fn is_at_home(id: &TdocId, known: &TdocRow, row: &TdocRow) -> bool {
    let own = id.group();
    own.is_some() && own == Some(known.meeting.group()) && own != Some(row.meeting.group())
}

/// Notes a meeting that is not known yet; whether it was new.
pub(super) fn note_meeting(txn: &WriteTransaction, id: &MeetingId) -> Result<bool, StoreError> {
    if txn.open_table(MEETINGS)?.get(id.to_string().as_str())?.is_some() {
        return Ok(false);
    }
    change_meeting(txn, id, |_| {})?;
    Ok(true)
}

fn change_meeting(
    txn: &WriteTransaction,
    id: &MeetingId,
    change: impl FnOnce(&mut MeetingRow),
) -> Result<(), StoreError> {
    let mut table = txn.open_table(MEETINGS)?;
    let key = id.to_string();
    let known = table.get(key.as_str())?.map(|value| codec::decode(value.value(), "meeting"));
    let unknown = MeetingRow { id: id.clone(), calendar: None, register: None };
    let mut row: MeetingRow = known.transpose()?.unwrap_or(unknown);
    change(&mut row);
    table.insert(key.as_str(), codec::encode(&row).as_slice())?;
    Ok(())
}

impl Snapshot {
    /// A number that changes with everything that is stored of meetings and their documents.
    pub fn tdocs_generation(&self) -> Result<u64, StoreError> {
        let counters = self.metadata.open_table(COUNTERS)?;
        Ok(counters.get(TDOCS_GENERATION)?.map_or(0, |value| value.value()))
    }

    /// What its register says of a document.
    pub fn tdoc(&self, id: &TdocId) -> Result<Option<TdocRow>, StoreError> {
        let table = self.metadata.open_table(TDOCS)?;
        table.get(id.as_str())?.map(|value| codec::decode(value.value(), "TDoc")).transpose()
    }

    /// Number of documents in all registers.
    pub fn tdoc_count(&self) -> Result<u64, StoreError> {
        Ok(self.metadata.open_table(TDOCS)?.len()?)
    }

    /// Hands out every document of every register, in the order of their numbers as text.
    pub fn each_tdoc(&self, mut each: impl FnMut(TdocId, TdocRow)) -> Result<(), StoreError> {
        for row in self.metadata.open_table(TDOCS)?.iter()? {
            let (id, row) = row?;
            let id = id.value().parse().map_err(|_| StoreError::Decode { what: "TDoc number" })?;
            each(id, codec::decode(row.value(), "TDoc")?);
        }
        Ok(())
    }

    /// What a TSG's register says of a change request that went to it in a pack.
    pub fn tdoc_pack(&self, id: &TdocId) -> Result<Option<Pack>, StoreError> {
        let table = self.metadata.open_table(TDOC_PACKS)?;
        table.get(id.as_str())?.map(|value| codec::decode(value.value(), "CR pack")).transpose()
    }

    /// All meetings that a register or a calendar told of, in no order that means something.
    pub fn meetings(&self) -> Result<Vec<MeetingRow>, StoreError> {
        let mut meetings = Vec::new();
        for row in self.metadata.open_table(MEETINGS)?.iter()? {
            meetings.push(codec::decode(row?.1.value(), "meeting")?);
        }
        Ok(meetings)
    }
}
