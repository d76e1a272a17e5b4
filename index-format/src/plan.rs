//! Which way through a segment costs least.
//!
//! Costs are in the time one row takes in a graph walk, where its codes come from a random place. The
//! others are estimates beside it, from times of scans and walks over 50,000 rows of 1024 components;
//! a wrong one costs time, and a walk finds a little less than a scan.

/// How a segment was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// No row is allowed: nothing was read.
    Nothing,
    /// The codes of every allowed row were scored.
    Exact,
    /// The graph was walked; where rows are not allowed, they led on and were left out.
    Graph,
    /// The signs of every allowed row were scored, and the codes of the best.
    Signs,
    /// A walk spent its budget before it was sure; then as [`Plan::Signs`].
    GraphThenSigns,
}

/// A row of codes whose neighbours in memory are read too.
const EXACT_ROW: f64 = 0.2;
/// A row of signs.
const SIGNS_ROW: f64 = 0.11;
/// Rotating the query, and a row of codes from a random place for each candidate that signs leave.
const SIGNS_START: f64 = 100.0;
/// Rows scored for each row that is kept, in a graph without filter.
const GRAPH_ROWS: f64 = 10.0;
/// How the cost of a walk grows as fewer rows are allowed.
const GRAPH_GROWTH: f64 = 1.1;
/// A smaller part of the rows than this is never looked for by a walk: allowed rows that lie
/// together, as those of one document do, can be out of its way altogether.
const LEAST_SHARE: f64 = 0.05;
/// A walk that takes this many times what was expected is given up.
const PATIENCE: f64 = 4.0;

/// Rows whose codes are scored after their signs, for each that is kept.
const SIGN_CANDIDATES: usize = 10;

/// The way chosen, before it is known whether it leads to the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Exact,
    Graph {
        /// Rows to score before giving up.
        budget: u64,
    },
    Signs,
}

/// Chooses for a segment with a graph: `limit` of `allowed` rows are wanted, of `rows` in all; a walk
/// would keep `breadth` on the way.
pub(crate) fn choose(rows: usize, allowed: usize, limit: usize, breadth: usize) -> Way {
    let (rows, allowed) = (rows as f64, allowed as f64);
    let exact = allowed * EXACT_ROW;
    let signs = SIGNS_START + allowed * SIGNS_ROW + sign_candidates(limit) as f64;
    let share = allowed / rows;
    let graph = GRAPH_ROWS * breadth as f64 * share.powf(-GRAPH_GROWTH);
    if graph <= exact.min(signs) && share >= LEAST_SHARE {
        Way::Graph { budget: (PATIENCE * graph) as u64 }
    } else if exact <= signs {
        Way::Exact
    } else {
        Way::Signs
    }
}

/// The rows whose codes are scored after their signs.
pub(crate) fn sign_candidates(limit: usize) -> usize {
    limit.saturating_mul(SIGN_CANDIDATES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_scanned_and_many_are_walked() {
        assert_eq!(choose(1_000_000, 300, 40, 100), Way::Exact);
        assert!(matches!(choose(1_000_000, 1_000_000, 40, 100), Way::Graph { .. }));
        assert!(matches!(choose(1_000_000, 500_000, 40, 100), Way::Graph { .. }));
        assert_eq!(choose(1_000_000, 40_000, 40, 100), Way::Signs);
    }
}
