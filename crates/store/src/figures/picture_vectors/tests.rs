//! Vectors of pictures in the store as a whole.

use super::*;
use crate::{
    DocumentFilter, Store,
    figures::tests::with_figures,
    tests::{assert_store_is_consistent, commit, folder, open},
};

fn model(name: &str) -> ModelRow {
    ModelRow { name: name.into(), identity: [7; 32], dimension: 2 }
}

/// A direction for each byte.
fn unit(byte: u8) -> Vec<f32> {
    let angle = f32::from(byte) / 255.0;
    vec![angle.cos(), angle.sin()]
}

/// Gives every pending picture a vector made of its hash.
fn embed_all(store: &Store, model: &ModelRow) -> usize {
    store.lock_writer().switch_picture_model(model).expect("begun");
    let snapshot = store.snapshot();
    let (pending, _) = snapshot.figures().pending_pictures().expect("readable");
    let count = pending.len();
    let embed = |one: PendingPicture| {
        let known = one.known_by.and_then(|content| snapshot.figures().picture_vector(content));
        let vector = known.unwrap_or_else(|| unit(one.picture.hash[0]));
        (one, vector)
    };
    let made: Vec<_> = pending.into_iter().map(embed).collect();
    store.lock_writer().add_picture_vectors(model, &made).expect("stored");
    count
}

#[test]
fn each_picture_is_embedded_once_and_found_again() {
    let dir = folder();
    let store = open(&dir);
    let figures = [("Figure 1", "one"), ("Figure 2", "two"), ("Figure 3", "one")];
    commit(&store, &with_figures("18.0.0", &figures));
    let (pending, total) = store.snapshot().figures().pending_pictures().expect("readable");
    assert_eq!((pending.len(), total), (2, 2), "two distinct pictures");
    assert_eq!(pending[0].contents.len(), 2);
    assert_eq!(embed_all(&store, &model("a")), 2);
    assert_eq!(store.snapshot().figures().pending_pictures().expect("readable"), (Vec::new(), 2));

    let snapshot = store.snapshot();
    let vector = snapshot.figures().picture_vector(pending[1].contents[0]).expect("stored");
    let open_filter = DocumentFilter::default();
    let found =
        snapshot.figures().search_picture_vectors(&vector, &open_filter, 3).expect("searched");
    assert_eq!(found[0].content, pending[1].contents[0]);
    assert_eq!(found.len(), 3);
    let elsewhere =
        DocumentFilter { number: Some("38.300".parse().expect("valid")), ..open_filter };
    assert!(
        snapshot
            .figures()
            .search_picture_vectors(&vector, &elsewhere, 3)
            .expect("searched")
            .is_empty()
    );
    drop(snapshot);
    assert_store_is_consistent(&store);
    drop(store);
    let store = open(&dir);
    assert_eq!(store.snapshot().figures().picture_vector(pending[1].contents[0]), Some(vector));
}

#[test]
fn a_picture_in_another_text_takes_the_vector_it_has() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "one")]));
    embed_all(&store, &model("a"));
    commit(&store, &with_figures("18.1.0", &[("Figure 1 again", "one")]));
    let (pending, total) = store.snapshot().figures().pending_pictures().expect("readable");
    assert_eq!((pending.len(), total), (1, 1));
    assert!(pending[0].known_by.is_some());
}

#[test]
fn a_redrawn_picture_gets_a_new_vector() {
    let dir = folder();
    let store = open(&dir);
    let before = [("Figure 1", "one"), ("Figure 2", "two")];
    commit(&store, &with_figures("18.0.0", &before));
    embed_all(&store, &model("a"));
    let (old, content) = {
        let snapshot = store.snapshot();
        let content =
            snapshot.catalog().document_entries().next().expect("there").contents.figures[0];
        (snapshot.figures().picture_vector(content).expect("stored"), content)
    };
    // The same words, drawn by a better program.
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "better"), ("Figure 2", "two")]));
    assert_eq!(store.snapshot().figures().pending_pictures().expect("readable").0.len(), 1);
    assert_eq!(embed_all(&store, &model("a")), 1);
    let snapshot = store.snapshot();
    let new = snapshot.figures().picture_vector(content).expect("stored");
    assert_ne!(new, old);
    assert_eq!(snapshot.pictures.content_vectors(content).len(), 1, "the old one is gone");
    assert_eq!(snapshot.figures().pending_pictures().expect("readable"), (Vec::new(), 2));
    assert_store_is_consistent(&store);
}

#[test]
fn another_model_embeds_all_pictures_again() {
    let dir = folder();
    let store = open(&dir);
    let figures = [("Figure 1", "one"), ("Figure 2", "two")];
    commit(&store, &with_figures("18.0.0", &figures));
    embed_all(&store, &model("a"));
    let other = ModelRow { identity: [8; 32], ..model("b") };
    let refused = store.lock_writer().add_picture_vectors(&other, &[]);
    assert!(matches!(refused, Err(StoreError::ModelMismatch { .. })));
    assert_eq!(embed_all(&store, &other), 2);
    assert_eq!(store.snapshot().figures().picture_model().expect("readable"), Some(other));
    let files = std::fs::read_dir(dir.path().join("vectors/figures")).expect("there").count();
    assert_eq!(files, 1, "those of the first model are gone");
    assert_store_is_consistent(&store);
}

#[test]
fn a_damaged_file_is_left_out_and_made_again() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "one")]));
    embed_all(&store, &model("a"));
    drop(store);
    let folder = dir.path().join("vectors/figures");
    let file = std::fs::read_dir(&folder).expect("there").next().expect("one").expect("read");
    let bytes = std::fs::read(file.path()).expect("readable");
    std::fs::write(file.path(), &bytes[..bytes.len() / 2]).expect("written");
    let store = open(&dir);
    assert_eq!(store.snapshot().figures().pending_pictures().expect("readable").0.len(), 1);
    assert_eq!(embed_all(&store, &model("a")), 1);
    assert_store_is_consistent(&store);
}
