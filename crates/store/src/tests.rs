//! Tests of the store as a whole: commit, replace, remove, recover, merge.

use std::{
    fs,
    path::{Path, PathBuf},
};

use document_model::TextRange;
use tempfile::TempDir;

use super::{
    ContentVectors, DataFolder, DocumentFilter, DocumentRow, ModelRow, NewDocument, NewPassage,
    NewSection, SectionHead, Snapshot, SourceReading, SourceRow, Store, StoreError, VectorQuery,
    sections_within,
};
use definitions::DocumentDefinitions;
use domain::{DocType, PassageContentType, Release};
use lexical::LexicalQuery;

pub(super) fn model() -> ModelRow {
    ModelRow { name: "tiny".into(), identity: [7; 32], dimension: 4 }
}

/// A document with one section for each text; each text is one passage and one vector.
pub(super) fn document(number: &str, version: &str, texts: &[&str]) -> NewDocument {
    let version: domain::Version = version.parse().expect("valid");
    let section = |(index, text): (usize, &&str)| {
        NewSection::from_text(
            SectionHead {
                number: (index + 1).to_string(),
                title: "Title".into(),
                level: 1,
                parent: None,
                token_count: 1,
                fragment_count: 1,
            },
            text,
        )
    };
    let passage = |(index, text): (usize, &&str)| NewPassage {
        section: index as u32,
        head: TextRange::default(),
        body: TextRange { start: 0, end: text.len() as u32 },
        content_type: PassageContentType::Text,
        hash: *blake3::hash(text.as_bytes()).as_bytes(),
    };
    let vector = |text: &&str| ContentVectors {
        hash: *blake3::hash(text.as_bytes()).as_bytes(),
        windows: vec![vector_of(text)],
    };
    let mut document = NewDocument {
        row: DocumentRow {
            number: number.parse().expect("valid"),
            doc_type: DocType::Specification,
            version,
            release: Release::from_version(version).expect("published"),
            title: None,
            filename: "file.zip".into(),
            created_at: "2026-01-01T00:00:00Z".into(),
            published: None,
            source_hash: *blake3::hash(format!("{number} {texts:?}").as_bytes()).as_bytes(),
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: true,
            warnings: Vec::new(),
        },
        sections: texts.iter().enumerate().map(section).collect(),
        passages: texts.iter().enumerate().map(passage).collect(),
        figures: Vec::new(),
        vectors: texts.iter().map(vector).collect(),
        definitions: DocumentDefinitions::default(),
        reading: None,
    };
    read_definitions(&mut document);
    document
}

/// Reads what the sections of a document define, as is done before a document is stored.
pub(super) fn read_definitions(document: &mut NewDocument) {
    let sections = document.defining_sections();
    document.definitions = DocumentDefinitions::read(document.row.number.as_str(), &sections);
}

/// Different texts point in different directions.
pub(super) fn vector_of(text: &str) -> Vec<f32> {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes()[..4].iter().map(|byte| f32::from(*byte) - 127.5).collect()
}

fn source() -> SourceRow {
    SourceRow {
        extractor_revision: 1,
        read: SourceReading { pipeline: "own_reader".into(), ..SourceReading::default() },
    }
}

pub(super) fn commit(store: &Store, document: &NewDocument) -> u32 {
    let mut writer = store.lock_writer();
    writer.commit_document(document, Some(&source()), &model()).expect("committed")
}

pub(super) fn open(dir: &TempDir) -> Store {
    Store::open(DataFolder::new(dir.path())).expect("opened")
}

pub(super) fn folder() -> TempDir {
    tempfile::tempdir().expect("temporary folder")
}

pub(super) fn nearest(snapshot: &Snapshot, text: &str, filter: &DocumentFilter) -> Vec<u64> {
    let vector = vector_of(text);
    let query = VectorQuery { vector: &vector, filter, section: None, limit: 3 };
    snapshot
        .contents()
        .search_vectors(query)
        .expect("searched")
        .hits
        .iter()
        .map(|hit| hit.content)
        .collect()
}

pub(super) fn words(snapshot: &Snapshot, phrase: &str) -> usize {
    let query = LexicalQuery { text: phrase.to_owned(), ..LexicalQuery::default() };
    snapshot
        .contents()
        .search_lexical(&query, &DocumentFilter::default(), None, 50)
        .expect("searched")
        .len()
}

pub(super) fn assert_store_is_consistent(store: &Store) {
    let report = store.verify_store(|_, _| {}).expect("readable");
    assert_eq!(report.faults, Vec::<String>::new());
}

#[test]
fn what_was_committed_is_found_again_after_a_restart() {
    let dir = folder();
    let id = commit(&open(&dir), &document("38.331", "18.0.0", &["alpha T310", "beta"]));
    let store = open(&dir);
    let snapshot = store.snapshot();
    assert_eq!(snapshot.documents().section_heads(id).expect("readable").len(), 2);
    assert_eq!(words(&snapshot, "T310"), 1);
    let found = nearest(&snapshot, "beta", &DocumentFilter::default());
    let (_, row) = snapshot.contents().content_occurrences(found[0]).expect("readable")[0];
    let text = snapshot.documents().section_text(row.section_key()).expect("readable");
    assert_eq!(row.extract_text(&text).expect("within"), "beta");
    assert_store_is_consistent(&store);
}

#[test]
fn tables_and_figures_of_a_document_are_recorded_and_removed_with_it() {
    let dir = folder();
    let store = open(&dir);
    let text = "Table 5.1-1: Bands";
    let id = commit(&store, &document("38.331", "18.0.0", &["alpha", text]));
    let row = crate::CaptionRow {
        kind: domain::ReferenceKind::Table,
        number: "5.1-1".to_owned(),
        section: 1,
    };
    let captions = || store.snapshot().documents().captions(id).expect("readable");
    assert_eq!(captions(), Some(vec![row]));
    let (number, version) = ("38.331".parse().expect("number"), "18.0.0".parse().expect("version"));
    store.lock_writer().remove_document(&number, version).expect("removed");
    assert_eq!(captions(), None);
}

#[test]
fn identical_passages_share_one_content_and_one_row() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["same", "old"]));
    let newer = document("38.331", "18.1.0", &["same", "new"]);
    let hashes: Vec<[u8; 32]> = newer.passages.iter().map(|passage| passage.hash).collect();
    assert_eq!(store.snapshot().contents().have_vectors(&hashes).expect("readable"), [true, false]);
    let newer = NewDocument { vectors: newer.vectors[1..].to_vec(), ..newer };
    commit(&store, &newer);
    let report = store.verify_store(|_, _| {}).expect("readable");
    assert_eq!((report.passages, report.vector_rows, report.faults.len()), (4, 3, 0));
    let same = nearest(&store.snapshot(), "same", &DocumentFilter::default())[0];
    assert_eq!(store.snapshot().contents().content_occurrences(same).expect("readable").len(), 2);
}

#[test]
fn a_filter_admits_contents_of_its_documents_alone() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "17.0.0", &["one", "two"]));
    commit(&store, &document("24.301", "18.0.0", &["three"]));
    let only = DocumentFilter { release: Some(Release(18)), ..DocumentFilter::default() };
    assert_eq!(nearest(&store.snapshot(), "one", &only).len(), 1);
    assert_eq!(nearest(&store.snapshot(), "one", &DocumentFilter::default()).len(), 3);
    let none = DocumentFilter { series: Some("29".into()), ..DocumentFilter::default() };
    assert!(nearest(&store.snapshot(), "one", &none).is_empty());
}

#[test]
fn replacing_keeps_the_id_and_leaves_nothing_of_the_old_text() {
    let dir = folder();
    let store = open(&dir);
    let id = commit(&store, &document("38.331", "18.0.0", &["oldword", "stays"]));
    let reader = store.snapshot();
    assert_eq!(id, commit(&store, &document("38.331", "18.0.0", &["newword", "stays"])));
    assert_eq!(words(&store.snapshot(), "oldword"), 0);
    assert_eq!(words(&store.snapshot(), "newword"), 1);
    let contents = nearest(&store.snapshot(), "oldword", &DocumentFilter::default());
    assert_eq!(contents.len(), 2, "the old content is no longer found");
    // A reader that began before still sees the old state, whole.
    assert_eq!(words(&reader, "oldword"), 1);
    assert_eq!(
        reader
            .documents()
            .section_text(super::SectionKey { document: id, ordinal: 0 })
            .expect("there"),
        "oldword"
    );
    assert_store_is_consistent(&store);
}

#[test]
fn a_removed_document_is_gone_and_can_come_back_under_its_id() {
    let dir = folder();
    let store = open(&dir);
    let new = document("38.331", "18.0.0", &["alpha", "beta"]);
    let id = commit(&store, &new);
    let (number, version) = (&new.row.number, new.row.version);
    assert!(store.lock_writer().remove_document(number, version).expect("removed"));
    assert!(!store.lock_writer().remove_document(number, version).expect("known as gone"));
    let snapshot = store.snapshot();
    assert!(snapshot.catalog().is_empty() && words(&snapshot, "alpha") == 0);
    assert!(nearest(&snapshot, "alpha", &DocumentFilter::default()).is_empty());
    assert_eq!(snapshot.documents().find_source(&new.row.source_hash).expect("readable"), None);
    assert_eq!(id, commit(&store, &new));
    assert_store_is_consistent(&store);
}

#[test]
fn vectors_of_another_model_are_refused() {
    let dir = folder();
    let store = open(&dir);
    commit(&store, &document("38.331", "18.0.0", &["alpha"]));
    let other = ModelRow { name: "other".into(), ..model() };
    let new = document("38.331", "18.1.0", &["beta"]);
    let refused = store.lock_writer().commit_document(&new, Some(&source()), &other);
    assert!(matches!(refused, Err(StoreError::ModelMismatch { .. })));
    assert_eq!(store.snapshot().catalog().len(), 1);
    commit(&store, &new);
    assert_store_is_consistent(&store);
}

#[test]
fn many_small_segments_become_few_and_dead_rows_go() {
    let dir = folder();
    let store = open(&dir);
    for index in 0..12 {
        commit(&store, &document("38.331", "18.0.0", &[&format!("text {index}"), "same"]));
        store.lock_writer().compact_segments().expect("merged");
    }
    let files = fs::read_dir(dir.path().join("vectors/text")).expect("there").count();
    assert!(files <= 9, "{files} files");
    assert_eq!(nearest(&store.snapshot(), "text 11", &DocumentFilter::default()).len(), 2);
    assert_store_is_consistent(&store);
    drop(store);
    assert_store_is_consistent(&open(&dir));
}

#[test]
fn a_section_is_found_by_number_and_with_all_below_it() {
    let dir = folder();
    let store = open(&dir);
    let mut new = document("38.331", "18.0.0", &["a", "b", "c", "d"]);
    for (section, number) in new.sections.iter_mut().zip(["5", "5.3", "5.3.1", "53"]) {
        section.head.number = number.into();
    }
    commit(&store, &new);
    commit(&store, &document("24.301", "18.0.0", &["a"]));
    let find = |number: &str, below: bool| {
        let filter = DocumentFilter::default();
        let snapshot = store.snapshot();
        let keys = snapshot.documents().find_sections(number, below, &filter).expect("searched");
        let mut in_all =
            snapshot.documents().find_in_all(number, below, &filter).expect("searched");
        in_all.sort_unstable();
        assert_eq!(keys, in_all, "{number}: as among more documents");
        keys.iter().map(|key| key.ordinal).collect::<Vec<_>>()
    };
    assert_eq!(find("5", false), [0]);
    assert_eq!(find("5", true), [0, 1, 2]);
    assert_eq!(find("5.3", true), [1, 2]);
    assert!(find("6", true).is_empty());
}

#[test]
fn sections_without_a_number_lie_in_the_section_that_they_stand_under() {
    let outline: [(&str, Option<&str>); 10] = [
        ("6", None),
        ("6.3", Some("6")),
        ("6.3.2", Some("6.3")),
        ("AlphaConfig", Some("6.3.2")),
        ("General", Some("AlphaConfig")),
        ("BetaConfig", Some("6.3.2")),
        ("6.3.20", Some("6.3")),
        ("General", Some("6.3.20")),
        ("6.3.3", Some("6.3")),
        ("AlphaConfig", Some("6.3.3")),
    ];
    let head = |(number, parent): (&str, Option<&str>)| SectionHead {
        number: number.to_owned(),
        title: number.to_owned(),
        level: 1,
        parent: parent.map(str::to_owned),
        token_count: 1,
        fragment_count: 1,
    };
    let heads: Vec<SectionHead> = outline.map(head).into();
    let within = |number: &str| -> Vec<usize> {
        let inside = sections_within(&heads, number);
        (0..heads.len()).filter(|index| inside[*index]).collect()
    };
    assert_eq!(within("6.3.2"), [2, 3, 4, 5]);
    assert_eq!(within("6.3.20"), [6, 7]);
    assert_eq!(within("6.3"), (1..10).collect::<Vec<_>>());
    assert_eq!(within("6.3.3"), [8, 9]);
    assert!(within("6.4").is_empty());
}

/// All files of a folder.
pub(crate) fn list_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path() {
            path if path.is_dir() => files.extend(list_files(&path)),
            path => files.push(path),
        }
    }
    files.sort();
    files
}
