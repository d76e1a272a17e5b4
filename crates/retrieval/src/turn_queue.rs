//! Turns at work that uses all cores, such as reranking: first come, first served, until a deadline.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Share of the last turn in the average length of turns.
const LAST_TURN_SHARE: f64 = 0.2;

/// One turn at a time; whoever came first is next.
#[derive(Default)]
pub(crate) struct TurnQueue {
    state: Mutex<TurnState>,
    changed: Condvar,
}

#[derive(Default)]
struct TurnState {
    is_taken: bool,
    next_ticket: u64,
    /// Average length of the last turns.
    average: Duration,
    waiting: VecDeque<u64>,
}

/// A turn; it ends when dropped.
pub(crate) struct Turn<'a> {
    queue: &'a TurnQueue,
    began: Instant,
}

impl TurnQueue {
    /// Waits for a turn until a deadline; none where it did not come in time, or by the length of the queue will not.
    pub(crate) fn take_turn(&self, deadline: Instant) -> Option<Turn<'_>> {
        let mut state = self.lock_state();
        let before = state.waiting.len() + usize::from(state.is_taken);
        let wait = state.average * u32::try_from(before).unwrap_or(u32::MAX);
        if Instant::now() + wait > deadline {
            return None;
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting.push_back(ticket);
        while state.is_taken || state.waiting.front() != Some(&ticket) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.waiting.retain(|waiting| *waiting != ticket);
                // The next one may have waited for this one only.
                self.changed.notify_all();
                return None;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting.pop_front();
        state.is_taken = true;
        Some(Turn { queue: self, began: Instant::now() })
    }

    fn lock_state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.queue.lock_state();
        state.is_taken = false;
        let last = self.began.elapsed().mul_f64(LAST_TURN_SHARE);
        state.average = state.average.mul_f64(1.0 - LAST_TURN_SHARE) + last;
        drop(state);
        self.queue.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, thread};

    use super::*;

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn turns_come_in_order_and_late_ones_do_not_come() {
        let queue = TurnQueue::default();
        let held = queue.take_turn(far()).expect("free");
        assert!(queue.take_turn(Instant::now()).is_none(), "there is no time to wait");
        let (sender, order) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..3 {
                let (queue, sender) = (&queue, sender.clone());
                scope.spawn(move || {
                    let turn = queue.take_turn(far()).expect("a turn");
                    sender.send(number).expect("received");
                    drop(turn);
                });
                while queue.lock_state().waiting.len() <= number {
                    thread::yield_now();
                }
            }
            drop(held);
        });
        drop(sender);
        assert_eq!(order.iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert!(queue.lock_state().waiting.is_empty());
    }

    #[test]
    fn who_would_wait_too_long_does_not_wait_at_all() {
        let queue = TurnQueue::default();
        let held = queue.take_turn(far());
        queue.lock_state().average = Duration::from_secs(3600);
        let began = Instant::now();
        assert!(queue.take_turn(far()).is_none());
        assert!(began.elapsed() < Duration::from_secs(30), "it did not wait for the deadline");
        drop(held);
    }
}
