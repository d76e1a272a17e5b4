//! Registers as a command of the service, and the catalog made of them.

use std::{
    io,
    path::PathBuf,
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::Timestamp;

use crate::service::{CommandError, Service, internal};
use accounts::printed;
use contributions::{Catalog, ImportReport, Importer, RefusedRegister, registers_under};
use domain::MeetingId;
use extract::Worker;
use store::Snapshot;
use wire::{Failure, error_chain};

impl Service {
    /// The documents of all registers, as a snapshot has them; made when they are first asked for after a
    /// change.
    pub(crate) fn contributions(&self, snapshot: &Snapshot) -> Result<Arc<Catalog>, Failure> {
        let generation = snapshot.tdocs_generation().map_err(internal)?;
        let mut kept = self.contributions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = kept.as_ref().filter(|kept| kept.generation == generation) {
            return Ok(catalog.clone());
        }
        let catalog = Arc::new(Catalog::load(snapshot).map_err(internal)?);
        *kept = Some(catalog.clone());
        Ok(catalog)
    }

    /// Takes registers in: files, and those in folders. What cannot be read is told and costs itself
    /// alone.
    pub fn import_registers(
        &self,
        paths: &[PathBuf],
        meeting: Option<MeetingId>,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<ImportReport, CommandError> {
        let files = registers_under(paths).map_err(CommandError::Files)?;
        if files.is_empty() {
            let nothing = io::Error::other("there is no register (.xlsx, .xlsm, .htm) there");
            return Err(CommandError::Files(nothing));
        }
        if meeting.is_some() && files.len() > 1 {
            let several = io::Error::other("--meeting is for one register, and here are several");
            return Err(CommandError::Files(several));
        }
        let mut worker = Worker::new(self.settings.ingest.worker_config(paths, false));
        let now = printed(Timestamp::now());
        let mut importer = Importer { store: &self.store, worker: &mut worker, now, meeting };
        let mut report = ImportReport::default();
        for (done, path) in files.iter().enumerate() {
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            match importer.import(path)? {
                Ok(register) => report.imported.push(register),
                Err(reason) => {
                    let file = path.display().to_string();
                    report.refused.push(RefusedRegister { file, reason });
                }
            }
            step(done + 1, files.len());
        }
        // The first question need not wait for it.
        if let Err(failure) = self.contributions(&self.store.snapshot()) {
            tracing::error!(error = error_chain(&failure), "the catalog cannot be made");
        }
        Ok(report)
    }
}
