//! Segments with a graph: a search finds as much as comparing every row does, whatever rows are allowed.

use std::ops::Range;

use crate::support::MODEL;
use crate::support::VectorGenerator;
use crate::support::clustered;
use crate::support::exact_best;
use crate::support::segment_of;
use crate::support::write_graph;
use index_format::Builder;
use index_format::GraphOptions;
use index_format::KnnOptions;
use index_format::Query;
use index_format::RowSet;
use index_format::SearchStrategy;
use index_format::Segment;
use index_format::SegmentError;
use index_format::SegmentInfo;
use index_format::SegmentKind;
use index_format::SegmentScope;
use index_format::SegmentSearchResult;
use index_format::SegmentWriter;
use index_format::merge_segments;
use index_format::search_segments;

type Row = (u64, Vec<f32>);

fn graph_of(dimension: u32, rows: &[Row]) -> (tempfile::TempDir, Segment) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.seg");
    write_graph(&path, dimension, rows, &GraphOptions { threads: 2, ..Default::default() });
    let segment = Segment::open(&path).expect("an open segment");
    segment.verify().expect("a valid segment");
    assert_eq!(segment.kind(), SegmentKind::Graph);
    (folder, segment)
}

fn numbered(vectors: &[Vec<f32>]) -> Vec<Row> {
    (0..).zip(vectors.iter().cloned()).collect()
}

fn ask(segment: &Segment, query: &[f32], rows: RowSet<'_>, k: usize) -> SegmentSearchResult {
    let query = Query::new(query, segment.dimension()).expect("a query");
    let scopes = [SegmentScope { segment, rows }];
    search_segments(&scopes, &query, KnnOptions::with_k(k)).expect("the same dimension")
}

/// Recall over all queries, and the strategies used; rows of equal cosine count as equal.
fn recall(
    segment: &Segment,
    stored: &[Row],
    queries: &[Vec<f32>],
    (allowed, k): (&[Range<u32>], usize),
) -> (f64, Vec<SearchStrategy>) {
    let (mut found_count, mut expected_count, mut plans) = (0, 0, Vec::new());
    for query in queries {
        let is_allowed = |row| allowed.iter().any(|run| run.contains(&row));
        let exact = exact_best(stored, is_allowed, query, k);
        let answer = ask(segment, query, RowSet::Runs(allowed), k);
        assert!(answer.hits.iter().all(|hit| is_allowed(hit.row)), "{:?}", answer.hits);
        let kth_similarity = exact.last().map_or(0.0, |(_, similarity)| similarity - 1e-3);
        let hits = answer.hits.iter();
        found_count += hits.filter(|hit| f64::from(hit.similarity) >= kth_similarity).count();
        expected_count += exact.len();
        plans.extend(answer.explanations.iter().map(|explanation| explanation.plan));
    }
    plans.sort_by_key(|plan| format!("{plan:?}"));
    plans.dedup();
    (found_count as f64 / expected_count as f64, plans)
}

#[test]
fn as_much_is_found_whatever_part_of_the_rows_is_allowed() {
    // A graph is built by several threads and never twice the same: of so many queries, one or two may miss the best row.
    let vectors = clustered(5, 8200, 96);
    let (queries, stored) = vectors.split_at(200);
    let stored = numbered(stored);
    let (_folder, segment) = graph_of(96, &stored);
    // All rows, and runs of rows that are close together like those of documents.
    for (part, runs) in [
        ("all", vec![0..4000, 4000..8000]),
        ("half", (0..40).map(|at| at * 200..at * 200 + 100).collect::<Vec<_>>()),
        ("a sixth", (0..8).map(|at| at * 1000..at * 1000 + 160).collect()),
        ("one document", vec![3000..3050, 3050..3090]),
        ("five rows", vec![10..12, 500..503]),
    ] {
        for k in [1, 10, 200] {
            let (recall, plans) = recall(&segment, &stored, queries, (&runs, k));
            assert!(recall >= 0.99, "{part}, k = {k}: {recall} by {plans:?}");
        }
    }
}

#[test]
fn every_strategy_is_used_and_explained() {
    let stored = numbered(&clustered(6, 30_000, 16));
    let (_folder, segment) = graph_of(16, &stored);
    let query = VectorGenerator(1).draw_vector(16);
    let plan = |rows: RowSet<'_>| {
        let explanation = ask(&segment, &query, rows, 10).explanations[0];
        assert_eq!(explanation.rows, 30_000);
        (explanation.plan, explanation.allowed)
    };
    assert_eq!(plan(RowSet::All), (SearchStrategy::Graph, 30_000));
    assert_eq!(plan(RowSet::Runs(&[5..105, 305..405])), (SearchStrategy::Exact, 200));
    assert_eq!(plan(RowSet::Sorted(&[])), (SearchStrategy::Nothing, 0));
    let sparse: Vec<u32> = (0..30_000).step_by(4).collect();
    assert_eq!(plan(RowSet::Sorted(&sparse)), (SearchStrategy::BinaryCodes, 7500));
}

#[test]
fn repeated_rows_and_overlapping_runs_allow_nothing_besides() {
    let stored = numbered(&clustered(7, 4000, 16));
    let (_folder, segment) = graph_of(16, &stored);
    // As many numbers as there are rows, of the first half only.
    let twice: Vec<u32> = (0..4000).map(|row| row / 2).collect();
    for rows in [RowSet::Sorted(&twice), RowSet::Runs(&[0..2000, 0..2000])] {
        for seed in 0..20 {
            let answer = ask(&segment, &VectorGenerator(seed).draw_vector(16), rows, 10);
            assert_eq!(answer.explanations[0].allowed, 2000);
            assert!(answer.hits.iter().all(|hit| hit.row < 2000), "{:?}", answer.hits);
        }
    }
}

#[test]
fn windows_and_copies_do_not_hide_other_contents() {
    // Of each content three windows, and every tenth vector is the same.
    let mut random = VectorGenerator(8);
    let same = random.draw_vector(32);
    let rows: Vec<Row> = (0..6000)
        .map(|row| (row / 3, if row % 10 == 0 { same.clone() } else { random.draw_vector(32) }))
        .collect();
    let (_folder, segment) = graph_of(32, &rows);
    for k in [5, 20, 100] {
        let found = ask(&segment, &same, RowSet::All, k).hits;
        let exact = exact_best(&rows, |_| true, &same, k);
        assert_eq!(found.len(), k);
        for (hit, (_, similarity)) in found.iter().zip(&exact) {
            assert!((f64::from(hit.similarity) - similarity).abs() < 2e-3, "{hit:?}");
        }
    }
}

#[test]
fn small_and_strange_segments_are_built_and_searched() {
    for (count, dimension) in [(0, 7), (1, 7), (2, 65), (50, 1), (300, 4096)] {
        let rows: Vec<Row> = (0..count)
            .map(|id| (id, VectorGenerator(id + 1).draw_vector(dimension as usize)))
            .collect();
        let (_folder, segment) = graph_of(dimension, &rows);
        let hits =
            ask(&segment, &VectorGenerator(1).draw_vector(dimension as usize), RowSet::All, 5).hits;
        assert_eq!(hits.len(), rows.len().min(5));
        assert!(hits.first().is_none_or(|hit| hit.similarity > 0.99), "{hits:?}");
    }
}

#[test]
fn the_same_rows_make_the_same_bytes_on_one_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = numbered(&clustered(3, 1500, 24));
    let written = |name: &str| {
        let path = folder.path().join(name);
        write_graph(&path, 24, &rows, &GraphOptions::default());
        std::fs::read(path).expect("the file")
    };
    assert!(written("a.seg") == written("b.seg"), "the bytes differ");
}

#[test]
fn merging_adds_to_the_largest_graph_and_leaves_the_dead_out_of_the_others() {
    let all = numbered(&clustered(12, 6000, 48));
    let (_folder_1, large) = graph_of(48, &all[..4000]);
    let (_folder_2, small) = graph_of(48, &all[4000..4500]);
    let (_folder_3, flat) = segment_of(48, &all[4500..]);
    // One content in seven is dead.
    let live = |content: u64| !content.is_multiple_of(7);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("merged.seg");
    let info = SegmentInfo { dimension: 48, model: MODEL };
    let sources = [&small, &large, &flat];
    merge_segments(&path, info, &sources, live, &GraphOptions::default()).expect("merged");
    let merged = Segment::open(&path).expect("it opens");
    merged.verify().expect("it is valid");
    let kept: Vec<u64> = (0..merged.row_count()).filter_map(|row| merged.content_id(row)).collect();
    let expected: Vec<u64> = (0..6000).filter(|id| *id < 4000 || live(*id)).collect();
    assert_eq!(kept, expected, "rows ascend by content id, and the graph keeps its dead");
    let stored: Vec<Row> = all.iter().filter(|row| row.0 < 4000 || live(row.0)).cloned().collect();
    let queries = clustered(12, 6040, 48).split_off(6000);
    let whole = [0..1000, 1000..merged.row_count()];
    let (recall, plans) = recall(&merged, &stored, &queries, (&whole, 10));
    assert!(recall >= 0.99, "{recall} by {plans:?}");
}

#[test]
fn a_graph_of_hnsw_rs_is_searched_as_ours_is() {
    let vectors = clustered(15, 6040, 96);
    let (queries, stored) = vectors.split_at(40);
    let stored = numbered(stored);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.seg");
    let options = GraphOptions { builder: Builder::HnswRs, threads: 2, ..Default::default() };
    write_graph(&path, 96, &stored, &options);
    let segment = Segment::open(&path).expect("it opens");
    segment.verify().expect("it is valid");
    for runs in [vec![0..3000, 3000..6000], (0..8).map(|at| at * 700..at * 700 + 400).collect()] {
        let (recall, plans) = recall(&segment, &stored, queries, (&runs, 10));
        assert!(recall >= 0.99, "{recall} by {plans:?}");
    }
}

#[test]
fn hnsw_rs_merges_what_is_live_into_a_new_graph() {
    let all = numbered(&clustered(16, 3000, 24));
    let (_folder_1, large) = graph_of(24, &all[..2500]);
    let (_folder_2, flat) = segment_of(24, &all[2500..]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("merged.seg");
    let info = SegmentInfo { dimension: 24, model: MODEL };
    let options = GraphOptions { builder: Builder::HnswRs, ..Default::default() };
    merge_segments(&path, info, &[&large, &flat], |content| content % 30 != 0, &options)
        .expect("merged");
    let merged = Segment::open(&path).expect("it opens");
    merged.verify().expect("it is valid");
    assert_eq!(merged.row_count(), 2900);
}

#[test]
fn a_graph_that_is_mostly_dead_is_built_anew() {
    let all = numbered(&clustered(13, 2000, 24));
    let (_folder_1, large) = graph_of(24, &all);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("merged.seg");
    let info = SegmentInfo { dimension: 24, model: MODEL };
    merge_segments(
        &path,
        info,
        &[&large],
        |content| content.is_multiple_of(2),
        &GraphOptions::default(),
    )
    .expect("merged");
    let merged = Segment::open(&path).expect("it opens");
    assert_eq!(merged.row_count(), 1000);
    merged.verify().expect("it is valid");
}

#[test]
fn a_cancelled_build_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let info = SegmentInfo { dimension: 8, model: MODEL };
    let path = folder.path().join("a.seg");
    let mut writer = SegmentWriter::create(&path, info).expect("a writer");
    for id in 0..2000 {
        writer.push(id, &VectorGenerator(id).draw_vector(8)).expect("a valid vector");
    }
    let options = GraphOptions {
        watch: &|progress| match progress.done {
            0..1000 => std::ops::ControlFlow::Continue(()),
            _ => std::ops::ControlFlow::Break(()),
        },
        ..Default::default()
    };
    let cancelled = writer.finish_with_graph(&options);
    assert!(matches!(cancelled, Err(SegmentError::Cancelled { .. })), "{cancelled:?}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}
