//! What a snapshot keeps of the one before it.

use std::{borrow::Cow, cell::Cell, sync::Arc};

use crate::{
    DocumentFilter, Snapshot,
    tests::{commit, document, folder, open},
};

/// Whether the rows of a filter had to be computed.
fn is_computed(snapshot: &Snapshot, number: &str) -> bool {
    let number = Some(number.parse().expect("a number"));
    let filter = DocumentFilter { number, ..DocumentFilter::default() };
    let computed = Cell::new(false);
    let rows = snapshot.filters.get_or_compute(&filter, &snapshot.segments, || {
        computed.set(true);
        Cow::Owned(snapshot.catalog.passage_contents(&filter))
    });
    let fresh = snapshot.segments.allowed_rows(&snapshot.catalog.passage_contents(&filter));
    assert_eq!(rows, fresh, "rows of {filter:?}");
    computed.get()
}

#[test]
fn rows_of_filters_outlive_commits_that_do_not_concern_them() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["one", "two"]));
    commit(&store, &document("38.300", "18.0.0", &["two", "three"]));
    let before = store.snapshot();
    assert!(is_computed(&before, "38.331") && is_computed(&before, "38.300"));
    assert!(!is_computed(&before, "38.331"));
    // All of its text is known, so that it brings no vectors and no new file.
    commit(&store, &document("38.300", "18.1.0", &["one"]));
    let after = store.snapshot();
    assert!(!is_computed(&after, "38.331"), "another document was added");
    assert!(is_computed(&after, "38.300"), "a version of it was added");
    assert!(Arc::ptr_eq(&first_segment(&before), &first_segment(&after)), "opened again");
    commit(&store, &document("38.300", "18.2.0", &["four"]));
    assert!(is_computed(&store.snapshot(), "38.331"), "there is a new vector file");
}

#[test]
fn no_filter_keeps_a_vector_file_open_that_is_not_listed() {
    let dir = folder();
    let store = open(&dir);
    // More small files than are left alone are merged.
    for number in 0..10 {
        let text = format!("text {number}");
        commit(&store, &document(&format!("38.{}", 300 + number), "18.0.0", &[&text]));
        assert!(is_computed(&store.snapshot(), "38.300") || number > 0);
    }
    let old = first_segment(&store.snapshot());
    store.lock_writer().compact_segments().expect("merged");
    assert!(!store.snapshot().segments.iter().any(|open| Arc::ptr_eq(open, &old)));
    assert_eq!(Arc::strong_count(&old), 1, "something still has the file open");
}

fn first_segment(snapshot: &Snapshot) -> Arc<index_format::Segment> {
    snapshot.segments.iter().next().expect("a vector file").clone()
}

#[test]
fn a_content_lives_as_long_as_something_carries_it() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["one", "two"]));
    commit(&store, &document("38.331", "18.1.0", &["two", "three"]));
    assert_eq!(store.snapshot().live.passages.len(), 3);
    let remove = |version: &str| {
        let number = "38.331".parse().expect("a number");
        let version = version.parse().expect("a version");
        assert!(store.lock_writer().remove_document(&number, version).expect("removed"));
    };
    remove("18.0.0");
    assert_eq!(store.snapshot().live.passages.len(), 2, "the second is in the other version");
    commit(&store, &document("38.331", "18.1.0", &["three"]));
    assert_eq!(store.snapshot().live.passages.len(), 1, "a replaced text is gone");
    remove("18.1.0");
    assert!(store.snapshot().live.all.is_empty());
}
