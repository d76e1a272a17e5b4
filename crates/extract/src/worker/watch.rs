//! Watches the reading of a file: receives its progress, and may end it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Waits for a file: receives its progress, and may end its reading.
pub struct ReadingWatch<'a> {
    stop: Option<&'a AtomicBool>,
    hear: &'a dyn Fn(f64),
}

impl<'a> ReadingWatch<'a> {
    /// A watch that ends the reading when `stop` is set; `hear` receives the share of the file that is read, 0 to 1.
    pub fn new(stop: &'a AtomicBool, hear: &'a dyn Fn(f64)) -> Self {
        Self { stop: Some(stop), hear }
    }

    /// Waits to the end.
    pub(super) fn patient() -> Self {
        Self { stop: None, hear: &|_| {} }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Acquire))
    }

    pub(super) fn hear(&self, share: f64) {
        // A child that was taken over may send anything.
        if (0.0..=1.0).contains(&share) {
            (self.hear)(share);
        }
    }
}
