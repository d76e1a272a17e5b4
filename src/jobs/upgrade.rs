//! Upgrades: a data folder made anew through packs, in the format of today and with what today's readers find in the stored
//! texts.
//!
//! The new folder is made beside the old one, compared with it, and put in its place in one step. The old one stays beside it.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Instant,
};

use jiff::Timestamp;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde::{Deserialize, Serialize};

use super::{
    CommandError,
    restore::{
        FillOptions, check_target, fill_folder, remove_abandoned, remove_folder, sync_folder,
    },
};
use accounts::format_timestamp;
use pack::{Depot, Manifest};
use packing::{Pacing, export_index};
use store::{DataFolder, FolderLock, ModelRow, Snapshot, Store};

/// Files beside the index that the new folder gets copies of, in the folder and in its certificates.
const COPIED: [&str; 3] = ["accounts.redb", "specbox.toml", "vocabulary.toml"];
const CERTIFICATES: &str = "tls";
/// Folders beside the index that are moved into the new one.
const MOVED: [&str; 3] = ["mirror", "inbox", "log"];

/// Report of an upgrade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UpgradeReport {
    /// Where the old folder is now; it can be removed.
    pub old_folder: PathBuf,
    /// Document versions in both.
    pub documents: usize,
    /// Meeting documents whose texts are in both.
    pub tdocs: usize,
    /// Notes and reports in both.
    pub notes: usize,
    /// Seconds taken.
    pub seconds: f64,
}

/// What two folders must have in common.
#[derive(Debug, PartialEq, Eq)]
struct IndexCounts {
    documents: usize,
    passages: u64,
    tdocs: usize,
    notes: usize,
    meetings: usize,
}

impl IndexCounts {
    fn of(snapshot: &Snapshot) -> Result<Self, CommandError> {
        let entries = snapshot.catalog().document_entries();
        Ok(Self {
            documents: snapshot.catalog().len(),
            passages: entries.map(|entry| u64::from(entry.row.passage_count)).sum(),
            tdocs: snapshot.catalog().tdoc_count(),
            notes: snapshot.meetings().all_notes()?.len(),
            meetings: snapshot.meetings().meeting_rows()?.len(),
        })
    }
}

/// Makes a data folder anew. `lock` is that of the folder; nobody else may have it open. `step` gets the packs done and the
/// total, once for reading and once for writing.
pub fn upgrade_folder(
    folder: &DataFolder,
    lock: FolderLock,
    model: ModelRow,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<UpgradeReport, CommandError> {
    let started = Instant::now();
    let (new, depot) = (beside(folder.root(), ".upgrading"), beside(folder.root(), ".packs"));
    let old = beside(folder.root(), ".before-upgrade");
    check_target(&old)?;
    remove_abandoned(&new)?;
    remove_folder(&depot)?;
    let made = make_folder(folder, lock, (&new, &depot), model, cancel, step);
    // Packs are made from the old folder at any time.
    remove_folder(&depot)?;
    let counts = match made {
        Ok(counts) => counts,
        Err(error) => {
            let _ = remove_folder(&new);
            return Err(error);
        }
    };
    put_in_place(folder.root(), &new, &old)?;
    let IndexCounts { documents, tdocs, notes, .. } = counts;
    let seconds = started.elapsed().as_secs_f64();
    Ok(UpgradeReport { old_folder: old, documents, tdocs, notes, seconds })
}

/// Makes the new folder and compares it with the old one, which it closes.
fn make_folder(
    folder: &DataFolder,
    lock: FolderLock,
    (new, depot): (&Path, &Path),
    model: ModelRow,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<IndexCounts, CommandError> {
    let store = Store::open_locked(folder.clone(), lock)?;
    store.recover()?;
    let depot = Depot::in_folder(depot);
    let pacing = Pacing { cancel, stand_back: &|| {} };
    let (export, report) = export_index(&store, &depot, None, pacing, step)?;
    if let Some(fault) = report.faults.into_iter().next() {
        return Err(CommandError::Incomplete { fault });
    }
    let counts = IndexCounts::of(&store.snapshot())?;
    drop(store);
    let mut manifest = Manifest::new(
        format_timestamp(Timestamp::now()),
        env!("CARGO_PKG_VERSION").to_owned(),
        None,
    );
    manifest.packs = export.packs;
    let options = FillOptions { model, skip_damaged: false, reads_definitions: true };
    let packs = (&depot, manifest.packs.as_slice(), &export.state);
    let import = fill_folder(&options, packs, new, cancel, step)?;
    if import.interrupted {
        return Err(CommandError::Stopped);
    }
    let written = IndexCounts::of(&Store::open(DataFolder::new(new))?.snapshot())?;
    match written == counts {
        true => Ok(counts),
        false => {
            let fault = format!("{counts:?} became {written:?}");
            Err(CommandError::Incomplete { fault })
        }
    }
}

/// Exchanges the folders in one step, and gives the new one what is not part of the index.
fn put_in_place(current: &Path, new: &Path, old: &Path) -> Result<(), CommandError> {
    let exchange = |from: &Path, to: &Path| {
        renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE).map_err(std::io::Error::from)
    };
    // Accounts and settings are copied first: the folder is whole when it comes into its place.
    copy_files(current, new, |name| COPIED.contains(&name))?;
    copy_files(&current.join(CERTIFICATES), &new.join(CERTIFICATES), |_| true)?;
    exchange(new, current).map_err(CommandError::io("exchange", current))?;
    fs::rename(new, old).map_err(CommandError::io("rename", new))?;
    for name in MOVED {
        let (from, to) = (old.join(name), current.join(name));
        if from.is_dir() {
            remove_folder(&to)?;
            fs::rename(&from, &to).map_err(CommandError::io("move", &from))?;
        }
    }
    sync_folder(current)
}

/// Copies the files of a folder that have certain names, with their permissions.
fn copy_files(
    from: &Path,
    to: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<(), CommandError> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to).map_err(CommandError::io("create", to))?;
    for entry in fs::read_dir(from).map_err(CommandError::io("read", from))?.flatten() {
        let path = entry.path();
        if path.is_file() && entry.file_name().to_str().is_some_and(&is_wanted) {
            let copy = to.join(entry.file_name());
            fs::copy(&path, &copy).map_err(CommandError::io("copy", &path))?;
        }
    }
    sync_folder(to)
}

/// The same path with something at its end.
fn beside(root: &Path, ending: &str) -> PathBuf {
    let mut name: OsString = root.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    root.with_file_name(name)
}
