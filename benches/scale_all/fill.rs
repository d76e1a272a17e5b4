//! Fills a data folder with made-up documents and meetings, through the store as the program does, and times the parts.
//!
//! Most documents are committed in groups. Some are committed one by one, as the program does: the first and the last,
//! whose times show how a commit grows. A folder that was not filled to its end is filled from where that stopped.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    sync::{
        Mutex,
        mpsc::{Receiver, sync_channel},
    },
    thread,
    time::Instant,
};

use domain::{Release, Version};
use extract::{DocumentIdentity, ExtractedDocument, Pipeline};
use ingest::{PreparedDocument, prepare_document};
use neural::{ModelRegistry, default_models_dir};
use serde_json::{Value, json};
use store::{
    ContentVectors, DataFolder, DecisionVector, DocumentCommit, DocumentRow, GraphBuilder,
    ModelRow, NewDocument, NotesDoubts, OptimizeOptions, SourceReading, SourceRow, Store,
    Thoroughness,
};

use crate::{
    meetings::Meeting,
    process::{cpu_seconds, peak_memory_mib},
    settings::ScaleSettings,
    specification::{Specification, VERSIONS},
    vectors::make_vector,
    words::Vocabulary,
};

/// Documents committed at once.
const GROUP: usize = 48;
/// Documents at both ends that are committed one by one.
const SINGLE_COMMITS: u64 = 12;
/// Of so many documents of meetings, one was fetched and read.
const TDOCS_PER_TEXT: u64 = 500;
const TEXT_MODEL: &str = "all-MiniLM-L6-v2";

/// A part of the filling, and what it took.
struct FillStep {
    name: &'static str,
    wall: Instant,
    cpu_s: f64,
}

impl FillStep {
    fn begin(name: &'static str) -> Self {
        eprintln!("{name}");
        Self { name, wall: Instant::now(), cpu_s: cpu_seconds() }
    }

    fn end(self, count: u64) -> Value {
        json!({
            "step": self.name,
            "count": count,
            "wall_s": self.wall.elapsed().as_secs_f64(),
            "cpu_s": cpu_seconds() - self.cpu_s,
        })
    }
}

/// Fills the data folder of some settings; gives what each part took.
pub(crate) fn fill_folder(settings: &ScaleSettings) -> Value {
    let store = Store::open(DataFolder::new(settings.data_folder())).expect("a new folder");
    let words = Vocabulary::new();
    let model = text_model();
    let mut steps = Vec::new();
    // Documents come last.
    if store.snapshot().catalog().is_empty() {
        let step = FillStep::begin("registers and decisions");
        let meetings = fill_meetings(&store, &words, settings, &model);
        steps.push(step.end(settings.tdocs));
        let step = FillStep::begin("texts of meeting documents");
        let texts = fill_texts(&store, &words, settings, &meetings, &model);
        steps.push(step.end(texts));
    }
    let step = FillStep::begin("documents");
    let (first_ms, last_ms) = fill_documents(&store, &words, settings, &model);
    steps.push(step.end(settings.versions));
    let step = FillStep::begin("graph over the vectors");
    let rows = optimize(&store);
    steps.push(step.end(rows));
    let snapshot = store.snapshot();
    let entries = || snapshot.catalog().document_entries();
    let sum = |count: fn(&DocumentRow) -> u32| -> u64 {
        entries().map(|entry| u64::from(count(&entry.row))).sum()
    };
    json!({
        "versions": settings.versions,
        "tdocs": settings.tdocs,
        "meetings": settings.meetings,
        "sections": sum(|row| row.section_count),
        "passages": sum(|row| row.passage_count),
        "figures": entries().map(|entry| entry.figure_count()).sum::<usize>(),
        "contents": snapshot.content_count(),
        "embedded": entries().all(|entry| entry.row.embedded),
        "steps": steps,
        "single_commit_ms": { "first": first_ms, "last": last_ms },
        "peak_resident_mib": peak_memory_mib(),
    })
}

/// The default text model, as the program stores it.
fn text_model() -> ModelRow {
    let entry = ModelRegistry::shipped().find_entry(TEXT_MODEL).expect("shipped");
    let folder = default_models_dir().expect("a home folder");
    let identity = entry.resolve_pins(&folder).expect("resolved").identity();
    let hash = identity.identity_hash();
    ModelRow { name: identity.name, identity: hash, dimension: identity.dimension }
}

fn fill_meetings(
    store: &Store,
    words: &Vocabulary,
    settings: &ScaleSettings,
    model: &ModelRow,
) -> Vec<Meeting> {
    let specifications = settings.versions.div_ceil(VERSIONS.len() as u64);
    let meetings = (0..settings.meetings)
        .map(|index| Meeting::new(index, settings.rows_of_meeting(index), specifications));
    let meetings: Vec<Meeting> = meetings.collect();
    let mut writer = store.lock_writer();
    let calendar: Vec<_> =
        meetings.iter().map(|meeting| (meeting.id.clone(), meeting.make_calendar())).collect();
    writer.import_calendar(&calendar).expect("stored");
    for (index, meeting) in (0u64..).zip(&meetings) {
        writer.import_register(&meeting.make_register(words)).expect("stored");
        let (notes, decisions, blocks) = meeting.make_report(words);
        let doubts = NotesDoubts::default();
        writer.store_notes(&notes, &decisions, &doubts, None, &blocks).expect("stored");
        let vectors = (0u32..).zip(&decisions).map(|(at, decision)| {
            let hash = blake3::hash(decision.quote.as_bytes());
            let vector = make_vector(index, hash.as_bytes(), model.dimension as usize);
            DecisionVector::from_vector(at, &vector)
        });
        let vectors: Vec<DecisionVector> = vectors.collect();
        writer.store_decision_vectors(&notes, model.identity, &vectors).expect("stored");
    }
    drop(writer);
    meetings
}

fn fill_texts(
    store: &Store,
    words: &Vocabulary,
    settings: &ScaleSettings,
    meetings: &[Meeting],
    model: &ModelRow,
) -> u64 {
    let mut count = 0;
    for (index, meeting) in (0u64..).zip(meetings) {
        for text in 0..settings.rows_of_meeting(index) / TDOCS_PER_TEXT {
            let mut new = meeting.make_text(words, text * TDOCS_PER_TEXT);
            let hashes =
                new.text.passages.iter().map(|p| store::hash_passage(&p.text_with_header()));
            new.vectors = hashes.map(|hash| content_vectors(index, hash, model)).collect();
            store.lock_writer().commit_tdoc(&new, model).expect("committed");
            count += 1;
        }
        store.lock_writer().compact_segments().expect("compacted");
    }
    count
}

fn content_vectors(document: u64, hash: [u8; 32], model: &ModelRow) -> ContentVectors {
    let windows = vec![make_vector(document, &hash, model.dimension as usize)];
    ContentVectors { hash, windows }
}

/// Documents, made on a thread of their own; gives the median times of single commits, the first and the last.
fn fill_documents(
    store: &Store,
    words: &Vocabulary,
    settings: &ScaleSettings,
    model: &ModelRow,
) -> (f64, f64) {
    let (sender, receiver) = sync_channel(2 * GROUP);
    let present = store.snapshot().catalog().len() as u64;
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut known = HashSet::new();
            let versions = VERSIONS.len() as u64;
            for index in present / versions..settings.versions.div_ceil(versions) {
                let spec = Specification::new(words, index);
                let first = present.saturating_sub(index * versions);
                for version in first..versions.min(settings.versions - index * versions) {
                    let new = make_document(&spec, words, version as usize, model, &mut known);
                    sender.send(new).expect("somebody commits");
                }
            }
        });
        commit_documents(store, &receiver, settings.versions - present, model)
    })
}

fn commit_documents(
    store: &Store,
    receiver: &Receiver<NewDocument>,
    versions: u64,
    model: &ModelRow,
) -> (f64, f64) {
    let source = SourceRow {
        extractor_revision: store::EXTRACTOR_REVISION,
        read: SourceReading { pipeline: "own_reader".to_owned(), ..SourceReading::default() },
    };
    let single = SINGLE_COMMITS.min(versions / 4);
    let commit_single = || -> Vec<f64> {
        let commit = |new: NewDocument| {
            let begun = Instant::now();
            let mut writer = store.lock_writer();
            writer.commit_documents(&[to_commit(&new, &source)], model).expect("committed");
            drop(writer);
            begun.elapsed().as_secs_f64() * 1000.0
        };
        receiver.iter().take(single as usize).map(commit).collect()
    };
    let first = commit_single();
    let mut left = (versions - 2 * single) as usize;
    let begun = Instant::now();
    while left > 0 {
        let group: Vec<NewDocument> = receiver.iter().take(GROUP.min(left)).collect();
        left -= group.len();
        let commits: Vec<DocumentCommit<'_>> =
            group.iter().map(|new| to_commit(new, &source)).collect();
        store.lock_writer().commit_documents(&commits, model).expect("committed");
        store.lock_writer().compact_segments().expect("compacted");
        let done = versions - left as u64;
        eprintln!("{done} documents, {:.0} s", begun.elapsed().as_secs_f64());
    }
    let last = commit_single();
    // In a group, a version counts as without the vectors that came with an earlier one: this marks them all.
    store.lock_writer().add_text_vectors(model, &[]).expect("marked");
    (median(first), median(last))
}

fn to_commit<'a>(new: &'a NewDocument, source: &'a SourceRow) -> DocumentCommit<'a> {
    DocumentCommit { new, source: Some(source), first_passage: 0 }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A version of a specification with the vectors of contents that are not known yet.
fn make_document(
    spec: &Specification,
    words: &Vocabulary,
    version: usize,
    model: &ModelRow,
    known: &mut HashSet<[u8; 16]>,
) -> NewDocument {
    let document = spec.make_document(words, version);
    let (title, published) = (document.cover.title.clone(), document.cover.date.clone());
    let parsed: Version = VERSIONS[version].parse().expect("a version");
    let identity = DocumentIdentity { number: spec.number.clone(), version: parsed };
    let mut extracted = ExtractedDocument::derived(identity, Pipeline::OwnReader, document);
    extracted.cut_passages(&count_tokens);
    let prepared = prepare_document(&mut extracted);
    let PreparedDocument { sections, passages, figures, definitions, .. } = prepared;
    let hashes = passages.iter().map(|passage| passage.hash);
    let hashes = hashes.chain(figures.iter().map(|figure| figure.hash));
    let hashes = hashes.chain(sections.iter().filter_map(|section| section.heading));
    let mut is_new =
        |hash: &[u8; 32]| known.insert(hash[..16].try_into().expect("sixteen of its bytes"));
    let hashes = hashes.filter(|hash| is_new(hash));
    let vectors = hashes.map(|hash| content_vectors(spec.index, hash, model)).collect();
    let filename = format!("{}-{}.zip", spec.number.as_str().replace('.', ""), VERSIONS[version]);
    let row = DocumentRow {
        number: spec.number.clone(),
        doc_type: spec.doc_type(),
        version: parsed,
        release: Release::from_version(parsed).expect("a published version"),
        title,
        source_hash: *blake3::hash(filename.as_bytes()).as_bytes(),
        filename,
        created_at: "2026-01-01T00:00:00Z".to_owned(),
        published,
        first_passage: 0,
        passage_count: 0,
        section_count: 0,
        batch: 0,
        embedded: true,
        warnings: Vec::new(),
    };
    NewDocument { row, sections, passages, figures, vectors, definitions, reading: None }
}

/// Tokens in place of a model's: names and long words have several.
fn count_tokens(text: &str) -> usize {
    text.split_ascii_whitespace().count() * 12 / 5
}

fn optimize(store: &Store) -> u64 {
    let options = OptimizeOptions {
        thoroughness: Thoroughness::Everything,
        builder: GraphBuilder::Own,
        threads: thread::available_parallelism().map_or(1, usize::from),
    };
    let reported = Mutex::new(Instant::now());
    let watch = |done: u32, total: u32| {
        if let Ok(mut reported) = reported.try_lock()
            && reported.elapsed().as_secs() >= 20
        {
            *reported = Instant::now();
            eprintln!("graph: {done} of {total}");
        }
        ControlFlow::Continue(())
    };
    store.optimize_segments(options, &watch).expect("optimized").rows
}
