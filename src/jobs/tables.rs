//! The index as tables for other programs.

use std::path::{Path, PathBuf};

use super::{CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep};
use store::DataFolder;
use table_export::{WrittenTable, export_tables};

/// Writes the index as tables into a folder outside of the data folder. Its steps count documents.
pub struct ExportTables<'a> {
    /// The folder, absolute; it is created.
    pub folder: &'a Path,
}

impl JobReport for Vec<WrittenTable> {}

impl Job for ExportTables<'_> {
    type Event = JobStep;
    type Report = Vec<WrittenTable>;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Export, "documents"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<Vec<WrittenTable>, CommandError> {
        let Self { folder } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        check_place(jobs, folder)?;
        Ok(export_tables(&jobs.store.snapshot(), folder, cancel, step)?)
    }
}

/// Refuses a place within the data folder, by whatever path.
pub(super) fn check_place(jobs: &JobRunner, place: &Path) -> Result<(), CommandError> {
    check_outside(jobs.store.data_folder(), place)
}

/// Refuses a place within a data folder.
pub fn check_outside(folder: &DataFolder, place: &Path) -> Result<(), CommandError> {
    if resolve(place).starts_with(resolve(folder.root())) {
        Err(CommandError::WithinDataFolder { destination: place.to_owned() })
    } else {
        Ok(())
    }
}

/// A path without links and `..`, also where its end does not exist yet.
fn resolve(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (ancestor.canonicalize(), path.strip_prefix(ancestor)) {
            return real.join(rest);
        }
    }
    path.to_owned()
}
