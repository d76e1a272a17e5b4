//! Storing notes with their decisions.

use redb::ReadableTable;

use crate::{
    DecisionRow, NotesDoubts, NotesRow, StoreError, Writer,
    tables::{
        codec,
        definitions::{DECISIONS, NOTES, NOTES_DOUBTS},
    },
    tdocs::{bump_generation, record_meeting},
};

/// The outcome of storing notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotesStoreResult {
    /// They are stored.
    Stored,
    /// They are stored in place of an earlier version.
    Replaced {
        /// The version that they replaced.
        earlier: Option<String>,
    },
    /// They are not stored, because a later version is.
    Older {
        /// That version.
        later: Option<String>,
    },
}

impl Writer<'_> {
    /// Stores notes with their decisions, whole, in place of an earlier version of them.
    pub fn store_notes(
        &mut self,
        notes: &NotesRow,
        decisions: &[DecisionRow],
        doubts: &NotesDoubts,
    ) -> Result<NotesStoreResult, StoreError> {
        self.make_change(|writer| writer.try_store_notes(notes, decisions, doubts))
    }

    fn try_store_notes(
        &mut self,
        notes: &NotesRow,
        decisions: &[DecisionRow],
        doubts: &NotesDoubts,
    ) -> Result<NotesStoreResult, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let meeting = notes.meeting.to_string();
        let key = (meeting.as_str(), notes.key.as_str());
        let result = {
            let mut table = txn.open_table(NOTES)?;
            let known = table.get(key)?.map(|row| codec::decode(row.value(), "notes"));
            let known: Option<NotesRow> = known.transpose()?;
            let result = match known {
                Some(known) if known.rank > notes.rank || known.is_final && !notes.is_final => {
                    return Ok(NotesStoreResult::Older { later: known.version });
                }
                Some(known) => NotesStoreResult::Replaced { earlier: known.version },
                None => NotesStoreResult::Stored,
            };
            table.insert(key, codec::encode(notes).as_slice())?;
            let rows = codec::encode_compressed(&decisions)?;
            txn.open_table(DECISIONS)?.insert(key, rows.as_slice())?;
            let doubts = codec::encode_compressed(doubts)?;
            txn.open_table(NOTES_DOUBTS)?.insert(key, doubts.as_slice())?;
            result
        };
        if record_meeting(&txn, &notes.meeting)? {
            bump_generation(&txn)?;
        }
        self.commit_metadata(txn)?;
        Ok(result)
    }
}
