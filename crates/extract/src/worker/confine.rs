//! How a child confines itself before it reads anything: memory, processor time, files, network.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, path_beneath_rules,
};
use rlimit::{Resource, getrlimit, setrlimit};

use document::Limits;

/// Files a child may have open at once.
const MAX_OPEN_FILES: u64 = 128;
/// Clock ticks of a second in `/proc/self/stat`, fixed by the kernel's interface.
const TICKS_PER_S: u64 = 100;
/// Index of `utime`, the 14th field of `/proc/self/stat`, after the name of the program; proc(5).
/// `stime` follows it.
const UTIME_INDEX: usize = 11;

/// Limits the process. All limits are soft ones, so that [`run_with_limits_lifted`] can lift them.
///
/// The limit on memory is one on address space. An allocator that reserves more than it uses, as jemalloc
/// does with its arenas, takes some hundred MiB of address space without using that memory.
pub(super) fn limit_process(limits: &Limits) {
    set_soft_limit(Resource::AS, limits.worker_memory_bytes);
    set_soft_limit(Resource::FSIZE, limits.part_bytes);
    set_soft_limit(Resource::NOFILE, MAX_OPEN_FILES);
    set_soft_limit(Resource::CORE, 0);
}

/// Grants the process its processor time for one more request.
pub(super) fn renew_cpu_time(limits: &Limits) {
    let used = used_cpu_s().unwrap_or(0);
    set_soft_limit(Resource::CPU, used.saturating_add(limits.worker_cpu_s).saturating_add(1));
}

/// Sets a soft limit; one that the system refuses is left out, and the others still hold.
fn set_soft_limit(resource: Resource, value: u64) {
    let hard = getrlimit(resource).map_or(rlimit::INFINITY, |(_, hard)| hard);
    if let Err(error) = setrlimit(resource, value.min(hard), hard) {
        tracing::debug!(%error, resource = resource.as_name(), "a limit cannot be set");
    }
}

fn used_cpu_s() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses that may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let user: u64 = fields.nth(UTIME_INDEX)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user.saturating_add(system) / TICKS_PER_S)
}

/// Restricts the process to reading `readable`, to writing `writable` where there is one, and to no network.
///
/// Best effort: kernels without the feature run the child without it.
pub(super) fn restrict_files(readable: &[PathBuf], writable: Option<&Path>) {
    if let Err(error) = apply_landlock(readable, writable) {
        tracing::debug!(%error, "files cannot be restricted");
    }
}

fn apply_landlock(readable: &[PathBuf], writable: Option<&Path>) -> Result<(), RulesetError> {
    let abi = ABI::V3;
    let all = [PathBuf::from("/")];
    let readable = if readable.is_empty() { &all[..] } else { readable };
    // The converter is a program, so with a folder to write in programs may be started.
    let mut read = AccessFs::from_read(abi);
    if writable.is_none() {
        read.remove(AccessFs::Execute);
    }
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        // No reader needs a network, and the converter must not fetch what a document links to.
        .handle_access(AccessNet::from_all(ABI::V4))?
        .create()?
        .add_rules(path_beneath_rules(readable, read))?
        .add_rules(path_beneath_rules(["/proc/self"], AccessFs::from_read(abi)))?
        .add_rules(path_beneath_rules(["/dev/null"], AccessFs::from_file(abi)))?
        .add_rules(path_beneath_rules(writable, AccessFs::from_all(abi)))?
        .restrict_self()?;
    Ok(())
}

/// Runs `action` with the limits lifted, for a program that needs more than a reader.
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
    fn the_processor_time_of_this_process_can_be_read() {
        assert!(used_cpu_s().is_some());
    }

    #[test]
    fn lifted_limits_are_restored() {
        let before = getrlimit(Resource::NOFILE).expect("known");
        let inside = run_with_limits_lifted(|| getrlimit(Resource::NOFILE).expect("known"));
        assert_eq!(inside.0, inside.1);
        assert_eq!(getrlimit(Resource::NOFILE).expect("known"), before);
    }
}
