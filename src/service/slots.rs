//! Turns at work that uses all cores, such as reranking.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use wire::Failure;

/// A bounded number of turns at once, with a bounded number of waiters before them.
pub(super) struct Slots {
    state: Mutex<State>,
    freed: Condvar,
    turns: usize,
    queue: usize,
    /// Seconds after which a refused client may try again.
    retry_after_s: u64,
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: usize,
}

/// A turn; it ends when dropped.
pub(super) struct Turn<'a>(&'a Slots);

impl Slots {
    pub(super) fn new(turns: usize, queue: usize, retry_after_s: u64) -> Self {
        Self { state: Mutex::default(), freed: Condvar::new(), turns, queue, retry_after_s }
    }

    /// Waits for a turn; refuses at once when too many wait already.
    pub(super) fn take(&self) -> Result<Turn<'_>, Failure> {
        let mut state = self.lock();
        if state.running >= self.turns {
            if state.waiting >= self.queue {
                return Err(Failure::Overloaded { retry_after_s: self.retry_after_s });
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

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_and_a_free_turn_is_given() {
        let slots = Slots::new(1, 1, 5);
        let held = slots.take().expect("free");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| slots.take().map(drop));
            while slots.lock().waiting == 0 {
                std::thread::yield_now();
            }
            assert!(matches!(slots.take(), Err(Failure::Overloaded { retry_after_s: 5 })));
            drop(held);
            waiter.join().expect("no panic").expect("a turn");
        });
        drop(slots.take().expect("free again"));
    }
}
