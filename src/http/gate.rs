//! Bounds how much work runs at once, and how much waits for its turn.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use wire::Failure;

/// Seconds after which a refused client may try again.
const RETRY_AFTER_S: u64 = 2;

/// A bounded number of workers with a bounded queue before them.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    workers: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    queue_capacity: usize,
}

/// A slot in the queue; released when dropped, however the wait ends.
struct QueueTicket(Arc<AtomicUsize>);

impl Drop for QueueTicket {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Gate {
    pub(super) fn new(workers: usize, queue_capacity: usize) -> Self {
        let workers = Arc::new(Semaphore::new(workers));
        Self { workers, waiting: Arc::default(), queue_capacity }
    }

    /// The number of requests that wait for a worker.
    pub(super) fn waiting_count(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// Waits for a worker; refuses at once when the queue is full.
    pub(super) async fn acquire_worker(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let overloaded = || Failure::Overloaded { retry_after_s: RETRY_AFTER_S };
        let waiting_before = self.waiting.fetch_add(1, Ordering::AcqRel);
        let _ticket = QueueTicket(self.waiting.clone());
        if waiting_before >= self.queue_capacity {
            return Err(overloaded());
        }
        self.workers.clone().acquire_owned().await.map_err(|_| overloaded())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_and_an_empty_one_admits() {
        let gate = Gate::new(1, 1);
        let held = gate.acquire_worker().await.expect("free");
        let queued = tokio::spawn({
            let gate = gate.clone();
            async move { gate.acquire_worker().await.map(drop) }
        });
        while gate.waiting.load(Ordering::Acquire) == 0 {
            tokio::task::yield_now().await;
        }
        assert!(matches!(gate.acquire_worker().await, Err(Failure::Overloaded { .. })));
        drop(held);
        queued.await.expect("ran").expect("admitted");
        drop(gate.acquire_worker().await.expect("free again"));
    }
}
