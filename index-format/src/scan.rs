//! Exact search: a scan over the codes finds candidates, the half-precision rows score them.

use crate::kernels::Kernel;
use crate::pool::Pool;
use crate::query::Query;
use crate::rows::BATCH;
use crate::rows::Rows;
use crate::segment::Segment;

/// Candidates kept for each result wanted. Codes alone find about 0.98 of the true ten nearest,
/// four times as many candidates rescored find all but a few in a thousand.
const CANDIDATES_PER_RESULT: usize = 4;

/// The fewest candidates, for small result counts.
const MIN_CANDIDATES: usize = 100;

/// The distinct content ids wanted among the candidates for each result wanted.
const DISTINCT_PER_RESULT: usize = 2;

/// How much the pool grows when several rows of the same content crowd it.
const GROWTH: usize = 4;

/// The rows worth an exact score, when `k` distinct content ids are wanted.
///
/// A set no larger than the pool is returned whole. When many rows share a content id, the pool
/// grows until it holds enough distinct ones or the whole set.
pub(crate) fn candidates(segment: &Segment, query: &Query, rows: Rows<'_>, k: usize) -> Vec<u32> {
    let allowed = rows.upper_bound(segment.rows());
    let mut limit = k.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
    let distinct_wanted = k.saturating_mul(DISTINCT_PER_RESULT);
    while limit < allowed {
        let candidates = scan_codes(segment, query, rows, limit);
        if distinct_content(segment, &candidates) >= distinct_wanted {
            return candidates;
        }
        limit = limit.saturating_mul(GROWTH);
    }
    let mut all = Vec::with_capacity(allowed);
    rows.for_each_batch(segment.rows(), |batch| all.extend_from_slice(batch));
    all
}

/// The cosine of a row with the query, or none when the stored row is damaged or absent.
pub(crate) fn exact_similarity(segment: &Segment, query: &Query, row: u32) -> Option<f32> {
    let product = Kernel::best().dot_halves(segment.half_row(row)?, query.unit());
    // Rounding to half precision can carry a product a little past 1.
    product.is_finite().then(|| product.clamp(-1.0, 1.0))
}

/// The `limit` rows with the best products of codes.
fn scan_codes(segment: &Segment, query: &Query, rows: Rows<'_>, limit: usize) -> Vec<u32> {
    let kernel = Kernel::best();
    let (codes, scales) = (segment.codes(), segment.scales());
    let mut pool = Pool::new(limit);
    let mut products = [0; BATCH];
    rows.for_each_batch(segment.rows(), |batch| {
        let products = &mut products[..batch.len()];
        kernel.dot_codes(codes, batch, query.codes(), products);
        for (row, product) in batch.iter().zip(products) {
            let scale = f32::from_le_bytes(scales[*row as usize]);
            pool.offer(*product as f32 * scale, *row);
        }
    });
    pool.into_rows()
}

fn distinct_content(segment: &Segment, rows: &[u32]) -> usize {
    let mut ids: Vec<u64> = rows.iter().filter_map(|row| segment.content_id(*row)).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.len()
}
