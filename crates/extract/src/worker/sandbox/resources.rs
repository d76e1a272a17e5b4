//! Limits of memory, processor time, files and sizes.

use rlimit::{Resource, getrlimit, setrlimit};

use document::Limits;

/// Maximum number of files that a reader may have open at once: it reads the files of a request one after the other.
const MAX_OPEN_FILES: u64 = 128;
/// Maximum number of files that a converter may have open at once: LibreOffice opens its libraries and fonts.
const MAX_CONVERTER_FILES: u64 = 1_024;
/// Address space of a converter, in bytes: LibreOffice maps 1 to 2 GiB for a document of 100 pages.
const CONVERTER_MEMORY_BYTES: u64 = 8 << 30;
/// Maximum size of a file that a converter may write, in bytes: a hostile document must not fill the disk.
const CONVERTER_FILE_BYTES: u64 = 4 << 30;
/// The processor time of a whole process, in multiples of that of one request. It is a hard limit, which a reader
/// that was taken over cannot raise; the parent replaces a process when half of it is used.
const REQUESTS_OF_CPU_TIME: u64 = 16;
/// Clock ticks of a second in `/proc/PID/stat`, fixed by the kernel's interface.
const TICKS_PER_S: u64 = 100;
/// Index of `utime`, the 14th field of `/proc/PID/stat`, after the name of the program; proc(5).
/// `stime` follows it.
const UTIME_INDEX: usize = 11;

/// The processor time that a process may use in all its requests, in seconds.
pub(crate) fn whole_cpu_s(limits: &Limits) -> u64 {
    limits.worker_cpu_s.saturating_add(1).saturating_mul(REQUESTS_OF_CPU_TIME)
}

/// Limits a reader permanently: it cannot raise its limits, except its processor time up to [`whole_cpu_s`].
///
/// The memory limit is a limit on address space. An allocator that reserves more than it uses, as jemalloc does with
/// its arenas, takes some hundred MiB of address space without using that memory.
pub(super) fn limit_reader(limits: &Limits) {
    for (resource, value) in [
        (Resource::AS, limits.worker_memory_bytes),
        (Resource::FSIZE, limits.part_bytes),
        (Resource::NOFILE, MAX_OPEN_FILES),
        (Resource::CORE, 0),
    ] {
        set_limits(resource, value, value);
    }
    renew_cpu_time(limits);
}

/// Limits a reader that runs a converter. The hard limits are the converter's, which needs more than a reader
/// ([`run_with_limits_lifted`]).
pub(super) fn limit_converter(limits: &Limits) {
    for (resource, value, hard) in [
        (Resource::AS, limits.worker_memory_bytes, CONVERTER_MEMORY_BYTES),
        (Resource::FSIZE, limits.part_bytes, CONVERTER_FILE_BYTES),
        (Resource::NOFILE, MAX_OPEN_FILES, MAX_CONVERTER_FILES),
        (Resource::CORE, 0, 0),
    ] {
        set_limits(resource, value, hard.max(value));
    }
    renew_cpu_time(limits);
}

/// Grants the process its processor time for one more request.
pub(crate) fn renew_cpu_time(limits: &Limits) {
    let used = used_cpu_s(None).unwrap_or(0);
    let soft = used.saturating_add(limits.worker_cpu_s).saturating_add(1);
    set_limits(Resource::CPU, soft, whole_cpu_s(limits));
}

/// Sets a limit; if the system rejects it, the others still hold.
fn set_limits(resource: Resource, soft: u64, hard: u64) {
    let allowed = getrlimit(resource).map_or(rlimit::INFINITY, |(_, hard)| hard);
    let hard = hard.min(allowed);
    if let Err(error) = setrlimit(resource, soft.min(hard), hard) {
        tracing::debug!(%error, resource = resource.as_name(), "a limit cannot be set");
    }
}

/// The processor time that a process has used, in seconds: this one, or the one with the id.
pub(crate) fn used_cpu_s(process: Option<u32>) -> Option<u64> {
    let name = process.map_or_else(|| "self".to_owned(), |id| id.to_string());
    let stat = std::fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
    // The second field is a name in parentheses that may contain anything, even parentheses and blanks.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let user: u64 = fields.nth(UTIME_INDEX)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user.saturating_add(system) / TICKS_PER_S)
}

/// The address space that this process has mapped, in bytes; 0 if it cannot be read.
pub(crate) fn mapped_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:"));
    let kib = size.and_then(|size| size.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.unwrap_or(0u64).saturating_mul(1024)
}

/// Runs `action` with the limits lifted, for a program that needs more than a reader: it inherits the limits.
pub(crate) fn run_with_limits_lifted<T>(action: impl FnOnce() -> T) -> T {
    const LIFTED: [Resource; 4] = [Resource::AS, Resource::FSIZE, Resource::NOFILE, Resource::CPU];
    let saved = LIFTED.map(|resource| (resource, getrlimit(resource).ok()));
    for (resource, limits) in &saved {
        if let Some((_, hard)) = limits {
            let _ = setrlimit(*resource, *hard, *hard);
        }
    }
    let result = action();
    for (resource, limits) in saved {
        if let Some((soft, hard)) = limits {
            let _ = setrlimit(resource, soft, hard);
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_of_a_process_can_be_read() {
        assert!(used_cpu_s(None).is_some() && used_cpu_s(Some(1)).is_some());
    }

    #[test]
    fn mapped_memory_is_counted() {
        let before = mapped_bytes();
        let space = vec![0u8; 64 << 20];
        assert!(before > 0 && mapped_bytes() >= before + (space.len() as u64) / 2);
    }

    #[test]
    fn lifted_limits_are_restored() {
        let before = getrlimit(Resource::NOFILE).expect("known");
        let inside = run_with_limits_lifted(|| getrlimit(Resource::NOFILE).expect("known"));
        assert_eq!(inside.0, inside.1);
        assert_eq!(getrlimit(Resource::NOFILE).expect("known"), before);
    }
}
