//! Files that operators send from the browser: kept in the inbox of the data folder until they are indexed.
//!
//! Each upload has a folder of its own there. Until all of its files are complete, its name ends in `.part`; what an upload or a
//! process left unfinished under such a name is removed at the next start, and what is complete is indexed then. Before an upload
//! is indexed that is noted beside it: one that ended the process twice is set aside, and tried again only when it is told to.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    thread,
};

use super::{IngestFiles, Job, JobProgress, JobRunner};
use domain::error_chain;
use ingest::IngestOptions;

/// Ends the name of a folder whose files are not complete.
const PART: &str = "part";
/// Ends the name of the file beside a folder that says how often it was begun.
const ATTEMPTS: &str = "attempts";
/// Ends the name of a folder that is set aside.
const ASIDE: &str = "aside";
/// How often an upload may end the process.
const MAX_ATTEMPTS: u32 = 2;
/// Endings of the names of files that can be indexed.
const READABLE: [&str; 4] = ["zip", "docx", "docm", "doc"];
const MAX_NAME_BYTES: usize = 200;

/// A folder for the files of one upload. Dropped before it is complete, it leaves nothing.
#[derive(Debug)]
pub struct UploadFolder {
    path: PathBuf,
    files: usize,
}

impl UploadFolder {
    /// A new file in it. The name is that of the sender; none where it is not one of a file that can be indexed.
    pub fn create_file(&mut self, name: &str) -> io::Result<Option<File>> {
        let Some(name) = plain_file_name(name) else { return Ok(None) };
        // Two files of one name may come from two folders.
        let folder = self.path.join(self.files.to_string());
        fs::create_dir(&folder)?;
        let file = File::create(folder.join(name))?;
        self.files += 1;
        Ok(Some(file))
    }

    /// Number of files.
    pub fn file_count(&self) -> usize {
        self.files
    }
}

/// Uploads that are being indexed. Where that panics, those that are left wait again: the thread is started anew.
struct TakenUploads<'a> {
    runner: &'a JobRunner,
    folders: Vec<PathBuf>,
}

impl Drop for TakenUploads<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let left = self.folders.drain(..).filter(|folder| folder.exists());
            self.runner.uploads.lock().folders.extend(left);
        }
    }
}

/// Complete uploads that wait for a job.
#[derive(Debug, Default)]
pub(super) struct UploadQueue(Mutex<WaitingUploads>);

#[derive(Debug, Default)]
struct WaitingUploads {
    folders: Vec<PathBuf>,
    /// Whether a thread indexes them.
    is_running: bool,
    /// Those that are being indexed.
    begun: Vec<PathBuf>,
}

impl UploadQueue {
    fn lock(&self) -> MutexGuard<'_, WaitingUploads> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that wait; with none, the thread that asks has to end.
    fn take_all(&self) -> Vec<PathBuf> {
        let mut waiting = self.lock();
        let folders = std::mem::take(&mut waiting.folders);
        waiting.is_running = !folders.is_empty();
        folders
    }
}

impl Drop for UploadFolder {
    fn drop(&mut self) {
        // After a rename it is not there any more.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A folder for an upload.
pub fn begin_upload(jobs: &JobRunner) -> io::Result<UploadFolder> {
    let inbox = jobs.store.data_folder().upload_inbox_folder();
    durable_file::create_folders(&inbox)?;
    let name = format!("{:016x}.{PART}", rand::random::<u64>());
    let path = inbox.join(name);
    fs::create_dir(&path)?;
    Ok(UploadFolder { path, files: 0 })
}

/// Indexes a complete upload in the background; the history of jobs tells how that goes.
pub fn index_upload(jobs: &Arc<JobRunner>, upload: UploadFolder) -> io::Result<()> {
    let complete = upload.path.with_extension("");
    // It is acknowledged once it is indexed in the background: until then it must outlast a loss of power.
    durable_file::sync_tree(&upload.path)?;
    durable_file::rename(&upload.path, &complete)?;
    index_in_background(jobs, vec![complete])
}

/// Indexes the complete uploads that an earlier process left, and removes the others. Returns how many there are.
pub fn resume_uploads(jobs: &Arc<JobRunner>) -> io::Result<usize> {
    let inbox = jobs.store.data_folder().upload_inbox_folder();
    let mut complete = Vec::new();
    for entry in fs::read_dir(&inbox).into_iter().flatten() {
        let path = entry?.path();
        match path.extension().and_then(OsStr::to_str) {
            Some(PART) => fs::remove_dir_all(&path)?,
            Some(ATTEMPTS) if !path.with_extension("").exists() => fs::remove_file(&path)?,
            None if path.is_dir() => complete.push(path),
            // What is set aside, and notes.
            _ => {}
        }
    }
    let count = complete.len();
    if count > 0 {
        index_in_background(jobs, complete)?;
    }
    Ok(count)
}

/// The folders of uploads that were set aside because each ended the process twice.
pub fn set_aside_uploads(jobs: &JobRunner) -> Vec<PathBuf> {
    let inbox = jobs.store.data_folder().upload_inbox_folder();
    let entries = fs::read_dir(inbox).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut aside: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == ASIDE)).collect();
    aside.sort_unstable();
    aside
}

/// The number of uploads that wait for the running job to end.
pub fn waiting_uploads(jobs: &JobRunner) -> usize {
    jobs.uploads.lock().folders.len()
}

/// Indexes folders, together with all that wait by then: of jobs that run at once, each would wait for the vectors of the
/// others.
fn index_in_background(jobs: &Arc<JobRunner>, folders: Vec<PathBuf>) -> io::Result<()> {
    let mut waiting = jobs.uploads.lock();
    waiting.folders.extend(folders);
    if waiting.is_running {
        return Ok(());
    }
    let runner = jobs.clone();
    let index = move || {
        loop {
            let taken = TakenUploads { runner: &runner, folders: runner.uploads.take_all() };
            if taken.folders.is_empty() {
                return;
            }
            index_folders(&runner, &taken.folders);
        }
    };
    jobs.threads.start("upload", index)?;
    waiting.is_running = true;
    Ok(())
}

/// Indexes folders: those that were never begun together, and each of the others alone, so that one that ends the process takes
/// no other along twice.
fn index_folders(jobs: &JobRunner, folders: &[PathBuf]) {
    let (fresh, begun): (Vec<PathBuf>, Vec<PathBuf>) =
        folders.iter().cloned().partition(|folder| count_attempts(folder) == 0);
    if !fresh.is_empty() {
        index_batch(jobs, &fresh);
    }
    for folder in begun {
        if count_attempts(&folder) < MAX_ATTEMPTS {
            index_batch(jobs, std::slice::from_ref(&folder));
        } else if let Err(error) = set_aside(&folder) {
            tracing::error!(%error, "an upload was not set aside");
        }
    }
}

fn index_batch(jobs: &JobRunner, folders: &[PathBuf]) {
    for folder in folders {
        let attempts = (count_attempts(folder) + 1).to_string();
        if let Err(error) = durable_file::write_file(&attempts_path(folder), attempts.as_bytes()) {
            // Without the note nothing would end the attempts: the disk may be full, and the next start tries again.
            tracing::error!(%error, "an upload was not indexed");
            return;
        }
    }
    jobs.uploads.lock().begun = folders.to_vec();
    index_noted(jobs, folders);
    withdraw_attempts(jobs);
}

/// Takes back the notes of uploads that are being indexed: the process goes on, or it stops because it was told to, and the next
/// start begins them anew.
pub fn withdraw_attempts(jobs: &JobRunner) {
    let begun = std::mem::take(&mut jobs.uploads.lock().begun);
    for folder in begun {
        if let Err(error) = durable_file::remove_if_there(&attempts_path(&folder)) {
            tracing::warn!(%error, "the note beside an upload was not removed");
        }
    }
}

fn index_noted(jobs: &JobRunner, folders: &[PathBuf]) {
    let options = IngestOptions { paths: folders.to_vec(), ..IngestOptions::default() };
    let never = AtomicBool::new(false);
    let progress = JobProgress { cancel: &never, sink: &mut |_| {} };
    match (IngestFiles { request: &options }).run(jobs, progress) {
        // The files are tried again at the next start: the disk may be full.
        Ok(report) if report.failed.is_some() => return,
        Ok(_) => {}
        Err(error) => {
            tracing::error!(error = error_chain(&error), "an upload was not indexed");
            return;
        }
    }
    for folder in folders {
        if let Err(error) = fs::remove_dir_all(folder) {
            tracing::warn!(%error, "an indexed upload was not removed");
        }
    }
}

fn attempts_path(folder: &Path) -> PathBuf {
    folder.with_extension(ATTEMPTS)
}

/// How often the indexing of an upload was begun and not ended. A note that cannot be read counts as one.
fn count_attempts(folder: &Path) -> u32 {
    match fs::read_to_string(attempts_path(folder)) {
        Ok(text) => text.trim().parse().unwrap_or(1),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(_) => 1,
    }
}

/// Keeps an upload where no start indexes it.
fn set_aside(folder: &Path) -> io::Result<()> {
    let aside = folder.with_extension(ASIDE);
    durable_file::rename(folder, &aside)?;
    durable_file::remove_if_there(&attempts_path(folder))?;
    tracing::error!(
        folder = %aside.display(),
        "an upload ended the process {MAX_ATTEMPTS} times and was set aside; to try it again, run specbox ingest with this folder, and delete the folder afterwards"
    );
    Ok(())
}

/// The name of a file without the folders that a sender may put before it; none where it cannot be indexed or is not a plain name.
fn plain_file_name(name: &str) -> Option<&str> {
    let name = name.rsplit(['/', '\\']).next()?.trim();
    let (stem, ending) = name.rsplit_once('.')?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '(' | ')');
    let is_readable = READABLE.iter().any(|known| ending.eq_ignore_ascii_case(known));
    (is_readable
        && name.len() <= MAX_NAME_BYTES
        && !stem.starts_with('.')
        && !stem.is_empty()
        && name.chars().all(is_plain))
    .then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_that_can_be_indexed_lose_their_folders() {
        for (name, plain) in [
            ("38331-i10.zip", Some("38331-i10.zip")),
            ("C:\\archive\\38331-i10.ZIP", Some("38331-i10.ZIP")),
            ("../../etc/a b (1).docx", Some("a b (1).docx")),
            ("..zip", None),
            (".zip", None),
            ("a.exe", None),
            ("zip", None),
            ("a\u{0}.zip", None),
            ("", None),
        ] {
            assert_eq!(plain_file_name(name), plain, "{name:?}");
        }
        assert_eq!(plain_file_name(&format!("{}.zip", "a".repeat(200))), None);
    }
}
