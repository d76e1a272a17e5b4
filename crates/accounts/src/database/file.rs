//! The accounts in a file of the data folder.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use redb::ReadTransaction;

use super::{AccountsChange, for_each_table};
use crate::{AccessError, database::*};
use database_file::DatabaseFile;

/// Page cache of redb: large enough for the whole file of a typical installation.
const CACHE_BYTES: usize = 16 << 20;

/// The open file.
pub(crate) struct AccountsFile {
    file: DatabaseFile,
    write_lock: Mutex<()>,
}

impl AccountsFile {
    /// Opens the file with all its tables, creating it if it does not exist.
    pub(super) fn open(path: &Path) -> Result<Self, AccessError> {
        let file = DatabaseFile::open(path.to_owned(), CACHE_BYTES)?;
        let opened = Self { file, write_lock: Mutex::default() };
        opened.write_transaction(|change| {
            for_each_table!(table => change.open_table(table)?);
            Ok(())
        })?;
        Ok(opened)
    }

    /// A view of the last committed state.
    pub(super) fn begin_read(&self) -> Result<ReadTransaction, AccessError> {
        // Every request reads before it writes, so a read must also reopen the file once the disk
        // has room.
        if self.file.has_failed()
            && let Ok(_writing) = self.write_lock.try_lock()
        {
            self.reopen_if_failed()?;
        }
        Ok(self.file.begin_read()?)
    }

    /// Makes a change atomically; it is on the disk when this returns.
    pub(super) fn write_transaction<T>(
        &self,
        change: impl FnOnce(&AccountsChange<'_>) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let _writing = self.write_lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.reopen_if_failed()?;
        let outcome = self.try_commit(change);
        if outcome.is_err()
            && let Err(error) = self.reopen_if_failed()
        {
            // The disk may still be full; the next change tries again.
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the accounts database could not be reopened yet");
        }
        outcome
    }

    /// Opens the file again after a failure: a full disk must not lock everyone out permanently.
    fn reopen_if_failed(&self) -> Result<(), AccessError> {
        if self.file.has_failed() {
            self.file.reopen_file()?;
        }
        Ok(())
    }

    fn try_commit<T>(
        &self,
        change: impl FnOnce(&AccountsChange<'_>) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let txn = AccountsChange::File(Box::new(self.file.begin_write()?));
        let result = change(&txn)?;
        if let AccountsChange::File(txn) = txn {
            txn.commit()?;
        }
        Ok(result)
    }
}
