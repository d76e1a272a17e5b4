//! The queue of TDocs to be fetched or converted: one job for each TDoc at a time, however many callers
//! ask. It has its own lock, and knows nothing of the store or of how a TDoc is fetched.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::tdoc_queue::TdocQueue;
use domain::TdocId;
use store::TdocJobKind;
use wire::records::FetchTimes;

/// Threads that fetch and read files.
pub(super) const FETCH_THREADS: usize = 2;
/// How long a caller waits for a file before being told to come back.
const MAX_CALLER_WAIT: Duration = Duration::from_secs(45);
/// Callers that wait at once; others are told to come back.
const MAX_WAITING_CALLERS: usize = 2;
/// How long the outcome of a fetch is remembered.
const OUTCOME_LIFETIME: Duration = Duration::from_secs(600);
/// Outcomes that are remembered.
const MAX_OUTCOMES: usize = 10_000;
/// How long callers that come back get the result of a failed fetch; later it is tried again.
const FAILURE_LIFETIME: Duration = Duration::from_secs(15);
/// Estimated duration of a fetch.
const ESTIMATED_FETCH_S: u64 = 5;
/// Estimated wait for each fetch ahead in the queue of one thread.
const WAIT_PER_QUEUED_FETCH_S: u64 = 2;
/// The longest wait that a reply suggests.
const MAX_RETRY_AFTER_S: u64 = 600;
/// Fetches that wait; more are refused.
const MAX_QUEUED: usize = 20_000;
/// Seconds after which a caller may retry when the queue was full.
const QUEUE_FULL_RETRY_S: u64 = 60;

/// The outcome of a fetch.
#[derive(Debug, Clone)]
pub(super) enum FetchOutcome {
    /// It was fetched and read, as far as it can be.
    Fetched(FetchTimes),
    /// There is no such file.
    NotFound,
    /// It could not be fetched; a sentence for the caller.
    Failed(String),
}

/// Why a caller gets no document now.
#[derive(Debug, thiserror::Error)]
pub enum FetchRefusal {
    /// There is no such file.
    #[error("file not found")]
    NotFound,
    /// It could not be fetched; a sentence for the caller.
    #[error("{message}")]
    Failed {
        /// The sentence.
        message: String,
    },
    /// It is being fetched, or waits for its turn.
    #[error("the document is being fetched")]
    InProgress {
        /// Seconds after which it may be available.
        retry_after_s: u64,
    },
    /// Too many fetches wait.
    #[error("too many fetches are waiting")]
    QueueFull {
        /// Seconds after which the caller may try again.
        retry_after_s: u64,
    },
    /// The data folder cannot be read or written.
    #[error("the data folder cannot be read or written")]
    Store(#[from] store::StoreError),
}

impl FetchOutcome {
    fn to_reply(&self) -> Result<FetchTimes, FetchRefusal> {
        match self {
            Self::Fetched(times) => Ok(times.clone()),
            Self::NotFound => Err(FetchRefusal::NotFound),
            Self::Failed(message) => Err(FetchRefusal::Failed { message: message.clone() }),
        }
    }
}

/// Running and waiting jobs.
#[derive(Default)]
struct QueueState {
    fetches: TdocQueue,
    conversions: TdocQueue,
    running: HashSet<TdocId>,
    threads: usize,
    waiting_callers: usize,
    outcomes: HashMap<TdocId, (Instant, FetchOutcome)>,
    /// The outcomes in the order of their times. Some may have been replaced since.
    outcome_order: VecDeque<(Instant, TdocId)>,
}

impl QueueState {
    fn is_fetching(&self, id: &TdocId) -> bool {
        self.running.contains(id) || self.fetches.contains(id)
    }

    /// Forgets the outcomes that are too old, or too many.
    fn forget_outcomes(&mut self) {
        while let Some((at, id)) = self.outcome_order.front() {
            if self.outcome_order.len() <= MAX_OUTCOMES && at.elapsed() < OUTCOME_LIFETIME {
                break;
            }
            // A later outcome of the same document stays.
            if self.outcomes.get(id).is_some_and(|(known, _)| known == at) {
                self.outcomes.remove(id);
            }
            self.outcome_order.pop_front();
        }
    }

    /// The reply to a caller that comes while a fetch runs.
    fn in_progress(&self, id: &TdocId) -> FetchRefusal {
        let ahead = self.fetches.count_ahead(id);
        let retry_after_s =
            ESTIMATED_FETCH_S + ahead / FETCH_THREADS as u64 * WAIT_PER_QUEUED_FETCH_S;
        FetchRefusal::InProgress { retry_after_s: retry_after_s.min(MAX_RETRY_AFTER_S) }
    }
}

/// The queue, shared by callers and fetching threads.
#[derive(Default)]
pub(in crate::jobs) struct FetchQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

/// The claim of a TDoc: nobody else works on it until this is dropped.
pub(in crate::jobs) struct FetchClaim<'a> {
    queue: &'a FetchQueue,
    id: TdocId,
}

impl Drop for FetchClaim<'_> {
    fn drop(&mut self) {
        self.queue.lock_state().running.remove(&self.id);
        self.queue.changed.notify_all();
    }
}

/// Counts a waiting caller until it is dropped.
struct WaitingCaller<'a>(&'a FetchQueue);

impl Drop for WaitingCaller<'_> {
    fn drop(&mut self) {
        self.0.lock_state().waiting_callers -= 1;
    }
}

/// A fetch that was put in the queue, and whether its caller may wait for it.
pub(super) struct QueuedFetch<'a> {
    queue: &'a FetchQueue,
    id: TdocId,
    waiting: Option<WaitingCaller<'a>>,
}

impl QueuedFetch<'_> {
    /// Waits until the fetch is done, or for as long as a caller may wait.
    pub(super) fn wait(self) -> Result<FetchTimes, FetchRefusal> {
        let Self { queue, id, waiting } = self;
        let mut state = queue.lock_state();
        if waiting.is_none() {
            return Err(state.in_progress(&id));
        }
        let deadline = Instant::now() + MAX_CALLER_WAIT;
        // The lock is not held when `waiting` is dropped: it takes the lock itself.
        let reply = loop {
            if let Some((_, outcome)) = state.outcomes.get(&id) {
                break outcome.to_reply();
            }
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                break Err(state.in_progress(&id));
            }
            let waited = queue.changed.wait_timeout(state, remaining);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(state);
        reply
    }
}

impl FetchQueue {
    fn lock_state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job that an earlier process recorded; returns whether it was not queued yet.
    pub(super) fn resume(&self, id: TdocId, kind: TdocJobKind) -> bool {
        let mut state = self.lock_state();
        match kind {
            TdocJobKind::Fetch => state.fetches.push_back(id),
            TdocJobKind::Convert => state.conversions.push_back(id),
        }
    }

    /// The reply that needs no new fetch: the outcome of the last one, or that one is in progress; none where
    /// a fetch must begin.
    pub(super) fn known_reply(&self, id: &TdocId) -> Option<Result<FetchTimes, FetchRefusal>> {
        let state = self.lock_state();
        if state.is_fetching(id) {
            return Some(Err(state.in_progress(id)));
        }
        if let Some((ended_at, outcome)) = state.outcomes.get(id) {
            let lifetime = match outcome {
                // Callers that come back get its result; later it is tried again.
                FetchOutcome::Failed(_) => FAILURE_LIFETIME,
                FetchOutcome::Fetched(_) | FetchOutcome::NotFound => OUTCOME_LIFETIME,
            };
            if ended_at.elapsed() < lifetime {
                return Some(outcome.to_reply());
            }
        }
        let is_full = state.fetches.len() >= MAX_QUEUED;
        is_full.then_some(Err(FetchRefusal::QueueFull { retry_after_s: QUEUE_FULL_RETRY_S }))
    }

    /// Puts a fetch in the queue.
    pub(super) fn push_fetch(&self, id: &TdocId) -> Result<QueuedFetch<'_>, FetchRefusal> {
        let mut state = self.lock_state();
        if state.is_fetching(id) {
            return Err(state.in_progress(id));
        }
        state.outcomes.remove(id);
        state.fetches.push_back(id.clone());
        let ahead = state.fetches.len() + state.running.len() - 1;
        let may_wait = state.waiting_callers < MAX_WAITING_CALLERS && ahead < 2 * FETCH_THREADS;
        if may_wait {
            state.waiting_callers += 1;
        }
        drop(state);
        let waiting = may_wait.then(|| WaitingCaller(self));
        Ok(QueuedFetch { queue: self, id: id.clone(), waiting })
    }

    /// Puts a conversion in the queue. Where too many wait it is left to the next start, or to `specbox sync pending`: it is
    /// recorded in the store.
    pub(super) fn push_conversion(&self, id: &TdocId) {
        let mut state = self.lock_state();
        if state.conversions.len() < MAX_QUEUED {
            state.conversions.push_back(id.clone());
        }
    }

    /// Claims a TDoc; none if it is already claimed.
    pub(super) fn claim(&self, id: &TdocId) -> Option<FetchClaim<'_>> {
        let is_new = self.lock_state().running.insert(id.clone());
        is_new.then(|| FetchClaim { queue: self, id: id.clone() })
    }

    /// Whether there is work for one more thread, which then counts as started.
    pub(super) fn admit_thread(&self) -> bool {
        let mut state = self.lock_state();
        let work = state.fetches.len() + state.conversions.len() + state.running.len();
        let is_needed = state.threads < FETCH_THREADS.min(work);
        if is_needed {
            state.threads += 1;
        }
        is_needed
    }

    /// Takes back the count of an admitted thread that did not start.
    pub(super) fn dismiss_thread(&self) {
        self.lock_state().threads -= 1;
    }

    /// The next job, fetches first; none if there is none, and the calling thread then no longer counts.
    pub(super) fn next_job(&self) -> Option<(TdocId, TdocJobKind)> {
        let mut state = self.lock_state();
        loop {
            let fetch = state.fetches.pop_front().map(|id| (id, TdocJobKind::Fetch));
            let next = fetch
                .or_else(|| state.conversions.pop_front().map(|id| (id, TdocJobKind::Convert)));
            let Some((id, kind)) = next else {
                state.threads -= 1;
                return None;
            };
            // A TDoc that another thread is working on is done by that thread.
            if state.running.insert(id.clone()) {
                return Some((id, kind));
            }
        }
    }

    /// Ends the work on a TDoc.
    pub(super) fn release(&self, id: &TdocId) {
        self.lock_state().running.remove(id);
    }

    /// Records the outcome of a fetch, and wakes the callers that wait.
    pub(super) fn announce(&self, id: TdocId, outcome: Option<FetchOutcome>) {
        let mut state = self.lock_state();
        if let Some(outcome) = outcome {
            let now = Instant::now();
            state.outcome_order.push_back((now, id.clone()));
            state.outcomes.insert(id, (now, outcome));
            state.forget_outcomes();
        }
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> TdocId {
        text.parse().expect("the number of a TDoc")
    }

    #[test]
    fn one_fetch_is_made_for_all_who_ask() {
        let queue = FetchQueue::default();
        let first = id("R1-2400001");
        assert!(queue.known_reply(&first).is_none());
        let queued = queue.push_fetch(&first).expect("room");
        let reply = queue.known_reply(&first);
        assert!(matches!(reply, Some(Err(FetchRefusal::InProgress { retry_after_s: 5 }))));
        assert!(queue.push_fetch(&first).is_err());
        assert!(queue.admit_thread() && !queue.admit_thread());
        let (next, kind) = queue.next_job().expect("one");
        assert!(next == first && kind == TdocJobKind::Fetch);
        assert!(queue.claim(&first).is_none(), "it is being worked on");
        queue.release(&first);
        queue.announce(next, Some(FetchOutcome::NotFound));
        assert!(matches!(queued.wait(), Err(FetchRefusal::NotFound)));
        assert!(matches!(queue.known_reply(&first), Some(Err(FetchRefusal::NotFound))));
        assert!(queue.next_job().is_none());
    }

    #[test]
    fn the_wait_that_is_told_grows_with_those_ahead_and_no_queue_grows_without_end() {
        let queue = FetchQueue::default();
        let number = |n: usize| id(&format!("R1-24{n:05}"));
        let count = MAX_QUEUED + 2;
        for n in 0..count {
            assert!(queue.resume(number(n), TdocJobKind::Fetch), "{n}");
            queue.push_conversion(&number(n));
        }
        assert!(!queue.resume(number(7), TdocJobKind::Fetch), "it waits already");
        let wait = |n: usize| match queue.known_reply(&number(n)) {
            Some(Err(FetchRefusal::InProgress { retry_after_s })) => retry_after_s,
            other => panic!("{other:?}"),
        };
        assert_eq!((wait(0), wait(20), wait(count - 1)), (5, 25, MAX_RETRY_AFTER_S));
        assert!(queue.admit_thread());
        for n in 0..20 {
            assert_eq!(queue.next_job().map(|(id, _)| id), Some(number(n)));
            queue.release(&number(n));
        }
        assert_eq!(wait(20), 5);
        assert_eq!(queue.lock_state().conversions.len(), MAX_QUEUED);
        for n in 0..MAX_OUTCOMES + 50 {
            queue.announce(number(n), Some(FetchOutcome::NotFound));
        }
        let state = queue.lock_state();
        assert_eq!((state.outcomes.len(), state.outcome_order.len()), (MAX_OUTCOMES, MAX_OUTCOMES));
    }

    #[test]
    fn callers_beyond_those_that_may_wait_come_back() {
        let queue = FetchQueue::default();
        let all: Vec<TdocId> = (1..=3).map(|n| id(&format!("R1-240000{n}"))).collect();
        let queued: Vec<_> = all.iter().map(|id| queue.push_fetch(id).expect("room")).collect();
        let waiting: Vec<bool> = queued.iter().map(|queued| queued.waiting.is_some()).collect();
        assert_eq!(waiting, [true, true, false]);
        drop(queued);
        assert_eq!(queue.lock_state().waiting_callers, 0);
    }
}
