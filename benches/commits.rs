//! What does a commit cost beside many documents?
//!
//! Data folders of growing size with documents of 150 passages, words only. In each, a small document is committed, replaced and
//! removed, in turns; a commit of it to an empty folder is the cost of the data itself: files that are written and synced.
//! `SPECBOX_BENCH_DOCUMENTS` changes the largest size.

#[path = "support/measure.rs"]
mod measure;

use std::time::Instant;

use definitions::DocumentDefinitions;
use document_model::TextRange;
use domain::{DocType, PassageContentType, Release};
use measure::{table, write_results};
use serde_json::{Value, json};
use store::{
    DataFolder, DocumentCommit, DocumentRow, ModelRow, NewDocument, NewPassage, NewSection,
    SectionHead, SourceReading, SourceRow, Store,
};

const PASSAGES: usize = 150;
/// Documents of one commit while a folder is filled.
const GROUP: usize = 300;
const ROUNDS: usize = 15;

fn main() {
    let most = std::env::var("SPECBOX_BENCH_DOCUMENTS").ok().and_then(|text| text.parse().ok());
    let most: usize = most.unwrap_or(8_700);
    let mut rows = Vec::new();
    let mut figures = serde_json::Map::new();
    for documents in [0, most / 30, most / 6, most] {
        let times = measure_commits(documents);
        let shown = times.map(|ms| format!("{ms:.1} ms"));
        rows.push([vec![documents.to_string()], shown.to_vec()].concat());
        let [added, replaced, removed] = times;
        let times = json!({"added_ms": added, "replaced_ms": replaced, "removed_ms": removed});
        figures.insert(documents.to_string(), times);
    }
    println!("{}", table(&["documents", "one added", "one replaced", "one removed"], &rows));
    write_results("commits", &Value::Object(figures));
}

/// Medians of milliseconds: a document added, replaced, removed.
fn measure_commits(documents: usize) -> [f64; 3] {
    let folder = tempfile::tempdir().expect("temporary folder");
    let store = Store::open(DataFolder::new(folder.path())).expect("opened");
    let numbers: Vec<usize> = (0..documents).collect();
    for group in numbers.chunks(GROUP) {
        let new: Vec<NewDocument> = group.iter().map(|at| document(*at, PASSAGES, "")).collect();
        let source = source();
        let commit = |new| DocumentCommit { new, source: Some(&source), first_passage: 0 };
        let commits: Vec<DocumentCommit<'_>> = new.iter().map(commit).collect();
        store.lock_writer().commit_documents(&commits, &model()).expect("committed");
    }
    let mut times: [Vec<f64>; 3] = Default::default();
    for round in 0..ROUNDS {
        for (at, times) in times.iter_mut().enumerate() {
            let new = document(documents, 3, &format!("{round} {at}"));
            let started = Instant::now();
            let mut writer = store.lock_writer();
            if at < 2 {
                writer.commit_document(&new, Some(&source()), &model()).expect("committed");
            } else {
                assert!(writer.remove_document(&new.row.number, new.row.version).expect("there"));
            }
            drop(writer);
            times.push(started.elapsed().as_secs_f64() * 1000.0);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn document(at: usize, passages: usize, word: &str) -> NewDocument {
    let version = format!("{}.{}.0", 15 + at % 5, at / 4_500).parse().expect("a version");
    let text = |passage: usize| format!("passage {passage} of document {at} {word}");
    let section = |passage: usize| {
        let head = SectionHead {
            number: (passage + 1).to_string(),
            title: "Title".into(),
            level: 1,
            parent: None,
            token_count: 1,
            fragment_count: 1,
        };
        NewSection::from_text(head, &text(passage))
    };
    let passage = |passage: usize| NewPassage {
        section: passage as u32,
        head: TextRange::default(),
        body: TextRange { start: 0, end: text(passage).len() as u32 },
        content_type: PassageContentType::Text,
        hash: *blake3::hash(text(passage).as_bytes()).as_bytes(),
    };
    let number = format!("{}.{:03}", 21 + at / 5 % 18, at / 90 % 900 + 100);
    NewDocument {
        row: DocumentRow {
            number: number.parse().expect("a number"),
            doc_type: DocType::Specification,
            version,
            release: Release::from_version(version).expect("published"),
            title: None,
            filename: "file.zip".into(),
            created_at: "2026-01-01T00:00:00Z".into(),
            published: None,
            source_hash: *blake3::hash(&at.to_le_bytes()).as_bytes(),
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: false,
            warnings: Vec::new(),
        },
        sections: (0..passages).map(section).collect(),
        passages: (0..passages).map(passage).collect(),
        figures: Vec::new(),
        vectors: Vec::new(),
        definitions: DocumentDefinitions::default(),
        reading: None,
    }
}

fn model() -> ModelRow {
    ModelRow { name: "made up".into(), identity: [7; 32], dimension: 4 }
}

fn source() -> SourceRow {
    SourceRow {
        extractor_revision: 1,
        read: SourceReading { pipeline: "own_reader".into(), ..SourceReading::default() },
    }
}
