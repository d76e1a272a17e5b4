//! What one request may cost, and the points in loops where work that costs too much ends.
//!
//! A time limit on an answer ends the wait, not the work: whoever runs the work gives it a [`CostMeter`], and every loop
//! over the content of a document calls [`spend`]. Where the work has used up its processor time or its memory, is too late,
//! or is not wanted any more, `spend` unwinds the thread to the meter, which returns the [`CostExceeded`]. Functions on the
//! way need not know of it: this is no error of theirs, and there is nothing that they could do. (Compilers that answer
//! editors cancel their queries in the same way.) Outside a meter `spend` does nothing, so that imports and commands have no
//! limit.
//!
//! Owns the limits of running work. Knows nothing of requests and accounts but the number of the owner.

#![forbid(unsafe_code)]

mod thread_use;

use std::{
    cell::RefCell,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use thread_use::ThreadUse;

/// Steps between two looks at the clocks: about a millisecond of most work.
const STEPS_BETWEEN_LOOKS: usize = 4096;

/// What a piece of work may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostLimits {
    /// Processor time of the thread that does it.
    pub processor_time: Duration,
    /// Bytes that it may hold at once, beyond those that the thread held before. Not limited where the program does not use
    /// jemalloc.
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
    /// Nobody waits for it any more.
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
}

/// The work of a meter on this thread.
struct MeteredWork {
    meter: CostMeter,
    before: ThreadUse,
    steps_until_look: usize,
}

thread_local! {
    static CURRENT: RefCell<Option<MeteredWork>> = const { RefCell::new(None) };
}

impl CostMeter {
    /// A meter for work of an owner that must end by a deadline.
    pub fn new(owner: Owner, limits: CostLimits, deadline: Instant) -> Self {
        let (limits, deadline) = (Some(limits), Some(deadline));
        Self(Arc::new(MeterState { owner, limits, deadline, is_cancelled: AtomicBool::new(false) }))
    }

    /// A meter that ends work only when it is cancelled: for the person at the machine.
    pub fn unlimited() -> Self {
        let (owner, is_cancelled) = (Owner::Nobody, AtomicBool::new(false));
        Self(Arc::new(MeterState { owner, limits: None, deadline: None, is_cancelled }))
    }

    /// Ends the work at its next step.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
    }

    /// Whether nobody wants the work any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Does the work on this thread until it ends or exceeds a limit. Work within metered work has both limits: the inner
    /// ones while it runs, the outer ones from its next step on.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, CostExceeded> {
        let begun = MeteredWork {
            meter: self.clone(),
            before: ThreadUse::now(),
            steps_until_look: STEPS_BETWEEN_LOOKS,
        };
        let outer = CURRENT.replace(Some(begun));
        // What unwinds was going to be thrown away: a meter ends reading, never writing.
        let ended = catch_unwind(AssertUnwindSafe(work));
        CURRENT.set(outer);
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
        if used.processor_time > limits.processor_time {
            return Some(CostExceeded::ProcessorTime(limits.processor_time));
        }
        (used.held_bytes > limits.memory_bytes).then_some(CostExceeded::Memory(limits.memory_bytes))
    }
}

/// Counts steps of the work on this thread, and ends it where it exceeds a limit of its meter. A step is what takes some
/// tens of nanoseconds: a word that is compared, a mark that is written. To be called in every loop over what a document or
/// a request holds, and nowhere that a lock of the standard library is held to write.
pub fn spend(steps: usize) {
    let exceeded = CURRENT.with_borrow_mut(|current| {
        let work = current.as_mut()?;
        if let Some(left) = work.steps_until_look.checked_sub(steps) {
            work.steps_until_look = left;
            return None;
        }
        work.steps_until_look = STEPS_BETWEEN_LOOKS;
        work.meter.exceeded(&work.before)
    });
    if let Some(exceeded) = exceeded {
        resume_unwind(Box::new(exceeded));
    }
}

/// Does work whose result all requests share, such as a list that is read once: it is neither ended nor counted, or the next
/// request would begin it anew, and the one after it.
pub fn run_shared<T>(work: impl FnOnce() -> T) -> T {
    let outer = CURRENT.take();
    let before = ThreadUse::now();
    let ended = catch_unwind(AssertUnwindSafe(work));
    let used_for_all = ThreadUse::now();
    CURRENT.set(outer.map(|mut work| {
        work.before = work.before.without_use_between(&before, &used_for_all);
        work
    }));
    ended.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Whose work this thread does.
pub fn current_owner() -> Owner {
    CURRENT
        .with_borrow(|current| current.as_ref().map(|work| work.meter.0.owner))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::{hint::black_box, thread};

    use super::*;

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
    fn outer_work_goes_on_with_its_own_limits_where_inner_work_was_ended() {
        let outer = CostMeter::new(Owner::Account(1), PLENTY, in_a_minute());
        let result = outer.run(|| {
            let inner = CostMeter::new(Owner::Account(2), PLENTY, Instant::now());
            (inner.run(endless), current_owner())
        });
        assert_eq!(result, Ok((Err(CostExceeded::Deadline), Owner::Account(1))));
        let late = CostMeter::new(Owner::Nobody, PLENTY, Instant::now());
        assert_eq!(
            late.run(|| CostMeter::unlimited()
                .run(|| spend(3 * STEPS_BETWEEN_LOOKS))
                .map(|()| endless())),
            Err(CostExceeded::Deadline)
        );
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
