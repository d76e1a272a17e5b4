//! The exact answer of a snapshot, found by looking at every vector.

use std::collections::HashSet;

use store::{DocumentFilter, Snapshot};

/// Half precision rounds cosines by less than this.
pub(crate) const TIE: f32 = 2e-3;

/// Every content that documents of a filter carry, with the cosine of its best window.
pub(crate) fn all(snapshot: &Snapshot, filter: &DocumentFilter, vector: &[f32]) -> Vec<(u64, f32)> {
    let norm = |vector: &[f32]| vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    let cosine = |stored: &Vec<f32>| {
        let product: f32 = stored.iter().zip(vector).map(|(a, b)| a * b).sum();
        product / (norm(stored) * norm(vector))
    };
    let mut contents = HashSet::new();
    for entry in snapshot.catalog().matching_documents(filter) {
        let first = entry.row.first_passage;
        for id in first..first + u64::from(entry.row.passage_count) {
            contents.insert(
                snapshot.documents().passage_row(id).expect("readable").expect("a passage").content,
            );
        }
    }
    let best = |content: u64| {
        snapshot.contents().content_vectors(content).iter().map(cosine).reduce(f32::max)
    };
    let mut scored: Vec<(u64, f32)> =
        contents.into_iter().map(|content| (content, best(content).expect("a vector"))).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    scored
}
