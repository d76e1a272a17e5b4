//! What meetings decided, as their notes and reports have it: for each such file its decisions, in their order.
//!
//! What became of a document is what its register says; that is joined when it is asked for.

use redb::{ReadableTable, TableDefinition, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{Snapshot, StoreError, Writer, codec, tdocs};
use domain::{DecisionKind, MeetingId, NotesKind, Outcome, TdocId};

/// Meeting and key of a source -> [`NotesRow`].
const NOTES: TableDefinition<(&str, &str), &[u8]> = TableDefinition::new("meeting_notes");
/// Meeting and key of a source -> its [`DecisionRow`]s, compressed.
const DECISIONS: TableDefinition<(&str, &str), &[u8]> = TableDefinition::new("decisions");

/// Notes or a report of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesRow {
    /// The meeting.
    pub meeting: MeetingId,
    /// What names it among the meeting's sources; all versions of one note have one.
    pub key: String,
    /// What kind of notes it is.
    pub kind: NotesKind,
    /// Its title, or the name of its file.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// The document of the meeting that it is.
    pub tdoc: Option<TdocId>,
    /// Its version as written: `v07`, `eom2`.
    pub version: Option<String>,
    /// The order of versions: a higher one takes the place of a lower one.
    pub rank: u32,
    /// Whether it is the final report: what notes say is provisional until then.
    pub is_final: bool,
    /// Hash of the file.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
    /// What of it was not read, one sentence each.
    pub faults: Vec<String>,
    /// How many decisions are in it.
    pub decisions: u32,
}

/// A decision as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// What kind it is.
    pub kind: DecisionKind,
    /// What became of a document, as the notes say it.
    pub outcome: Option<Outcome>,
    /// The words that mark it.
    pub marker: String,
    /// Its text, word by word.
    pub quote: String,
    /// Whether the quote is cut.
    pub is_cut: bool,
    /// Where it begins.
    pub anchor: String,
    /// Where its last paragraph stands.
    pub last_anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
    /// The item of the agenda.
    pub agenda_item: Option<String>,
    /// The heading it stands under.
    pub heading: Option<String>,
    /// The document it was recorded under.
    pub recorded_under: Option<TdocId>,
    /// Documents that it names.
    pub references: Vec<TdocId>,
    /// The session.
    pub session: Option<String>,
    /// The decision that it is a part of, by its place in the list.
    pub part_of: Option<u32>,
}

/// What became of a source that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesFate {
    /// It is stored.
    Stored,
    /// It is stored in place of an earlier version.
    Replaced {
        /// The version that was there.
        earlier: Option<String>,
    },
    /// A later version is there already.
    Older {
        /// That version.
        later: Option<String>,
    },
}

/// Makes the tables, so that readers find them.
pub(super) fn create(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(NOTES)?;
    txn.open_table(DECISIONS)?;
    Ok(())
}

impl Writer<'_> {
    /// Stores notes with their decisions, whole, in place of an earlier version of them.
    pub fn put_notes(
        &mut self,
        notes: &NotesRow,
        decisions: &[DecisionRow],
    ) -> Result<NotesFate, StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        let meeting = notes.meeting.to_string();
        let key = (meeting.as_str(), notes.key.as_str());
        let fate = {
            let mut table = txn.open_table(NOTES)?;
            let known = table.get(key)?.map(|row| codec::decode(row.value(), "notes"));
            let known: Option<NotesRow> = known.transpose()?;
            let fate = match known {
                Some(known) if known.rank > notes.rank || known.is_final && !notes.is_final => {
                    return Ok(NotesFate::Older { later: known.version });
                }
                Some(known) => NotesFate::Replaced { earlier: known.version },
                None => NotesFate::Stored,
            };
            table.insert(key, codec::encode(notes).as_slice())?;
            let rows = codec::pack(&decisions)?;
            txn.open_table(DECISIONS)?.insert(key, rows.as_slice())?;
            fate
        };
        if tdocs::note_meeting(&txn, &notes.meeting)? {
            tdocs::count_change(&txn)?;
        }
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(fate)
    }
}

impl Snapshot {
    /// All notes of all meetings, in the order of the meetings' ids as text.
    pub fn notes(&self) -> Result<Vec<NotesRow>, StoreError> {
        let table = self.metadata.open_table(NOTES)?;
        table.iter()?.map(|row| codec::decode(row?.1.value(), "notes")).collect()
    }

    /// The notes of a meeting.
    pub fn notes_of(&self, meeting: &MeetingId) -> Result<Vec<NotesRow>, StoreError> {
        let table = self.metadata.open_table(NOTES)?;
        let id = meeting.to_string();
        let mut found = Vec::new();
        for row in table.range((id.as_str(), "")..)? {
            let (key, value) = row?;
            if key.value().0 != id {
                break;
            }
            found.push(codec::decode(value.value(), "notes")?);
        }
        Ok(found)
    }

    /// The decisions in notes, in their order.
    pub fn decisions_in(&self, notes: &NotesRow) -> Result<Vec<DecisionRow>, StoreError> {
        let table = self.metadata.open_table(DECISIONS)?;
        let meeting = notes.meeting.to_string();
        let value = table.get((meeting.as_str(), notes.key.as_str()))?;
        value.map_or(Ok(Vec::new()), |value| codec::unpack(value.value(), "decisions"))
    }
}
