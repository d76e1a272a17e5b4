//! What a thread has used.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tikv_jemalloc_ctl::thread::{ThreadLocal, allocatedp, deallocatedp};

thread_local! {
    /// Where jemalloc counts what this thread allocated and freed; `None` with another allocator.
    static COUNTERS: Option<[ThreadLocal<u64>; 2]> =
        allocatedp::read().and_then(|allocated| Ok([allocated, deallocatedp::read()?])).ok();
}

/// What a thread has used since it began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ThreadUse {
    processor_time: Duration,
    allocated_bytes: u64,
    freed_bytes: u64,
}

/// What a thread has used since a moment.
pub(crate) struct UseSince {
    pub processor_time: Duration,
    pub held_bytes: u64,
}

impl ThreadUse {
    /// What this thread has used so far.
    pub(crate) fn now() -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
        let processor_time =
            Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), nanoseconds);
        let [allocated_bytes, freed_bytes] =
            COUNTERS.with(|counters| counters.map_or([0; 2], |both| both.map(ThreadLocal::get)));
        Self { processor_time, allocated_bytes, freed_bytes }
    }

    /// The same, as if what was used between two later moments had been used before.
    pub(crate) fn without_use_between(&self, from: &Self, to: &Self) -> Self {
        Self {
            processor_time: self.processor_time + (to.processor_time - from.processor_time),
            allocated_bytes: self.allocated_bytes + (to.allocated_bytes - from.allocated_bytes),
            freed_bytes: self.freed_bytes + (to.freed_bytes - from.freed_bytes),
        }
    }

    /// What was used since then. What the thread freed for others counts as its own.
    pub(crate) fn since(&self, before: &Self) -> UseSince {
        let allocated = self.allocated_bytes.wrapping_sub(before.allocated_bytes);
        let freed = self.freed_bytes.wrapping_sub(before.freed_bytes);
        UseSince {
            processor_time: self.processor_time.saturating_sub(before.processor_time),
            held_bytes: allocated.saturating_sub(freed),
        }
    }
}
