//! Texts of meeting documents in the store: committed, found, replaced, recovered.

use crate::{
    ContentStatus, ContentVectors, DocumentFilter, ModelRow, NewTdocText, Store, TdocContentRow,
    TdocPassageKey, TdocScope, TdocTextEnds, TdocTextRow, hash_passage,
    tables::definitions::TDOC_TEXT_ENDS,
    tests::{assert_store_is_consistent, commit, document, folder, model, open, vector_of},
};
use document_model::TdocPassageRow;
use domain::UnitType;
use lexical::LexicalQuery;

/// A document with one passage for each text; the first is a proposal.
fn tdoc(id: &str, texts: &[&str]) -> NewTdocText {
    let passage = |(index, text): (usize, &&str)| TdocPassageRow {
        header: "On beams".to_owned(),
        text: (*text).to_owned(),
        labels: Vec::new(),
        anchor: format!("{id}.docx#p{}", index + 1),
        page: None,
    };
    let passages: Vec<TdocPassageRow> = texts.iter().enumerate().map(passage).collect();
    let kind = |index: usize| if index == 0 { UnitType::Proposal } else { UnitType::Body };
    let vectors = passages.iter().map(|passage| ContentVectors {
        hash: hash_passage(&passage.text_with_header()),
        windows: vec![vector_of(&passage.text)],
    });
    NewTdocText {
        row: TdocContentRow {
            id: id.parse().expect("valid"),
            status: ContentStatus::Complete,
            extractor: "docx".to_owned(),
            revision: 1,
            faults: Vec::new(),
            file: format!("{id}.zip"),
            origin: String::new(),
            inbox: Vec::new(),
            hash: [0; 32],
            read_at: "2026-01-01T00:00:00Z".to_owned(),
            units: 1,
            wants_converter: false,
            passages: (0..texts.len()).map(|index| (0, kind(index))).collect(),
            embedded: false,
            batch: 0,
        },
        vectors: vectors.collect(),
        ends: TdocTextEnds {
            units: Vec::new(),
            passages: passages.iter().map(|passage| passage.anchor.clone()).collect(),
        },
        revised: Vec::new(),
        text: TdocTextRow { passages, ..TdocTextRow::default() },
    }
}

fn commit_text(store: &Store, new: &NewTdocText) {
    store.lock_writer().commit_tdoc(new, &model()).expect("committed");
}

const ALL: TdocScope<'static> = TdocScope { keys: None, kinds: None };

fn occurrences(store: &Store, content: u64) -> Vec<String> {
    let snapshot = store.snapshot();
    let occurrences = snapshot.tdocs().tdoc_occurrences(content).expect("read");
    let id = |occurrence: &TdocPassageKey| {
        snapshot.catalog().tdoc_by_key(occurrence.key).expect("there").row.id.to_string()
    };
    occurrences.iter().map(id).collect()
}

fn nearest(store: &Store, text: &str, scope: TdocScope<'_>) -> Option<u64> {
    let hits =
        store.snapshot().tdocs().search_tdoc_vectors(&vector_of(text), scope, 1).expect("searched");
    hits.first().map(|hit| hit.content)
}

fn with_word(store: &Store, word: &str, scope: TdocScope<'_>) -> Vec<u64> {
    let query = LexicalQuery { text: word.to_owned(), ..LexicalQuery::default() };
    let (hits, _) =
        store.snapshot().tdocs().search_tdocs_lexical(&query, scope, 9).expect("searched");
    hits.iter().map(|hit| hit.content).collect()
}

#[test]
fn passages_are_found_by_vector_and_word_within_their_scope() {
    let dir = folder();
    let store = open(&dir);
    commit_text(&store, &tdoc("R1-2600001", &["alpha", "shared"]));
    commit_text(&store, &tdoc("R1-2600002", &["beta", "shared"]));
    let alpha = nearest(&store, "alpha", ALL).expect("found");
    assert_eq!(occurrences(&store, alpha), ["R1-2600001"]);
    assert_eq!(with_word(&store, "alpha", ALL), [alpha]);
    let shared = with_word(&store, "shared", ALL);
    assert_eq!(shared.len(), 1, "the same passage is one content");
    assert_eq!(occurrences(&store, shared[0]), ["R1-2600001", "R1-2600002"]);
    let second = store
        .snapshot()
        .catalog()
        .tdoc_by_id(&"R1-2600002".parse().expect("valid"))
        .expect("there")
        .key;
    let keys = [second];
    let scope = TdocScope { keys: Some(&keys), kinds: None };
    assert_ne!(nearest(&store, "alpha", scope), Some(alpha));
    assert!(with_word(&store, "alpha", scope).is_empty());
    let proposals = TdocScope { keys: None, kinds: Some(&[UnitType::Proposal]) };
    assert!(with_word(&store, "shared", proposals).is_empty());
    assert_eq!(with_word(&store, "alpha", proposals), [alpha]);
    assert_store_is_consistent(&store);
}

#[test]
fn a_document_that_is_read_again_replaces_its_text_and_keeps_its_key() {
    let dir = folder();
    let store = open(&dir);
    commit_text(&store, &tdoc("R1-2600001", &["alpha", "gamma"]));
    commit_text(&store, &tdoc("R1-2600002", &["beta"]));
    let key = |store: &Store| {
        let snapshot = store.snapshot();
        snapshot.catalog().tdoc_by_id(&"R1-2600001".parse().expect("valid")).expect("there").key
    };
    let before = key(&store);
    commit_text(&store, &tdoc("R1-2600001", &["delta"]));
    assert_eq!(key(&store), before);
    assert!(with_word(&store, "alpha", ALL).is_empty());
    assert_eq!(with_word(&store, "delta", ALL).len(), 1);
    assert_eq!(with_word(&store, "beta", ALL).len(), 1);
    assert_store_is_consistent(&store);
    drop(store);
    let store = open(&dir);
    assert_eq!(with_word(&store, "delta", ALL).len(), 1);
    assert_eq!(store.snapshot().tdocs().tdoc_text(before).expect("read").passages[0].text, "delta");
    assert_store_is_consistent(&store);
}

#[test]
fn a_text_that_was_stored_without_its_ends_is_read_and_gets_them_when_it_is_read_again() {
    let dir = folder();
    let store = open(&dir);
    let new = tdoc("R1-2600001", &["alpha", "gamma"]);
    commit_text(&store, &new);
    let key = store.snapshot().catalog().tdoc_entries().next().expect("one").key;
    let ends = |store: &Store| store.snapshot().tdocs().tdoc_text_ends(key).expect("read");
    assert_eq!(ends(&store), new.ends);
    {
        let writer = store.lock_writer();
        let txn = writer.index.metadata.begin_write().expect("begun");
        txn.delete_table(TDOC_TEXT_ENDS).expect("there");
        txn.commit().expect("committed");
    }
    drop(store);
    let store = open(&dir);
    assert_eq!(ends(&store), TdocTextEnds::default());
    let text = store.snapshot().tdocs().tdoc_text(key).expect("read");
    assert_eq!(text, new.text);
    commit_text(&store, &new);
    assert_eq!(ends(&store), new.ends);
}

#[test]
fn documents_of_both_kinds_stay_apart_and_lost_words_are_written_again() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["alpha"]));
    commit_text(&store, &tdoc("R1-2600001", &["alpha of a meeting"]));
    let snapshot = store.snapshot();
    let query = LexicalQuery { text: "alpha".to_owned(), ..LexicalQuery::default() };
    let of_documents =
        snapshot.contents().search_lexical(&query, &DocumentFilter::default(), None, 9);
    assert_eq!(of_documents.expect("searched").len(), 1);
    assert_eq!(with_word(&store, "alpha", ALL).len(), 1);
    drop((snapshot, store));
    std::fs::remove_dir_all(dir.path().join("lexical-tdocs")).expect("there");
    let store = open(&dir);
    assert_eq!(with_word(&store, "meeting", ALL).len(), 1);
    assert_store_is_consistent(&store);
}

#[test]
fn documents_of_meetings_get_vectors_of_another_model_too() {
    let dir = folder();
    let store = open(&dir);
    commit_text(&store, &tdoc("R1-2600001", &["alpha", "beta"]));
    let other = ModelRow { name: "other".into(), identity: [9; 32], dimension: 4 };
    let mut reindex = store.lock_writer().begin_reindex(&other).expect("begun");
    assert!(!store.lock_writer().finish_reindex(&reindex).expect("refused politely"));
    let snapshot = store.snapshot();
    let key = snapshot.catalog().tdoc_entries().next().expect("one").key;
    let texts = reindex.take_pending_tdoc_texts(&snapshot, key).expect("read");
    assert_eq!(texts[0].1, "On beams\nalpha");
    let vectors: Vec<(u64, Vec<Vec<f32>>)> =
        texts.iter().map(|(id, text)| (*id, vec![vector_of(text)])).collect();
    drop(snapshot);
    store.lock_writer().add_reindexed_vectors(&mut reindex, &vectors).expect("stored");
    assert!(store.lock_writer().finish_reindex(&reindex).expect("switched"));
    assert_store_is_consistent(&store);
}

#[test]
fn a_phrase_is_found_in_documents_of_both_kinds_apart() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["alpha beta gamma", "beta alpha"]));
    commit(&store, &document("38.331", "18.1.0", &["alpha beta gamma", "alpha beta delta"]));
    commit_text(&store, &tdoc("R1-2600001", &["alpha beta", "gamma"]));
    let snapshot = store.snapshot();
    let in_documents = |phrase: &str, filter: &DocumentFilter| {
        snapshot.contents().find_phrase(phrase, filter, 9).expect("found").len()
    };
    let newest = DocumentFilter {
        version: Some("18.1.0".parse().expect("valid")),
        ..DocumentFilter::default()
    };
    assert_eq!(in_documents("alpha beta", &DocumentFilter::default()), 2);
    assert_eq!(in_documents("alpha beta delta", &newest), 1);
    assert_eq!(in_documents("beta alpha", &newest), 0);
    let hits = snapshot.tdocs().find_tdoc_phrase("alpha beta", 9).expect("found");
    assert_eq!(hits.len(), 1);
    assert_eq!(occurrences(&store, hits[0].content), ["R1-2600001"]);
}
