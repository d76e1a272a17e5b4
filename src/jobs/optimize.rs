//! Builds graphs over the vectors, after merging their files.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep};
use store::{OptimizeOptions, OptimizeSummary, StoreError, Thoroughness};

/// Time between two reports of the progress of a build.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Report of an optimization.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct OptimizeReport {
    /// Vector files that were merged into one; 0 if there was nothing to do.
    pub merged: usize,
    /// Rows of the new file.
    pub rows: u64,
    /// Vector files there are now.
    pub segments: usize,
    /// Whether it was stopped before its end; files not merged by then stay as they were.
    pub interrupted: bool,
    /// Seconds taken.
    pub seconds: f64,
}

/// Merges all vectors into one file with a graph, those of texts and those of pictures. Searches
/// continue meanwhile. Ended early, it leaves the other files as they are. Its steps count rows.
pub struct OptimizeVectors;

impl JobReport for OptimizeReport {
    fn is_complete(&self) -> bool {
        !self.interrupted
    }
}

impl Job for OptimizeVectors {
    type Event = JobStep;
    type Report = OptimizeReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Optimize, "rows"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<OptimizeReport, CommandError> {
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let _one_at_a_time = jobs.lock_ingest();
        let started = Instant::now();
        let done = build_graphs(jobs, Thoroughness::Everything, cancel, step)?;
        let OptimizeSummary { merged, rows, segments, interrupted } = done;
        let seconds = started.elapsed().as_secs_f64();
        Ok(OptimizeReport { merged, rows, segments, interrupted, seconds })
    }
}

/// Builds graphs as far as `thoroughness` asks; the caller holds the ingest lock.
pub(super) fn build_graphs(
    jobs: &JobRunner,
    thoroughness: Thoroughness,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<OptimizeSummary, StoreError> {
    let (done, total) = (AtomicU32::new(0), AtomicU32::new(0));
    let report_progress = |rows, total_rows| {
        done.fetch_max(rows, Ordering::Relaxed);
        total.store(total_rows, Ordering::Relaxed);
        if cancel.load(Ordering::Acquire) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let builder = jobs.settings.graph_builder;
    let options = OptimizeOptions { thoroughness, builder, threads };
    thread::scope(|scope| {
        let build = scope.spawn(|| jobs.store.optimize_segments(options, &report_progress));
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
