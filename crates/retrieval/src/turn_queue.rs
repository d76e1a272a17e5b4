//! Turns at work that uses all cores, such as reranking: one at a time, the owners in turn, until a deadline.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use cost_meter::Owner;

/// Share of the last turn in the average length of turns. With 1, a single slow turn would make the queue reject work
/// that has enough time.
const LAST_TURN_SHARE: f64 = 0.2;

/// One turn at a time. Owners take turns, and the work of one owner runs in order of arrival: an owner who searches a
/// lot waits behind itself.
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
    /// The tickets of each owner that wait, first come first.
    waiting: HashMap<Owner, VecDeque<u64>>,
    /// The owners of those tickets; the first one is next.
    turns: VecDeque<Owner>,
}

/// A turn; it ends when dropped.
pub(crate) struct Turn<'a> {
    queue: &'a TurnQueue,
    began: Instant,
}

impl TurnQueue {
    /// Waits for a turn until a deadline; `None` if it did not come in time, or will not, judging by the length of
    /// the queue.
    pub(crate) fn take_turn(&self, owner: Owner, deadline: Instant) -> Option<Turn<'_>> {
        let mut state = self.lock_state();
        let before = u32::try_from(state.turns_before(owner)).unwrap_or(u32::MAX);
        if Instant::now() + state.average * before > deadline {
            return None;
        }
        let ticket = state.add_ticket(owner);
        while !state.is_next(owner, ticket) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                state.remove_ticket(owner, ticket);
                // The next one may have waited for this one only.
                self.changed.notify_all();
                return None;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.begin_turn(owner, ticket);
        Some(Turn { queue: self, began: Instant::now() })
    }

    fn lock_state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TurnState {
    /// How many turns come before that of a new ticket: all that the owner waits for, and of each other one at most as many
    /// and one.
    fn turns_before(&self, owner: Owner) -> usize {
        let own = self.waiting.get(&owner).map_or(0, VecDeque::len);
        let others = self.waiting.iter().filter(|(other, _)| **other != owner);
        let others: usize = others.map(|(_, tickets)| tickets.len().min(own + 1)).sum();
        usize::from(self.is_taken) + own + others
    }

    fn add_ticket(&mut self, owner: Owner) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting.entry(owner).or_default().push_back(ticket);
        if !self.turns.contains(&owner) {
            self.turns.push_back(owner);
        }
        ticket
    }

    fn is_next(&self, owner: Owner, ticket: u64) -> bool {
        let first = self.waiting.get(&owner).and_then(VecDeque::front);
        !self.is_taken && self.turns.front() == Some(&owner) && first == Some(&ticket)
    }

    fn begin_turn(&mut self, owner: Owner, ticket: u64) {
        self.is_taken = true;
        self.remove_ticket(owner, ticket);
        if let Some(place) = self.turns.iter().position(|other| *other == owner) {
            self.turns.remove(place);
            self.turns.push_back(owner);
        }
    }

    fn remove_ticket(&mut self, owner: Owner, ticket: u64) {
        let Some(tickets) = self.waiting.get_mut(&owner) else { return };
        tickets.retain(|waiting| *waiting != ticket);
        if tickets.is_empty() {
            self.waiting.remove(&owner);
            self.turns.retain(|other| *other != owner);
        }
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

    const ANN: Owner = Owner::Account(1);
    const BOB: Owner = Owner::Account(2);

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// The order in which turns come to owners that ask one after the other.
    fn order_of(owners: &[Owner]) -> Vec<usize> {
        let queue = TurnQueue::default();
        let held = queue.take_turn(ANN, far()).expect("free");
        let (sender, order) = mpsc::channel();
        thread::scope(|scope| {
            for (number, owner) in owners.iter().enumerate() {
                let (queue, sender) = (&queue, sender.clone());
                scope.spawn(move || {
                    let turn = queue.take_turn(*owner, far()).expect("a turn");
                    sender.send(number).expect("received");
                    drop(turn);
                });
                while queue.lock_state().waiting.values().flatten().count() <= number {
                    thread::yield_now();
                }
            }
            drop(held);
        });
        drop(sender);
        let state = queue.lock_state();
        assert!(state.waiting.is_empty() && state.turns.is_empty());
        order.iter().collect()
    }

    #[test]
    fn turns_of_one_owner_come_in_order_and_owners_take_turns() {
        assert_eq!(order_of(&[ANN, ANN, ANN]), [0, 1, 2]);
        assert_eq!(order_of(&[ANN, ANN, ANN, ANN, BOB, BOB]), [0, 4, 1, 5, 2, 3]);
    }

    #[test]
    fn late_ones_do_not_come() {
        let queue = TurnQueue::default();
        let _held = queue.take_turn(ANN, far()).expect("free");
        assert!(queue.take_turn(BOB, Instant::now()).is_none(), "there is no time to wait");
        assert!(queue.lock_state().turns.is_empty());
    }

    #[test]
    fn who_would_wait_too_long_does_not_wait_at_all() {
        let queue = TurnQueue::default();
        let held = queue.take_turn(ANN, far());
        queue.lock_state().average = Duration::from_secs(3600);
        let began = Instant::now();
        assert!(queue.take_turn(ANN, far()).is_none());
        assert!(began.elapsed() < Duration::from_secs(30), "it did not wait for the deadline");
        drop(held);
    }

    #[test]
    fn the_queue_of_one_owner_does_not_make_that_of_another_longer() {
        let queue = TurnQueue::default();
        let mut state = queue.lock_state();
        state.is_taken = true;
        for _ in 0..40 {
            state.add_ticket(ANN);
        }
        assert_eq!((state.turns_before(ANN), state.turns_before(BOB)), (41, 2));
    }
}
