//! Files of meeting documents on demand: one at a time for each document, whoever asks, and whoever hangs up.
//!
//! What is to be fetched is noted in the store before anything is done, so that it is done after a restart too.
//! Threads begin with the first work and end with the last.

mod fetch_tdoc;
mod take;

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

use crate::service::{Service, internal};
use accounts::printed;
use domain::TdocId;
use ingest::CONTRIBUTION_REVISION;
use store::{ContentStatus, StoreError, TdocContentRow, TdocJobKind, TdocJobRow};
use wire::{Failure, error_chain, records::FetchTimes};

pub(crate) use take::{TakeError, Taker};

/// Files that are read at once.
const THREADS: usize = 2;
/// How long a caller waits for a file before being told to come back.
const WAIT: Duration = Duration::from_secs(45);
/// Callers that wait at once; others are told to come back.
const MOST_WAITING: usize = 2;
/// How long it is remembered what became of a fetch.
const REMEMBERED: Duration = Duration::from_secs(600);
/// Fetches that are remembered.
const MOST_REMEMBERED: usize = 10_000;
/// How long a failed fetch is told to those who come back; later it is tried again.
const FAILURE_TOLD: Duration = Duration::from_secs(15);
/// What is told of a fault of this program.
const FAULT: &str = "The file could not be read, by a fault of this program; the log has it.";
/// What a fetch takes, as callers are told before the first is done.
const USUAL_S: u64 = 5;
/// How often a fetch that fails is tried, over starts of the program.
const MOST_TRIES: u32 = 3;
/// How old a part of a file is that nobody goes on with.
const OLD_PART: Duration = Duration::from_secs(2 * 86_400);
/// Fetches that wait; more are refused.
const MOST_QUEUED: usize = 20_000;

/// What became of a fetch.
#[derive(Debug, Clone)]
pub(super) enum Outcome {
    /// It was read, as far as it can be.
    Taken(FetchTimes),
    /// There is no such file.
    NotFound,
    /// It could not be had; a sentence for the caller.
    Failed(String),
}

/// Work under way and waiting.
#[derive(Default)]
struct State {
    fetches: VecDeque<TdocId>,
    conversions: VecDeque<TdocId>,
    running: HashSet<TdocId>,
    threads: usize,
    waiting: usize,
    outcomes: HashMap<TdocId, (Instant, Outcome)>,
}

impl State {
    fn is_known(&self, id: &TdocId) -> bool {
        self.running.contains(id) || self.fetches.contains(id)
    }
}

/// The work on documents of a service.
#[derive(Default)]
pub(crate) struct Fetches {
    state: Mutex<State>,
    changed: Condvar,
    /// The service that threads work for.
    service: OnceLock<Weak<Service>>,
}

/// Counts a caller who waits.
struct Waiting<'a>(&'a Fetches);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
    }
}

/// A document in hand.
pub(super) struct Claim<'a> {
    fetches: &'a Fetches,
    id: TdocId,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.fetches.lock().running.remove(&self.id);
        self.fetches.changed.notify_all();
    }
}

impl Fetches {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Says to whom the threads belong that fetch documents; nothing is fetched before.
    pub fn ready_to_fetch(self: &Arc<Self>) {
        let _ = self.fetches.service.set(Arc::downgrade(self));
    }

    /// Goes on with the work that an earlier process left.
    pub fn resume_fetches(&self) -> Result<usize, StoreError> {
        let jobs = self.store.snapshot().tdoc_jobs()?;
        sweep(&self.store.folder().fetched());
        let mut state = self.fetches.lock();
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
    fn fetched(&self, id: &TdocId) -> Result<FetchTimes, Failure> {
        let fetches = &self.fetches;
        let state = fetches.lock();
        if state.is_known(id) {
            return Err(in_progress(id, &state));
        }
        match state.outcomes.get(id) {
            Some((at, outcome)) if at.elapsed() < REMEMBERED => match outcome {
                Outcome::NotFound => {
                    return Err(Failure::TdocNotFound { tdoc_id: id.to_string() });
                }
                Outcome::Taken(times) => return Ok(times.clone()),
                // Who was told to come back hears of it; later it is tried again.
                Outcome::Failed(message) if at.elapsed() < FAILURE_TOLD => {
                    return Err(Failure::Unavailable { message: message.clone() });
                }
                Outcome::Failed(_) => {}
            },
            _ => {}
        }
        if state.fetches.len() >= MOST_QUEUED {
            return Err(Failure::Overloaded { retry_after_s: 60 });
        }
        drop(state);
        // It is noted before anything is done, so that nothing that was begun is forgotten.
        let job = TdocJobRow {
            id: id.clone(),
            kind: TdocJobKind::Fetch,
            queued_at: printed(Timestamp::now()),
            tries: 0,
            last_error: None,
        };
        self.store.writer().note_tdoc_job(&job).map_err(internal)?;
        let mut state = fetches.lock();
        if state.is_known(id) {
            return Err(in_progress(id, &state));
        }
        state.outcomes.remove(id);
        state.fetches.push_back(id.clone());
        let ahead = state.fetches.len() + state.running.len() - 1;
        let waits = state.waiting < MOST_WAITING && ahead < 2 * THREADS;
        if waits {
            state.waiting += 1;
        }
        drop(state);
        let waiting = waits.then(|| Waiting(fetches));
        self.start_fetching();
        if waiting.is_none() {
            return Err(in_progress(id, &fetches.lock()));
        }
        let until = Instant::now() + WAIT;
        let mut state = fetches.lock();
        loop {
            if let Some((_, outcome)) = state.outcomes.get(id) {
                return match outcome {
                    Outcome::Taken(times) => Ok(times.clone()),
                    Outcome::NotFound => Err(Failure::TdocNotFound { tdoc_id: id.to_string() }),
                    Outcome::Failed(message) => {
                        Err(Failure::Unavailable { message: message.clone() })
                    }
                };
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(in_progress(id, &state));
            }
            let waited = fetches.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Starts as many threads as there is work for.
    fn start_fetching(&self) {
        let Some(service) = self.fetches.service.get().and_then(Weak::upgrade) else { return };
        let mut state = self.fetches.lock();
        let work = state.fetches.len() + state.conversions.len();
        while state.threads < THREADS.min(work + state.running.len()) {
            let service = service.clone();
            let started = thread::Builder::new()
                .name("tdocs".to_owned())
                .spawn(move || service.work_on_tdocs());
            if let Err(error) = started {
                tracing::error!(%error, "no thread for the documents of meetings");
                return;
            }
            state.threads += 1;
        }
    }

    /// Works until nothing is left.
    fn work_on_tdocs(&self) {
        let mut taker = take::Taker::new(self);
        loop {
            let mut state = self.fetches.lock();
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
                TdocJobKind::Fetch => Some(self.outcome_of(&mut taker, &id)),
                TdocJobKind::Convert => {
                    self.convert(&mut taker, &id);
                    None
                }
            };
            // One document that cannot be borne does not end the work on all others.
            let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                tracing::error!(%id, "the work on a document ended in a fault of this program");
                taker = take::Taker::new(self);
                self.give_up(&id);
                Some(Outcome::Failed(FAULT.to_owned()))
            });
            let mut state = self.fetches.lock();
            state.running.remove(&id);
            drop(state);
            if kind == TdocJobKind::Fetch {
                self.queue_conversion(&id);
            }
            let mut state = self.fetches.lock();
            if let Some(outcome) = outcome {
                if state.outcomes.len() >= MOST_REMEMBERED {
                    state.outcomes.retain(|_, (at, _)| at.elapsed() < REMEMBERED);
                }
                state.outcomes.insert(id, (Instant::now(), outcome));
            }
            drop(state);
            self.fetches.changed.notify_all();
        }
    }

    fn outcome_of(&self, taker: &mut take::Taker<'_>, id: &TdocId) -> Outcome {
        let outcome = match taker.fetch(id) {
            Ok(times) => Outcome::Taken(times),
            Err(TakeError::NotFound) => Outcome::NotFound,
            Err(error) => {
                tracing::warn!(%id, error = error_chain(&error), "a document could not be fetched");
                Outcome::Failed(error.told())
            }
        };
        if let Outcome::Failed(error) = &outcome
            && self.is_tried_again(id, error)
        {
            return outcome;
        }
        self.give_up(id);
        outcome
    }

    /// Notes that a fetch failed. Until it was tried often enough it stays noted, so that a mirror which is down
    /// when the program starts loses nothing: the next start tries it again, and so does the next caller.
    fn is_tried_again(&self, id: &TdocId, error: &str) -> bool {
        let job = self.store.snapshot().tdoc_job(id).ok().flatten();
        let Some(mut job) = job.filter(|job| job.kind == TdocJobKind::Fetch) else { return false };
        job.tries += 1;
        job.last_error = Some(error.to_owned());
        job.tries < MOST_TRIES && self.store.writer().note_tdoc_job(&job).is_ok()
    }

    /// Forgets that a document is to be fetched. Where the work on it goes on in the full pipeline, the note says
    /// that already.
    pub(super) fn give_up(&self, id: &TdocId) {
        let forget = || {
            let job = self.store.snapshot().tdoc_job(id)?;
            match job.filter(|job| job.kind == TdocJobKind::Fetch) {
                Some(_) => self.store.writer().forget_tdoc_job(id),
                None => Ok(()),
            }
        };
        if let Err(error) = forget() {
            tracing::error!(%id, error = error_chain(&error), "work that is done stays noted");
        }
    }

    /// Takes a document in hand, so that nobody else works on it until what is returned is dropped. None where
    /// somebody does already.
    pub(super) fn claim(&self, id: &TdocId) -> Option<Claim<'_>> {
        let new = self.fetches.lock().running.insert(id.clone());
        new.then(|| Claim { fetches: &self.fetches, id: id.clone() })
    }

    /// Puts a document in the queue of the full pipeline, where it is noted for that.
    fn queue_conversion(&self, id: &TdocId) {
        let job = self.store.snapshot().tdoc_job(id).ok().flatten();
        let is_noted = job.is_some_and(|job| job.kind == TdocJobKind::Convert);
        if is_noted && self.settings.ingest.converter.is_some() {
            let mut state = self.fetches.lock();
            if !state.conversions.contains(id) {
                state.conversions.push_back(id.clone());
            }
        }
    }

    fn convert(&self, taker: &mut take::Taker<'_>, id: &TdocId) {
        if let Err(error) = taker.convert(id) {
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
fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_old = entry.metadata().is_ok_and(|file| {
            let age = file.modified().ok().and_then(|at| at.elapsed().ok());
            file.is_file() && age.is_some_and(|age| age > OLD_PART)
        });
        let path = entry.path();
        if is_old && let Err(error) = fs::remove_file(&path) {
            tracing::warn!(path = %path.display(), %error, "an old part of a file stays");
        }
    }
}

/// What a caller is told who comes while a fetch runs.
fn in_progress(id: &TdocId, state: &State) -> Failure {
    let ahead = state.fetches.iter().position(|waiting| waiting == id).unwrap_or(0);
    let retry_after_s = USUAL_S + (ahead / THREADS) as u64 * 2;
    Failure::TdocFetchInProgress { tdoc_id: id.to_string(), retry_after_s: retry_after_s.min(600) }
}
