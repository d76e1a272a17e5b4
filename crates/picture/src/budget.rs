//! Limits the work of drawing one picture.

/// Counts work in pixels touched, about a nanosecond each.
#[derive(Debug)]
pub(crate) struct DrawBudget {
    remaining: u64,
}

/// Fifty times the work of the most expensive real figures; about 3 s.
const MAX_PIXELS_TOUCHED: u64 = 3_000_000_000;

impl DrawBudget {
    pub(crate) fn new() -> Self {
        Self { remaining: MAX_PIXELS_TOUCHED }
    }

    /// Spends an amount of work; returns false if the budget does not allow it.
    pub(crate) fn try_spend(&mut self, pixels: u64) -> bool {
        self.remaining = self.remaining.saturating_sub(pixels);
        self.remaining > 0
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.remaining == 0
    }
}
