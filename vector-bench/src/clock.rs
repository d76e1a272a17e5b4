//! Processor time: on a shared machine the only time that says something of a program.

use rustix::time::ClockId;
use rustix::time::clock_gettime;

/// Seconds of processor time of the calling thread.
pub fn thread_seconds() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// Seconds of processor time of all threads of this process.
pub fn process_seconds() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The value below which `part` of the values lie.
pub fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = part * values.len().saturating_sub(1) as f64;
    values.get(at.round() as usize).copied().unwrap_or(f64::NAN)
}
