//! What this process has used so far.

use std::fs;

/// The unit of times in `/proc/PID/stat`: USER_HZ, which is 100 on Linux, see proc_pid_stat(5).
const TICKS_PER_SECOND: f64 = 100.0;
/// Fields 14 (`utime`) and 15 (`stime`) of `/proc/PID/stat`, counted from the third, which follows the
/// command's name.
const USER_TIME: usize = 11;
const SYSTEM_TIME: usize = 12;

/// Processor time of this process, in seconds.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("/proc/self/stat");
    // The command's name may hold blanks, so fields are counted from the bracket behind it.
    let (_, rest) = stat.rsplit_once(')').expect("a command's name");
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |index: usize| fields[index].parse::<f64>().expect("ticks");
    (ticks(USER_TIME) + ticks(SYSTEM_TIME)) / TICKS_PER_SECOND
}

/// Peak resident memory of this process, in MiB.
pub(crate) fn peak_memory_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("/proc/self/status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.expect("the field VmHWM").trim().trim_end_matches(" kB");
    kib.parse::<f64>().expect("a number of KiB") / 1024.0
}
