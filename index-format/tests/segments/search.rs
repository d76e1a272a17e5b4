//! What a search returns: the true nearest, one row for each content id, only allowed rows.

use crate::support::VectorGenerator;
use crate::support::clustered;
use crate::support::exact_best;
use crate::support::segment_of;
use index_format::Hit;
use index_format::KnnOptions;
use index_format::Query;
use index_format::RowSet;
use index_format::Segment;
use index_format::SegmentError;
use index_format::SegmentScope;
use index_format::VectorError;
use index_format::search_segments;

fn search(segment: &Segment, query: &[f32], rows: RowSet<'_>, k: usize) -> Vec<Hit> {
    let query = Query::new(query, segment.dimension()).expect("a query");
    let hits = segment.search(&query, rows, k).expect("the same dimension");
    let best_first =
        |a: &Hit, b: &Hit| (b.similarity, a.content_id) <= (a.similarity, b.content_id);
    assert!(hits.is_sorted_by(best_first), "{hits:?}");
    hits
}

fn ids(hits: &[Hit]) -> Vec<u64> {
    hits.iter().map(|hit| hit.content_id).collect()
}

/// Exact answers and hits name the same contents, with the same cosines.
fn assert_same(hits: &[Hit], exact: &[(u64, f64)]) {
    assert_eq!(hits.len(), exact.len(), "{hits:?} for {exact:?}");
    for (hit, (_, similarity)) in hits.iter().zip(exact) {
        // Half precision may swap neighbours that are this near, so cosines are compared.
        assert!((f64::from(hit.similarity) - similarity).abs() < 1e-3, "{hits:?} for {exact:?}");
    }
}

#[test]
fn recall_at_ten_is_at_least_99_in_100() {
    let vectors = clustered(11, 5050, 384);
    let (queries, stored) = vectors.split_at(50);
    let rows: Vec<(u64, Vec<f32>)> = (0..).zip(stored.iter().cloned()).collect();
    let (_folder, segment) = segment_of(384, &rows);
    let mut found = 0;
    for query in queries {
        let exact = exact_best(&rows, |_| true, query, 10);
        let hits = ids(&search(&segment, query, RowSet::All, 10));
        found += exact.iter().filter(|(id, _)| hits.contains(id)).count();
    }
    let recall = found as f64 / (10 * queries.len()) as f64;
    assert!(recall >= 0.99, "recall@10 is {recall}");
}

#[test]
fn a_stored_vector_finds_itself_with_similarity_one() {
    let rows: Vec<(u64, Vec<f32>)> =
        (0..500).map(|id| (id, VectorGenerator(id).draw_vector(65))).collect();
    let (_folder, segment) = segment_of(65, &rows);
    for (id, vector) in rows.iter().step_by(50) {
        let scaled: Vec<f32> = vector.iter().map(|x| 40.0 * x).collect();
        let hits = search(&segment, &scaled, RowSet::All, 1);
        assert_eq!(ids(&hits), [*id]);
        assert!((hits[0].similarity - 1.0).abs() < 1e-3, "{hits:?}");
        assert_eq!(u64::from(hits[0].row), *id);
    }
}

#[test]
fn windows_of_one_content_are_one_hit_with_the_best_window() {
    // 3 windows of each content, so that k hits need more than k rows.
    let rows: Vec<(u64, Vec<f32>)> =
        (0..900).map(|row| (row / 3, VectorGenerator(row).draw_vector(20))).collect();
    let (_folder, segment) = segment_of(20, &rows);
    for seed in 2000..2010 {
        let query = VectorGenerator(seed).draw_vector(20);
        let hits = search(&segment, &query, RowSet::All, 10);
        assert_same(&hits, &exact_best(&rows, |_| true, &query, 10));
        for hit in hits {
            assert_eq!(u64::from(hit.row) / 3, hit.content_id);
        }
    }
}

#[test]
fn a_crowd_of_windows_does_not_hide_the_other_contents() {
    // 3000 windows of content 1 are all nearer to the query than any window of the others.
    let mut rows = Vec::new();
    for row in 0..3000 {
        rows.push((1, vec![1.0, 0.0001 * row as f32, 0.0]));
    }
    for id in 2..8 {
        rows.push((id, vec![0.0, 1.0, id as f32]));
    }
    let (_folder, segment) = segment_of(3, &rows);
    let query = [1.0, 0.1, 0.05];
    for k in 1..10 {
        let hits = search(&segment, &query, RowSet::All, k);
        let exact = exact_best(&rows, |_| true, &query, k);
        assert_same(&hits, &exact);
        assert_eq!(hits.len(), k.min(7));
    }
}

#[test]
fn only_allowed_rows_are_returned() {
    let rows: Vec<(u64, Vec<f32>)> =
        (0..2000).map(|row| (row, VectorGenerator(row).draw_vector(40))).collect();
    let (_folder, segment) = segment_of(40, &rows);
    let query = VectorGenerator(5000).draw_vector(40);
    for step in [2_u32, 7, 400, 1999] {
        let mut sorted: Vec<u32> = (0..2000).step_by(step as usize).collect();
        let exact = exact_best(&rows, |row| row.is_multiple_of(step), &query, 10);
        let hits = search(&segment, &query, RowSet::Sorted(&sorted), 10);
        assert_same(&hits, &exact);
        assert!(hits.iter().all(|hit| hit.row.is_multiple_of(step)), "{hits:?}");

        let mut words = vec![0_u64; 2000_usize.div_ceil(64)];
        for row in &sorted {
            words[*row as usize / 64] |= 1 << (row % 64);
        }
        assert_eq!(search(&segment, &query, RowSet::Bitmap { words: &words }, 10), hits);

        sorted.extend(sorted.clone());
        sorted.sort_unstable();
        sorted.extend([2000, 2001, u32::MAX]);
        assert_eq!(search(&segment, &query, RowSet::Sorted(&sorted), 10), hits);
        words.extend([u64::MAX; 3]);
        words[2000 / 64] |= !0 << (2000 % 64);
        assert_eq!(search(&segment, &query, RowSet::Bitmap { words: &words }, 10), hits);
    }
}

#[test]
fn no_k_or_no_allowed_rows_gives_no_hits() {
    let (_folder, segment) = segment_of(2, &[(1, vec![1.0, 0.0])]);
    let query = [1.0, 1.0];
    assert!(search(&segment, &query, RowSet::All, 0).is_empty());
    assert!(search(&segment, &query, RowSet::Sorted(&[]), 5).is_empty());
    assert!(search(&segment, &query, RowSet::Sorted(&[1, 2]), 5).is_empty());
    assert!(search(&segment, &query, RowSet::Bitmap { words: &[] }, 5).is_empty());
    assert!(search(&segment, &query, RowSet::Bitmap { words: &[!1] }, 5).is_empty());
    assert_eq!(search(&segment, &query, RowSet::All, usize::MAX).len(), 1);
    let (_folder, empty) = segment_of(2, &[]);
    assert!(search(&empty, &query, RowSet::All, 5).is_empty());
    let query = Query::new(&query, 2).expect("a query");
    assert!(
        search_segments(&[], &query, KnnOptions::with_k(5)).expect("no segments").hits.is_empty()
    );
}

#[test]
fn equal_similarities_are_ordered_by_content_id() {
    let rows: Vec<(u64, Vec<f32>)> = (0..300).rev().map(|id| (id, vec![1.0, 2.0])).collect();
    let (_folder, segment) = segment_of(2, &rows);
    let everything = search(&segment, &[2.0, 1.0], RowSet::All, 300);
    assert_eq!(ids(&everything), (0..300).collect::<Vec<_>>());
}

#[test]
fn several_segments_answer_as_one() {
    let all: Vec<(u64, Vec<f32>)> =
        (0..1200).map(|row| (row % 700, VectorGenerator(row).draw_vector(24))).collect();
    let parts: Vec<_> = all.chunks(500).map(|rows| segment_of(24, rows)).collect();
    let scopes: Vec<SegmentScope<'_>> =
        parts.iter().map(|(_, segment)| SegmentScope { segment, rows: RowSet::All }).collect();
    for seed in 9000..9010 {
        let vector = VectorGenerator(seed).draw_vector(24);
        let query = Query::new(&vector, 24).expect("a query");
        let hits = search_segments(&scopes, &query, KnnOptions::with_k(12))
            .expect("the same dimension")
            .hits;
        assert_same(&hits, &exact_best(&all, |_| true, &vector, 12));
        for hit in &hits {
            let row = hit.segment_index * 500 + hit.row as usize;
            assert_eq!(all[row].0, hit.content_id, "a hit names its segment and row");
        }
        let again = search_segments(&scopes, &query, KnnOptions::with_k(12))
            .expect("the same dimension")
            .hits;
        assert_eq!(again, hits);
    }
}

#[test]
fn queries_that_do_not_fit_are_refused() {
    assert_eq!(Query::new(&[0.0; 4], 4).err(), Some(VectorError::Zero));
    let refused = Query::new(&[1.0], 4).err();
    assert_eq!(refused, Some(VectorError::Length { expected: 4, found: 1 }));
    let refused = Query::new(&[f32::NAN], 1).err();
    assert_eq!(refused, Some(VectorError::NotFinite { position: 0 }));
    for dimension in [0, 4097] {
        let refused = Query::new(&vec![1.0; dimension as usize], dimension).err();
        assert_eq!(refused, Some(VectorError::DimensionOutOfRange { dimension }));
    }
    let (_folder, segment) = segment_of(2, &[(1, vec![1.0, 0.0])]);
    let query = Query::new(&[1.0, 0.0, 0.0], 3).expect("a query");
    let refused = segment.search(&query, RowSet::All, 0);
    assert!(matches!(refused, Err(SegmentError::DimensionMismatch { .. })), "{refused:?}");
}
