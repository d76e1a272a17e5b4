//! What a process has used so far.

use std::fs;

/// Processor time of this process, in seconds.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields after the command's name, which may hold blanks, are counted from its bracket.
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|f| f.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// Peak resident memory of this process, in megabytes.
pub(crate) fn peak_memory_mb() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|field| field.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}
