//! The queue of TDocs that are fetched or converted: one piece of work for each TDoc at a time,
//! whoever asks. It has its own lock, and knows nothing of the store and of how a TDoc is fetched.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use domain::TdocId;
use store::TdocJobKind;
use wire::records::FetchTimes;

/// Files that are read at once.
pub(super) const FETCH_THREADS: usize = 2;
/// How long a caller waits for a file before being told to come back.
const MAX_CALLER_WAIT: Duration = Duration::from_secs(45);
/// Callers that wait at once; others are told to come back.
const MAX_WAITING_CALLERS: usize = 2;
/// How long it is remembered what became of a fetch.
const OUTCOME_LIFETIME: Duration = Duration::from_secs(600);
/// Fetches that are remembered.
const MAX_OUTCOMES: usize = 10_000;
/// How long callers that come back get the result of a failed fetch; later it is tried again.
const FAILURE_LIFETIME: Duration = Duration::from_secs(15);
/// How long a fetch takes: the estimate until the first is done.
const USUAL_FETCH_S: u64 = 5;
/// The longest wait in a reply.
const MAX_RETRY_AFTER_S: u64 = 600;
/// Fetches that wait; more are refused.
const MAX_QUEUED: usize = 20_000;
/// Seconds after which a caller may try again whose fetch was refused for that.
const QUEUE_FULL_RETRY_S: u64 = 60;

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

/// Why a caller gets no document now.
#[derive(Debug, thiserror::Error)]
pub enum FetchRefusal {
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// It could not be had; a sentence for the caller.
    #[error("{message}")]
    Failed {
        /// The sentence.
        message: String,
    },
    /// Somebody fetches it, or it waits for its turn.
    #[error("it is being fetched")]
    InProgress {
        /// Seconds after which it may be there.
        retry_after_s: u64,
    },
    /// Too many fetches wait.
    #[error("too many fetches wait")]
    QueueFull {
        /// Seconds after which another attempt is worth it.
        retry_after_s: u64,
    },
    /// The data folder failed.
    #[error("the data folder failed")]
    Store(#[from] store::StoreError),
}

impl FetchOutcome {
    fn to_reply(&self) -> Result<FetchTimes, FetchRefusal> {
        match self {
            Self::Taken(times) => Ok(times.clone()),
            Self::NotFound => Err(FetchRefusal::NotFound),
            Self::Failed(message) => Err(FetchRefusal::Failed { message: message.clone() }),
        }
    }
}

/// Work under way and waiting.
#[derive(Default)]
struct QueueState {
    fetches: VecDeque<TdocId>,
    conversions: VecDeque<TdocId>,
    running: HashSet<TdocId>,
    threads: usize,
    waiting_callers: usize,
    outcomes: HashMap<TdocId, (Instant, FetchOutcome)>,
}

impl QueueState {
    fn is_fetching(&self, id: &TdocId) -> bool {
        self.running.contains(id) || self.fetches.contains(id)
    }

    /// The reply to a caller that comes while a fetch runs.
    fn in_progress(&self, id: &TdocId) -> FetchRefusal {
        let ahead = self.fetches.iter().position(|waiting| waiting == id).unwrap_or(0);
        let retry_after_s = USUAL_FETCH_S + (ahead / FETCH_THREADS) as u64 * 2;
        FetchRefusal::InProgress { retry_after_s: retry_after_s.min(MAX_RETRY_AFTER_S) }
    }
}

/// The queue.
#[derive(Default)]
pub(in crate::jobs) struct FetchQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

/// A TDoc in hand; nobody else works on it until this is dropped.
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

/// A place among the callers that wait.
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
    /// Waits until the fetch is done, or as long as a caller can wait.
    pub(super) fn wait(self) -> Result<FetchTimes, FetchRefusal> {
        let Self { queue, id, waiting } = self;
        let mut state = queue.lock_state();
        if waiting.is_none() {
            return Err(state.in_progress(&id));
        }
        let until = Instant::now() + MAX_CALLER_WAIT;
        // The lock is not held when `waiting` is dropped: it takes the lock itself.
        let reply = loop {
            if let Some((_, outcome)) = state.outcomes.get(&id) {
                break outcome.to_reply();
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break Err(state.in_progress(&id));
            }
            let waited = queue.changed.wait_timeout(state, left);
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

    /// Puts work in the queue that an earlier process noted; returns whether it was not there.
    pub(super) fn resume(&self, id: TdocId, kind: TdocJobKind) -> bool {
        let mut state = self.lock_state();
        let queue = match kind {
            TdocJobKind::Fetch => &mut state.fetches,
            TdocJobKind::Convert => &mut state.conversions,
        };
        let is_new = !queue.contains(&id);
        if is_new {
            queue.push_back(id);
        }
        is_new
    }

    /// The reply that needs no new fetch: what became of the last one, or that one is
    /// under way; none where a fetch is to be begun.
    pub(super) fn known_reply(&self, id: &TdocId) -> Option<Result<FetchTimes, FetchRefusal>> {
        let state = self.lock_state();
        if state.is_fetching(id) {
            return Some(Err(state.in_progress(id)));
        }
        if let Some((at, outcome)) = state.outcomes.get(id) {
            let lifetime = match outcome {
                // Callers that come back get its result; later it is tried again.
                FetchOutcome::Failed(_) => FAILURE_LIFETIME,
                FetchOutcome::Taken(_) | FetchOutcome::NotFound => OUTCOME_LIFETIME,
            };
            if at.elapsed() < lifetime {
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

    /// Puts a conversion in the queue.
    pub(super) fn push_conversion(&self, id: &TdocId) {
        let mut state = self.lock_state();
        if !state.conversions.contains(id) {
            state.conversions.push_back(id.clone());
        }
    }

    /// Takes a TDoc in hand; none where somebody has it.
    pub(super) fn claim(&self, id: &TdocId) -> Option<FetchClaim<'_>> {
        let is_new = self.lock_state().running.insert(id.clone());
        is_new.then(|| FetchClaim { queue: self, id: id.clone() })
    }

    /// Whether one more thread has work; it is counted as started.
    pub(super) fn admit_thread(&self) -> bool {
        let mut state = self.lock_state();
        let work = state.fetches.len() + state.conversions.len() + state.running.len();
        let is_needed = state.threads < FETCH_THREADS.min(work);
        if is_needed {
            state.threads += 1;
        }
        is_needed
    }

    /// A thread that was admitted did not start.
    pub(super) fn dismiss_thread(&self) {
        self.lock_state().threads -= 1;
    }

    /// The next work, fetches first; none where there is none, and the thread that asks ends.
    pub(super) fn next_work(&self) -> Option<(TdocId, TdocJobKind)> {
        let mut state = self.lock_state();
        loop {
            let fetch = state.fetches.pop_front().map(|id| (id, TdocJobKind::Fetch));
            let next = fetch
                .or_else(|| state.conversions.pop_front().map(|id| (id, TdocJobKind::Convert)));
            let Some((id, kind)) = next else {
                state.threads -= 1;
                return None;
            };
            // What another thread has in hand, it does for this too.
            if state.running.insert(id.clone()) {
                return Some((id, kind));
            }
        }
    }

    /// The work on a TDoc is no longer in hand.
    pub(super) fn release(&self, id: &TdocId) {
        self.lock_state().running.remove(id);
    }

    /// Tells those who wait that work is done, and what became of a fetch.
    pub(super) fn announce(&self, id: TdocId, outcome: Option<FetchOutcome>) {
        let mut state = self.lock_state();
        if let Some(outcome) = outcome {
            if state.outcomes.len() >= MAX_OUTCOMES {
                state.outcomes.retain(|_, (at, _)| at.elapsed() < OUTCOME_LIFETIME);
            }
            state.outcomes.insert(id, (Instant::now(), outcome));
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
        let (taken, kind) = queue.next_work().expect("one");
        assert!(taken == first && kind == TdocJobKind::Fetch);
        assert!(queue.claim(&first).is_none(), "it is in hand");
        queue.release(&first);
        queue.announce(taken, Some(FetchOutcome::NotFound));
        assert!(matches!(queued.wait(), Err(FetchRefusal::NotFound)));
        assert!(matches!(queue.known_reply(&first), Some(Err(FetchRefusal::NotFound))));
        assert!(queue.next_work().is_none());
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
