//! `specbox upgrade` and `specbox doctor`: examine a data folder that nobody serves, and create a new one from it.

use std::{fs, panic::AssertUnwindSafe, path::PathBuf, process::ExitCode};

use anyhow::{Context, Result, bail};
use serde::Serialize;

use super::{
    arguments::GlobalArgs,
    configuration::{Configuration, data_folder},
    outcome::{absolute_path, exit_code, print_result},
    progress::ProgressView,
    session::{self, open_service, stop_on_ctrl_c},
};
use crate::jobs::{
    Job, JobProgress, JobStep, UnreadableParts, UpgradeIndex, UpgradeReport, check_outside,
};
use accounts::AccountsLocation;
use extract::NotesOptions;
use store::{DataFolder, FolderExamination, FolderLock, Store, StoreError, VerifyReport};

/// What `specbox doctor` found.
#[derive(Serialize)]
struct Diagnosis {
    /// Whether there are no faults.
    healthy: bool,
    /// The files.
    #[serde(flatten)]
    examined: FolderExamination,
    /// The parts of the index, checked against each other; absent if it cannot be opened.
    index: Option<VerifyReport>,
    /// Why the index cannot be opened.
    error: Option<String>,
    /// Why the operator's own rules for notes cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    notes_rules_error: Option<String>,
}

/// The data folder, held by this process.
fn hold_folder(global: &GlobalArgs) -> Result<(DataFolder, FolderLock)> {
    let folder = data_folder(global)?;
    if !folder.root().is_dir() {
        bail!("data folder {} does not exist; set it with --data-dir", folder.root().display());
    }
    stop_on_ctrl_c()?;
    match folder.acquire_lock() {
        Err(StoreError::Held { path }) => {
            bail!("{} is in use by another specbox process; stop it and try again", path.display())
        }
        lock => Ok((folder, lock?)),
    }
}

/// Creates a new data folder from another one.
pub(super) fn upgrade(global: &GlobalArgs, target: &PathBuf) -> Result<ExitCode> {
    let (folder, lock) = hold_folder(global)?;
    if !folder.has_index()? {
        bail!(
            "there is no index in {}; set the data folder with --data-dir",
            folder.root().display()
        );
    }
    let report = copy_index(global, (&folder, lock), target, UnreadableParts::Refuse)?;
    print_result(global, &report)?;
    Ok(ExitCode::SUCCESS)
}

/// Examines a data folder, or creates a new one from what can be read.
pub(super) fn doctor(global: &GlobalArgs, repair: Option<&PathBuf>) -> Result<ExitCode> {
    let (folder, _lock) = hold_folder(global)?;
    let configuration = Configuration::load_or_create(&folder)?;
    let has_accounts =
        matches!(configuration.accounts_location(global, &folder)?, AccountsLocation::File(_));
    if let Some(target) = repair {
        let report = repair_copy(global, &folder, target)?;
        print_result(global, &report)?;
        return Ok(exit_code(report.lost.is_empty()));
    }
    let examined = FolderExamination::of_folder(&folder, has_accounts)?;
    let (index, error) = match examined.can_open.then(|| verify_copy(&folder)) {
        None => (None, None),
        Some(Ok(report)) => (Some(report), None),
        Some(Err(error)) => (None, Some(format!("{error:#}"))),
    };
    let rules = NotesOptions::with_rules_from(&folder.notes_rules_folder());
    let notes_rules_error = rules.err().map(|error| domain::error_chain(&error));
    let healthy = examined.faults.is_empty()
        && error.is_none()
        && notes_rules_error.is_none()
        && index.as_ref().is_none_or(|report| report.faults.is_empty());
    print_result(global, &Diagnosis { healthy, examined, index, error, notes_rules_error })?;
    Ok(exit_code(healthy))
}

/// Checks the parts of an index against each other, on a copy: opening repairs, and the folder must stay unchanged.
/// Its database may cause a panic when it is read.
fn verify_copy(folder: &DataFolder) -> Result<VerifyReport> {
    let scratch = tempfile::tempdir().context("cannot create a temporary folder")?;
    let copy = folder.copy_for_reading(scratch.path())?;
    let mut view = ProgressView::new();
    let verified = std::panic::catch_unwind(AssertUnwindSafe(|| {
        Store::open(copy)?.verify_store(|done, total| view.show_step(done, total, "documents"))
    }));
    view.finish();
    let error = match verified {
        Ok(Ok(report)) => return Ok(report),
        Ok(Err(error)) => format!("{:#}", anyhow::Error::from(error)),
        Err(_) => "pages of the database are inconsistent".to_owned(),
    };
    // The copy is gone when this is read.
    let [copied, own] = [scratch.path(), folder.root()].map(|path| path.display().to_string());
    bail!(error.replace(&copied, &own))
}

/// Creates a new data folder from what can be read of a copy of this one, which is next to the new one meanwhile.
fn repair_copy(
    global: &GlobalArgs,
    folder: &DataFolder,
    target: &PathBuf,
) -> Result<UpgradeReport> {
    let target = absolute_path(target)?;
    check_outside(folder, &target)?;
    let beside = target.parent().unwrap_or(&target);
    fs::create_dir_all(beside).with_context(|| format!("cannot create {}", beside.display()))?;
    let scratch = tempfile::Builder::new().prefix(".specbox-repair-").tempdir_in(beside);
    let scratch = scratch.with_context(|| format!("cannot write into {}", beside.display()))?;
    let (copy, mut lost) = folder.copy_for_repair(scratch.path())?;
    let lock = copy.acquire_lock()?;
    let mut report = copy_index(global, (&copy, lock), &target, UnreadableParts::LeaveOut)?;
    lost.append(&mut report.lost);
    Ok(UpgradeReport { lost, ..report })
}

fn copy_index(
    global: &GlobalArgs,
    (folder, lock): (&DataFolder, FolderLock),
    target: &PathBuf,
    unreadable: UnreadableParts,
) -> Result<UpgradeReport> {
    let service = open_service(folder, lock, global)?;
    let mut view = ProgressView::new();
    let mut sink = |JobStep { done, total }| view.show_step(done, total, "packs");
    let (target, cancel) = (absolute_path(target)?, &session::STOP_REQUESTED);
    let upgrade = UpgradeIndex { access: &service.access, target: &target, unreadable };
    let report = upgrade.run(&service.jobs, JobProgress { cancel, sink: &mut sink })?;
    view.finish();
    Ok(report)
}
