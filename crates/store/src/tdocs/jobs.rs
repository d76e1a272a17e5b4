//! Changing the list of work on meeting documents (TDocs) that must outlive the process: files to
//! be fetched, and files that wait for the full pipeline.

use crate::{
    StoreError, TdocJobRow, Writer,
    tables::{codec, definitions::TDOC_JOBS},
};
use domain::TdocId;

impl Writer<'_> {
    /// Notes work to be done; work of the same document that was noted before is replaced.
    pub fn queue_tdoc_job(&mut self, job: &TdocJobRow) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.store.metadata.begin_write()?;
            txn.open_table(TDOC_JOBS)?.insert(job.id.as_str(), codec::encode(job).as_slice())?;
            writer.commit_metadata(txn)
        })
    }

    /// Forgets work that is done or given up.
    pub fn remove_tdoc_job(&mut self, id: &TdocId) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.store.metadata.begin_write()?;
            let was_there = txn.open_table(TDOC_JOBS)?.remove(id.as_str())?.is_some();
            if was_there { writer.commit_metadata(txn) } else { Ok(()) }
        })
    }
}
