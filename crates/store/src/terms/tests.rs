//! Tests of the tables: written and removed with their document, verified.

use crate::{
    NewDocument, Store,
    tables::definitions::TERM_KEYS,
    tests::{commit, document, folder, open, read_definitions},
};

/// A document whose first section defines abbreviations.
fn defining(version: &str, abbreviations: &str) -> NewDocument {
    let mut document = document("38.990", version, &[abbreviations, "LRC\tnot defined here"]);
    document.sections[0].head.title = "Abbreviations".into();
    read_definitions(&mut document);
    document
}

/// What a key gives: version and meaning.
fn found(store: &Store, key: &str) -> Vec<String> {
    let snapshot = store.snapshot();
    let version = |id| snapshot.catalog().get(id).expect("its document").row.version;
    let terms = snapshot.terms().find_terms(key).expect("readable").into_iter();
    terms.map(|t| format!("{} {}", version(t.document), t.row.meaning)).collect()
}

fn faults(store: &Store) -> Vec<String> {
    store.verify_store(|_, _| {}).expect("readable").faults
}

#[test]
fn terms_are_added_and_removed_with_their_version() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &defining("18.0.0", "LRC\tLink Control\n\nBU\tBeacon Unit"));
    commit(&store, &defining("19.0.0", "LRC\tLink Control"));
    assert_eq!(found(&store, "lrc"), ["18.0.0 Link Control", "19.0.0 Link Control"]);
    assert_eq!(found(&store, "beaconunit"), ["18.0.0 Beacon Unit"]);
    commit(&store, &defining("18.0.0", "LRC\tLamp Control"));
    assert_eq!(found(&store, "lrc"), ["18.0.0 Lamp Control", "19.0.0 Link Control"]);
    assert_eq!(found(&store, "bu"), Vec::<String>::new());
    let number = "38.990".parse().expect("valid");
    let version = "19.0.0".parse().expect("valid");
    assert!(store.lock_writer().remove_document(&number, version).expect("removed"));
    assert_eq!(found(&store, "lrc"), ["18.0.0 Lamp Control"]);
    assert_eq!(faults(&store), Vec::<String>::new());
    let mut all = Vec::new();
    store.snapshot().terms().for_each_term(|term| all.push(term.row.term)).expect("readable");
    assert_eq!(all, ["LRC"]);
}

#[test]
fn verify_reports_terms_without_their_keys() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &defining("18.0.0", "LRC\tLink Control"));
    let txn = store.index().metadata.begin_write().expect("free");
    txn.open_table(TERM_KEYS).expect("there").retain(|_, _| false).expect("emptied");
    txn.commit().expect("written");
    drop(store);
    let store = open(&dir);
    assert_eq!(faults(&store), ["the terms of 38.990 18.0.0 do not match their keys"]);
}
