//! An index replaces another one, and is rolled back.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use durable_file::Sealed;
use tempfile::TempDir;

use crate::{
    DataFolder, FolderExamination, Store, StoreError,
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
    // What remains of a process that is killed before it publishes.
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

/// A folder with two indexes: one that is served and the one before it, each with other versions of a document.
fn folder_with_two_indexes() -> TempDir {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["The first timer."]));
    for number in 1..=2 {
        let replacement = store.begin_replacement().expect("begun");
        commit(replacement.store(), &document("38.331", &format!("18.{number}.0"), &["A timer."]));
        replacement.publish().expect("published");
    }
    drop(store);
    // The first index went to the trash, and a start that serves without it removes it.
    open(&dir).empty_old_trash();
    dir
}

/// Every file of a folder, by its path and the hash of its bytes, except the lock and what opening writes again.
fn contents(dir: &TempDir) -> BTreeMap<PathBuf, blake3::Hash> {
    let files = list_all_files(dir.path());
    let files = files.into_iter().filter(|path| !path.ends_with("lock"));
    files.map(|path| (path.clone(), blake3::hash(&fs::read(&path).expect("readable")))).collect()
}

fn list_all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("readable").flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| if path.is_dir() { list_all_files(&path) } else { vec![path] })
        .collect()
}

#[test]
fn a_file_that_names_another_index_is_refused_and_nothing_is_touched() {
    let dir = folder_with_two_indexes();
    let current = dir.path().join("current");
    let bytes = fs::read(&current).expect("there");
    let before = contents(&dir);
    let refuses = |content: &[u8], what: &str| {
        fs::write(&current, content).expect("written");
        let opened = Store::open(DataFolder::new(dir.path()));
        assert!(matches!(opened, Err(StoreError::CurrentLost { .. })), "{what}");
        let examined = FolderExamination::of_folder(&DataFolder::new(dir.path()), false);
        let faults = examined.expect("examined").faults;
        assert!(faults[0].cure.contains("index-2"), "{what}: {faults:?}");
        fs::write(&current, &bytes).expect("written");
        assert!(contents(&dir) == before, "{what}: something was changed");
    };
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        refuses(&flipped, &format!("bit {bit}"));
    }
    // As they are without a checksum: foreign, of another time, or of no index.
    for (index, of_before) in [
        ("index-3", "index-2"),
        ("index-1", ""),
        ("index-1", "index-0"),
        ("", "index-2"),
        ("index-18446744073709551615", "index-2"),
        ("../x", "index-2"),
    ] {
        let text = format!(r#"{{"index":"{index}","before":"{of_before}","batch":1}}"#);
        refuses(text.as_bytes(), &text);
        refuses(&durable_file::seal(text.as_bytes()), &text);
    }
    for text in
        ["", "null", "{}", "[]", "\0\0", r#"{"index":"index-2","before":null,"batch":1,"x":1}"#]
    {
        refuses(text.as_bytes(), text);
    }
    fs::remove_file(&current).expect("removed");
    let opened = Store::open(DataFolder::new(dir.path()));
    assert!(matches!(opened, Err(StoreError::CurrentLost { .. })));
    fs::write(&current, &bytes).expect("written");
    assert_eq!(versions(&open(&dir)).len(), 3);
    assert!(contents(&dir).keys().eq(before.keys()), "the right one is opened, and all files stay");
}

#[test]
fn a_file_without_a_checksum_gets_one_and_what_it_does_not_name_goes_to_the_trash() {
    let dir = folder_with_two_indexes();
    let current = dir.path().join("current");
    fs::write(&current, r#"{"index":"index-2","before":null,"batch":1}"#).expect("written");
    drop(open(&dir));
    assert!(matches!(durable_file::unseal(&fs::read(&current).expect("there")), Sealed::Whole(_)));
    let in_trash = dir.path().join("trash/index-1.1/index-1/meta.redb");
    assert!(in_trash.exists() && !dir.path().join("index-1").exists());
    // The process that moved it does not remove it; the next one does, when it serves.
    let store = open(&dir);
    assert!(in_trash.exists());
    store.empty_old_trash();
    assert!(!in_trash.exists());
}

#[test]
fn a_folder_opens_wherever_a_replacement_or_a_way_back_was_cut_off() {
    let dir = folder_with_two_indexes();
    let unserved = |index: &str| dir.path().join(index).join("unserved");
    // Killed while a copy was made: it has a database, and the mark.
    fs::create_dir(dir.path().join("index-3")).expect("made");
    fs::copy(dir.path().join("index-2/meta.redb"), dir.path().join("index-3/meta.redb"))
        .expect("copied");
    fs::write(unserved("index-3"), "").expect("written");
    assert_eq!(versions(&open(&dir)).len(), 3);
    assert!(!dir.path().join("index-3").exists());
    // Killed after the new list was written, and before the mark went.
    fs::write(unserved("index-2"), "").expect("written");
    assert_eq!(versions(&open(&dir)).len(), 3);
    assert!(!unserved("index-2").exists());
    // Killed on the way back, before and after the list was written.
    fs::write(unserved("index-2"), "").expect("written");
    let list = r#"{"index":"index-1","before":null,"batch":1}"#;
    fs::write(dir.path().join("current"), durable_file::seal(list.as_bytes())).expect("written");
    assert_eq!(versions(&open(&dir)).len(), 2);
    assert!(!dir.path().join("index-2").exists());
    assert!(dir.path().join("trash/index-2.1/index-2/meta.redb").exists());
}
