//! Recovery at open after a crash or damage.

use std::{collections::BTreeMap, fs, path::Path};

use lexical::{LexicalCommit, LexicalPassage};
use register::RegisterEntry;

use crate::{
    DataFolder, DocumentFilter, FolderExamination, Store, StoreError,
    tests::{
        assert_store_is_consistent, commit, document, folder, list_files, nearest, open, words,
    },
};

/// A passage that no document carries.
fn ghost(passage: u64, text: &str) -> LexicalPassage<'_> {
    let (number, section, title) = ("38.331", "1", "1 Title");
    LexicalPassage { passage, content: 0, document: 9, number, section, title, text }
}

#[test]
fn lost_words_are_written_again_at_open() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha", "beta"]));
    commit(&open(&dir), &document("38.331", "18.1.0", &["alpha", "gamma"]));
    fs::remove_dir_all(dir.path().join("lexical")).expect("removed");
    let store = open(&dir);
    assert_eq!((words(&store.snapshot(), "alpha"), words(&store.snapshot(), "gamma")), (1, 1));
    assert_store_is_consistent(&store);
}

#[test]
fn damaged_words_are_written_again_at_open() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha", "beta"]));
    fs::write(dir.path().join("lexical").join("meta.json"), b"{").expect("written");
    let store = open(&dir);
    assert_eq!(words(&store.snapshot(), "alpha"), 1);
    assert_store_is_consistent(&store);
}

#[test]
fn word_files_that_were_exchanged_are_noticed_and_written_again_at_open() {
    let dir = folder();
    for (version, text) in [("18.0.0", "alpha"), ("18.1.0", "beta")] {
        commit(&open(&dir), &document("38.331", version, &[text]));
    }
    let files = list_files(&dir.path().join("lexical"));
    let mut of_terms =
        files.iter().filter(|path| path.extension().is_some_and(|end| end == "term"));
    let [first, second] = [(); 2].map(|()| of_terms.next().expect("two segments"));
    let [one, other] = [first, second].map(|path| fs::read(path).expect("the file"));
    fs::write(first, other).expect("written");
    fs::write(second, one).expect("written");
    let examined = FolderExamination::of_folder(&DataFolder::new(dir.path()), false);
    let faults = examined.expect("readable").faults;
    assert_eq!(faults.len(), 2, "{faults:?}");
    let store = open(&dir);
    assert_eq!((words(&store.snapshot(), "alpha"), words(&store.snapshot(), "beta")), (1, 1));
    assert_store_is_consistent(&store);
}

#[test]
fn words_of_another_layout_are_written_again_at_open() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha", "beta"]));
    let words_folder = dir.path().join("lexical");
    fs::remove_dir_all(&words_folder).expect("removed");
    fs::create_dir(&words_folder).expect("made");
    let mut fields = tantivy::schema::Schema::builder();
    fields.add_text_field("words", tantivy::schema::TEXT);
    let index = tantivy::Index::create_in_dir(&words_folder, fields.build()).expect("made");
    let mut writer = index.writer_with_num_threads::<tantivy::TantivyDocument>(1, 15_000_000);
    let mut prepared = writer.as_mut().expect("opened").prepare_commit().expect("prepared");
    prepared.set_payload("1");
    prepared.commit().expect("committed");
    drop(writer);
    let store = open(&dir);
    assert_eq!(words(&store.snapshot(), "alpha"), 1);
    assert_store_is_consistent(&store);
}

#[test]
fn files_that_redb_does_not_list_are_removed_at_open() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
    let stray = dir.path().join("vectors/text/00000099.seg");
    fs::write(&stray, b"left by a crash").expect("written");
    assert_store_is_consistent(&open(&dir));
    assert!(!stray.exists());
}

#[test]
fn a_damaged_vector_file_is_left_out_and_its_documents_are_marked() {
    for damage in [&b"VEC"[..], &[]] {
        let dir = folder();
        let first = document("38.331", "18.0.0", &["alpha"]);
        let id = commit(&open(&dir), &first);
        let other = commit(&open(&dir), &document("24.301", "18.0.0", &["beta"]));
        fs::write(dir.path().join("vectors/text/00000001.seg"), damage).expect("written");
        let store = open(&dir);
        let embedded = |id| store.snapshot().catalog().get(id).map(|entry| entry.row.embedded);
        assert_eq!((embedded(id), embedded(other)), (Some(false), Some(true)));
        let faults = store.verify_store(|_, _| ()).expect("readable").faults;
        assert_eq!(faults, [store.describe_lost_vectors().expect("one was lost")]);
        commit(&store, &first);
        assert_eq!(nearest(&store.snapshot(), "alpha", &DocumentFilter::default()).len(), 2);
        assert_store_is_consistent(&store);
    }
}

#[test]
fn a_vector_file_that_was_changed_is_read_whole_and_left_out() {
    let dir = folder();
    let id = commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
    let path = dir.path().join("vectors/text/00000001.seg");
    let mut bytes = fs::read(&path).expect("the file");
    // Behind the header, which is all that opening reads.
    bytes[4096] ^= 1;
    fs::write(&path, &bytes).expect("written");
    let store = open(&dir);
    let embedded = store.snapshot().catalog().get(id).map(|entry| entry.row.embedded);
    assert_eq!(embedded, Some(false));
    assert!(nearest(&store.snapshot(), "alpha", &DocumentFilter::default()).is_empty());
    drop(store);
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
    let path = dir.path().join("vectors/text/00000001.seg");
    fs::write(&path, fs::read(&path).expect("the file")).expect("written again as it was");
    assert_eq!(nearest(&open(&dir).snapshot(), "alpha", &DocumentFilter::default()).len(), 1);
}

#[test]
fn words_committed_before_a_crash_of_redb_are_taken_out() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["alpha"]));
    {
        let mut writer = store.lock_writer();
        let passage = ghost(2, "ghost");
        writer.state.words.add_passage(2, &passage).expect("added");
        writer
            .state
            .words
            .commit_indexes(LexicalCommit { batch: 2, batches: 1, replaces: Some(1) })
            .expect("committed");
    }
    drop(store);
    let store = open(&dir);
    assert_eq!((words(&store.snapshot(), "ghost"), words(&store.snapshot(), "alpha")), (0, 1));
    assert_store_is_consistent(&store);
    commit(&store, &document("38.331", "18.1.0", &["gamma"]));
    assert_store_is_consistent(&store);
}

#[test]
fn words_whose_removal_a_crash_cut_off_are_removed_at_open() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["alpha"]));
    {
        let mut writer = store.lock_writer();
        let passage = ghost(77, "replaced");
        writer.state.words.add_passage(0, &passage).expect("added");
        writer
            .state
            .words
            .commit_indexes(LexicalCommit { batch: 1, batches: 1, replaces: Some(0) })
            .expect("committed");
    }
    drop(store);
    assert_store_is_consistent(&open(&dir));
}

#[test]
fn a_database_that_is_older_than_the_words_is_refused_and_nothing_is_removed() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
    let old = fs::read(dir.path().join("meta.redb")).expect("the file");
    for version in ["18.1.0", "18.2.0"] {
        commit(&open(&dir), &document("38.331", version, &["beta", version]));
    }
    let files = list_files(dir.path());
    fs::write(dir.path().join("meta.redb"), old).expect("written");
    let refused = Store::open(DataFolder::new(dir.path())).err().expect("refused");
    assert!(matches!(refused, StoreError::DatabaseOlder { .. }), "{refused}");
    assert_eq!(list_files(dir.path()), files);
    // What the message advises; then it names the words.
    fs::remove_file(dir.path().join("changes.count")).expect("removed");
    let refused = Store::open(DataFolder::new(dir.path())).err().expect("refused");
    assert!(refused.to_string().contains("lexical"), "{refused}");
    for words in ["lexical", "lexical-figures", "lexical-tdocs"] {
        fs::remove_dir_all(dir.path().join(words)).expect("removed");
    }
    let store = open(&dir);
    assert_eq!((words(&store.snapshot(), "alpha"), words(&store.snapshot(), "beta")), (1, 0));
    assert_store_is_consistent(&store);
}

#[test]
fn a_database_that_is_older_than_a_change_without_words_is_refused() {
    let dir = folder();
    commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
    let old = fs::read(dir.path().join("meta.redb")).expect("the file");
    let id = "R1-2400001".parse().expect("a number");
    let meeting = "R1-116".parse().expect("a meeting");
    let entry = RegisterEntry {
        line: 0,
        tdoc: "R1-2400001".to_owned(),
        url: None,
        reserved: None,
        uploaded: None,
        texts: BTreeMap::new(),
    };
    open(&dir).lock_writer().record_unlisted_tdoc(&id, &meeting, &entry).expect("stored");
    let new = fs::read(dir.path().join("meta.redb")).expect("the file");
    fs::write(dir.path().join("meta.redb"), old).expect("written");
    let refused = Store::open(DataFolder::new(dir.path())).err().expect("refused");
    assert!(matches!(refused, StoreError::DatabaseOlder { .. }), "{refused}");
    // The newest copy is restored; half a note, as a full disk may leave, does not count.
    fs::write(dir.path().join("meta.redb"), new).expect("written");
    assert_store_is_consistent(&open(&dir));
    fs::write(dir.path().join("changes.count"), [0xff; 9]).expect("written");
    assert_store_is_consistent(&open(&dir));
}

#[test]
fn a_database_that_is_missing_or_empty_is_refused_and_nothing_is_removed() {
    for lose in [|path: &Path| fs::remove_file(path), |path: &Path| fs::write(path, [])] {
        let dir = folder();
        commit(&open(&dir), &document("38.331", "18.0.0", &["alpha"]));
        let path = dir.path().join("meta.redb");
        let kept = fs::read(&path).expect("the file");
        lose(&path).expect("lost");
        let files = list_files(dir.path());
        let refused = Store::open(DataFolder::new(dir.path())).err().expect("refused");
        let StoreError::DatabaseLost { found, .. } = &refused else { panic!("{refused}") };
        assert!(found.starts_with("1 vector file, "), "{refused}");
        assert_eq!(list_files(dir.path()), files);
        fs::write(&path, kept).expect("put back");
        assert_store_is_consistent(&open(&dir));
    }
    // An index without anything starts again.
    let dir = folder();
    drop(open(&dir));
    fs::remove_file(dir.path().join("meta.redb")).expect("removed");
    open(&dir);
}
