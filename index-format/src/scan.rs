//! The candidates of a segment that are worth an exact score, found by one of the strategies of
//! [`PlannedStrategy`].

use crate::binary::BinaryQuery;
use crate::graph::FilteredSearch;
use crate::graph::WalkScratch;
use crate::graph::descend_levels;
use crate::graph::entry_point_count;
use crate::graph::search_graph;
use crate::graph::search_graph_filtered;
use crate::kernels::Kernel;
use crate::plan::PlannedStrategy;
use crate::plan::SearchStrategy;
use crate::plan::binary_candidate_count;
use crate::plan::choose_strategy;
use crate::query::Query;
use crate::rows::BATCH_ROWS;
use crate::rows::RowSet;
use crate::segment::Segment;
use crate::top_rows::TopRows;

/// How one segment was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchExplanation {
    /// The strategy that was used.
    pub plan: SearchStrategy,
    /// The rows of the segment.
    pub rows: u32,
    /// The rows among them that were allowed.
    pub allowed: u32,
    /// The rows that were scored.
    pub scored: ScoredRows,
}

/// How many rows of a segment were scored at each precision.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScoredRows {
    /// By their binary codes.
    pub by_binary_codes: u64,
    /// By their 8-bit codes.
    pub by_codes: u64,
    /// By their exact cosine.
    pub exactly: u64,
}

impl SearchExplanation {
    pub(crate) fn without_search(segment: &Segment) -> SearchExplanation {
        SearchExplanation {
            plan: SearchStrategy::Nothing,
            rows: segment.row_count(),
            allowed: 0,
            scored: ScoredRows::default(),
        }
    }
}

/// How many candidates a search of a segment collects.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CandidateLimits {
    /// The rows to return, if that many are allowed.
    pub(crate) rows: usize,
    /// The candidates that a walk keeps.
    pub(crate) ef: usize,
}

impl CandidateLimits {
    pub(crate) fn scale_by(self, factor: usize) -> CandidateLimits {
        let times = |count: usize| count.saturating_mul(factor);
        CandidateLimits { rows: times(self.rows), ef: times(self.ef) }
    }
}

/// The allowed rows whose codes are nearest to the query, the best first.
pub(crate) fn collect_candidates(
    segment: &Segment,
    query: &Query,
    rows: RowSet<'_>,
    limits: CandidateLimits,
    explanation: &mut SearchExplanation,
) -> Vec<u32> {
    let allowed = explanation.allowed as usize;
    let limit = limits.rows.min(allowed);
    let ef = limits.ef.min(allowed);
    let strategy = match segment.graph() {
        Some(_) => choose_strategy(segment.row_count() as usize, allowed, limit, ef),
        None => PlannedStrategy::Exact,
    };
    match strategy {
        PlannedStrategy::Exact => {
            explanation.plan = SearchStrategy::Exact;
            scan_quantized_codes(segment, query, rows, limit, explanation)
        }
        PlannedStrategy::BinaryCodes => {
            explanation.plan = SearchStrategy::BinaryCodes;
            scan_binary_codes(segment, query, rows, limit, explanation)
        }
        PlannedStrategy::Graph { budget, is_bridged } => {
            explanation.plan = SearchStrategy::Graph;
            let found = walk_graph(segment, query, rows, (ef, budget, is_bridged), explanation);
            found.unwrap_or_else(|| {
                explanation.plan = SearchStrategy::GraphThenBinaryCodes;
                scan_binary_codes(segment, query, rows, limit, explanation)
            })
        }
    }
}

/// The cosine of a row with the query; `None` if the stored row is damaged or absent.
pub(crate) fn exact_similarity(segment: &Segment, query: &Query, row: u32) -> Option<f32> {
    let product = Kernel::detect_best().dot_halves(segment.half_row(row)?, query.unit_vector());
    // Rounding to half precision can make a product slightly greater than 1.
    product.is_finite().then(|| product.clamp(-1.0, 1.0))
}

/// The `limit` rows whose 8-bit codes have the best products.
fn scan_quantized_codes(
    segment: &Segment,
    query: &Query,
    rows: RowSet<'_>,
    limit: usize,
    explanation: &mut SearchExplanation,
) -> Vec<u32> {
    let table = segment.quantized_table();
    let mut pool = TopRows::new(limit);
    let mut products = [0; BATCH_ROWS];
    rows.for_each_batch(segment.row_count(), |batch| {
        let products = &mut products[..batch.len()];
        table.dot_rows(batch, query.quantized_vector(), products);
        for (row, product) in batch.iter().zip(products) {
            pool.offer_row(*product as f32 * table.row_scale(*row), *row);
        }
        explanation.scored.by_codes += batch.len() as u64;
    });
    pool.into_best()
}

/// The `limit` rows whose 8-bit codes have the best products, among those with the best binary codes.
fn scan_binary_codes(
    segment: &Segment,
    query: &Query,
    rows: RowSet<'_>,
    limit: usize,
    explanation: &mut SearchExplanation,
) -> Vec<u32> {
    let (Some(binary_table), Some(mean)) = (segment.binary_table(), segment.mean()) else {
        return scan_quantized_codes(segment, query, rows, limit, explanation);
    };
    let binary_query = BinaryQuery::new(query.unit_vector(), mean);
    let mut pool = TopRows::new(binary_candidate_count(limit));
    let mut products = [0; BATCH_ROWS];
    rows.for_each_batch(segment.row_count(), |batch| {
        let products = &mut products[..batch.len()];
        let offer = |row, score| pool.offer_row(score, row);
        binary_table.score_rows(batch, &binary_query, products, offer);
        explanation.scored.by_binary_codes += batch.len() as u64;
    });
    scan_quantized_codes(segment, query, RowSet::Sorted(&pool.into_rows()), limit, explanation)
}

/// The rows that a walk over the graph finds; `None` if it used up its budget.
fn walk_graph(
    segment: &Segment,
    query: &Query,
    rows: RowSet<'_>,
    (ef, budget, is_bridged): (usize, u64, bool),
    explanation: &mut SearchExplanation,
) -> Option<Vec<u32>> {
    let (graph, table, codes) =
        (segment.graph()?, segment.quantized_table(), query.quantized_vector());
    WalkScratch::with_thread_local(|scratch| {
        let entries = entry_point_count(table.row_count());
        descend_levels(&graph, &table, codes, entries, scratch, &mut explanation.scored.by_codes)?;
        let is_complete = if explanation.allowed == segment.row_count() {
            explanation.scored.by_codes += search_graph(&graph, &table, codes, ef, scratch);
            true
        } else {
            let allowed = rows.to_bitmap(segment.row_count());
            let search = FilteredSearch { allowed: &allowed, limit: ef, budget, is_bridged };
            let (scored, is_complete) =
                search_graph_filtered(&graph, &table, codes, search, scratch);
            explanation.scored.by_codes += scored;
            is_complete
        };
        // A damaged graph may lead to too few rows.
        let is_full = scratch.beam.best_rows().len() >= ef;
        (is_complete && is_full)
            .then(|| scratch.beam.best_rows().map(|scored| scored.row()).collect())
    })
}
