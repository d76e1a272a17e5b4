//! Fetches files of TDocs on demand: one fetch at a time for each TDoc, however many callers ask, and
//! independent of whether they wait for it.
//!
//! A fetch is recorded in the store before it begins, so that it also completes after a restart. Threads
//! start when there is work and end when there is none.

mod fetcher;
mod queue;
mod tdoc_queue;

use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::Arc,
    thread,
    time::Duration,
};

use jiff::Timestamp;

use super::JobRunner;
use accounts::format_timestamp;
use domain::{TdocId, error_chain};
use ingest::CONTRIBUTION_REVISION;
use store::{ContentStatus, StoreError, TdocContentRow, TdocJobKind, TdocJobRow};
use wire::records::FetchTimes;

pub(super) use fetcher::{TdocFetchError, TdocFetcher};
use queue::FetchOutcome;
pub use queue::FetchRefusal;
pub(super) use queue::{FetchClaim, FetchQueue};

/// What callers get to read about a fault of this program.
const FAULT_MESSAGE: &str =
    "The file could not be read because of an internal error; tell the operator.";
/// How often a failing fetch is tried, restarts of the program included.
const MAX_TRIES: u32 = 3;
/// Age from which a partial download is no longer resumed, but removed.
const OLD_PART_AGE: Duration = Duration::from_secs(2 * 86_400);

/// Resumes the jobs that an earlier process left unfinished; returns their number.
pub fn resume_fetches(jobs: &Arc<JobRunner>) -> Result<usize, StoreError> {
    let unfinished = jobs.store.snapshot().tdocs().tdoc_jobs()?;
    remove_old_parts(&jobs.store.data_folder().tdoc_inbox_folder());
    // Without a converter, conversions keep waiting.
    let converts = jobs.settings.ingest.converter.is_some();
    let possible = |job: &TdocJobRow| job.kind == TdocJobKind::Fetch || converts;
    let possible = unfinished.into_iter().filter(possible);
    let resumed = possible.filter(|job| jobs.fetches.resume(job.id.clone(), job.kind)).count();
    start_fetching(jobs);
    Ok(resumed)
}

/// Fetches a TDoc, or returns the state of a fetch that runs or has ended. Waits until the fetch is done,
/// or for as long as a caller may wait.
pub fn fetch_or_wait(jobs: &Arc<JobRunner>, id: &TdocId) -> Result<FetchTimes, FetchRefusal> {
    if let Some(reply) = jobs.fetches.known_reply(id) {
        return reply;
    }
    if let Err(error) = super::replica::check_changeable(jobs) {
        return Err(FetchRefusal::Failed { message: error.to_string() });
    }
    // The job is recorded first, so that no fetch that has begun is forgotten.
    let job = TdocJobRow {
        id: id.clone(),
        kind: TdocJobKind::Fetch,
        queued_at: format_timestamp(Timestamp::now()),
        tries: 0,
        last_error: None,
    };
    jobs.store.lock_writer().queue_tdoc_job(&job)?;
    let queued = jobs.fetches.push_fetch(id)?;
    start_fetching(jobs);
    queued.wait()
}

/// Starts as many threads as there is work for.
fn start_fetching(jobs: &Arc<JobRunner>) {
    while jobs.fetches.admit_thread() {
        let runner = jobs.clone();
        let started = thread::Builder::new()
            .name("tdocs".to_owned())
            .spawn(move || process_tdoc_queue(&runner));
        if let Err(error) = started {
            tracing::error!(%error, "cannot start a thread for fetching TDocs");
            jobs.fetches.dismiss_thread();
            return;
        }
    }
}

/// Processes the queue until it is empty.
fn process_tdoc_queue(jobs: &JobRunner) {
    let mut fetcher = TdocFetcher::new(jobs);
    while let Some((id, kind)) = jobs.fetches.next_job() {
        let work = || match kind {
            TdocJobKind::Fetch => Some(run_fetch(jobs, &mut fetcher, &id)),
            TdocJobKind::Convert => {
                convert_tdoc(&mut fetcher, &id);
                None
            }
        };
        // A panic on one TDoc does not end the work on all others.
        let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            tracing::error!(%id, "processing a TDoc failed with an internal error");
            fetcher = TdocFetcher::new(jobs);
            forget_fetch_job(jobs, &id);
            Some(FetchOutcome::Failed(FAULT_MESSAGE.to_owned()))
        });
        jobs.fetches.release(&id);
        if kind == TdocJobKind::Fetch {
            queue_conversion(jobs, &id);
        }
        jobs.fetches.announce(id, outcome);
    }
}

fn run_fetch(jobs: &JobRunner, fetcher: &mut TdocFetcher<'_>, id: &TdocId) -> FetchOutcome {
    let outcome = match fetcher.fetch_tdoc(id) {
        Ok(times) => FetchOutcome::Fetched(times),
        Err(TdocFetchError::NotFound) => FetchOutcome::NotFound,
        Err(error) => {
            tracing::warn!(%id, error = error_chain(&error), "a document could not be fetched");
            FetchOutcome::Failed(error.caller_message())
        }
    };
    if let FetchOutcome::Failed(error) = &outcome
        && record_failed_fetch(jobs, id, error)
    {
        return outcome;
    }
    forget_fetch_job(jobs, id);
    outcome
}

/// Records that a fetch failed; returns whether its job stays for another try. A mirror that is down when the
/// program starts thus loses no job: the next start tries it again, and so does the next caller.
fn record_failed_fetch(jobs: &JobRunner, id: &TdocId, error: &str) -> bool {
    let job = jobs.store.snapshot().tdocs().tdoc_job(id).ok().flatten();
    let Some(mut job) = job.filter(|job| job.kind == TdocJobKind::Fetch) else { return false };
    job.tries += 1;
    job.last_error = Some(error.to_owned());
    job.tries < MAX_TRIES && jobs.store.lock_writer().queue_tdoc_job(&job).is_ok()
}

/// Removes the fetch job of a document. A job for the full pipeline, which replaces it, stays.
pub(super) fn forget_fetch_job(jobs: &JobRunner, id: &TdocId) {
    let forget = || {
        let job = jobs.store.snapshot().tdocs().tdoc_job(id)?;
        match job.filter(|job| job.kind == TdocJobKind::Fetch) {
            Some(_) => jobs.store.lock_writer().remove_tdoc_job(id),
            None => Ok(()),
        }
    };
    if let Err(error) = forget() {
        tracing::error!(%id, error = error_chain(&error), "finished work could not be removed from the queue");
    }
}

/// Claims a TDoc, so that nobody else works on it until the claim is dropped. None if it is already
/// claimed.
pub(super) fn claim_tdoc<'a>(jobs: &'a JobRunner, id: &TdocId) -> Option<FetchClaim<'a>> {
    jobs.fetches.claim(id)
}

/// Puts a TDoc in the queue of the full pipeline if the store has a conversion job for it.
fn queue_conversion(jobs: &JobRunner, id: &TdocId) {
    let job = jobs.store.snapshot().tdocs().tdoc_job(id).ok().flatten();
    let has_conversion_job = job.is_some_and(|job| job.kind == TdocJobKind::Convert);
    if has_conversion_job && jobs.settings.ingest.converter.is_some() {
        jobs.fetches.push_conversion(id);
    }
}

fn convert_tdoc(fetcher: &mut TdocFetcher<'_>, id: &TdocId) {
    if let Err(error) = fetcher.convert_tdoc(id) {
        tracing::warn!(%id, error = error_chain(&error), "a TDoc could not be converted");
    }
}

/// Whether a document was read by the current revision of the reader. One without any readable text is tried
/// again, since the cause may be gone.
pub fn is_read(row: &TdocContentRow) -> bool {
    let has_text = row.status != ContentStatus::Unavailable || row.wants_converter;
    row.revision == CONTRIBUTION_REVISION && has_text
}

/// Removes partial downloads that were never completed.
fn remove_old_parts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_old = entry.metadata().is_ok_and(|file| {
            let age = file.modified().ok().and_then(|modified| modified.elapsed().ok());
            file.is_file() && age.is_some_and(|age| age > OLD_PART_AGE)
        });
        let path = entry.path();
        if is_old && let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "an old partial download could not be removed");
        }
    }
}
