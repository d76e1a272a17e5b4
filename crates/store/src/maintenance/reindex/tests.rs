//! Reindexing as readers and later runs see it.

use super::*;
use crate::{
    Store,
    tests::{
        assert_store_is_consistent, commit, document, folder, model, nearest, open, vector_of,
    },
};

fn other() -> ModelRow {
    ModelRow { name: "other".into(), identity: [9; 32], dimension: 4 }
}

/// Embeds at most `limit` pending contents of a document; the other model reverses every vector.
fn embed(store: &Store, reindex: &mut Reindex, document: u32, limit: usize) -> usize {
    let mut texts = reindex.take_pending_texts(&store.snapshot(), document).expect("read");
    texts.truncate(limit);
    let reversed = |text: &str| vector_of(text).into_iter().rev().collect();
    let last_line = |text: &str| text.lines().last().expect("a line").to_owned();
    let vectors: Vec<(u64, Vec<Vec<f32>>)> =
        texts.iter().map(|(id, text)| (*id, vec![reversed(&last_line(text))])).collect();
    store.lock_writer().add_reindexed_vectors(reindex, &vectors).expect("stored");
    vectors.len()
}

#[test]
fn the_old_vectors_serve_until_the_switch_and_the_new_ones_after() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &document("38.331", "18.0.0", &["alpha", "beta"]));
    let mut reindex = store.lock_writer().begin_reindex(&other()).expect("begun");
    assert_eq!(embed(&store, &mut reindex, id, 9), 2);
    assert_eq!(store.snapshot().contents().text_model().expect("read"), Some(model()));
    let best = nearest(&store.snapshot(), "alpha", &DocumentFilter::default())[0];
    assert!(store.lock_writer().finish_reindex(&reindex).expect("switched"));
    let snapshot = store.snapshot();
    assert_eq!(snapshot.contents().text_model().expect("read"), Some(other()));
    let reversed: Vec<f32> = vector_of("alpha").into_iter().rev().collect();
    assert!(
        snapshot.contents().content_similarity(best, &reversed).is_some_and(|cosine| cosine > 0.99)
    );
    assert_store_is_consistent(&store);
    drop((snapshot, store));
    assert_store_is_consistent(&open(&dir));
}

#[test]
fn an_interrupted_reindex_resumes() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &document("38.331", "18.0.0", &["alpha", "beta", "gamma"]));
    let mut reindex = store.lock_writer().begin_reindex(&other()).expect("begun");
    embed(&store, &mut reindex, id, 1);
    assert!(!store.lock_writer().finish_reindex(&reindex).expect("refused politely"));
    drop((reindex, store));
    let store = open(&dir);
    let mut reindex = store.lock_writer().begin_reindex(&other()).expect("begun");
    assert_eq!(reindex.pending_count(&store.snapshot()), 2);
    assert_eq!(embed(&store, &mut reindex, id, 9), 2);
    assert!(store.lock_writer().finish_reindex(&reindex).expect("switched"));
    assert_store_is_consistent(&store);
}

#[test]
fn a_document_added_meanwhile_blocks_the_switch_until_embedded() {
    let dir = folder();
    let store = open(&dir);
    let first = commit(&store, &document("38.331", "18.0.0", &["alpha", "same"]));
    let mut reindex = store.lock_writer().begin_reindex(&other()).expect("begun");
    embed(&store, &mut reindex, first, 9);
    let second = commit(&store, &document("38.331", "18.1.0", &["beta", "same"]));
    assert!(!store.lock_writer().finish_reindex(&reindex).expect("refused politely"));
    assert_eq!(embed(&store, &mut reindex, second, 9), 1, "what is shared has its vector");
    assert!(store.lock_writer().finish_reindex(&reindex).expect("switched"));
}

#[test]
fn a_reindex_for_a_third_model_discards_the_one_before() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &document("38.331", "18.0.0", &["alpha"]));
    let mut reindex = store.lock_writer().begin_reindex(&other()).expect("begun");
    embed(&store, &mut reindex, id, 9);
    let third = ModelRow { name: "third".into(), identity: [3; 32], dimension: 4 };
    let reindex = store.lock_writer().begin_reindex(&third).expect("begun");
    assert_eq!(reindex.pending_count(&store.snapshot()), 1);
    let files = std::fs::read_dir(dir.path().join("vectors/text")).expect("there").count();
    assert_eq!(files, 1, "only the stored vectors are left");
    assert_store_is_consistent(&store);
}
