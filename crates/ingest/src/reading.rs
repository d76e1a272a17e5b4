//! Reading ahead: while one document is stored, the next is read by a worker process.

use std::{
    fs::File,
    io,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::SyncSender,
    },
    time::Instant,
};

use super::worker_deaths::WorkerDeaths;
use document::ExtractError;
use extract::{Extraction, Pipeline, ReadingWatch, Worker, WorkerConfig};
use mirror::SpecificationSource;
use store::{EXTRACTOR_REVISION, Snapshot, SourceRow, Store};

/// The outcome of reading a source.
pub(super) enum ReadOutcome {
    /// It was ingested before, with the same reader.
    Known(SourceRow),
    /// It was read.
    Extracted(Box<Extraction>),
    /// It ended its worker too often, and was not read.
    SetAside,
    /// It could not be read.
    Failed(ExtractError),
    /// Its files could not be opened.
    Unreadable(io::Error),
}

/// A source with its outcome.
pub(super) struct ReadSource {
    pub(super) source: SpecificationSource,
    pub(super) hash: [u8; 32],
    pub(super) outcome: ReadOutcome,
    pub(super) seconds: f64,
}

/// Which sources count as known and are not read again.
#[derive(Debug, Clone, Copy)]
pub(super) struct KnownRules {
    /// None: everything is read again.
    pub(super) force: bool,
    /// Not those whose drafts were left out.
    pub(super) drafts: bool,
    /// Not those that were read as bare text without a converter.
    pub(super) converter: bool,
}

/// How far the reading is, as the thread that stores sees it.
#[derive(Debug, Default)]
pub(super) struct ReadingPosition(Mutex<ReadingState>);

/// The source that is being read, and what was read before.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadingState {
    /// The name of the source.
    pub(super) name: String,
    /// Bytes of the sources read before it, without those that were known.
    bytes_before: u64,
    /// Its bytes.
    bytes: u64,
    /// The share of it that is read, 0 to 1.
    share: f64,
}

impl ReadingState {
    /// Bytes read.
    pub(super) fn bytes_read(&self) -> f64 {
        self.bytes_before as f64 + self.bytes as f64 * self.share
    }
}

impl ReadingPosition {
    /// The state now.
    pub(super) fn state(&self) -> ReadingState {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, ReadingState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_source(&self, source: &SpecificationSource) {
        let mut state = self.lock();
        (state.name, state.bytes, state.share) = (source.name(), source.bytes, 0.0);
    }

    fn end_source(&self, is_known: bool) {
        let mut state = self.lock();
        state.bytes_before += if is_known { 0 } else { state.bytes };
        (state.bytes, state.share) = (0, 0.0);
    }
}

/// Reads sources one after the other until the receiver is gone or `cancel` is set, even in the middle of a file.
pub(super) fn read_sources(
    sources: Vec<SpecificationSource>,
    config: &WorkerConfig,
    rules: KnownRules,
    store: &Store,
    cancel: &AtomicBool,
    (sender, position): (&SyncSender<ReadSource>, &ReadingPosition),
) {
    let hear = |share| position.lock().share = share;
    let watch = ReadingWatch::new(cancel, &hear);
    let mut worker = Worker::new(config.clone());
    let mut deaths = WorkerDeaths::read(&store.data_folder().set_aside_path());
    for source in sources {
        if cancel.load(Ordering::Acquire) {
            return;
        }
        let started = Instant::now();
        position.begin_source(&source);
        let (hash, outcome) = match hash_source(&source) {
            Err(error) => ([0; 32], ReadOutcome::Unreadable(error)),
            Ok(hash) if !rules.force && deaths.is_set_aside(&hash, EXTRACTOR_REVISION) => {
                (hash, ReadOutcome::SetAside)
            }
            Ok(hash) => (hash, read_source(&source, &hash, rules, store, (&mut worker, &watch))),
        };
        if cancel.load(Ordering::Acquire) {
            return;
        }
        match &outcome {
            ReadOutcome::Failed(ExtractError::WorkerDied { .. } | ExtractError::Timeout { .. }) => {
                deaths.add_death(&hash, EXTRACTOR_REVISION);
            }
            ReadOutcome::Extracted(_) => deaths.forget(&hash),
            _ => {}
        }
        position.end_source(matches!(outcome, ReadOutcome::Known(_)));
        let seconds = started.elapsed().as_secs_f64();
        if sender.send(ReadSource { source, hash, outcome, seconds }).is_err() {
            return;
        }
    }
}

fn read_source(
    source: &SpecificationSource,
    hash: &[u8; 32],
    rules: KnownRules,
    store: &Store,
    (worker, watch): (&mut Worker, &ReadingWatch<'_>),
) -> ReadOutcome {
    // The snapshot is not held during the reading: redb keeps every page that an open one may need.
    let known = find_known_source(hash, rules, &store.snapshot());
    if let Some(row) = known {
        return ReadOutcome::Known(row);
    }
    match worker.read_documents_watched(&source.files, watch) {
        Ok(extraction) => ReadOutcome::Extracted(Box::new(extraction)),
        Err(error) => ReadOutcome::Failed(error),
    }
}

/// The stored row of a source, if reading it again would change nothing.
fn find_known_source(hash: &[u8; 32], rules: KnownRules, snapshot: &Snapshot) -> Option<SourceRow> {
    let row = snapshot.documents().find_source(hash).ok().flatten()?;
    let is_stored = row.read.documents.iter().all(|id| snapshot.catalog().get(*id).is_some());
    let text_only = row.read.pipeline == pipeline_name(Pipeline::OfficeText);
    let better_reader = text_only && rules.converter && !row.read.converter_tried;
    let same_reader = row.extractor_revision == EXTRACTOR_REVISION && !better_reader;
    let complete = !(row.read.drafts_left && rules.drafts);
    let is_known = is_stored && same_reader && complete && !rules.force;
    is_known.then_some(row)
}

/// The name of a pipeline in reports and in the store.
pub(super) fn pipeline_name(pipeline: Pipeline) -> &'static str {
    match pipeline {
        Pipeline::OwnReader => "own_reader",
        Pipeline::OfficeText => "office_text",
        Pipeline::Converted => "converted",
    }
}

/// Hash over the contents of all files of a source, in their order: its identity.
pub fn hash_source(source: &SpecificationSource) -> io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    for path in &source.files {
        let mut file = File::open(path)?;
        // Without the lengths, the same bytes divided differently among files would have the same hash.
        hasher.update(&file.metadata()?.len().to_le_bytes());
        hasher.update_reader(&mut file)?;
    }
    Ok(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use std::{fs, sync::mpsc::sync_channel};

    use document::Limits;
    use extract::ExtractOptions;
    use store::DataFolder;

    use super::*;

    #[test]
    fn a_source_that_ends_its_worker_twice_is_read_only_when_that_is_asked_for() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let file = dir.path().join("38331-i00.docx");
        fs::write(&file, "no document").expect("written");
        let folder = DataFolder::new(dir.path().join("data"));
        folder.create_folders().expect("created");
        let store = Store::open(folder).expect("opened");
        // A worker that greets, and ends with the first request.
        let script = "printf '\\022\\000\\000\\000\\021specbox worker 14'; head -c 8 > /dev/null; printf '\\006\\000\\000\\000\\005ready'; exit 7";
        let config = WorkerConfig {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            limits: Limits::default(),
            options: ExtractOptions::default(),
            readable: Vec::new(),
            passages: None,
        };
        let read = |force| {
            let plan = mirror::plan_sources(std::slice::from_ref(&file)).expect("planned");
            let rules = KnownRules { force, drafts: false, converter: false };
            let (sender, receiver) = sync_channel(1);
            let (never, position) = (AtomicBool::new(false), ReadingPosition::default());
            read_sources(plan.sources, &config, rules, &store, &never, (&sender, &position));
            receiver.recv().expect("one source").outcome
        };
        let dies =
            |outcome| matches!(outcome, ReadOutcome::Failed(ExtractError::WorkerDied { .. }));
        assert!(dies(read(false)) && dies(read(false)));
        assert!(matches!(read(false), ReadOutcome::SetAside));
        assert!(dies(read(true)), "it is read on request");
        assert!(matches!(read(false), ReadOutcome::SetAside));
    }
}
