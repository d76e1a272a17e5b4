//! The journal: what each commit changed, for watches and for the catalog of TDocs.
//!
//! An entry is written in the transaction of the change that it records, so that neither exists without the other.

use redb::{ReadableTable, WriteTransaction};

use crate::{
    Snapshot, StoreError,
    tables::{
        codec::Packed,
        definitions::{COUNTERS, JOURNAL, JOURNAL_ID, NEXT_JOURNAL},
        journal_entry::JournalEntry,
    },
};

/// Entries that are kept, so that the table does not grow without end. A watch that is further behind misses the
/// older ones.
const MAX_ENTRIES: u64 = 200_000;

/// Writes an entry in the transaction of its change.
pub(crate) fn write_entry(txn: &WriteTransaction, entry: &JournalEntry) -> Result<(), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let number = counters.get(NEXT_JOURNAL)?.map_or(1, |value| value.value());
    counters.insert(NEXT_JOURNAL, number + 1)?;
    let mut journal = txn.open_table(JOURNAL)?;
    journal.insert(number, Packed::of(entry))?;
    if let Some(oldest) = number.checked_sub(MAX_ENTRIES) {
        journal.remove(oldest)?;
    }
    Ok(())
}

/// An entry as it was found.
#[derive(Debug)]
pub struct JournalRow {
    /// Its number; later ones are higher.
    pub number: u64,
    /// What it records; an error if it cannot be decoded.
    pub entry: Result<JournalEntry, StoreError>,
}

/// The journal of a snapshot.
#[derive(Clone, Copy)]
pub struct JournalReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// The journal.
    pub fn journal(&self) -> JournalReader<'_> {
        JournalReader { snapshot: self }
    }
}

impl JournalReader<'_> {
    /// Identifies this journal among those of other data folders.
    pub fn id(&self) -> Result<u64, StoreError> {
        let counters = self.snapshot.metadata.open_table(COUNTERS)?;
        Ok(counters.get(JOURNAL_ID)?.map_or(0, |value| value.value()))
    }

    /// The number of the last entry; 0 if there is none.
    pub fn last_number(&self) -> Result<u64, StoreError> {
        let counters = self.snapshot.metadata.open_table(COUNTERS)?;
        Ok(counters.get(NEXT_JOURNAL)?.map_or(0, |value| value.value() - 1))
    }

    /// The entries after a number, in order, `limit` at most.
    pub fn entries_after(&self, number: u64, limit: usize) -> Result<Vec<JournalRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(JOURNAL)?;
        let entries = table.range(number.saturating_add(1)..)?.take(limit);
        let decode = |row: Result<_, redb::StorageError>| {
            let (number, entry): (
                redb::AccessGuard<'_, u64>,
                redb::AccessGuard<'_, Packed<JournalEntry>>,
            ) = row?;
            let entry = entry.value().decode("entry of the journal");
            Ok(JournalRow { number: number.value(), entry })
        };
        entries.map(decode).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{commit, document, folder, open};

    #[test]
    fn each_commit_leaves_one_entry_in_order() {
        let folder = folder();
        let store = open(&folder);
        assert_eq!(store.snapshot().journal().last_number().expect("read"), 0);
        for version in ["18.0.0", "18.1.0", "18.0.0"] {
            commit(&store, &document("38.331", version, &["The timer."]));
        }
        let snapshot = store.snapshot();
        let entries = snapshot.journal().entries_after(0, 10).expect("read");
        let numbers: Vec<u64> = entries.iter().map(|row| row.number).collect();
        assert_eq!(numbers, [1, 2, 3]);
        let ids: Vec<u32> = entries
            .iter()
            .filter_map(|row| match &row.entry {
                Ok(JournalEntry::Document { id, .. }) => Some(*id),
                _ => None,
            })
            .collect();
        assert_eq!((ids[0], ids[0] == ids[1]), (ids[2], false), "a version keeps its id");
        let again = JournalEntry::Document { id: ids[0], is_new: false };
        assert_eq!(entries[2].entry.as_ref().ok(), Some(&again), "it was there before");
        assert_eq!(snapshot.journal().entries_after(2, 10).expect("read").len(), 1);
        assert_eq!(snapshot.journal().entries_after(0, 2).expect("read").len(), 2);
        assert_eq!(snapshot.journal().last_number().expect("read"), 3);
    }

    #[test]
    fn a_journal_keeps_its_identity_and_shares_it_with_no_other() {
        let identity =
            |folder: &tempfile::TempDir| open(folder).snapshot().journal().id().expect("read");
        let (one, other) = (folder(), folder());
        assert_eq!(identity(&one), identity(&one));
        assert_ne!(identity(&one), identity(&other));
    }
}
