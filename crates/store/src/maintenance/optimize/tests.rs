//! Optimizing as readers, writers and the disk see it.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::{
    DocumentFilter,
    tests::{assert_store_is_consistent, commit, document, folder, nearest, open},
};

const CONTINUE: WatchBuild<'static> = &|_, _| ControlFlow::Continue(());

fn building(thoroughness: Thoroughness, threads: usize) -> OptimizeOptions {
    OptimizeOptions { thoroughness, builder: GraphBuilder::Own, threads }
}

fn everything(store: &Store) -> OptimizeSummary {
    store.optimize_segments(building(Thoroughness::Everything, 2), CONTINUE).expect("optimized")
}

fn files(dir: &tempfile::TempDir) -> usize {
    std::fs::read_dir(dir.path().join("vectors/text")).expect("readable").count()
}

/// Documents of thirty passages each; returns one text of each.
fn fill(store: &Store, documents: std::ops::Range<u32>) -> Vec<String> {
    let text = |document: u32, passage: u32| format!("passage {passage} of {document}");
    for number in documents.clone() {
        let texts: Vec<String> = (0..30).map(|passage| text(number, passage)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        commit(store, &document("38.331", &format!("18.{number}.0"), &texts));
    }
    documents.map(|number| text(number, 7)).collect()
}

/// The nearest of each text is the text itself.
fn assert_found(store: &Store, texts: &[String]) {
    let snapshot = store.snapshot();
    for text in texts {
        let best = nearest(&snapshot, text, &DocumentFilter::default())[0];
        let (_, row) = snapshot.contents().content_occurrences(best).expect("readable")[0];
        let section = snapshot.documents().section_text(row.section_key()).expect("readable");
        assert_eq!(row.extract_text(&section).expect("within"), *text);
    }
}

#[test]
fn everything_becomes_one_graph_that_answers_as_before_and_after_a_restart() {
    let dir = folder();
    let store = open(&dir);
    let texts = fill(&store, 0..5);
    let before = store.snapshot();
    let done = everything(&store);
    assert_eq!((done.merged, done.rows, done.segments), (5, 150, 1));
    assert_eq!(files(&dir), 1);
    assert_found(&store, &texts);
    // A reader that began before still reads the removed files.
    assert_eq!(nearest(&before, &texts[0], &DocumentFilter::default()).len(), 3);
    assert_store_is_consistent(&store);
    drop((before, store));
    let store = open(&dir);
    assert_found(&store, &texts);
    assert_eq!(everything(&store).merged, 0, "there is nothing left to do");
    assert_store_is_consistent(&store);
}

#[test]
fn later_documents_are_added_and_removed_ones_stay_away() {
    let dir = folder();
    let store = open(&dir);
    let mut texts = fill(&store, 0..4);
    everything(&store);
    texts.extend(fill(&store, 4..6));
    assert_found(&store, &texts);
    everything(&store);
    assert_found(&store, &texts);
    let number = "38.331".parse().expect("valid");
    let version = "18.2.0".parse().expect("valid");
    assert!(store.lock_writer().remove_document(&number, version).expect("removed"));
    let gone = texts.remove(2);
    let found = nearest(&store.snapshot(), &gone, &DocumentFilter::default());
    let carried = |content| {
        !store.snapshot().contents().content_occurrences(content).expect("readable").is_empty()
    };
    assert!(found.into_iter().all(carried), "a dead row is never returned");
    assert_found(&store, &texts);
    assert_store_is_consistent(&store);
}

#[test]
fn a_graph_with_many_dead_rows_is_rebuilt_without_them() {
    let dir = folder();
    let store = open(&dir);
    fill(&store, 0..4);
    assert_eq!(everything(&store).rows, 120);
    let number = "38.331".parse().expect("valid");
    store
        .lock_writer()
        .remove_document(&number, "18.0.0".parse().expect("valid"))
        .expect("removed");
    let done = store
        .optimize_segments(building(Thoroughness::Worthwhile, 1), CONTINUE)
        .expect("optimized");
    assert_eq!((done.merged, done.rows, done.segments), (1, 90, 1));
    assert_store_is_consistent(&store);
}

#[test]
fn few_rows_are_left_flat_unless_everything_is_asked_for() {
    let dir = folder();
    let store = open(&dir);
    fill(&store, 0..3);
    let done = store
        .optimize_segments(building(Thoroughness::Worthwhile, 1), CONTINUE)
        .expect("optimized");
    assert_eq!((done.merged, done.segments), (0, 3));
}

#[test]
fn graphs_of_hnsw_rs_are_searched_too() {
    let dir = folder();
    let store = open(&dir);
    let texts = fill(&store, 0..4);
    let how = building(Thoroughness::Everything, 2);
    let how = OptimizeOptions { builder: GraphBuilder::HnswRs, ..how };
    assert_eq!(store.optimize_segments(how, CONTINUE).expect("optimized").segments, 1);
    assert_found(&store, &texts);
    assert_store_is_consistent(&store);
}

#[test]
fn an_optimization_that_is_stopped_changes_nothing() {
    let dir = folder();
    let store = open(&dir);
    let texts = fill(&store, 0..4);
    let heard = AtomicU32::new(0);
    let stop = |_, total| {
        heard.store(total, Ordering::Relaxed);
        ControlFlow::Break(())
    };
    let done =
        store.optimize_segments(building(Thoroughness::Everything, 1), &stop).expect("stopped");
    assert!(done.interrupted && done.merged == 0 && done.segments == 4, "{done:?}");
    assert_eq!(heard.load(Ordering::Relaxed), 119, "all rows but the entry are inserted");
    assert_eq!(files(&dir), 4);
    assert_found(&store, &texts);
    everything(&store);
    assert_store_is_consistent(&store);
}

#[test]
fn a_list_that_changed_meanwhile_is_left_as_it_is_and_the_new_file_goes() {
    let dir = folder();
    let store = open(&dir);
    let texts = fill(&store, 0..3);
    let optimize_within = std::sync::Once::new();
    // Another optimization comes in between: what was to be replaced is gone from the list.
    let watch = |_, _| {
        optimize_within.call_once(|| assert_eq!(everything(&store).segments, 1));
        ControlFlow::Continue(())
    };
    store
        .optimize_segments(building(Thoroughness::Everything, 1), &watch)
        .expect_err("the list changed");
    assert_eq!(files(&dir), 1);
    assert_found(&store, &texts);
    assert_store_is_consistent(&store);
}

#[test]
fn removals_while_a_graph_is_built_hold() {
    let dir = folder();
    let store = open(&dir);
    let texts = fill(&store, 0..4);
    let number = "38.331".parse().expect("valid");
    let version = "18.1.0".parse().expect("valid");
    let remove_once = std::sync::Once::new();
    let watch = |_, _| {
        remove_once.call_once(|| {
            store.lock_writer().remove_document(&number, version).expect("removed");
        });
        ControlFlow::Continue(())
    };
    store.optimize_segments(building(Thoroughness::Everything, 1), &watch).expect("optimized");
    let found = nearest(&store.snapshot(), &texts[1], &DocumentFilter::default());
    let carried = |content| {
        !store.snapshot().contents().content_occurrences(content).expect("readable").is_empty()
    };
    assert!(found.into_iter().all(carried));
    assert_store_is_consistent(&store);
}
