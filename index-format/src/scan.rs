//! The rows of a segment that are worth an exact score, found in one of the ways of [`Plan`].

use crate::graph::AllowedSearch;
use crate::graph::Scratch;
use crate::graph::descend;
use crate::graph::entries_for;
use crate::graph::walk;
use crate::graph::walk_allowed;
use crate::kernels::Kernel;
use crate::plan::Plan;
use crate::plan::Way;
use crate::plan::choose;
use crate::plan::sign_candidates;
use crate::pool::Pool;
use crate::query::Query;
use crate::rows::BATCH;
use crate::rows::Rows;
use crate::segment::Segment;
use crate::signs::SignQuery;

/// What a search of one segment did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// How it went about it.
    pub plan: Plan,
    /// The rows of the segment.
    pub rows: u32,
    /// The rows among them that were allowed.
    pub allowed: u32,
    /// Rows whose signs were scored.
    pub signs_scored: u64,
    /// Rows whose codes were scored.
    pub codes_scored: u64,
    /// Rows that got their exact cosine.
    pub rescored: u64,
}

impl Explanation {
    pub(crate) fn nothing(segment: &Segment) -> Explanation {
        Explanation {
            plan: Plan::Nothing,
            rows: segment.rows(),
            allowed: 0,
            signs_scored: 0,
            codes_scored: 0,
            rescored: 0,
        }
    }
}

/// How many rows are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought {
    /// The rows to return, where the allowed rows have so many.
    pub(crate) kept: usize,
    /// The rows that a walk keeps on the way.
    pub(crate) breadth: usize,
}

impl Sought {
    pub(crate) fn times(self, factor: usize) -> Sought {
        let times = |count: usize| count.saturating_mul(factor);
        Sought { kept: times(self.kept), breadth: times(self.breadth) }
    }
}

/// The allowed rows whose codes are nearest to the query, the best first.
pub(crate) fn candidates(
    segment: &Segment,
    query: &Query,
    rows: Rows<'_>,
    sought: Sought,
    explanation: &mut Explanation,
) -> Vec<u32> {
    let allowed = explanation.allowed as usize;
    let limit = sought.kept.min(allowed);
    let breadth = sought.breadth.min(allowed);
    let way = match segment.graph() {
        Some(_) => choose(segment.rows() as usize, allowed, limit, breadth),
        None => Way::Exact,
    };
    match way {
        Way::Exact => {
            explanation.plan = Plan::Exact;
            scan_codes(segment, query, rows, limit, explanation)
        }
        Way::Signs => {
            explanation.plan = Plan::Signs;
            scan_signs(segment, query, rows, limit, explanation)
        }
        Way::Graph { budget } => {
            explanation.plan = Plan::Graph;
            let found = walk_graph(segment, query, rows, (breadth, budget), explanation);
            found.unwrap_or_else(|| {
                explanation.plan = Plan::GraphThenSigns;
                scan_signs(segment, query, rows, limit, explanation)
            })
        }
    }
}

/// The cosine of a row with the query, or none when the stored row is damaged or absent.
pub(crate) fn exact_similarity(segment: &Segment, query: &Query, row: u32) -> Option<f32> {
    let product = Kernel::best().dot_halves(segment.half_row(row)?, query.unit());
    // Rounding to half precision can carry a product a little past 1.
    product.is_finite().then(|| product.clamp(-1.0, 1.0))
}

/// The `limit` rows with the best products of codes.
fn scan_codes(
    segment: &Segment,
    query: &Query,
    rows: Rows<'_>,
    limit: usize,
    explanation: &mut Explanation,
) -> Vec<u32> {
    let table = segment.codes();
    let mut pool = Pool::new(limit);
    let mut products = [0; BATCH];
    rows.for_each_batch(segment.rows(), |batch| {
        let products = &mut products[..batch.len()];
        table.products(batch, query.codes(), products);
        for (row, product) in batch.iter().zip(products) {
            pool.offer(*product as f32 * table.scale(*row), *row);
        }
        explanation.codes_scored += batch.len() as u64;
    });
    pool.into_best()
}

/// The `limit` rows with the best products of codes among those with the best products of signs.
fn scan_signs(
    segment: &Segment,
    query: &Query,
    rows: Rows<'_>,
    limit: usize,
    explanation: &mut Explanation,
) -> Vec<u32> {
    let (Some(signs), Some(mean)) = (segment.signs(), segment.mean()) else {
        return scan_codes(segment, query, rows, limit, explanation);
    };
    let sign_query = SignQuery::new(query.unit(), mean);
    let mut pool = Pool::new(sign_candidates(limit));
    let mut products = [0; BATCH];
    rows.for_each_batch(segment.rows(), |batch| {
        let products = &mut products[..batch.len()];
        signs.scores(batch, &sign_query, products, |row, score| pool.offer(score, row));
        explanation.signs_scored += batch.len() as u64;
    });
    scan_codes(segment, query, Rows::Sorted(&pool.into_rows()), limit, explanation)
}

/// The rows that a walk over the graph finds; none where it spent its budget.
fn walk_graph(
    segment: &Segment,
    query: &Query,
    rows: Rows<'_>,
    (breadth, budget): (usize, u64),
    explanation: &mut Explanation,
) -> Option<Vec<u32>> {
    let (graph, table, codes) = (segment.graph()?, segment.codes(), query.codes());
    Scratch::with(|scratch| {
        let entries = entries_for(table.rows());
        descend(&graph, &table, codes, entries, scratch, &mut explanation.codes_scored)?;
        let is_complete = if explanation.allowed == segment.rows() {
            explanation.codes_scored += walk(&graph, &table, codes, breadth, scratch);
            true
        } else {
            let allowed = rows.bitmap(segment.rows());
            let search = AllowedSearch { allowed: &allowed, limit: breadth, budget };
            let (scored, is_complete) = walk_allowed(&graph, &table, codes, search, scratch);
            explanation.codes_scored += scored;
            is_complete
        };
        // A damaged graph may lead to too few rows.
        let is_full = scratch.beam.best().len() >= breadth;
        (is_complete && is_full).then(|| scratch.beam.best().map(|scored| scored.row()).collect())
    })
}
