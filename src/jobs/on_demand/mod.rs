//! Fetches versions of specifications that a client asks for, the index lacks and the source lists, if the operator allows it.
//!
//! One version at a time, on one thread, which starts when there is work. A fetch is not recorded: after a restart the next
//! caller starts it again.

mod catalogue;
mod listing;
mod queue;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use jiff::Timestamp;

use super::{IngestFiles, Job, JobProgress, JobRunner, fetch::TdocFetchError};
use domain::{DocNumber, Release, TypedVersion, Version, error_chain};
use ingest::{IngestEvent, IngestOptions};
use mirror::{Mirror, MirrorError};

pub use catalogue::{ListedFolder, ListedVersion, SourceCatalogue};
pub(super) use catalogue::{SharedCatalogue, version_files};
pub use listing::source_catalogue;
pub(super) use listing::{
    ARCHIVE, record_folder, record_specification_list, save_catalogue, spec_folder_path,
};
pub(super) use queue::SourceTaskQueue;
use queue::{CallerPatience, SourceTask, TaskRefusal, TaskStage};

/// How long a client of a server waits for a version before it is told to come back.
const CLIENT_PATIENCE: Duration = Duration::from_secs(30);
/// How long a command waits: it ends with its process, which does the work itself if there is no server.
const COMMAND_PATIENCE: Duration = Duration::from_secs(1800);
/// The folder for files on demand, in that of fetched files: a sync at the same time has files of the same names.
const INBOX: &str = "on-demand";
/// What a caller gets to read about a fault of this program.
const FAULT_MESSAGE: &str = "It could not be read because of an internal error; tell the operator.";

/// Which version of a document is asked for: the newest that fits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WantedVersion {
    /// As in the request; any if there is none.
    pub typed: Option<TypedVersion>,
    /// Its release.
    pub release: Option<Release>,
}

impl WantedVersion {
    /// One version.
    pub fn exact(version: Version) -> Self {
        Self { typed: Some(TypedVersion::Exact(version)), release: None }
    }

    /// Whether a published version is one that is asked for.
    pub fn is_meant(self, version: Version) -> bool {
        Release::from_version(version).is_some_and(|release| {
            self.release.is_none_or(|wanted| wanted == release)
                && self.typed.is_none_or(|typed| typed.is_meant(version, release))
        })
    }

    fn choose(self, folder: &ListedFolder) -> Option<&ListedVersion> {
        folder.versions.iter().rev().find(|listed| self.is_meant(listed.version))
    }
}

/// Who asks for a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchRequester {
    /// A command on this machine.
    Command,
    /// An account.
    Account(u32),
}

/// What is known of a version that is not indexed, without asking a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceAnswer {
    /// The folder of the document was not read yet; the reason if the source did not answer a short time ago.
    Unknown(Option<String>),
    /// The source has no such version.
    NotListed {
        /// When it was asked.
        listed_at: Timestamp,
    },
    /// The source has it.
    Listed {
        /// The version.
        version: Version,
        /// When it was asked.
        listed_at: Timestamp,
    },
}

/// Why a version is not there after it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionRefusal {
    /// The source does not list it, or cannot be asked, or the operator does not allow to fetch it: see [`ask_catalogue`].
    NotFetched,
    /// It is being fetched.
    InProgress {
        /// How far it is.
        stage: String,
        /// Seconds after which it may be available.
        retry_after_s: u64,
    },
    /// It could not be fetched or read: sentences for the caller.
    Failed(String),
    /// Too many fetches wait.
    QueueFull {
        /// Seconds after which the caller may try again.
        retry_after_s: u64,
    },
}

impl From<TaskRefusal> for VersionRefusal {
    fn from(refusal: TaskRefusal) -> Self {
        match refusal {
            TaskRefusal::InProgress { stage, retry_after_s } => {
                Self::InProgress { stage, retry_after_s }
            }
            TaskRefusal::Failed(reason) => Self::Failed(reason),
            TaskRefusal::Full { retry_after_s } => Self::QueueFull { retry_after_s },
        }
    }
}

/// Whether versions are fetched on demand: the operator allows it, there is a source, and the index may be changed.
pub fn fetches_on_demand(jobs: &JobRunner) -> bool {
    jobs.settings.on_demand
        && !matches!(&*jobs.settings.mirror, Mirror::None)
        && super::replica::check_changeable(jobs).is_ok()
}

/// What is known of a version, without a request to a server.
pub fn ask_catalogue(jobs: &JobRunner, number: &DocNumber, wanted: WantedVersion) -> SourceAnswer {
    let Some(folder) = listing::known_folder(jobs, number) else {
        return SourceAnswer::Unknown(jobs.source_tasks.listing_failure(number));
    };
    let listed_at = folder.listed_at;
    match wanted.choose(&folder) {
        Some(listed) => SourceAnswer::Listed { version: listed.version, listed_at },
        None => SourceAnswer::NotListed { listed_at },
    }
}

/// Fetches and indexes the newest version that is wanted and listed, or returns the state of its fetch. Waits until it is
/// indexed, or as long as the caller may wait.
pub fn fetch_version(
    jobs: &Arc<JobRunner>,
    number: &DocNumber,
    wanted: WantedVersion,
    requester: FetchRequester,
) -> Result<Version, VersionRefusal> {
    if !fetches_on_demand(jobs) {
        return Err(VersionRefusal::NotFetched);
    }
    let known = listing::known_folder(jobs, number);
    if !known.as_ref().is_some_and(ListedFolder::is_fresh) {
        match await_task(jobs, &SourceTask::List(number.clone()), requester) {
            // What was listed before is good enough while the source does not answer.
            Ok(()) | Err(TaskRefusal::Failed(_)) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    let SourceAnswer::Listed { version, .. } = ask_catalogue(jobs, number, wanted) else {
        return Err(VersionRefusal::NotFetched);
    };
    await_task(jobs, &SourceTask::Fetch(number.clone(), version), requester)?;
    Ok(version)
}

/// Stops the running fetch, and answers the callers that wait: the server ends.
pub fn cancel_version_fetches(jobs: &JobRunner) {
    jobs.source_tasks.cancel();
}

fn await_task(
    jobs: &Arc<JobRunner>,
    task: &SourceTask,
    requester: FetchRequester,
) -> Result<(), TaskRefusal> {
    let (account, patience) = match requester {
        FetchRequester::Command => {
            (None, CallerPatience { duration: COMMAND_PATIENCE, is_limited: false })
        }
        FetchRequester::Account(account) => {
            (Some(account), CallerPatience { duration: CLIENT_PATIENCE, is_limited: true })
        }
    };
    jobs.source_tasks.await_task(task, account, patience, || start_thread(jobs))
}

fn start_thread(jobs: &Arc<JobRunner>) {
    let runner = jobs.clone();
    let work = move || process_tasks(&runner);
    if let Err(error) = thread::Builder::new().name("on-demand".to_owned()).spawn(work) {
        tracing::error!(%error, "cannot start a thread for fetching specifications");
        jobs.source_tasks.fail_waiting(FAULT_MESSAGE);
    }
}

/// Processes the queue until it is empty.
fn process_tasks(jobs: &JobRunner) {
    while let Some(task) = jobs.source_tasks.next_task() {
        let run = || match &task {
            SourceTask::List(number) => list_document(jobs, number),
            SourceTask::Fetch(number, version) => fetch_and_index(jobs, number, *version),
        };
        // A panic on one version does not end the work on all others.
        let outcome = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
            tracing::error!(?task, "a task of the source failed with an internal error");
            Err(FAULT_MESSAGE.to_owned())
        });
        jobs.source_tasks.end_task(task, outcome);
    }
}

fn list_document(jobs: &JobRunner, number: &DocNumber) -> Result<(), String> {
    listing::read_folder(jobs, number).map_err(|error| {
        tracing::warn!(%number, error = error_chain(&error), "the source did not list a document");
        describe_mirror_error(error)
    })
}

fn fetch_and_index(jobs: &JobRunner, number: &DocNumber, version: Version) -> Result<(), String> {
    let is_indexed = || jobs.store.snapshot().catalog().find_version(number, version).is_some();
    if is_indexed() {
        return Ok(());
    }
    let folder =
        listing::known_folder(jobs, number).unwrap_or_else(|| ListedFolder::read_now(number, &[]));
    let listed = WantedVersion::exact(version).choose(&folder);
    let files = listed.map(|listed| listed.files.clone()).unwrap_or_default();
    let mut fetched = FetchedFiles::default();
    let inbox = jobs.store.data_folder().spec_inbox_folder().join(INBOX);
    for name in &files {
        let path = format!("{}/{name}", spec_folder_path(number));
        let file = jobs.settings.mirror.fetch_file(&path, &inbox).map_err(|error| {
            tracing::warn!(path, error = error_chain(&error), "a specification was not fetched");
            describe_mirror_error(error)
        })?;
        fetched.copies.extend(file.is_copy.then(|| file.path.clone()));
        fetched.paths.push(file.path);
    }
    let reason = index_files(jobs, fetched.paths.clone())?;
    if is_indexed() {
        return Ok(());
    }
    let reason = reason.unwrap_or_else(|| "its files contain another version".to_owned());
    tracing::warn!(%number, %version, reason, "a fetched specification was not indexed");
    Err(format!("The file was fetched but not indexed: {reason}."))
}

/// Indexes fetched files. Returns why one of them was not read, if so.
fn index_files(jobs: &JobRunner, paths: Vec<PathBuf>) -> Result<Option<String>, String> {
    let queue = &jobs.source_tasks;
    // Vectors are made by the server in the background: sections can be read without them.
    let request = IngestOptions { paths, no_vectors: true, ..IngestOptions::default() };
    queue.report_stage(TaskStage::Reading(0));
    let mut sink = |event: IngestEvent| match event {
        IngestEvent::Waiting => queue.report_stage(TaskStage::WaitingForIndex),
        IngestEvent::Started { .. } => queue.report_stage(TaskStage::Reading(0)),
        IngestEvent::Progress(progress) => {
            let percent = progress.bytes_done.saturating_mul(100) / progress.bytes.max(1);
            queue.report_stage(TaskStage::Reading(u8::try_from(percent.min(99)).unwrap_or(99)));
        }
        IngestEvent::Taken(_)
        | IngestEvent::Skipped(_)
        | IngestEvent::Refused(_)
        | IngestEvent::Vectors { .. }
        | IngestEvent::Pictures { .. }
        | IngestEvent::Graph { .. } => {}
    };
    let progress = JobProgress { cancel: &queue.cancelled, sink: &mut sink };
    let failed = |reason: String| {
        tracing::error!(reason, "a specification could not be indexed on demand");
        "It could not be indexed. Try again later. If the problem persists, tell the operator."
            .to_owned()
    };
    let report = IngestFiles { request: &request }
        .run(jobs, progress)
        .map_err(|error| failed(error_chain(&error)))?;
    if let Some(reason) = report.failed {
        return Err(failed(reason));
    }
    if queue.cancelled.load(Ordering::Acquire) {
        return Err("The server is stopping.".to_owned());
    }
    let refused = report.refused.into_iter().map(|refused| refused.reason);
    let skipped = report.skipped.into_iter().map(|skipped| skipped.reason);
    Ok(refused.chain(skipped).next())
}

fn describe_mirror_error(error: MirrorError) -> String {
    TdocFetchError::from(error).caller_message()
}

/// Files of one version; copies are removed, however the work on them ends.
#[derive(Debug, Default)]
struct FetchedFiles {
    paths: Vec<PathBuf>,
    copies: Vec<PathBuf>,
}

impl Drop for FetchedFiles {
    fn drop(&mut self) {
        self.copies.iter().for_each(|path| listing::remove_copy(path));
    }
}
