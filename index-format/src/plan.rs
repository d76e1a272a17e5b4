//! Which way through a segment costs least.
//!
//! Costs are in the time one row takes in a graph walk, where its codes come from a random address.
//! The others are estimates beside it, from times of scans and walks over 50,000 rows of 1024
//! components; a wrong one costs time, and a walk finds a little less than a scan.

/// How a segment was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchStrategy {
    /// No row is allowed: nothing was read.
    Nothing,
    /// The codes of every allowed row were scored.
    Exact,
    /// The graph was walked; where rows are not allowed, they led on and were left out.
    Graph,
    /// The signs of every allowed row were scored, and the codes of the best.
    BinaryCodes,
    /// A walk spent its budget before it was sure; then as [`SearchStrategy::BinaryCodes`].
    GraphThenBinaryCodes,
}

/// A row of codes whose neighbours in memory are read too.
const EXACT_ROW: f64 = 0.2;
/// A row of signs.
const BINARY_ROW: f64 = 0.11;
/// Rotating the query, and a row of codes from a random address for each candidate that the binary
/// codes leave.
const BINARY_START: f64 = 100.0;
/// Rows scored for each row that is kept, in a graph without filter.
const GRAPH_ROWS: f64 = 10.0;
/// How the cost of a walk grows as fewer rows are allowed.
const GRAPH_GROWTH: f64 = 1.1;
/// A smaller part of the rows than this is never looked for by a walk: allowed rows that lie
/// together, as those of one document do, can be out of its way altogether.
const MIN_WALK_SHARE: f64 = 0.05;
/// A walk that takes this many times what was expected is given up.
const BUDGET_FACTOR: f64 = 4.0;

/// Rows whose codes are scored after their signs, for each that is kept.
const RESCORED_PER_RESULT: usize = 10;

/// The way chosen, before it is known whether it leads to the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlannedStrategy {
    Exact,
    Graph {
        /// Rows to score before giving up.
        budget: u64,
    },
    BinaryCodes,
}

/// Chooses for a segment with a graph: `limit` of `allowed` rows are wanted, of `rows` in all; a
/// walk would keep `breadth` on the way.
pub(crate) fn choose_strategy(
    rows: usize,
    allowed: usize,
    limit: usize,
    breadth: usize,
) -> PlannedStrategy {
    let (rows, allowed) = (rows as f64, allowed as f64);
    let exact = allowed * EXACT_ROW;
    let signs = BINARY_START + allowed * BINARY_ROW + binary_candidate_count(limit) as f64;
    let share = allowed / rows;
    let graph = GRAPH_ROWS * breadth as f64 * share.powf(-GRAPH_GROWTH);
    if graph <= exact.min(signs) && share >= MIN_WALK_SHARE {
        PlannedStrategy::Graph { budget: (BUDGET_FACTOR * graph) as u64 }
    } else if exact <= signs {
        PlannedStrategy::Exact
    } else {
        PlannedStrategy::BinaryCodes
    }
}

/// The rows whose codes are scored after their signs.
pub(crate) fn binary_candidate_count(limit: usize) -> usize {
    limit.saturating_mul(RESCORED_PER_RESULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_scanned_and_many_are_walked() {
        assert_eq!(choose_strategy(1_000_000, 300, 40, 100), PlannedStrategy::Exact);
        assert!(matches!(
            choose_strategy(1_000_000, 1_000_000, 40, 100),
            PlannedStrategy::Graph { .. }
        ));
        assert!(matches!(
            choose_strategy(1_000_000, 500_000, 40, 100),
            PlannedStrategy::Graph { .. }
        ));
        assert_eq!(choose_strategy(1_000_000, 40_000, 40, 100), PlannedStrategy::BinaryCodes);
    }
}
