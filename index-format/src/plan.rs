//! Which search strategy costs least in a segment.
//!
//! The unit of cost is the time of one row in a graph walk, whose codes come from a random address. The constants are
//! estimates, from times of scans and walks over 50,000 rows of 1024 components; a wrong one costs time, and a walk
//! finds slightly less than a scan.

/// How a segment was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchStrategy {
    /// No row is allowed: nothing was read.
    Nothing,
    /// The codes of every allowed row were scored.
    Exact,
    /// The graph was walked, through rows that are not allowed or over them; these were not returned.
    Graph,
    /// The binary codes of every allowed row were scored, and the 8-bit codes of the best.
    BinaryCodes,
    /// A walk spent its budget before its end; then as [`SearchStrategy::BinaryCodes`].
    GraphThenBinaryCodes,
}

/// A row of 8-bit codes, read in the order of memory.
const EXACT_ROW: f64 = 0.2;
/// A row of binary codes.
const BINARY_ROW: f64 = 0.11;
/// Rotating the query, and a row of codes from a random address for each candidate that the binary
/// codes leave.
const BINARY_START: f64 = 100.0;
/// Rows scored by a walk without filter for each row of its `ef`.
const GRAPH_ROWS: f64 = 10.0;
/// How the cost of a walk through all rows grows as fewer are allowed.
const GRAPH_GROWTH: f64 = 1.1;
/// If a smaller share of the rows is allowed, a walk goes over the others instead of through them. Among 2.6 million
/// rows of 1024 components, 16 % of them allowed, it finds 0.9945 of the ten nearest in 950 us instead of 0.993 in
/// 2,160; with half allowed, it takes a tenth longer and finds the same.
const MAX_BRIDGED_SHARE: f64 = 0.4;
/// The cost of such a walk relative to one without filter, whatever the share.
const BRIDGED_GROWTH: f64 = 5.0;
/// If a smaller share of the rows is allowed, no walk is tried: it can miss allowed rows altogether that are close
/// together, such as those of one document. Among 2.6 million rows, 5 % of them allowed, a walk over bridges finds
/// 0.992 of
/// the ten nearest in 720 us and a scan all of them in 2,400; with 2 % allowed, a scan finds all in 510 us and a walk
/// of 600 finds 0.982.
const MIN_WALK_SHARE: f64 = 0.03;
/// A walk that takes this many times what was expected is abandoned for a scan, whose cost is known: allowed rows
/// that are far from the query could make it visit the whole graph.
const BUDGET_FACTOR: f64 = 4.0;

/// Rows whose 8-bit codes are scored after their binary codes, for each row that is returned: binary codes alone
/// order near rows wrongly.
const RESCORED_PER_RESULT: usize = 10;

/// The strategy chosen, before it is known whether a walk stays within its budget.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlannedStrategy {
    Exact,
    Graph {
        /// Rows to score before the walk is abandoned.
        budget: u64,
        /// Whether to walk over rows that are not allowed, not through them.
        is_bridged: bool,
    },
    BinaryCodes,
}

/// Chooses for a segment of `rows` rows with a graph, when `limit` of the `allowed` rows are to be
/// returned and a walk would keep `ef` of them.
pub(crate) fn choose_strategy(
    rows: usize,
    allowed: usize,
    limit: usize,
    ef: usize,
) -> PlannedStrategy {
    let (rows, allowed) = (rows as f64, allowed as f64);
    let exact = allowed * EXACT_ROW;
    let binary = BINARY_START + allowed * BINARY_ROW + binary_candidate_count(limit) as f64;
    let share = allowed / rows;
    let is_bridged = share < MAX_BRIDGED_SHARE;
    let growth = if is_bridged { BRIDGED_GROWTH } else { share.powf(-GRAPH_GROWTH) };
    let graph = GRAPH_ROWS * ef as f64 * growth;
    if graph <= exact.min(binary) && share >= MIN_WALK_SHARE {
        PlannedStrategy::Graph { budget: (BUDGET_FACTOR * graph) as u64, is_bridged }
    } else if exact <= binary {
        PlannedStrategy::Exact
    } else {
        PlannedStrategy::BinaryCodes
    }
}

/// How many rows have their 8-bit codes scored after their binary codes.
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
            PlannedStrategy::Graph { is_bridged: false, .. }
        ));
        assert!(matches!(
            choose_strategy(1_000_000, 100_000, 40, 100),
            PlannedStrategy::Graph { is_bridged: true, .. }
        ));
        assert_eq!(choose_strategy(1_000_000, 40_000, 40, 100), PlannedStrategy::BinaryCodes);
    }
}
