//! The rows of contents of documents say what the rows of their parts say, and are not used if they do not.

use redb::{Database, ReadableDatabase, ReadableTable};

use crate::{
    DataFolder, Store, StoreError,
    figures::tests::with_figures,
    tables::{
        codec::StoredRow,
        definitions::{DOCUMENT_CONTENTS, PASSAGES},
        document_contents::DocumentContents,
    },
    tests::{commit, document, folder, model, open},
};

/// A store with two versions of a document, each with figures.
fn filled() -> tempfile::TempDir {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &with_figures("18.0.0", &[("Figure 1: States", "one"), ("Figure 2", "two")]));
    commit(&store, &with_figures("18.1.0", &[("Figure 1: States", "one"), ("Figure 3", "")]));
    dir
}

fn contents(store: &Store) -> Vec<DocumentContents> {
    store.snapshot().catalog().document_entries().map(|entry| entry.contents.clone()).collect()
}

fn rows(dir: &tempfile::TempDir) -> Vec<(u32, Vec<u8>)> {
    let database = Database::create(DataFolder::new(dir.path()).metadata_path()).expect("redb");
    let txn = database.begin_read().expect("a transaction");
    let table = txn.open_table(DOCUMENT_CONTENTS).expect("a table");
    let rows = table.iter().expect("rows").map(|row| row.expect("a row"));
    rows.map(|(id, row)| (id.value(), row.value().to_vec())).collect()
}

/// Replaces rows; one that becomes nothing is removed.
fn change_rows(dir: &tempfile::TempDir, change: impl Fn(u32, Vec<u8>) -> Option<Vec<u8>>) {
    let stored = rows(dir);
    let database = Database::create(DataFolder::new(dir.path()).metadata_path()).expect("redb");
    let txn = database.begin_write().expect("a transaction");
    {
        let mut table = txn.open_table(DOCUMENT_CONTENTS).expect("a table");
        for (id, row) in stored {
            match change(id, row) {
                Some(row) => table.insert(id, row.as_slice()).map(drop).expect("inserted"),
                None => table.remove(id).map(drop).expect("removed"),
            }
        }
    }
    txn.commit().expect("committed");
}

#[test]
fn a_folder_without_the_rows_opens_the_same_and_gets_them() {
    let dir = filled();
    let before = contents(&open(&dir));
    let written = rows(&dir);
    assert_eq!(written.len(), 2);
    assert!(
        before
            .iter()
            .all(|contents| { !contents.passages.is_empty() && contents.figures.len() == 2 })
    );
    change_rows(&dir, |_, _| None);
    assert_eq!(contents(&open(&dir)), before);
    assert_eq!(rows(&dir), written);
}

#[test]
fn a_damaged_row_is_not_used_and_is_written_again() {
    let dir = filled();
    let before = contents(&open(&dir));
    let written = rows(&dir);
    for (id, row) in &written {
        for at in 0..row.len() {
            let (mut cut, mut flipped) = (row.clone(), row.clone());
            cut.truncate(at);
            flipped[at] ^= 1 << (at % 8);
            for damaged in [cut, flipped] {
                change_rows(&dir, |of, row| Some(if of == *id { damaged.clone() } else { row }));
                assert_eq!(contents(&open(&dir)), before, "byte {at} of the row of {id}");
                assert_eq!(rows(&dir), written);
            }
        }
    }
}

/// Removes the first passage of the first document, or half of its row.
fn damage_passage(dir: &tempfile::TempDir, is_removed: bool) {
    let database = Database::create(DataFolder::new(dir.path()).metadata_path()).expect("redb");
    let txn = database.begin_write().expect("a transaction");
    {
        let mut table = txn.open_table(PASSAGES).expect("a table");
        let (id, row) = {
            let first = table.first().expect("readable").expect("a passage");
            (first.0.value(), first.1.value().into_bytes())
        };
        if is_removed {
            table.remove(id).map(drop).expect("removed")
        } else {
            table
                .insert(id, StoredRow::from_bytes(&row[..row.len() / 2]))
                .map(drop)
                .expect("inserted")
        }
    }
    txn.commit().expect("committed");
}

#[test]
fn a_lost_passage_is_found_by_verify_and_never_packed() {
    for is_removed in [true, false] {
        let dir = filled();
        damage_passage(&dir, is_removed);
        let store = open(&dir);
        let snapshot = store.snapshot();
        assert_eq!((snapshot.catalog().len(), snapshot.catalog().damage().len()), (2, 0));
        let report = store.verify_store(|_, _| ()).expect("verified");
        assert!(report.faults.iter().any(|fault| fault.contains("38.331 18.0.0")), "{report:?}");
        assert_eq!(report.archives.len(), 1);
        let packed: Vec<bool> = snapshot
            .catalog()
            .document_entries()
            .map(|entry| snapshot.pack_document(entry).is_ok())
            .collect();
        assert_eq!(packed, [false, true]);
    }
}

#[test]
fn where_words_cannot_be_restored_for_a_lost_passage_the_rest_is_read() {
    for is_removed in [true, false] {
        let dir = filled();
        damage_passage(&dir, is_removed);
        std::fs::remove_dir_all(DataFolder::new(dir.path()).lexical_folder()).expect("removed");
        let store = open(&dir);
        let snapshot = store.snapshot();
        assert_eq!((snapshot.catalog().len(), snapshot.catalog().damage().len()), (1, 1));
        let new = document("24.301", "18.0.0", &["gamma"]);
        let refused = store.lock_writer().commit_document(&new, None, &model());
        assert!(matches!(refused, Err(StoreError::Damaged { .. })), "{refused:?}");
    }
}

#[test]
fn the_row_of_an_earlier_writing_of_the_document_is_not_used() {
    let dir = filled();
    let old = rows(&dir);
    // The same version with another text, as a program writes it that knows no rows.
    let mut again = document("38.331", "18.0.0", &["beta"]);
    again.row.source_hash = [9; 32];
    commit(&open(&dir), &again);
    let new = rows(&dir);
    let expected = contents(&open(&dir));
    change_rows(&dir, |of, row| {
        Some(old.iter().find(|(id, _)| *id == of).map_or(row, |(_, old)| old.clone()))
    });
    assert_eq!(contents(&open(&dir)), expected);
    assert_eq!(rows(&dir), new);
}

#[test]
fn verify_finds_a_row_that_says_something_else() {
    let dir = filled();
    let entry = {
        let store = open(&dir);
        assert_eq!(store.verify_store(|_, _| ()).expect("verified").faults, Vec::<String>::new());
        store.snapshot().catalog().document_entries().next().expect("a document").clone()
    };
    let swap = |change: &dyn Fn(&mut DocumentContents)| {
        let mut wrong = entry.clone();
        change(&mut wrong.contents);
        let wrong = wrong.contents.encode(&wrong.row).expect("encoded");
        change_rows(&dir, |of, row| Some(if of == entry.id { wrong.clone() } else { row }));
        open(&dir).verify_store(|_, _| ()).expect("verified").faults
    };
    let says_so =
        |faults: &[String]| faults.iter().any(|fault| fault.contains("list of content IDs"));
    assert!(says_so(&swap(&|contents| contents.passages[0].0 ^= 1)));
    assert!(says_so(&swap(&|contents| contents.figures.swap(0, 1))));
    assert!(says_so(&swap(&|contents| contents.headings.push(None))));
    assert!(!says_so(&swap(&|_| ())));
}
