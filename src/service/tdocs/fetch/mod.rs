//! Files of meeting documents on demand: one at a time for each document, whoever asks, and whoever hangs up.
//!
//! What is to be fetched is noted in the store before anything is done, so that it is done after a restart too.
//! Threads begin with the first work and end with the last.

mod fetch_tdoc;
mod fetcher;

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use crate::service::{Service, internal_failure};
use accounts::format_timestamp;
use domain::{TdocId, error_chain};
use ingest::CONTRIBUTION_REVISION;
use store::{ContentStatus, StoreError, TdocContentRow, TdocJobKind, TdocJobRow};
use wire::{Failure, records::FetchTimes};

pub(crate) use fetcher::{TdocFetchError, TdocFetcher};

/// Files that are read at once.
const FETCH_THREADS: usize = 2;
/// How long a caller waits for a file before being told to come back.
const MAX_CALLER_WAIT: Duration = Duration::from_secs(45);
/// Callers that wait at once; others are told to come back.
const MAX_WAITING_CALLERS: usize = 2;
/// How long it is remembered what became of a fetch.
const OUTCOME_LIFETIME: Duration = Duration::from_secs(600);
/// Fetches that are remembered.
const MAX_OUTCOMES: usize = 10_000;
/// How long a failed fetch is told to those who come back; later it is tried again.
const FAILURE_LIFETIME: Duration = Duration::from_secs(15);
/// What is told of a fault of this program.
const FAULT_MESSAGE: &str =
    "The file could not be read, by a fault of this program; the log has it.";
/// What a fetch takes, as callers are told before the first is done.
const USUAL_FETCH_S: u64 = 5;
/// How often a fetch that fails is tried, over starts of the program.
const MAX_TRIES: u32 = 3;
/// How old a part of a file is that nobody goes on with.
const OLD_PART_AGE: Duration = Duration::from_secs(2 * 86_400);
/// Fetches that wait; more are refused.
const MAX_QUEUED: usize = 20_000;

/// What became of a fetch.
#[derive(Debug, Clone)]
pub(super) enum FetchOutcome {
    /// It was read, as far as it can be.
    Taken(FetchTimes),
    /// There is no such file.
    NotFound,
    /// It could not be had; a sentence for the caller.
    Failed(String),
}

/// Work under way and waiting.
#[derive(Default)]
struct FetchState {
    fetches: VecDeque<TdocId>,
    conversions: VecDeque<TdocId>,
    running: HashSet<TdocId>,
    threads: usize,
    waiting: usize,
    outcomes: HashMap<TdocId, (Instant, FetchOutcome)>,
}

impl FetchState {
    fn is_fetching(&self, id: &TdocId) -> bool {
        self.running.contains(id) || self.fetches.contains(id)
    }
}

/// The work on documents of a service.
#[derive(Default)]
pub(crate) struct FetchQueue {
    state: Mutex<FetchState>,
    changed: Condvar,
    /// The service that threads work for.
    service: OnceLock<Weak<Service>>,
}

/// Counts a caller who waits.
struct WaitingCaller<'a>(&'a FetchQueue);

impl Drop for WaitingCaller<'_> {
    fn drop(&mut self) {
        self.0.lock_state().waiting -= 1;
    }
}

/// A document in hand.
pub(super) struct FetchClaim<'a> {
    fetches: &'a FetchQueue,
    id: TdocId,
}

impl Drop for FetchClaim<'_> {
    fn drop(&mut self) {
        self.fetches.lock_state().running.remove(&self.id);
        self.fetches.changed.notify_all();
    }
}

impl FetchQueue {
    fn lock_state(&self) -> MutexGuard<'_, FetchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Says to whom the threads belong that fetch documents; nothing is fetched before.
    pub fn enable_fetching(self: &Arc<Self>) {
        let _ = self.fetches.service.set(Arc::downgrade(self));
    }

    /// Goes on with the work that an earlier process left.
    pub fn resume_fetches(&self) -> Result<usize, StoreError> {
        let jobs = self.store.snapshot().tdoc_jobs()?;
        remove_old_parts(&self.store.data_folder().tdoc_inbox_folder());
        let mut state = self.fetches.lock_state();
        let converts = self.settings.ingest.converter.is_some();
        let mut resumed = 0;
        for job in jobs {
            let queue = match job.kind {
                TdocJobKind::Fetch => &mut state.fetches,
                // Without a converter it waits on.
                TdocJobKind::Convert if !converts => continue,
                TdocJobKind::Convert => &mut state.conversions,
            };
            if !queue.contains(&job.id) {
                queue.push_back(job.id);
                resumed += 1;
            }
        }
        drop(state);
        self.start_fetching();
        Ok(resumed)
    }

    /// Fetches a document, or waits for a fetch under way: until it is done, or as long as a caller can wait.
    fn fetch_or_wait(&self, id: &TdocId) -> Result<FetchTimes, Failure> {
        let fetches = &self.fetches;
        let state = fetches.lock_state();
        if state.is_fetching(id) {
            return Err(to_fetch_in_progress(id, &state));
        }
        match state.outcomes.get(id) {
            Some((at, outcome)) if at.elapsed() < OUTCOME_LIFETIME => match outcome {
                FetchOutcome::NotFound => {
                    return Err(Failure::TdocNotFound { tdoc_id: id.to_string() });
                }
                FetchOutcome::Taken(times) => return Ok(times.clone()),
                // Who was told to come back hears of it; later it is tried again.
                FetchOutcome::Failed(message) if at.elapsed() < FAILURE_LIFETIME => {
                    return Err(Failure::Unavailable { message: message.clone() });
                }
                FetchOutcome::Failed(_) => {}
            },
            _ => {}
        }
        if state.fetches.len() >= MAX_QUEUED {
            return Err(Failure::Overloaded { retry_after_s: 60 });
        }
        drop(state);
        // It is noted before anything is done, so that nothing that was begun is forgotten.
        let job = TdocJobRow {
            id: id.clone(),
            kind: TdocJobKind::Fetch,
            queued_at: format_timestamp(Timestamp::now()),
            tries: 0,
            last_error: None,
        };
        self.store.lock_writer().queue_tdoc_job(&job).map_err(internal_failure)?;
        let mut state = fetches.lock_state();
        if state.is_fetching(id) {
            return Err(to_fetch_in_progress(id, &state));
        }
        state.outcomes.remove(id);
        state.fetches.push_back(id.clone());
        let ahead = state.fetches.len() + state.running.len() - 1;
        let waits = state.waiting < MAX_WAITING_CALLERS && ahead < 2 * FETCH_THREADS;
        if waits {
            state.waiting += 1;
        }
        drop(state);
        let waiting = waits.then(|| WaitingCaller(fetches));
        self.start_fetching();
        if waiting.is_none() {
            return Err(to_fetch_in_progress(id, &fetches.lock_state()));
        }
        let until = Instant::now() + MAX_CALLER_WAIT;
        let mut state = fetches.lock_state();
        loop {
            if let Some((_, outcome)) = state.outcomes.get(id) {
                return match outcome {
                    FetchOutcome::Taken(times) => Ok(times.clone()),
                    FetchOutcome::NotFound => {
                        Err(Failure::TdocNotFound { tdoc_id: id.to_string() })
                    }
                    FetchOutcome::Failed(message) => {
                        Err(Failure::Unavailable { message: message.clone() })
                    }
                };
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(to_fetch_in_progress(id, &state));
            }
            let waited = fetches.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Starts as many threads as there is work for.
    fn start_fetching(&self) {
        let Some(service) = self.fetches.service.get().and_then(Weak::upgrade) else { return };
        let mut state = self.fetches.lock_state();
        let work = state.fetches.len() + state.conversions.len();
        while state.threads < FETCH_THREADS.min(work + state.running.len()) {
            let service = service.clone();
            let started = thread::Builder::new()
                .name("tdocs".to_owned())
                .spawn(move || service.process_tdoc_queue());
            if let Err(error) = started {
                tracing::error!(%error, "no thread for the documents of meetings");
                return;
            }
            state.threads += 1;
        }
    }

    /// Works until nothing is left.
    fn process_tdoc_queue(&self) {
        let mut taker = fetcher::TdocFetcher::new(self);
        loop {
            let mut state = self.fetches.lock_state();
            let fetch = state.fetches.pop_front().map(|id| (id, TdocJobKind::Fetch));
            let next = fetch
                .or_else(|| state.conversions.pop_front().map(|id| (id, TdocJobKind::Convert)));
            let Some((id, kind)) = next else {
                state.threads -= 1;
                return;
            };
            if !state.running.insert(id.clone()) {
                // Another thread has it in hand: what it does, it does for this too.
                continue;
            }
            drop(state);
            let work = || match kind {
                TdocJobKind::Fetch => Some(self.run_fetch(&mut taker, &id)),
                TdocJobKind::Convert => {
                    self.convert_tdoc(&mut taker, &id);
                    None
                }
            };
            // One document that cannot be borne does not end the work on all others.
            let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                tracing::error!(%id, "the work on a document ended in a fault of this program");
                taker = fetcher::TdocFetcher::new(self);
                self.forget_fetch_job(&id);
                Some(FetchOutcome::Failed(FAULT_MESSAGE.to_owned()))
            });
            let mut state = self.fetches.lock_state();
            state.running.remove(&id);
            drop(state);
            if kind == TdocJobKind::Fetch {
                self.queue_conversion(&id);
            }
            let mut state = self.fetches.lock_state();
            if let Some(outcome) = outcome {
                if state.outcomes.len() >= MAX_OUTCOMES {
                    state.outcomes.retain(|_, (at, _)| at.elapsed() < OUTCOME_LIFETIME);
                }
                state.outcomes.insert(id, (Instant::now(), outcome));
            }
            drop(state);
            self.fetches.changed.notify_all();
        }
    }

    fn run_fetch(&self, taker: &mut fetcher::TdocFetcher<'_>, id: &TdocId) -> FetchOutcome {
        let outcome = match taker.fetch_tdoc(id) {
            Ok(times) => FetchOutcome::Taken(times),
            Err(TdocFetchError::NotFound) => FetchOutcome::NotFound,
            Err(error) => {
                tracing::warn!(%id, error = error_chain(&error), "a document could not be fetched");
                FetchOutcome::Failed(error.caller_message())
            }
        };
        if let FetchOutcome::Failed(error) = &outcome
            && self.note_failed_fetch(id, error)
        {
            return outcome;
        }
        self.forget_fetch_job(id);
        outcome
    }

    /// Notes that a fetch failed. Until it was tried often enough it stays noted, so that a mirror which is down
    /// when the program starts loses nothing: the next start tries it again, and so does the next caller.
    fn note_failed_fetch(&self, id: &TdocId, error: &str) -> bool {
        let job = self.store.snapshot().tdoc_job(id).ok().flatten();
        let Some(mut job) = job.filter(|job| job.kind == TdocJobKind::Fetch) else { return false };
        job.tries += 1;
        job.last_error = Some(error.to_owned());
        job.tries < MAX_TRIES && self.store.lock_writer().queue_tdoc_job(&job).is_ok()
    }

    /// Forgets that a document is to be fetched. Where the work on it goes on in the full pipeline, the note says
    /// that already.
    pub(super) fn forget_fetch_job(&self, id: &TdocId) {
        let forget = || {
            let job = self.store.snapshot().tdoc_job(id)?;
            match job.filter(|job| job.kind == TdocJobKind::Fetch) {
                Some(_) => self.store.lock_writer().remove_tdoc_job(id),
                None => Ok(()),
            }
        };
        if let Err(error) = forget() {
            tracing::error!(%id, error = error_chain(&error), "work that is done stays noted");
        }
    }

    /// Takes a document in hand, so that nobody else works on it until what is returned is dropped. None where
    /// somebody does already.
    pub(super) fn claim_tdoc(&self, id: &TdocId) -> Option<FetchClaim<'_>> {
        let new = self.fetches.lock_state().running.insert(id.clone());
        new.then(|| FetchClaim { fetches: &self.fetches, id: id.clone() })
    }

    /// Puts a document in the queue of the full pipeline, where it is noted for that.
    fn queue_conversion(&self, id: &TdocId) {
        let job = self.store.snapshot().tdoc_job(id).ok().flatten();
        let is_noted = job.is_some_and(|job| job.kind == TdocJobKind::Convert);
        if is_noted && self.settings.ingest.converter.is_some() {
            let mut state = self.fetches.lock_state();
            if !state.conversions.contains(id) {
                state.conversions.push_back(id.clone());
            }
        }
    }

    fn convert_tdoc(&self, taker: &mut fetcher::TdocFetcher<'_>, id: &TdocId) {
        if let Err(error) = taker.convert_tdoc(id) {
            tracing::warn!(%id, error = error_chain(&error), "the full pipeline did not read a document");
        }
    }
}

/// Whether a document was read by the reading of today. One of which nothing could be read is tried again, for
/// the reason may have passed.
pub(super) fn is_read(row: &TdocContentRow) -> bool {
    let has_text = row.status != ContentStatus::Unavailable || row.wants_converter;
    row.revision == CONTRIBUTION_REVISION && row.embedded && has_text
}

/// Removes parts of files that were never fetched to their end.
fn remove_old_parts(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_old = entry.metadata().is_ok_and(|file| {
            let age = file.modified().ok().and_then(|at| at.elapsed().ok());
            file.is_file() && age.is_some_and(|age| age > OLD_PART_AGE)
        });
        let path = entry.path();
        if is_old && let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "an old part of a file stays");
        }
    }
}

/// What a caller is told who comes while a fetch runs.
fn to_fetch_in_progress(id: &TdocId, state: &FetchState) -> Failure {
    let ahead = state.fetches.iter().position(|waiting| waiting == id).unwrap_or(0);
    let retry_after_s = USUAL_FETCH_S + (ahead / FETCH_THREADS) as u64 * 2;
    Failure::TdocFetchInProgress { tdoc_id: id.to_string(), retry_after_s: retry_after_s.min(600) }
}
