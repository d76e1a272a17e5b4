//! The threads models run on: one pool of one thread for each core.
//!
//! A batch runs on one lane from beginning to end. In one pool of many threads, a thread that waits inside a matrix
//! product would start another batch meanwhile, and memory and latency would be unbounded. Queries have separate
//! lanes, so that a search does not wait behind the batches of an import; the system shares the cores between the
//! two.

use std::{
    num::NonZero,
    panic::resume_unwind,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::NeuralError;

/// A set of single-thread pools.
pub(super) struct WorkerLanes {
    pools: Vec<ThreadPool>,
    next: AtomicUsize,
}

impl WorkerLanes {
    /// Returns the lanes for documents that are indexed.
    pub(super) fn document_lanes() -> Result<&'static Self, NeuralError> {
        static LANES: OnceLock<WorkerLanes> = OnceLock::new();
        Self::init_shared(&LANES, "embed-documents")
    }

    /// Returns the lanes for queries and for the passages reranked for them.
    pub(super) fn query_lanes() -> Result<&'static Self, NeuralError> {
        static LANES: OnceLock<WorkerLanes> = OnceLock::new();
        Self::init_shared(&LANES, "embed-queries")
    }

    fn init_shared(
        lanes: &'static OnceLock<Self>,
        name: &'static str,
    ) -> Result<&'static Self, NeuralError> {
        if let Some(lanes) = lanes.get() {
            return Ok(lanes);
        }
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let built = Self::new(cores, name)?;
        Ok(lanes.get_or_init(|| built))
    }

    fn new(count: usize, name: &'static str) -> Result<Self, NeuralError> {
        let pool = |lane| {
            ThreadPoolBuilder::new()
                .num_threads(1)
                .thread_name(move |_| format!("{name}-{lane}"))
                .build()
                .map_err(NeuralError::Threads)
        };
        let pools = (0..count.max(1)).map(pool).collect::<Result<_, _>>()?;
        Ok(Self { pools, next: AtomicUsize::new(0) })
    }

    /// Returns the number of lanes.
    pub(super) fn lane_count(&self) -> usize {
        self.pools.len()
    }

    /// Runs one piece of work on the next lane.
    pub(super) fn run_on_next_lane<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let lane = self.next.fetch_add(1, Ordering::Relaxed) % self.pools.len();
        self.pools[lane].install(work)
    }

    /// Runs `work` over all jobs, each on the lane that is free first, and returns the results in
    /// the jobs' order. After a failure no further job is started.
    pub(super) fn run_jobs<T: Sync, R: Send, E: Send>(
        &self,
        jobs: &[T],
        work: impl Fn(&T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new((0..jobs.len()).map(|_| None).collect::<Vec<_>>());
        let drive = |pool: &ThreadPool| loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(index) else { break };
            let result = pool.install(|| work(job));
            if result.is_err() {
                next.store(jobs.len(), Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
        };
        self.drive_all(jobs.len(), &drive);
        // After a failure the jobs that were not started have no result, and the failure is returned.
        results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }

    /// Calls `drive` once for each lane that is needed, on a thread each; this thread is one of them.
    fn drive_all(&self, jobs: usize, drive: &(dyn Fn(&ThreadPool) + Sync)) {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let pool = |lane: usize| &self.pools[first.wrapping_add(lane) % self.pools.len()];
        thread::scope(|scope| {
            let drivers: Vec<_> = (1..self.pools.len().min(jobs))
                .filter_map(|lane| {
                    let pool = pool(lane);
                    // If a thread cannot be started, the others do its jobs.
                    thread::Builder::new().spawn_scoped(scope, move || drive(pool)).ok()
                })
                .collect();
            drive(pool(0));
            for driver in drivers {
                driver.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let lanes = WorkerLanes::new(3, "test").expect("threads start");
        let jobs: Vec<u32> = (0..100).collect();
        let doubled = lanes.run_jobs(&jobs, |job| Ok::<_, ()>(job * 2)).expect("no job fails");
        assert_eq!(doubled, jobs.iter().map(|job| job * 2).collect::<Vec<_>>());
        assert_eq!(lanes.run_jobs(&[], |job: &u32| Ok::<_, ()>(*job)), Ok(Vec::new()));
    }

    #[test]
    fn a_failure_is_returned_and_ends_the_run() {
        let lanes = WorkerLanes::new(2, "test").expect("threads start");
        let started = AtomicUsize::new(0);
        let jobs: Vec<u32> = (0..10_000).collect();
        let failed = lanes.run_jobs(&jobs, |&job| {
            started.fetch_add(1, Ordering::Relaxed);
            if job == 5 { Err(job) } else { Ok(job) }
        });
        assert_eq!(failed, Err(5));
        assert!(started.load(Ordering::Relaxed) < jobs.len());
    }

    #[test]
    fn work_runs_on_a_named_thread_and_not_on_the_callers() {
        let lanes = WorkerLanes::new(1, "test").expect("threads start");
        let name = lanes.run_on_next_lane(|| thread::current().name().map(str::to_owned));
        assert_eq!(name.as_deref(), Some("test-0"));
    }
}
