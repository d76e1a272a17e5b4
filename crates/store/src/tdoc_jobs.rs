//! Work on meeting documents (TDocs) that must outlive the process: files to be fetched, and files that wait
//! for the full pipeline. Also which documents no register lists.

use std::collections::HashSet;

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};
use register::Entry;
use serde::{Deserialize, Serialize};

use super::{
    Snapshot, StoreError, TdocRow, Writer, codec,
    tdocs::{self, TDOCS},
};
use domain::{MeetingId, TdocId};

/// Number of a document -> [`TdocJobRow`].
const TDOC_JOBS: TableDefinition<&str, &[u8]> = TableDefinition::new("tdoc_jobs");
/// Numbers of documents of which only their own file tells.
const TDOCS_UNLISTED: TableDefinition<&str, ()> = TableDefinition::new("tdocs_unlisted");

/// What is to be done with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TdocJobKind {
    /// Its file is to be fetched and read.
    Fetch,
    /// Its file is to be read again by the full pipeline.
    Convert,
}

/// A piece of work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocJobRow {
    /// The document.
    pub id: TdocId,
    /// What is to be done.
    pub kind: TdocJobKind,
    /// When it was asked for, RFC 3339 in UTC.
    pub queued_at: String,
    /// How often it was tried.
    pub tries: u32,
    /// Why it did not work the last time.
    pub last_error: Option<String>,
}

/// Makes the tables, so that readers find them.
pub(super) fn create(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(TDOC_JOBS)?;
    txn.open_table(TDOCS_UNLISTED)?;
    Ok(())
}

/// A register lists these documents now.
pub(super) fn are_listed<'a>(
    txn: &WriteTransaction,
    ids: impl Iterator<Item = &'a TdocId>,
) -> Result<(), StoreError> {
    let mut table = txn.open_table(TDOCS_UNLISTED)?;
    for id in ids {
        table.remove(id.as_str())?;
    }
    Ok(())
}

impl Writer<'_> {
    /// Notes work to be done; work of the same document that was noted before is replaced.
    pub fn note_tdoc_job(&mut self, job: &TdocJobRow) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        txn.open_table(TDOC_JOBS)?.insert(job.id.as_str(), codec::encode(job).as_slice())?;
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(())
    }

    /// Forgets work that is done or given up.
    pub fn forget_tdoc_job(&mut self, id: &TdocId) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        let was_there = txn.open_table(TDOC_JOBS)?.remove(id.as_str())?.is_some();
        if !was_there {
            return Ok(());
        }
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(())
    }

    /// Notes what the file of a document says of it, where no register lists the document.
    pub fn note_unlisted_tdoc(
        &mut self,
        id: &TdocId,
        meeting: &MeetingId,
        entry: &Entry,
    ) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        {
            let mut unlisted = txn.open_table(TDOCS_UNLISTED)?;
            let mut table = txn.open_table(TDOCS)?;
            let is_listed =
                table.get(id.as_str())?.is_some() && unlisted.get(id.as_str())?.is_none();
            if is_listed {
                return Ok(());
            }
            let row = TdocRow { meeting: meeting.clone(), entry: entry.clone() };
            table.insert(id.as_str(), codec::encode(&row).as_slice())?;
            unlisted.insert(id.as_str(), ())?;
        }
        tdocs::count_change(&txn)?;
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(())
    }
}

fn jobs_in(txn: &ReadTransaction) -> Result<Vec<TdocJobRow>, StoreError> {
    let mut jobs = Vec::new();
    for entry in txn.open_table(TDOC_JOBS)?.iter()? {
        jobs.push(codec::decode(entry?.1.value(), "work on a TDoc")?);
    }
    Ok(jobs)
}

impl Snapshot {
    /// Work that is to be done, the oldest first.
    pub fn tdoc_jobs(&self) -> Result<Vec<TdocJobRow>, StoreError> {
        let mut jobs = jobs_in(&self.metadata)?;
        jobs.sort_by(|a, b| (&a.queued_at, &a.id).cmp(&(&b.queued_at, &b.id)));
        Ok(jobs)
    }

    /// Work that is to be done with a document.
    pub fn tdoc_job(&self, id: &TdocId) -> Result<Option<TdocJobRow>, StoreError> {
        let table = self.metadata.open_table(TDOC_JOBS)?;
        let row = table.get(id.as_str())?;
        row.map(|row| codec::decode(row.value(), "work on a TDoc")).transpose()
    }

    /// The documents that no register lists.
    pub fn unlisted_tdocs(&self) -> Result<HashSet<TdocId>, StoreError> {
        let mut unlisted = HashSet::new();
        for entry in self.metadata.open_table(TDOCS_UNLISTED)?.iter()? {
            let id = entry?.0.value().parse();
            unlisted.insert(id.map_err(|_| StoreError::Decode { what: "TDoc number" })?);
        }
        Ok(unlisted)
    }
}
