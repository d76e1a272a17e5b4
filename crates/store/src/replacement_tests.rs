//! An index takes the place of another one, and gives it back.

use std::fs;

use crate::{
    DataFolder, Store, StoreError,
    tests::{commit, document, folder, open},
};

fn versions(store: &Store) -> Vec<String> {
    let snapshot = store.snapshot();
    let entries = snapshot.catalog().document_entries();
    let mut versions: Vec<String> = entries.map(|entry| entry.row.version.to_string()).collect();
    versions.sort();
    versions
}

fn id_of(store: &Store, version: &str) -> u32 {
    let snapshot = store.snapshot();
    let number = "38.331".parse().expect("a number");
    let entry = snapshot.catalog().find_version(&number, version.parse().expect("a version"));
    entry.expect("stored").id
}

#[test]
fn a_replacement_is_seen_only_when_it_is_published_and_can_be_taken_back() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["The first timer."]));
    let old = store.snapshot();
    let replacement = store.begin_replacement().expect("begun");
    commit(replacement.store(), &document("38.331", "18.1.0", &["The second timer."]));
    replacement
        .store()
        .lock_writer()
        .remove_document(&"38.331".parse().expect("a number"), "18.0.0".parse().expect("a version"))
        .expect("removed");
    assert_eq!(versions(&store), ["18.0.0"], "the old one is served meanwhile");
    replacement.publish().expect("published");
    assert_eq!(versions(&store), ["18.1.0"]);
    assert_eq!(old.catalog().document_entries().count(), 1, "readers keep what they have");
    assert_eq!(old.contents().count_occurrences("first", 9).expect("searched"), 1);
    assert_eq!(store.snapshot().contents().count_occurrences("second", 9).expect("searched"), 1);
    assert_eq!(store.changes_since_replacement().expect("read"), Some(0));
    commit(&store, &document("38.331", "18.2.0", &["The third timer."]));
    assert_eq!(store.changes_since_replacement().expect("read"), Some(1));
    let newest = id_of(&store, "18.2.0");
    drop(store);

    let store = open(&dir);
    assert_eq!(versions(&store), ["18.1.0", "18.2.0"], "it stays after a restart");
    let journal = store.snapshot().journal().last_number().expect("read");
    assert_eq!(store.roll_back().expect("rolled back").lost_changes, 1);
    assert_eq!(versions(&store), ["18.0.0"]);
    assert_eq!(store.snapshot().contents().count_occurrences("first", 9).expect("searched"), 1);
    assert!(matches!(store.roll_back(), Err(StoreError::NothingBefore)));
    commit(&store, &document("38.331", "18.3.0", &["The fourth timer."]));
    assert!(id_of(&store, "18.3.0") > newest, "no id is given twice");
    assert!(store.snapshot().journal().last_number().expect("read") > journal);
    drop(store);
    let store = open(&dir);
    assert_eq!(versions(&store), ["18.0.0", "18.3.0"]);
    assert_eq!(store.verify_store(|_, _| {}).expect("verified").faults, Vec::<String>::new());
}

#[test]
fn a_replacement_that_is_not_published_leaves_nothing() {
    let dir = folder();
    let indexes = || {
        let entries = fs::read_dir(dir.path()).expect("there").flatten();
        entries.filter(|e| e.file_name().to_string_lossy().starts_with("index-")).count()
    };
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["The first timer."]));
    drop(store.begin_replacement().expect("begun"));
    assert_eq!(indexes(), 0);
    // A copy that cannot be made: something of the index is lost.
    fs::remove_dir_all(dir.path().join("lexical-tdocs")).expect("removed");
    assert!(store.begin_replacement().is_err());
    assert_eq!(indexes(), 0, "nothing of it is left");
    fs::create_dir(dir.path().join("lexical-tdocs")).expect("made");
    for number in 1..=2 {
        let replacement = store.begin_replacement().expect("begun");
        let version = format!("18.{number}.0");
        commit(replacement.store(), &document("38.331", &version, &["A timer."]));
        replacement.publish().expect("published");
    }
    assert_eq!(indexes(), 2, "the one before is kept, and no older one");
    assert!(!dir.path().join("meta.redb").exists());
    // What a process leaves that is killed before it publishes.
    fs::create_dir(dir.path().join("index-9")).expect("made");
    drop(store);
    let store = open(&dir);
    assert_eq!((indexes(), versions(&store).len()), (2, 3));
}

#[test]
fn a_file_that_names_no_index_is_refused() {
    let dir = folder();
    drop(open(&dir));
    for text in ["", "{}", r#"{"index":"../x","before":null,"batch":0}"#] {
        fs::write(dir.path().join("current"), text).expect("written");
        let opened = Store::open(DataFolder::new(dir.path()));
        assert!(matches!(opened, Err(StoreError::CurrentLost { .. })), "{text}");
    }
}
