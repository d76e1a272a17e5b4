//! Imports registers, and rebuilds the catalog of TDocs from them.

use std::{io, path::PathBuf, sync::atomic::Ordering};

use jiff::Timestamp;

use super::{CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep};
use accounts::format_timestamp;
use contributions::{FoundFiles, ImportReport, RefusedRegister, RegisterImporter, find_registers};
use domain::{MeetingId, error_chain};
use extract::Worker;

/// Imports registers: files, and those in folders. A file that cannot be read is reported and does not
/// affect the rest.
pub struct ImportRegisters<'a> {
    /// Files and folders, absolute.
    pub paths: &'a [PathBuf],
    /// The meeting of a single register whose file does not name it.
    pub meeting: Option<MeetingId>,
}

impl JobReport for ImportReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty() && !self.interrupted
    }
}

impl Job for ImportRegisters<'_> {
    type Event = JobStep;
    type Report = ImportReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Import, "registers"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<ImportReport, CommandError> {
        let Self { paths, meeting } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let FoundFiles { files, skipped } = find_registers(paths).map_err(CommandError::Files)?;
        if files.is_empty() {
            let others = match skipped.first() {
                Some(first) => {
                    format!("; not taken, for example: {}: {}", first.file, first.reason)
                }
                None => String::new(),
            };
            let nothing = format!("no registers (.xlsx, .xlsm, .htm) found{others}");
            return Err(CommandError::Files(io::Error::other(nothing)));
        }
        if meeting.is_some() && files.len() > 1 {
            let several =
                io::Error::other("--meeting requires exactly one register, but there are several");
            return Err(CommandError::Files(several));
        }
        let mut worker = Worker::new(jobs.settings.ingest.worker_config(paths, false));
        let now = format_timestamp(Timestamp::now());
        let mut importer =
            RegisterImporter { store: &jobs.store, worker: &mut worker, now, meeting };
        let mut report = ImportReport { skipped, ..ImportReport::default() };
        for (done, path) in files.iter().enumerate() {
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            match importer.import_register(path)? {
                Ok(register) => report.imported.push(register),
                Err(reason) => {
                    let file = path.display().to_string();
                    report.refused.push(RefusedRegister { file, reason });
                }
            }
            step(done + 1, files.len());
        }
        // The catalog is built now, so that the first request does not wait for it.
        if let Err(failure) = jobs.tdoc_catalogs.catalog_of(&jobs.store.snapshot()) {
            tracing::error!(error = error_chain(&failure), "the catalog cannot be built");
        }
        Ok(report)
    }
}
