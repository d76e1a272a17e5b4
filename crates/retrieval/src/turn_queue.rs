//! Turns at work that uses all cores, such as reranking.

use super::RetrievalError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A bounded number of turns at once, with a bounded number of waiters before them.
pub(crate) struct TurnQueue {
    state: Mutex<TurnCounts>,
    freed: Condvar,
    turns: usize,
    queue: usize,
    /// Seconds after which a refused client may try again.
    retry_after_s: u64,
}

#[derive(Default)]
struct TurnCounts {
    running: usize,
    waiting: usize,
}

/// A turn; it ends when dropped.
pub(crate) struct Turn<'a>(&'a TurnQueue);

impl TurnQueue {
    pub(crate) fn new(turns: usize, queue: usize, retry_after_s: u64) -> Self {
        Self { state: Mutex::default(), freed: Condvar::new(), turns, queue, retry_after_s }
    }

    /// Waits for a turn; refuses at once when too many wait already.
    pub(crate) fn take_turn(&self) -> Result<Turn<'_>, RetrievalError> {
        let mut state = self.lock_counts();
        if state.running >= self.turns {
            if state.waiting >= self.queue {
                return Err(RetrievalError::Overloaded { retry_after_s: self.retry_after_s });
            }
            state.waiting += 1;
            while state.running >= self.turns {
                state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.waiting -= 1;
        }
        state.running += 1;
        Ok(Turn(self))
    }

    fn lock_counts(&self) -> MutexGuard<'_, TurnCounts> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock_counts().running -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_and_a_free_turn_is_given() {
        let slots = TurnQueue::new(1, 1, 5);
        let held = slots.take_turn().expect("free");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| slots.take_turn().map(drop));
            while slots.lock_counts().waiting == 0 {
                std::thread::yield_now();
            }
            assert!(matches!(
                slots.take_turn(),
                Err(RetrievalError::Overloaded { retry_after_s: 5 })
            ));
            drop(held);
            waiter.join().expect("no panic").expect("a turn");
        });
        drop(slots.take_turn().expect("free again"));
    }
}
