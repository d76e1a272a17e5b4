//! Who waits for a file that is read: hears how far it is, and may end it.

use std::sync::atomic::{AtomicBool, Ordering};

/// Waits for a file: hears how far it is, and may end it.
pub struct ReadingWatch<'a> {
    stop: Option<&'a AtomicBool>,
    hear: &'a dyn Fn(f64),
}

impl<'a> ReadingWatch<'a> {
    /// A watch that ends the reading when `stop` is set; `hear` gets the share of the file that is read, 0 to 1.
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
