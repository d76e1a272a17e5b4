//! Threads that live as long as the server: one that ends by a panic is started again after a pause, and counted.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// Pause before the first new start; each further one takes twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(64);
/// How long `/health` tells of a panic.
const TOLD_FOR: Duration = Duration::from_secs(3600);

/// Starts such threads, and knows which of them panicked.
#[derive(Debug, Default)]
pub(crate) struct ThreadSupervisor {
    panics: Mutex<BTreeMap<&'static str, ThreadPanics>>,
}

#[derive(Debug, Clone, Copy)]
struct ThreadPanics {
    count: u32,
    last: Instant,
}

impl ThreadSupervisor {
    /// Runs work on a thread of its own until it returns. Where it panics it begins anew; what it has not stored it finds again.
    pub(crate) fn start(
        self: &Arc<Self>,
        name: &'static str,
        work: impl Fn() + Send + 'static,
    ) -> std::io::Result<()> {
        let supervisor = self.clone();
        let run = move || {
            // A panic has been logged by the hook.
            while catch_unwind(AssertUnwindSafe(&work)).is_err() {
                let pause = supervisor.note_panic(name);
                tracing::error!(
                    thread = name,
                    ?pause,
                    "a thread of the server panicked and is started again after a pause"
                );
                thread::sleep(pause);
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
    }

    /// Counts a panic; returns the pause before the next start.
    fn note_panic(&self, name: &'static str) -> Duration {
        metrics::counter!("specbox_thread_panics_total", "thread" => name).increment(1);
        let now = Instant::now();
        let mut panics = self.lock();
        let of_thread = panics.entry(name).or_insert(ThreadPanics { count: 0, last: now });
        // Long after the last one it is another fault.
        if of_thread.last.elapsed() > TOLD_FOR {
            of_thread.count = 0;
        }
        of_thread.count += 1;
        of_thread.last = now;
        MAX_PAUSE.min(FIRST_PAUSE * 2_u32.saturating_pow(of_thread.count - 1))
    }

    /// The threads that panicked lately, each with how often.
    pub(crate) fn recent_panics(&self) -> Vec<(&'static str, u32)> {
        let panics = self.lock();
        let recent = panics.iter().filter(|(_, panics)| panics.last.elapsed() < TOLD_FOR);
        recent.map(|(name, panics)| (*name, panics.count)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, ThreadPanics>> {
        self.panics.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        atomic::{AtomicU32, Ordering},
        mpsc,
    };

    use super::*;

    #[test]
    fn a_thread_that_panics_is_started_again_and_told_of() {
        let supervisor = Arc::new(ThreadSupervisor::default());
        let (sender, receiver) = mpsc::channel();
        let starts = AtomicU32::new(0);
        let work = move || {
            let start = starts.fetch_add(1, Ordering::Relaxed);
            assert!(start > 0, "the first time");
            sender.send(start).expect("received");
        };
        supervisor.start("replica", work).expect("started");
        assert_eq!(receiver.recv_timeout(Duration::from_secs(30)), Ok(1));
        // It has returned: it is not started a third time.
        assert!(receiver.recv_timeout(Duration::from_secs(30)).is_err());
        assert_eq!(supervisor.recent_panics(), [("replica", 1)]);
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let supervisor = ThreadSupervisor::default();
        let pauses: Vec<u64> =
            (0..40).map(|_| supervisor.note_panic("vectors").as_secs()).collect();
        assert_eq!(pauses[..8], [1, 2, 4, 8, 16, 32, 64, 64]);
        assert_eq!(pauses[39], 64);
    }
}
