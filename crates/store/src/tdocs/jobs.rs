//! Changing the queue of jobs on meeting documents (TDocs), which survives a restart: files to fetch, and
//! files that wait for the full pipeline.

use crate::{
    StoreError, TdocJobRow, Writer,
    tables::{codec::Packed, definitions::TDOC_JOBS},
};
use domain::TdocId;

impl Writer<'_> {
    /// Queues a job; it replaces an earlier job of the same document.
    pub fn queue_tdoc_job(&mut self, job: &TdocJobRow) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            txn.open_table(TDOC_JOBS)?.insert(job.id.as_str(), Packed::of(job))?;
            writer.commit_metadata(txn)
        })
    }

    /// Removes a job that is done or was abandoned.
    pub fn remove_tdoc_job(&mut self, id: &TdocId) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let was_there = txn.open_table(TDOC_JOBS)?.remove(id.as_str())?.is_some();
            if was_there { writer.commit_metadata(txn) } else { Ok(()) }
        })
    }
}
