//! Reports how much of a file has been read to the caller that waits for it.

use std::{cell::Cell, fmt};

/// Receives how much of a file has been read.
pub(crate) struct ReadingObserver {
    hear: Box<dyn Fn(f64)>,
    /// Where the current part begins and ends, as shares of the file.
    part: Cell<(f64, f64)>,
}

impl ReadingObserver {
    pub(crate) fn new(hear: impl Fn(f64) + 'static) -> Self {
        Self { hear: Box::new(hear), part: Cell::new((0.0, 1.0)) }
    }

    pub(crate) fn begin_part(&self, index: usize, count: usize) {
        let share = |index: usize| index as f64 / count.max(1) as f64;
        self.part.set((share(index), share(index + 1)));
        self.report_share(0.0);
    }

    pub(crate) fn report_share(&self, share: f64) {
        let (from, to) = self.part.get();
        (self.hear)(from + (to - from) * share.clamp(0.0, 1.0));
    }
}

impl fmt::Debug for ReadingObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadingObserver").field("part", &self.part).finish_non_exhaustive()
    }
}
