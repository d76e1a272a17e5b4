//! Bounds how much work runs at once, and how much waits for its turn. Owners take turns: the requests of a busy
//! owner wait for each other and do not delay those of others.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

use cost_meter::Owner;
use wire::Failure;

/// Seconds after which a refused client may try again.
const RETRY_AFTER_S: u64 = 2;

/// A bounded number of workers with a bounded queue before them.
#[derive(Clone)]
pub(super) struct Gate(Arc<Mutex<GateState>>);

struct GateState {
    free_workers: usize,
    max_workers_of_owner: usize,
    queue_capacity: usize,
    max_waiting_of_owner: usize,
    /// The workers that each owner has.
    running: HashMap<Owner, usize>,
    /// The requests of each owner that wait. Those that gave up are left until their turn comes.
    waiting: HashMap<Owner, VecDeque<oneshot::Sender<WorkerPermit>>>,
    /// The owners of those requests, in the order of their turns.
    turns: VecDeque<Owner>,
}

/// A worker that an owner has until it is dropped.
pub(super) struct WorkerPermit {
    gate: Option<Gate>,
    owner: Owner,
}

impl Drop for WorkerPermit {
    fn drop(&mut self) {
        let Some(gate) = self.gate.take() else { return };
        let mut state = gate.lock_state();
        state.take_back(self.owner);
        state.give_to_waiting(&gate);
    }
}

impl Gate {
    /// A gate at which no owner has more than half of the workers, or of the queue. Before, 64 slow requests of one
    /// key locked everybody else out.
    pub(super) fn by_owner(workers: usize, queue_capacity: usize) -> Self {
        Self::new(workers, queue_capacity, |places| places.div_ceil(2))
    }

    /// A gate for requests that have no owner.
    pub(super) fn shared(workers: usize, queue_capacity: usize) -> Self {
        Self::new(workers, queue_capacity, |places| places)
    }

    fn new(workers: usize, queue_capacity: usize, of_owner: fn(usize) -> usize) -> Self {
        Self(Arc::new(Mutex::new(GateState {
            free_workers: workers,
            max_workers_of_owner: of_owner(workers),
            queue_capacity,
            max_waiting_of_owner: of_owner(queue_capacity),
            running: HashMap::new(),
            waiting: HashMap::new(),
            turns: VecDeque::new(),
        })))
    }

    /// The number of requests that wait for a worker.
    pub(super) fn waiting_count(&self) -> usize {
        self.lock_state().waiting_count()
    }

    /// Waits for a worker; refuses at once when the queue is full, or the owner's half of it.
    pub(super) async fn acquire_worker(&self, owner: Owner) -> Result<WorkerPermit, Failure> {
        let overloaded = || Failure::Overloaded { retry_after_s: RETRY_AFTER_S };
        let turn = {
            let mut state = self.lock_state();
            if !state.has_room_for(owner) {
                return Err(overloaded());
            }
            let turn = state.add_waiting(owner);
            state.give_to_waiting(self);
            turn
        };
        turn.await.map_err(|_| overloaded())
    }

    fn lock_state(&self) -> MutexGuard<'_, GateState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GateState {
    fn waiting_count(&self) -> usize {
        self.waiting.values().flatten().filter(|request| !request.is_closed()).count()
    }

    /// Whether a request of an owner runs at once or may wait.
    fn has_room_for(&mut self, owner: Owner) -> bool {
        if self.can_run(owner) {
            return true;
        }
        let max = self.max_waiting_of_owner;
        let own = self.waiting.get_mut(&owner).map_or(0, |own| {
            // Requests that gave up stay in the queue until their turn, and must not keep new ones out.
            if own.len() >= max {
                own.retain(|request| !request.is_closed());
            }
            own.len()
        });
        own < max && self.waiting_count() < self.queue_capacity
    }

    fn can_run(&self, owner: Owner) -> bool {
        let running = self.running.get(&owner).copied().unwrap_or_default();
        self.free_workers > 0 && running < self.max_workers_of_owner
    }

    fn add_waiting(&mut self, owner: Owner) -> oneshot::Receiver<WorkerPermit> {
        let (give, turn) = oneshot::channel();
        let own = self.waiting.entry(owner).or_default();
        own.push_back(give);
        if !self.turns.contains(&owner) {
            self.turns.push_back(owner);
        }
        turn
    }

    fn take_back(&mut self, owner: Owner) {
        self.free_workers += 1;
        if let Some(running) = self.running.get_mut(&owner) {
            *running -= 1;
            if *running == 0 {
                self.running.remove(&owner);
            }
        }
    }

    /// Gives free workers to those that wait, in turns. Owners at their limit keep their place in the order.
    fn give_to_waiting(&mut self, gate: &Gate) {
        while let Some(place) = self.turns.iter().position(|owner| self.can_run(*owner)) {
            let Some(owner) = self.turns.remove(place) else { return };
            let Some(own) = self.waiting.get_mut(&owner) else { continue };
            let next = own.pop_front();
            if own.is_empty() {
                self.waiting.remove(&owner);
            } else {
                self.turns.push_back(owner);
            }
            let Some(request) = next else { continue };
            let worker = WorkerPermit { gate: Some(gate.clone()), owner };
            match request.send(worker) {
                Ok(()) => {
                    self.free_workers -= 1;
                    *self.running.entry(owner).or_default() += 1;
                }
                // It gave up. The worker must not be given back: that would wait for this very lock.
                Err(mut worker) => worker.gate = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: Owner = Owner::Account(1);
    const BOB: Owner = Owner::Account(2);

    /// Requests that wait, each with its owner.
    fn wait(gate: &Gate, owners: &[Owner]) -> Vec<tokio::task::JoinHandle<Owner>> {
        let wait_as = |owner: &Owner| {
            let (gate, owner) = (gate.clone(), *owner);
            tokio::spawn(async move {
                let worker = gate.acquire_worker(owner).await.expect("a turn");
                // Whoever is next must not come before this one is noted.
                tokio::task::yield_now().await;
                drop(worker);
                owner
            })
        };
        owners.iter().map(wait_as).collect()
    }

    async fn until_waiting(gate: &Gate, count: usize) {
        while gate.waiting_count() != count {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_an_empty_one_admits() {
        let gate = Gate::shared(1, 1);
        let held = gate.acquire_worker(ANN).await.expect("free");
        let queued = wait(&gate, &[ANN]);
        until_waiting(&gate, 1).await;
        for owner in [ANN, BOB] {
            assert!(matches!(gate.acquire_worker(owner).await, Err(Failure::Overloaded { .. })));
        }
        drop(held);
        for request in queued {
            request.await.expect("admitted");
        }
        drop(gate.acquire_worker(BOB).await.expect("free again"));
    }

    #[tokio::test]
    async fn no_owner_has_more_than_half_of_the_workers_or_of_the_queue() {
        let gate = Gate::by_owner(4, 4);
        let first = gate.acquire_worker(ANN).await.expect("free");
        let _second = gate.acquire_worker(ANN).await.expect("free");
        let _queued = wait(&gate, &[ANN, ANN]);
        until_waiting(&gate, 2).await;
        assert!(gate.acquire_worker(ANN).await.is_err(), "its half of the queue is full");
        let _others = [gate.acquire_worker(BOB).await, gate.acquire_worker(BOB).await]
            .map(|worker| worker.expect("free"));
        drop(first);
        until_waiting(&gate, 1).await;
    }

    #[tokio::test]
    async fn owners_take_turns_however_many_requests_one_of_them_has() {
        let gate = Gate::by_owner(1, 64);
        let held = gate.acquire_worker(ANN).await.expect("free");
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut all = Vec::new();
        for owner in [ANN, ANN, ANN, ANN, BOB, BOB] {
            let (gate, order) = (gate.clone(), order.clone());
            let before = gate.waiting_count();
            let waits_in = gate.clone();
            all.push(tokio::spawn(async move {
                let _worker = gate.acquire_worker(owner).await.expect("a turn");
                order.lock().expect("not poisoned").push(owner);
            }));
            until_waiting(&waits_in, before + 1).await;
        }
        drop(held);
        for request in all {
            request.await.expect("ran");
        }
        assert_eq!(*order.lock().expect("not poisoned"), [ANN, BOB, ANN, BOB, ANN, ANN]);
    }

    #[tokio::test]
    async fn who_gives_up_holds_nothing() {
        let gate = Gate::by_owner(1, 2);
        let held = gate.acquire_worker(ANN).await.expect("free");
        let queued = wait(&gate, &[ANN]);
        until_waiting(&gate, 1).await;
        queued.iter().for_each(tokio::task::JoinHandle::abort);
        until_waiting(&gate, 0).await;
        drop(held);
        drop(gate.acquire_worker(BOB).await.expect("free"));
        let state = gate.lock_state();
        assert_eq!((state.free_workers, state.running.len(), state.turns.len()), (1, 0, 0));
    }
}
