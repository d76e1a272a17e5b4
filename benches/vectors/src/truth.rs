//! The exact answers, and the recall of others against them.

use crate::data::VectorSet;
use crate::data::thread_count;

/// Scores that differ by less are equal: half precision rounds by as much.
pub const TIE: f32 = 1e-4;

/// For each query: the score of its k-th nearest row and how many rows count.
pub struct GroundTruth {
    kth_scores: Vec<f32>,
    /// `k`, or the number of allowed rows where there are fewer.
    expected_counts: Vec<usize>,
}

impl GroundTruth {
    /// Compares the first `queries` queries with every allowed row.
    pub fn new(
        data: &VectorSet,
        k: usize,
        queries: usize,
        allowed: impl Fn(u32) -> bool + Sync,
    ) -> GroundTruth {
        let queries: Vec<&[f32]> = data.queries().take(queries).collect();
        let part = queries.len().div_ceil(thread_count()).max(1);
        let nearest = |query: &&[f32]| {
            let rows = (0..data.len()).filter(|row| allowed(*row as u32));
            let mut scores: Vec<f32> = rows.map(|row| dot_product(query, data.row(row))).collect();
            let expected_count = k.min(scores.len());
            if expected_count == 0 {
                return (f32::INFINITY, 0);
            }
            scores.select_nth_unstable_by(expected_count - 1, |a, b| b.total_cmp(a));
            (scores[expected_count - 1], expected_count)
        };
        let truths: Vec<(f32, usize)> = std::thread::scope(|scope| {
            let parts: Vec<_> = queries
                .chunks(part)
                .map(|part| scope.spawn(|| part.iter().map(nearest).collect::<Vec<_>>()))
                .collect();
            parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
        });
        let (kth_scores, expected_counts) = truths.into_iter().unzip();
        GroundTruth { kth_scores, expected_counts }
    }

    /// Recall of an answer to the query of this number; ties count as equal.
    pub fn recall(&self, data: &VectorSet, query: usize, answer: &[u32]) -> f64 {
        let expected_count = self.expected_counts[query];
        if expected_count == 0 {
            return 1.0;
        }
        let vector = &data.queries[query * data.dimension..][..data.dimension];
        let mut rows = answer.to_vec();
        rows.sort_unstable();
        rows.dedup();
        let near = |row: &&u32| {
            dot_product(vector, data.row(**row as usize)) >= self.kth_scores[query] - TIE
        };
        rows.iter().filter(near).count().min(expected_count) as f64 / expected_count as f64
    }
}

/// The product of two vectors.
pub fn dot_product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    let (a, a_rest) = a.as_chunks::<16>();
    let (b, b_rest) = b.as_chunks::<16>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}
