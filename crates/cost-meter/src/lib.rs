//! What one request may cost, and the points in loops where work that costs too much ends.
//!
//! A time limit on an answer ends the wait, not the work: callers give the work a [`CostMeter`], and every loop over
//! the content of a document calls [`spend`]. Where the work has used up its processor time or its memory, is too
//! late, or is not wanted any more, `spend` unwinds the thread to the meter, which returns the [`CostExceeded`].
//! Functions on the way need not know of it: it is not their error, and there is nothing that they could do.
//! (Compilers that answer editors cancel their queries in the same way.) Outside a meter `spend` does nothing, so
//! that imports and commands have no limit.
//!
//! Owns the limits of running work. Knows nothing of requests and accounts but the number of the owner.

#![forbid(unsafe_code)]

mod thread_use;

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use thread_use::ThreadUse;

/// Steps between two looks at the clocks: about a millisecond of most work. A look takes longer than a step.
const STEPS_BETWEEN_LOOKS: usize = 4096;

/// What a piece of work may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostLimits {
    /// Processor time of the thread that does it.
    pub processor_time: Duration,
    /// Bytes that it may hold at once, beyond those that the thread held before. Not limited without jemalloc.
    pub memory_bytes: u64,
}

/// Why work was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CostExceeded {
    /// It used up its processor time.
    #[error("it takes more than {} s of processor time", .0.as_secs_f64())]
    ProcessorTime(Duration),
    /// It holds more memory than it may.
    #[error("it takes more than {} MB of memory", .0 / 1_000_000)]
    Memory(u64),
    /// Its deadline passed.
    #[error("it did not end in time")]
    Deadline,
    /// Nobody is waiting for it.
    #[error("it was cancelled")]
    Cancelled,
}

/// Whose work it is: work of one owner waits behind itself before it delays that of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Owner {
    /// Nobody in particular: anyone, or the machine itself.
    #[default]
    Nobody,
    /// An account, by its number.
    Account(u32),
}

/// The limits of one piece of work, which can be cancelled. Clones are the same meter.
#[derive(Debug, Clone)]
pub struct CostMeter(Arc<MeterState>);

#[derive(Debug)]
struct MeterState {
    owner: Owner,
    limits: Option<CostLimits>,
    deadline: Option<Instant>,
    is_cancelled: AtomicBool,
    is_abandoned: AtomicBool,
    /// Nanoseconds of processor time of the work that has ended.
    used_before: AtomicU64,
}

/// The work of a meter on this thread.
struct MeteredWork {
    meter: CostMeter,
    before: ThreadUse,
    steps_until_look: usize,
    /// The metered work that it is a part of.
    outer: Option<Box<MeteredWork>>,
}

impl MeteredWork {
    /// What this work exceeds, or the work that it is a part of.
    fn exceeded(&self) -> Option<CostExceeded> {
        let own = self.meter.exceeded(&self.before);
        own.or_else(|| self.outer.as_ref().and_then(|outer| outer.exceeded()))
    }

    /// Excludes what was used between two moments from the use of this work and of all that it is a part of.
    fn leave_out(&mut self, from: &ThreadUse, to: &ThreadUse) {
        self.before = self.before.without_use_between(from, to);
        if let Some(outer) = &mut self.outer {
            outer.leave_out(from, to);
        }
    }

    /// Whose work it is: the innermost owner that is named.
    fn owner(&self) -> Owner {
        match (self.meter.0.owner, &self.outer) {
            (Owner::Nobody, Some(outer)) => outer.owner(),
            (owner, _) => owner,
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Option<MeteredWork>> = const { RefCell::new(None) };
}

impl CostMeter {
    /// A meter for work of an owner that must end by a deadline.
    pub fn new(owner: Owner, limits: CostLimits, deadline: Instant) -> Self {
        Self::of_state(owner, Some(limits), Some(deadline))
    }

    /// A meter that ends work only when it is cancelled: for the person at the machine, and for parts of other metered work.
    pub fn unlimited() -> Self {
        Self::of_state(Owner::Nobody, None, None)
    }

    fn of_state(owner: Owner, limits: Option<CostLimits>, deadline: Option<Instant>) -> Self {
        Self(Arc::new(MeterState {
            owner,
            limits,
            deadline,
            is_cancelled: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            used_before: AtomicU64::new(0),
        }))
    }

    /// Ends the work at its next step.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
    }

    /// Ends the work at its next step because the client has gone.
    pub fn abandon(&self) {
        self.0.is_abandoned.store(true, Ordering::Release);
        self.cancel();
    }

    /// Whether the client has gone.
    pub fn is_abandoned(&self) -> bool {
        self.0.is_abandoned.load(Ordering::Acquire)
    }

    /// Whether the work is no longer wanted.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Does the work on this thread until it ends or exceeds a limit; several pieces of work of one meter share its processor time.
    /// Work within metered work has the limits of both.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, CostExceeded> {
        let before = ThreadUse::now();
        let begun = MeteredWork {
            meter: self.clone(),
            before,
            steps_until_look: STEPS_BETWEEN_LOOKS,
            outer: CURRENT.take().map(Box::new),
        };
        CURRENT.set(Some(begun));
        // What unwinds was going to be thrown away: a meter ends reading, never writing.
        let ended = catch_unwind(AssertUnwindSafe(work));
        if let Some(done) = CURRENT.take() {
            let used = ThreadUse::now().since(&done.before).processor_time;
            let used = u64::try_from(used.as_nanos()).unwrap_or(u64::MAX);
            self.0.used_before.fetch_add(used, Ordering::Relaxed);
            CURRENT.set(done.outer.map(|outer| *outer));
        }
        ended.map_err(|payload| match payload.downcast::<CostExceeded>() {
            Ok(exceeded) => *exceeded,
            Err(panic) => resume_unwind(panic),
        })
    }

    /// What the work of this thread exceeds.
    fn exceeded(&self, before: &ThreadUse) -> Option<CostExceeded> {
        if self.is_cancelled() {
            return Some(CostExceeded::Cancelled);
        }
        if self.0.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(CostExceeded::Deadline);
        }
        let limits = self.0.limits?;
        let used = ThreadUse::now().since(before);
        let used_before = Duration::from_nanos(self.0.used_before.load(Ordering::Relaxed));
        if used.processor_time + used_before > limits.processor_time {
            return Some(CostExceeded::ProcessorTime(limits.processor_time));
        }
        (used.held_bytes > limits.memory_bytes).then_some(CostExceeded::Memory(limits.memory_bytes))
    }
}

/// Counts steps of the work on this thread, and ends it if it exceeds a limit of its meter. A step is what takes some
/// tens of nanoseconds: a word that is compared, a mark that is written. To be called in every loop over what a
/// document or a request holds, and nowhere that a lock of the standard library is held to write.
pub fn spend(steps: usize) {
    let exceeded = CURRENT.with_borrow_mut(|current| {
        let work = current.as_mut()?;
        if let Some(left) = work.steps_until_look.checked_sub(steps) {
            work.steps_until_look = left;
            return None;
        }
        work.steps_until_look = STEPS_BETWEEN_LOOKS;
        work.exceeded()
    });
    if let Some(exceeded) = exceeded {
        resume_unwind(Box::new(exceeded));
    }
}

/// Ends the work on this thread now if it exceeds a limit of its meter: before a long step that does not count its own.
pub fn check() {
    let exceeded = CURRENT.with_borrow(|current| current.as_ref().and_then(MeteredWork::exceeded));
    if let Some(exceeded) = exceeded {
        resume_unwind(Box::new(exceeded));
    }
}

/// Does work that must not be ended, and that is not counted: writes, and what all requests share, such as a list
/// that is read once. If it were ended, each later request would start it again and be ended too.
pub fn run_shared<T>(work: impl FnOnce() -> T) -> T {
    let outer = CURRENT.take();
    let before = ThreadUse::now();
    let ended = catch_unwind(AssertUnwindSafe(work));
    let used_for_all = ThreadUse::now();
    CURRENT.set(outer.map(|mut work| {
        work.leave_out(&before, &used_for_all);
        work
    }));
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Whose work this thread does.
pub fn current_owner() -> Owner {
    CURRENT.with_borrow(|current| current.as_ref().map(MeteredWork::owner)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, thread};

    use super::*;

    /// The allocator of the program, whose counters tell what a thread holds.
    #[global_allocator]
    static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

    const PLENTY: CostLimits =
        CostLimits { processor_time: Duration::from_secs(600), memory_bytes: u64::MAX };

    fn in_a_minute() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn endless() {
        loop {
            spend(1);
        }
    }

    #[test]
    fn work_within_its_limits_gives_its_result_and_work_without_a_meter_has_none() {
        spend(10 * STEPS_BETWEEN_LOOKS);
        let meter = CostMeter::new(Owner::Account(7), PLENTY, in_a_minute());
        let result = meter.run(|| {
            spend(10 * STEPS_BETWEEN_LOOKS);
            current_owner()
        });
        assert_eq!(result, Ok(Owner::Account(7)));
        assert_eq!(current_owner(), Owner::Nobody);
    }

    #[test]
    fn work_ends_at_each_of_its_limits() {
        let limits = CostLimits { processor_time: Duration::from_millis(5), ..PLENTY };
        let by_time = CostMeter::new(Owner::Nobody, limits, in_a_minute()).run(endless);
        assert_eq!(by_time, Err(CostExceeded::ProcessorTime(limits.processor_time)));
        let late = CostMeter::new(Owner::Nobody, PLENTY, Instant::now()).run(endless);
        assert_eq!(late, Err(CostExceeded::Deadline));
        let cancelled = CostMeter::unlimited();
        let ended = thread::scope(|scope| {
            let work = scope.spawn(|| cancelled.run(endless));
            cancelled.cancel();
            work.join().expect("no panic")
        });
        assert_eq!(ended, Err(CostExceeded::Cancelled));
    }

    #[test]
    fn work_ends_when_it_holds_too_much_and_not_when_it_only_passes_through() {
        let limits = CostLimits { memory_bytes: 10_000_000, ..PLENTY };
        let run = |keeps: bool| {
            CostMeter::new(Owner::Nobody, limits, in_a_minute()).run(|| {
                let mut kept = Vec::new();
                for _ in 0..100 {
                    let piece = black_box(vec![1_u8; 1_000_000]);
                    kept.extend(keeps.then_some(piece));
                    check();
                }
            })
        };
        assert_eq!(run(true), Err(CostExceeded::Memory(limits.memory_bytes)));
        assert_eq!(run(false), Ok(()));
    }

    #[test]
    fn values_of_ended_work_are_dropped_and_the_next_work_has_its_own_limits() {
        let held = Arc::new(());
        let late = CostMeter::new(Owner::Nobody, PLENTY, Instant::now());
        let ended = late.run(|| {
            let _mine = held.clone();
            endless();
        });
        assert!(ended.is_err());
        assert_eq!(Arc::strong_count(&held), 1);
        let next = CostMeter::new(Owner::Nobody, PLENTY, in_a_minute());
        assert_eq!(next.run(|| spend(2 * STEPS_BETWEEN_LOOKS)), Ok(()));
    }

    #[test]
    fn work_within_metered_work_has_the_limits_of_both() {
        let outer = CostMeter::new(Owner::Account(1), PLENTY, in_a_minute());
        let result = outer.run(|| {
            let inner = CostMeter::new(Owner::Account(2), PLENTY, Instant::now());
            (inner.run(endless), current_owner())
        });
        assert_eq!(result, Ok((Err(CostExceeded::Deadline), Owner::Account(1))));
        // Work without limits of its own has those of the work around it, and its owner.
        let late = CostMeter::new(Owner::Account(1), PLENTY, Instant::now());
        let within = || CostMeter::unlimited().run(|| (current_owner(), check(), endless()));
        assert_eq!(late.run(|| within().map(drop)), Ok(Err(CostExceeded::Deadline)));
        let owner = outer.run(|| CostMeter::unlimited().run(current_owner));
        assert_eq!(owner, Ok(Ok(Owner::Account(1))));
    }

    #[test]
    fn pieces_of_work_share_the_time_of_their_meter() {
        let limits = CostLimits { processor_time: Duration::from_millis(30), ..PLENTY };
        let meter = CostMeter::new(Owner::Nobody, limits, in_a_minute());
        let busy = || {
            let begun = ThreadUse::now();
            while ThreadUse::now().since(&begun).processor_time < Duration::from_millis(20) {}
            check();
        };
        assert_eq!(meter.run(busy), Ok(()));
        assert_eq!(meter.run(busy), Err(CostExceeded::ProcessorTime(limits.processor_time)));
    }

    #[test]
    fn shared_work_is_not_counted() {
        let limits = CostLimits { processor_time: Duration::from_millis(20), ..PLENTY };
        let meter = CostMeter::new(Owner::Nobody, limits, in_a_minute());
        let busy = |time: Duration| {
            let begun = Instant::now();
            while begun.elapsed() < time {
                spend(STEPS_BETWEEN_LOOKS + 1);
            }
        };
        let result = meter.run(|| {
            run_shared(|| busy(Duration::from_millis(60)));
            spend(2 * STEPS_BETWEEN_LOOKS);
        });
        assert_eq!(result, Ok(()));
        let result = meter.run(|| busy(Duration::from_secs(50)));
        assert_eq!(result, Err(CostExceeded::ProcessorTime(limits.processor_time)));
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let panicked =
            thread::spawn(|| CostMeter::unlimited().run(|| panic!("of the work"))).join();
        let payload = panicked.expect_err("a panic");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"of the work"));
    }

    #[test]
    fn processor_time_is_that_of_the_thread() {
        let before = ThreadUse::now();
        let other = thread::spawn(|| (0..20_000_000_u64).map(black_box).sum::<u64>());
        other.join().expect("ended");
        let used = ThreadUse::now().since(&before).processor_time;
        assert!(used < Duration::from_millis(20), "{used:?}");
    }
}
