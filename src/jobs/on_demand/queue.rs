//! The queue of versions to be fetched and of folders to be listed: each once, one after the other, however many callers ask. It
//! has its own lock, and knows nothing of the store or of the source.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{DocNumber, Version};

/// Tasks that wait, of all accounts and of one. Reading a specification takes from seconds to a minute.
const MAX_WAITING: usize = 100;
const MAX_OF_ACCOUNT: usize = 5;
/// Callers that wait at once; others are told to come back.
const MAX_WAITING_CALLERS: usize = 2;
/// How long a failed fetch is not tried again, and a failed listing.
const FETCH_FAILURE_LIFETIME: Duration = Duration::from_secs(600);
const LISTING_FAILURE_LIFETIME: Duration = Duration::from_secs(60);
/// Failures that are remembered.
const MAX_FAILURES: usize = 1000;
/// Seconds after which a caller may retry: while its task runs, for each task ahead, and at most.
const RETRY_AFTER_S: u64 = 5;
const RETRY_PER_TASK_S: u64 = 10;
const MAX_RETRY_AFTER_S: u64 = 600;

/// What the thread does for callers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum SourceTask {
    /// Asks what the folder of a document contains.
    List(DocNumber),
    /// Fetches and reads a version.
    Fetch(DocNumber, Version),
}

/// How far the running task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TaskStage {
    /// The source is asked what it lists.
    Listing,
    /// Files are downloaded.
    Downloading,
    /// Another job changes the index.
    WaitingForIndex,
    /// The files are read: percent.
    Reading(u8),
}

impl TaskStage {
    fn describe(self) -> String {
        match self {
            Self::Listing => "the source is asked what it lists".to_owned(),
            Self::Downloading => "its files are downloaded".to_owned(),
            Self::WaitingForIndex => "it waits for another job that changes the index".to_owned(),
            Self::Reading(percent) => format!("it is read, {percent} % done"),
        }
    }
}

/// Why a caller gets no result of a task now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TaskRefusal {
    /// It runs or waits.
    InProgress {
        /// How far it is, as a fragment.
        stage: String,
        retry_after_s: u64,
    },
    /// It failed, a short time ago or now: a sentence.
    Failed(String),
    /// Too many tasks wait, of this account or of all.
    Full { retry_after_s: u64 },
}

/// Whether a caller may wait for its task, and how long.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallerPatience {
    pub(super) duration: Duration,
    /// Whether it counts among the callers that wait.
    pub(super) is_limited: bool,
}

#[derive(Debug)]
struct RunningTask {
    task: SourceTask,
    account: Option<u32>,
    stage: TaskStage,
    started: Instant,
}

#[derive(Debug, Default)]
struct TaskQueueState {
    waiting: VecDeque<(SourceTask, Option<u32>)>,
    running: Option<RunningTask>,
    failures: HashMap<SourceTask, (Instant, String)>,
    has_thread: bool,
    waiting_callers: usize,
}

impl TaskQueueState {
    /// How far a task is, and how many are before it; `None` if it neither runs nor waits.
    fn position(&self, task: &SourceTask) -> Option<(String, usize)> {
        if let Some(running) = self.running.as_ref().filter(|running| running.task == *task) {
            let seconds = running.started.elapsed().as_secs();
            return Some((format!("{}, since {seconds} s", running.stage.describe()), 0));
        }
        let ahead = self.waiting.iter().position(|(waiting, _)| waiting == task)?;
        let ahead = ahead + usize::from(self.running.is_some());
        Some((format!("it waits for its turn, {ahead} before it"), ahead))
    }

    fn in_progress(&self, task: &SourceTask) -> Option<TaskRefusal> {
        let (stage, ahead) = self.position(task)?;
        let retry_after_s = RETRY_AFTER_S.saturating_add(RETRY_PER_TASK_S * ahead as u64);
        Some(TaskRefusal::InProgress { stage, retry_after_s: retry_after_s.min(MAX_RETRY_AFTER_S) })
    }

    /// Why a task failed a short time ago, if it did.
    fn failure(&self, task: &SourceTask) -> Option<String> {
        let lifetime = match task {
            SourceTask::List(_) => LISTING_FAILURE_LIFETIME,
            SourceTask::Fetch(..) => FETCH_FAILURE_LIFETIME,
        };
        let (_, reason) = self.failures.get(task).filter(|(at, _)| at.elapsed() < lifetime)?;
        Some(reason.clone())
    }

    /// Counts the tasks of an account that wait or run.
    fn count_of(&self, account: Option<u32>) -> usize {
        let running = self.running.as_ref().filter(|running| running.account == account);
        let waiting = self.waiting.iter().filter(|(_, of)| *of == account).count();
        waiting + usize::from(running.is_some())
    }
}

/// The queue, shared by callers and the thread.
#[derive(Debug, Default)]
pub(in crate::jobs) struct SourceTaskQueue {
    state: Mutex<TaskQueueState>,
    changed: Condvar,
    /// Set when the server stops.
    pub(super) cancelled: AtomicBool,
}

impl SourceTaskQueue {
    fn lock(&self) -> MutexGuard<'_, TaskQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a task, unless it runs, waits, or failed a short time ago, and waits for its end as long as the caller may.
    /// `start_thread` is called if no thread works on the queue.
    pub(super) fn await_task(
        &self,
        task: &SourceTask,
        account: Option<u32>,
        patience: CallerPatience,
        start_thread: impl FnOnce(),
    ) -> Result<(), TaskRefusal> {
        let mut state = self.lock();
        if let Some(reason) = state.failure(task) {
            return Err(TaskRefusal::Failed(reason));
        }
        if state.position(task).is_none() {
            if state.waiting.len() >= MAX_WAITING || state.count_of(account) >= MAX_OF_ACCOUNT {
                let retry_after_s = RETRY_PER_TASK_S * MAX_OF_ACCOUNT as u64;
                return Err(TaskRefusal::Full { retry_after_s });
            }
            state.failures.remove(task);
            state.waiting.push_back((task.clone(), account));
        }
        if !state.has_thread {
            state.has_thread = true;
            drop(state);
            start_thread();
            state = self.lock();
        }
        let may_wait = !patience.is_limited || state.waiting_callers < MAX_WAITING_CALLERS;
        let wait_for = if may_wait { patience.duration } else { Duration::ZERO };
        state.waiting_callers += 1;
        let (mut state, reply) = self.wait_for_end(state, task, Instant::now() + wait_for);
        state.waiting_callers -= 1;
        reply
    }

    fn wait_for_end<'a>(
        &'a self,
        mut state: MutexGuard<'a, TaskQueueState>,
        task: &SourceTask,
        deadline: Instant,
    ) -> (MutexGuard<'a, TaskQueueState>, Result<(), TaskRefusal>) {
        loop {
            let Some(in_progress) = state.in_progress(task) else {
                let failure = state.failure(task).map(TaskRefusal::Failed);
                let reply = failure.map_or(Ok(()), Err);
                return (state, reply);
            };
            let remaining = deadline.saturating_duration_since(Instant::now());
            if remaining.is_zero() || self.cancelled.load(Ordering::Acquire) {
                return (state, Err(in_progress));
            }
            let waited = self.changed.wait_timeout(state, remaining);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The next task; `None` if there is none or the server stops, and the calling thread then no longer counts.
    pub(super) fn next_task(&self) -> Option<SourceTask> {
        let mut state = self.lock();
        let is_cancelled = self.cancelled.load(Ordering::Acquire);
        let next = if is_cancelled { None } else { state.waiting.pop_front() };
        let Some((task, account)) = next else {
            state.has_thread = false;
            return None;
        };
        let stage = match task {
            SourceTask::List(_) => TaskStage::Listing,
            SourceTask::Fetch(..) => TaskStage::Downloading,
        };
        let started = Instant::now();
        state.running = Some(RunningTask { task: task.clone(), account, stage, started });
        Some(task)
    }

    /// Records how far the running task is.
    pub(super) fn report_stage(&self, stage: TaskStage) {
        if let Some(running) = &mut self.lock().running {
            running.stage = stage;
        }
    }

    /// Ends the running task, and wakes the callers that wait.
    pub(super) fn end_task(&self, task: SourceTask, outcome: Result<(), String>) {
        let mut state = self.lock();
        state.running = None;
        if let Err(reason) = outcome {
            if state.failures.len() >= MAX_FAILURES {
                state.failures.clear();
            }
            state.failures.insert(task, (Instant::now(), reason));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// The thread could not be started: what waits fails.
    pub(super) fn fail_waiting(&self, reason: &str) {
        let mut state = self.lock();
        state.has_thread = false;
        let waiting = std::mem::take(&mut state.waiting);
        let now = Instant::now();
        state
            .failures
            .extend(waiting.into_iter().map(|(task, _)| (task, (now, reason.to_owned()))));
        drop(state);
        self.changed.notify_all();
    }

    /// The reason for which the folder of a document could not be listed a short time ago.
    pub(super) fn listing_failure(&self, number: &DocNumber) -> Option<String> {
        self.lock().failure(&SourceTask::List(number.clone()))
    }

    /// Ends what runs and starts nothing more; callers that wait are answered at once.
    pub(super) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        // Under the lock, so that no caller misses it between its look and its wait.
        drop(self.lock());
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests;
