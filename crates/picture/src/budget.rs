//! How much work one picture may be.

/// Counts work in pixels touched, about a nanosecond each.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u64,
}

/// The work of the worst real figures is a fiftieth of this.
const PIXELS: u64 = 3_000_000_000;

impl Budget {
    pub(crate) fn new() -> Self {
        Self { left: PIXELS }
    }

    /// Whether there is room for so much more.
    pub(crate) fn spend(&mut self, pixels: u64) -> bool {
        self.left = self.left.saturating_sub(pixels);
        self.left > 0
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }
}
