//! Vectors that follow the words, as readers and later runs see it.

use super::*;
use crate::{
    NewDocument, Store, hash_heading_path,
    tests::{
        assert_store_is_consistent, commit, document, folder, model, nearest, open, vector_of,
    },
};

/// A document that is committed without vectors, with a heading for each section.
fn bare(number: &str, texts: &[&str]) -> NewDocument {
    let mut new = document(number, "18.0.0", texts);
    new.vectors.clear();
    for section in &mut new.sections {
        section.heading = Some(hash_heading_path(&section.head.title));
    }
    new
}

/// Adds vectors for the last line of each text.
fn add(store: &Store, texts: &[(u64, String)]) {
    let last_line = |text: &str| text.lines().last().expect("a line").to_owned();
    let vectors: Vec<(u64, Vec<Vec<f32>>)> =
        texts.iter().map(|(id, text)| (*id, vec![vector_of(&last_line(text))])).collect();
    store.lock_writer().add_text_vectors(&model(), &vectors).expect("added");
}

#[test]
fn a_document_gets_its_vectors_after_its_words_and_a_later_run_goes_on() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &bare("38.331", &["alpha", "beta"]));
    let everything = DocumentFilter::default();
    assert_eq!(
        store.snapshot().vector_coverage(&everything),
        PassageCoverage { passages: 2, with_vectors: 0 }
    );
    assert!(!store.snapshot().has_all_vectors(&everything));

    let mut missing = MissingVectors::of(&store.snapshot());
    assert_eq!(missing.count(&store.snapshot()), 3, "two passages and the heading they share");
    let headings = missing.take_heading_texts(&store.snapshot(), id).expect("read");
    assert_eq!(headings.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["Title"]);
    let mut texts = missing.take_document_texts(&store.snapshot(), id).expect("read");
    assert_eq!(texts.len(), 2, "a heading is not handed out twice");
    assert_eq!(missing.count(&store.snapshot()), 0);
    add(&store, &headings);
    add(&store, &[texts.remove(0)]);
    assert_eq!(store.snapshot().vector_coverage(&everything).with_vectors, 1);
    drop(store);

    let store = open(&dir);
    let mut missing = MissingVectors::of(&store.snapshot());
    assert_eq!(store.snapshot().unembedded_documents().collect::<Vec<_>>(), [id]);
    let texts = missing.take_document_texts(&store.snapshot(), id).expect("read");
    assert_eq!(texts.len(), 1);
    add(&store, &texts);
    let snapshot = store.snapshot();
    assert!(snapshot.has_all_vectors(&everything));
    assert_eq!(snapshot.unembedded_documents().count(), 0);
    assert_eq!(nearest(&snapshot, "beta", &everything).len(), 2, "no heading among passages");
    assert_store_is_consistent(&store);
    drop((snapshot, store));
    assert_store_is_consistent(&open(&dir));
}

#[test]
fn a_heading_leads_to_the_sections_that_have_its_path() {
    let dir = folder();
    let store = open(&dir);
    let (first, second) = (
        commit(&store, &bare("38.331", &["alpha", "beta"])),
        commit(&store, &bare("38.300", &["gamma"])),
    );
    let mut missing = MissingVectors::of(&store.snapshot());
    add(&store, &missing.take_heading_texts(&store.snapshot(), first).expect("read"));
    let sections = |filter: &DocumentFilter| {
        let snapshot = store.snapshot();
        let hits = snapshot.contents().search_headings(&vector_of("Title"), filter, 5);
        let hits = hits.expect("searched");
        assert!(hits.len() <= 1, "one content for one path");
        hits.first().map_or(Vec::new(), |hit| {
            let keys = snapshot.contents().heading_sections(hit.content).expect("read");
            keys.into_iter().map(|key| (key.document, key.ordinal)).collect()
        })
    };
    assert_eq!(sections(&DocumentFilter::default()), [(first, 0), (first, 1), (second, 0)]);
    store
        .lock_writer()
        .remove_document(&"38.331".parse().expect("a number"), "18.0.0".parse().expect("a version"))
        .expect("removed");
    assert_eq!(sections(&DocumentFilter::default()), [(second, 0)]);
    let other =
        DocumentFilter { number: Some("36.331".parse().expect("a number")), ..Default::default() };
    assert_eq!(sections(&other), []);
    assert_store_is_consistent(&store);
}

#[test]
fn vectors_of_another_model_are_refused() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &bare("38.331", &["alpha"]));
    let mut missing = MissingVectors::of(&store.snapshot());
    let texts = missing.take_document_texts(&store.snapshot(), id).expect("read");
    let other = ModelRow { identity: [9; 32], ..model() };
    let vectors = [(texts[0].0, vec![vector_of("alpha")])];
    let refused = store.lock_writer().add_text_vectors(&other, &vectors);
    assert!(matches!(refused, Err(StoreError::ModelMismatch { .. })), "{refused:?}");
    assert_store_is_consistent(&store);
}
