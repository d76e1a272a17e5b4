//! Figures in the store as a whole: committed, found, shared, replaced, removed, recovered.

use std::fs;

use redb::ReadableTableMetadata;

use crate::{
    ContentVectors, DataFolder, DocumentFilter, FigureKey, FigureWords, NewDocument, NewFigure,
    NewPicture, Snapshot, SourceRow, Store,
    tables::definitions::DRAWINGS,
    tests::{assert_store_is_consistent, commit, document, folder, model, open, vector_of},
};
use database_file::DISK_IS_FULL;
use lexical::LexicalQuery;

/// A document with one passage and one figure for each pair of caption and bytes of its picture.
pub(crate) fn with_figures(version: &str, figures: &[(&str, &str)]) -> NewDocument {
    let mut new = document("38.331", version, &["alpha"]);
    for (caption, picture) in figures {
        let words = FigureWords {
            labels: vec!["gNB".into(), "UE".into(), "gNB".into()],
            before: Some("As shown below.".into()),
            ..FigureWords::default()
        };
        let hash = *blake3::hash(format!("figure {caption}").as_bytes()).as_bytes();
        // Of these pictures, one is a drawing.
        let svg = (*picture == "drawn").then_some("<svg></svg>");
        let new_picture = || NewPicture::new(picture.as_bytes().to_vec(), 3, 2).with_svg(svg);
        let picture = (!picture.is_empty()).then(new_picture);
        new.figures.push(NewFigure {
            section: 0,
            caption: Some((*caption).to_owned()),
            words,
            picture,
            hash,
        });
        let windows = vec![vector_of(caption)];
        new.vectors.push(ContentVectors { hash, windows });
    }
    // As two archives differ.
    new.row.source_hash = *blake3::hash(format!("{version} {figures:?}").as_bytes()).as_bytes();
    new
}

fn found(snapshot: &Snapshot, text: &str) -> Vec<FigureKey> {
    let query = LexicalQuery { text: text.to_owned(), ..LexicalQuery::default() };
    let hits = snapshot.figures().search_figures_lexical(&query, &DocumentFilter::default(), 10);
    let (hits, max_score) = hits.expect("searched");
    assert!(hits.iter().all(|hit| hit.score <= max_score));
    hits.iter()
        .flat_map(|hit| snapshot.figures().figure_occurrences(hit.content).expect("read"))
        .collect()
}

fn picture_files(folder: &DataFolder) -> usize {
    let folders = fs::read_dir(folder.figures_folder()).expect("there").filter_map(Result::ok);
    let files = folders.filter(|entry| entry.path().is_dir());
    files.map(|entry| fs::read_dir(entry.path()).expect("there").count()).sum()
}

#[test]
fn a_figure_is_found_by_its_words_and_its_vector_and_its_picture_is_read() {
    let dir = folder();
    let store = open(&dir);
    let id =
        commit(&store, &with_figures("18.0.0", &[("Figure 1: Bearers", "a"), ("Figure 2", "b")]));
    let check = |snapshot: &Snapshot, store: &Store| {
        let keys = found(snapshot, "bearers");
        assert_eq!(keys, [FigureKey { document: id, index: 0 }]);
        let row = snapshot.figures().figure_row(keys[0]).expect("read").expect("there");
        let picture = row.picture.expect("drawn");
        assert_eq!(store.read_picture(&picture.hash).expect("read").as_deref(), Some(&b"a"[..]));
        assert_eq!((picture.width, picture.height), (3, 2));
        let words = snapshot.figures().figure_words(keys[0]).expect("read");
        assert_eq!((words.labels.len(), words.before.as_deref()), (3, Some("As shown below.")));
        let open = DocumentFilter::default();
        let nearest = snapshot
            .figures()
            .search_figure_vectors(&vector_of("Figure 2"), &open, 1)
            .expect("found");
        let keys = snapshot.figures().figure_occurrences(nearest[0].content).expect("read");
        assert_eq!(keys, [FigureKey { document: id, index: 1 }]);
        assert_store_is_consistent(store);
    };
    check(&store.snapshot(), &store);
    drop(store);
    let store = open(&dir);
    check(&store.snapshot(), &store);
    let missing = FigureKey { document: id, index: 2 };
    assert_eq!(store.snapshot().figures().figure_row(missing).expect("read"), None);
}

#[test]
fn a_search_for_passages_does_not_find_figures() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &with_figures("18.0.0", &[("Figure 1: Bearers", "a")]));
    let snapshot = store.snapshot();
    let query = LexicalQuery { text: "bearers".into(), ..LexicalQuery::default() };
    let open = DocumentFilter::default();
    assert!(
        snapshot.contents().search_lexical(&query, &open, None, 10).expect("searched").is_empty()
    );
    let near = super::super::tests::nearest(&snapshot, "Figure 1: Bearers", &open);
    assert_eq!(near.len(), 1, "the one passage, however far");
}

#[test]
fn a_picture_of_several_versions_is_stored_once_and_goes_with_the_last() {
    let dir = folder();
    let store = open(&dir);
    let folder = store.data_folder().clone();
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "same"), ("Figure 2", "same")]));
    commit(&store, &with_figures("18.1.0", &[("Figure 1", "same"), ("Figure 2", "new")]));
    assert_eq!(picture_files(&folder), 2);
    let number = "38.331".parse().expect("valid");
    let remove = |version: &str| {
        let version = version.parse().expect("valid");
        assert!(store.lock_writer().remove_document(&number, version).expect("removed"));
        assert_store_is_consistent(&store);
        picture_files(&folder)
    };
    assert_eq!(remove("18.0.0"), 2);
    assert_eq!(remove("18.1.0"), 0);
    assert!(found(&store.snapshot(), "figure").is_empty());
}

#[test]
fn reading_a_document_again_replaces_its_figures() {
    let dir = folder();
    let store = open(&dir);
    let id =
        commit(&store, &with_figures("18.0.0", &[("Figure 1: Bearers", "a"), ("Figure 2", "b")]));
    assert_eq!(commit(&store, &with_figures("18.0.0", &[("Figure 7: Timers", "b")])), id);
    assert_eq!(picture_files(store.data_folder()), 1);
    let snapshot = store.snapshot();
    assert!(found(&snapshot, "bearers").is_empty());
    assert_eq!(found(&snapshot, "timers"), [FigureKey { document: id, index: 0 }]);
    assert_eq!(snapshot.catalog().get(id).expect("there").figure_count(), 1);
    assert_store_is_consistent(&store);
}

#[test]
fn pictures_of_a_batch_that_failed_or_was_cut_off_are_removed() {
    let dir = folder();
    let store = open(&dir);
    let folder = store.data_folder().clone();
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "a")]));
    let new = with_figures("18.1.0", &[("Figure 1", "a"), ("Figure 2", "b")]);
    DISK_IS_FULL.set(true);
    let refused = store.lock_writer().commit_document(&new, None::<&SourceRow>, &model());
    DISK_IS_FULL.set(false);
    refused.expect_err("no room");
    assert!(store.recover().expect("there is room again"));
    assert_store_is_consistent(&store);
    assert_eq!(picture_files(&folder), 1);
    // What a process leaves that is killed before redb has the batch.
    let cut_off = NewPicture::new(b"c".to_vec(), 3, 2);
    store.index().pictures.record_unsettled(&[cut_off.hash]).expect("noted");
    store.index().pictures.write_pictures(&[&cut_off]).expect("written");
    assert_eq!(picture_files(&folder), 2);
    drop(store);
    let store = open(&dir);
    assert_eq!(picture_files(&folder), 1);
    assert_store_is_consistent(&store);
    commit(&store, &new);
    assert_eq!(picture_files(&folder), 2);
}

#[test]
fn lost_words_of_figures_are_rebuilt_and_lost_pictures_are_reported() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &with_figures("18.0.0", &[("Figure 1: Bearers", "a")]));
    let folder = store.data_folder().clone();
    drop(store);
    fs::remove_dir_all(folder.figure_lexical_folder()).expect("removed");
    let store = open(&dir);
    assert_eq!(found(&store.snapshot(), "bearers").len(), 1);
    assert_store_is_consistent(&store);
    let key = FigureKey { document: id, index: 0 };
    let row = store.snapshot().figures().figure_row(key).expect("read").expect("there");
    let picture = row.picture.expect("drawn");
    fs::remove_dir_all(folder.figures_folder()).expect("removed");
    fs::create_dir(folder.figures_folder()).expect("created");
    assert_eq!(store.read_picture(&picture.hash).expect("read"), None);
    let faults = store.verify_store(|_, _| {}).expect("readable").faults;
    assert!(faults[0].contains("figure 0 of 38.331 18.0.0 has no picture file"), "{faults:?}");
    // Reading the archive again brings it back.
    commit(&store, &with_figures("18.0.0", &[("Figure 1: Bearers", "a")]));
    assert_store_is_consistent(&store);
}

#[test]
fn a_damaged_picture_is_repaired_by_any_of_its_documents() {
    let dir = folder();
    let store = open(&dir);
    for version in ["18.0.0", "18.1.0"] {
        commit(&store, &with_figures(version, &[("Figure 1", "same")]));
    }
    let hash = *blake3::hash(b"same").as_bytes();
    let damaged = NewPicture { hash, ..NewPicture::new(b"other".to_vec(), 3, 2) };
    store.index().pictures.write_pictures(&[&damaged]).expect("damaged");
    assert_eq!(store.verify_store(|_, _| {}).expect("readable").faults.len(), 2);
    commit(&store, &with_figures("18.1.0", &[("Figure 1", "same")]));
    assert_store_is_consistent(&store);
}

#[test]
fn a_drawing_is_kept_beside_its_picture_checked_repaired_and_removed_with_it() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "drawn"), ("Figure 2", "bitmap")]));
    let [drawn, bitmap] = [b"drawn".as_slice(), b"bitmap"].map(|png| *blake3::hash(png).as_bytes());
    assert!(store.has_drawing(&drawn) && !store.has_drawing(&bitmap));
    let packed = store.read_drawing(&drawn).expect("read").expect("there");
    assert_eq!(crate::unpack_drawing(&packed).as_deref(), Some(&b"<svg></svg>"[..]));
    let damaged = NewPicture {
        drawing: Some(packed[1..].to_vec()),
        ..NewPicture::new(b"drawn".to_vec(), 3, 2)
    };
    store.index().pictures.write_pictures(&[&damaged]).expect("damaged");
    let faults = store.verify_store(|_, _| {}).expect("readable").faults;
    assert!(faults[0].contains("has a damaged drawing"), "{faults:?}");
    let whole_again = || {
        commit(&store, &with_figures("18.0.0", &[("Figure 1", "drawn")]));
        assert_store_is_consistent(&store);
    };
    whole_again();
    // One of another picture, and none.
    let new = NewPicture::new(b"drawn".to_vec(), 3, 2);
    for (drawing, fault) in
        [(Some("<svg>other</svg>"), "has a damaged drawing"), (None, "has no drawing file")]
    {
        let exchanged = new.clone().with_svg(drawing);
        store.index().pictures.write_pictures(&[&exchanged]).expect("exchanged");
        let faults = store.verify_store(|_, _| {}).expect("readable").faults;
        assert!(faults[0].contains(fault), "{faults:?}");
        whole_again();
    }
    commit(&store, &with_figures("18.0.0", &[("Figure 1", "")]));
    assert_eq!(picture_files(store.data_folder()), 0);
    let view = store.index().metadata.begin_read().expect("a view");
    assert!(view.open_table(DRAWINGS).expect("a table").is_empty().expect("readable"));
}
