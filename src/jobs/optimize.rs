//! Optimize as a command of the service: graphs over the vectors.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{CommandError, JobRunner};
use store::{OptimizeOptions, OptimizeSummary, StoreError, Thoroughness};

/// Between two looks at how far a build is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// How an optimization went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct OptimizeReport {
    /// Vector files that were put into one; 0 where nothing was to be done.
    pub merged: usize,
    /// Rows of the new file.
    pub rows: u64,
    /// Vector files there are now.
    pub segments: usize,
    /// Whether it was stopped before its end; what was to be put together next is as it was.
    pub interrupted: bool,
    /// Seconds taken.
    pub seconds: f64,
}

impl JobRunner {
    /// Puts all vectors into one file with a graph, those of texts and those of pictures. Searches
    /// go on meanwhile. `cancel` ends it early; `step` hears how many of how many rows are done.
    pub fn optimize_vectors(
        &self,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<OptimizeReport, CommandError> {
        let _one_at_a_time = self.lock_ingest();
        let started = Instant::now();
        let done = self.build_graphs(Thoroughness::Everything, cancel, step)?;
        let OptimizeSummary { merged, rows, segments, interrupted } = done;
        let seconds = started.elapsed().as_secs_f64();
        Ok(OptimizeReport { merged, rows, segments, interrupted, seconds })
    }

    /// The same for whoever holds the right to change the store already.
    pub(super) fn build_graphs(
        &self,
        thoroughness: Thoroughness,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<OptimizeSummary, StoreError> {
        let (done, total) = (AtomicU32::new(0), AtomicU32::new(0));
        let watch = |rows, of| {
            done.fetch_max(rows, Ordering::Relaxed);
            total.store(of, Ordering::Relaxed);
            match cancel.load(Ordering::Acquire) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let builder = self.settings.graph_builder;
        let how = OptimizeOptions { thoroughness, builder, threads };
        thread::scope(|scope| {
            let build = scope.spawn(|| self.store.optimize_segments(how, &watch));
            while !build.is_finished() {
                thread::sleep(PROGRESS_INTERVAL);
                let [done, total] = [&done, &total].map(|rows| rows.load(Ordering::Relaxed));
                if total > 0 {
                    step(done as usize, total as usize);
                }
            }
            build.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}
