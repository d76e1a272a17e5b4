//! Whether searches are running, so that work in the background can wait.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// After a search, the machine counts as busy for this long: the next search often follows at once.
const QUIET_AFTER: Duration = Duration::from_millis(150);

/// Counts the searches that run.
#[derive(Debug, Default)]
pub struct SearchActivity {
    state: Mutex<ActivityState>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct ActivityState {
    running: usize,
    last_end: Option<Instant>,
}

/// A search that runs; it has ended when dropped.
#[derive(Debug)]
pub struct RunningSearch<'a>(&'a SearchActivity);

impl SearchActivity {
    /// Notes that a search begins; `None` if `most` are already running.
    pub fn begin_search(&self, most: usize) -> Option<RunningSearch<'_>> {
        let mut state = self.lock_state();
        if state.running >= most {
            return None;
        }
        state.running += 1;
        Some(RunningSearch(self))
    }

    /// Waits until no search is running and none has just ended, or for `longest`: under steady load, background work
    /// continues slowly.
    pub fn wait_until_quiet(&self, longest: Duration) {
        let deadline = Instant::now() + longest;
        let mut state = self.lock_state();
        loop {
            let now = Instant::now();
            let quiet_at = match (state.running, state.last_end) {
                (0, None) => return,
                (0, Some(end)) => end + QUIET_AFTER,
                _ => deadline,
            };
            if quiet_at <= now || deadline <= now {
                return;
            }
            let wait = quiet_at.min(deadline) - now;
            let waited = self.ended.wait_timeout(state, wait);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, ActivityState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningSearch<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock_state();
        state.running -= 1;
        state.last_end = Some(Instant::now());
        self.0.ended.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So long that a test fails by its assertion, not by the clock.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn background_work_waits_for_searches_and_goes_on_under_steady_load() {
        let activity = SearchActivity::default();
        let began = Instant::now();
        activity.wait_until_quiet(LONG);
        assert!(began.elapsed() < LONG / 2, "nothing runs");
        let running = activity.begin_search(1);
        assert!(running.is_some() && activity.begin_search(1).is_none());
        let began = Instant::now();
        activity.wait_until_quiet(Duration::from_millis(20));
        assert!(began.elapsed() >= Duration::from_millis(20), "a search runs");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| activity.wait_until_quiet(LONG));
            drop(running);
            waiter.join().expect("no panic");
        });
    }
}
