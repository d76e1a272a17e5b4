//! Processor time: on a shared machine the only meaningful time of a program.

use std::time::Instant;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// Seconds of processor time of the calling thread.
pub fn thread_seconds() -> f64 {
    clock_seconds(ClockId::ThreadCPUTime)
}

/// Seconds of processor time of all threads of this process.
pub fn process_seconds() -> f64 {
    clock_seconds(ClockId::ProcessCPUTime)
}

fn clock_seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The value below which `part` of the values lie.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let index = part * values.len().saturating_sub(1) as f64;
    values.get(index.round() as usize).copied().unwrap_or(f64::NAN)
}

/// The cost of building an index.
#[derive(Clone, Copy)]
pub struct BuildCost {
    /// Seconds of processor time of all threads.
    pub cpu_s: f64,
    /// Seconds of wall time.
    pub wall_s: f64,
    /// Bytes of the index's files.
    pub bytes: u64,
}

/// Measures what building an index takes.
pub struct Stopwatch {
    wall: Instant,
    cpu_s: f64,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), cpu_s: process_seconds() }
    }

    /// The cost so far, for an index of so many bytes.
    pub fn stop(self, bytes: u64) -> BuildCost {
        let wall_s = self.wall.elapsed().as_secs_f64();
        BuildCost { cpu_s: process_seconds() - self.cpu_s, wall_s, bytes }
    }
}
