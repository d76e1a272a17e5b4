//! Upgrades: a new data folder made out of another one through packs, with what today's readers find in the stored texts.
//!
//! The old folder is only read. The new one appears when it is whole and has all that the old one has.

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    CommandError, Job, JobProgress, JobRunner, JobStep,
    backup::collect_secrets,
    restore::{
        FillOptions, NewFolder, check_target, fill_folder, move_folder, remove_folder,
        write_secrets,
    },
};
use accounts::Access;
use domain::error_chain;
use pack::Depot;
use packing::{Pacing, export_index};
use store::{DataFolder, Snapshot, Store};

/// Where the packs lie meanwhile, in the new folder.
const PACKS: &str = "packs";

/// Report of an upgrade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpgradeReport {
    /// The new folder.
    pub folder: PathBuf,
    /// Document versions in both.
    pub documents: usize,
    /// Meeting documents whose texts are in both.
    pub tdocs: usize,
    /// Notes and reports in both.
    pub notes: usize,
    /// What could not be read of the old folder and is not in the new one, one sentence each. Only after a repair.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// Seconds taken.
    pub seconds: f64,
}

/// What becomes of a part of the old folder that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnreadableParts {
    /// It ends the upgrade.
    Refuse,
    /// It is left out and named.
    LeaveOut,
}

/// What two folders must have in common, each with its name.
type IndexCounts = [(&'static str, u64); 5];

fn count_index(snapshot: &Snapshot) -> Result<IndexCounts, CommandError> {
    let entries = snapshot.catalog().document_entries();
    Ok([
        ("documents", snapshot.catalog().len() as u64),
        ("meeting documents", snapshot.catalog().tdoc_count() as u64),
        ("notes", snapshot.meetings().all_notes()?.len() as u64),
        ("passages", entries.map(|entry| u64::from(entry.row.passage_count)).sum()),
        ("meetings", snapshot.meetings().meeting_rows()?.len() as u64),
    ])
}

/// Makes a new data folder out of this one, with its accounts and settings. The folder stays locked and is not changed.
/// Its steps count packs, once for reading and once for writing.
pub struct UpgradeIndex<'a> {
    /// Accounts and settings, which are copied.
    pub access: &'a Access,
    /// The new data folder, absolute.
    pub target: &'a Path,
    /// What to do about parts that cannot be read.
    pub unreadable: UnreadableParts,
}

impl Job for UpgradeIndex<'_> {
    type Event = JobStep;
    type Report = UpgradeReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<UpgradeReport, CommandError> {
        let Self { access, target, unreadable } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let started = Instant::now();
        super::tables::check_place(jobs, target)?;
        check_target(target)?;
        jobs.store.recover()?;
        let new = NewFolder::prepare(target)?;
        let unfinished = new.path().to_owned();
        let made = fill_upgraded(jobs, access, new, unreadable, cancel, step);
        let made = made.and_then(|made| {
            move_folder(&unfinished, target)?;
            Ok(made)
        });
        let (counts, lost) = made.inspect_err(|_| {
            let _ = remove_folder(&unfinished);
        })?;
        let [(_, documents), (_, tdocs), (_, notes), ..] = counts;
        Ok(UpgradeReport {
            folder: target.to_owned(),
            documents: documents as usize,
            tdocs: tdocs as usize,
            notes: notes as usize,
            lost,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

fn fill_upgraded(
    jobs: &JobRunner,
    access: &Access,
    new: NewFolder,
    unreadable: UnreadableParts,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<(IndexCounts, Vec<String>), CommandError> {
    let path = new.path().to_owned();
    let depot = Depot::in_folder(path.join(PACKS));
    let skip_damaged = unreadable == UnreadableParts::LeaveOut;
    let pacing = Pacing { cancel, stand_back: &|| {}, skip_damaged };
    let (export, report) = export_index(&jobs.store, &depot, None, pacing, step)?;
    let mut lost = jobs.store.snapshot().catalog().damage().to_vec();
    lost.extend(report.faults);
    if !skip_damaged && let Some(fault) = lost.first().cloned() {
        return Err(CommandError::Incomplete { fault });
    }
    let options = FillOptions {
        model: jobs.models.to_model_row(&jobs.text_embedding()?)?,
        skip_damaged,
        reads_definitions: true,
        ingest: &jobs.settings.ingest,
    };
    let packs = (&depot, export.packs.as_slice(), &export.state);
    let filled = fill_folder(&options, packs, new, cancel, step)?;
    if filled.interrupted {
        return Err(CommandError::Stopped);
    }
    lost.extend(filled.damaged);
    remove_folder(&path.join(PACKS))?;
    match collect_secrets(access, jobs.store.data_folder()) {
        Ok(secrets) => write_secrets(&path, &secrets)?,
        Err(error) if skip_damaged => {
            lost.push(format!("accounts and settings: {}", error_chain(&error)));
        }
        Err(error) => return Err(error),
    }
    let written = count_index(&Store::open(DataFolder::new(&path))?.snapshot())?;
    if skip_damaged {
        return Ok((written, lost));
    }
    let counts = count_index(&jobs.store.snapshot())?;
    for ((what, wanted), (_, found)) in counts.into_iter().zip(written) {
        if wanted != found {
            let fault = format!("{found} of {wanted} {what}");
            return Err(CommandError::Incomplete { fault });
        }
    }
    Ok((counts, lost))
}
