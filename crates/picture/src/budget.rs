//! How much work one picture may be.

/// Counts work in pixels touched, about a nanosecond each.
#[derive(Debug)]
pub(crate) struct DrawBudget {
    left: u64,
}

/// The work of the worst real figures is a fiftieth of this.
const MAX_PIXELS_TOUCHED: u64 = 3_000_000_000;

impl DrawBudget {
    pub(crate) fn new() -> Self {
        Self { left: MAX_PIXELS_TOUCHED }
    }

    /// Spends an amount of work; false where the budget does not allow it.
    pub(crate) fn try_spend(&mut self, pixels: u64) -> bool {
        self.left = self.left.saturating_sub(pixels);
        self.left > 0
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }
}
