//! Waiting for a condition, never for a while.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Nothing that works takes this long.
const DEADLINE: Duration = Duration::from_secs(120);

/// Between two looks.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns what `look` gives as soon as it gives something; `what` says what is waited for.
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + DEADLINE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "{what}: not within {DEADLINE:?}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// Returns once `condition` holds.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    wait_for(what, || condition().then_some(()));
}
