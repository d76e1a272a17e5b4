//! The run: every source read, cut, embedded and committed, one document version at a time.

use std::{
    collections::{HashMap, HashSet},
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::sync_channel,
    },
    thread,
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    IngestEvent, IngestProgress, PreparedDocument, Refused, Report, Taken,
    prepare::prepare,
    reading::{KnownRules, ReadOutcome, ReadSource, pipeline_name, read_all},
    report::SkippedFile,
};
use domain::{DocNumber, DocType, Release, Version};
use extract::{Extracted, Extraction, Fate, Pipeline, WorkerConfig};
use neural::{NeuralError, TextEmbedder, Tokenizer};
use store::{
    ContentVectors, DocumentFilter, DocumentRow, EXTRACTOR_REVISION, ModelRow, NewDocument,
    SourceRow, Store, StoreError,
};
use wire::error_chain;

/// Sources read ahead of the one in hand; each may hold tens of megabytes of text.
const READ_AHEAD: usize = 1;
/// Passages embedded between two looks at the clock and at Ctrl-C.
const EMBED_AT_ONCE: usize = 64;

/// What to take and how.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct IngestOptions {
    /// Files and folders, absolute.
    pub paths: Vec<PathBuf>,
    /// Leave vectors out.
    pub no_vectors: bool,
    /// Take drafts too.
    pub drafts: bool,
    /// Read known sources again.
    pub force: bool,
    /// Store nothing.
    pub dry_run: bool,
}

/// A run could not go on; what was committed before stays.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// A path cannot be read.
    #[error("cannot plan the run")]
    Plan(#[source] io::Error),
    /// The model failed.
    #[error("the text model is not usable")]
    Model(#[from] NeuralError),
    /// The data folder failed.
    #[error("storing failed")]
    Store(#[from] StoreError),
}

/// Everything a run works with.
pub struct Ingester<'a> {
    /// Where documents go.
    pub store: &'a Store,
    /// How documents are read.
    pub reader: &'a WorkerConfig,
    /// Counts tokens.
    pub tokenizer: &'a Tokenizer,
    /// Makes vectors; none when they are left out.
    pub embedder: Option<Arc<dyn TextEmbedder>>,
    /// The model that the vectors are of.
    pub model: ModelRow,
}

/// State of a run.
struct Run<'a> {
    ingester: &'a Ingester<'a>,
    options: &'a IngestOptions,
    cancel: &'a AtomicBool,
    sink: &'a mut dyn FnMut(IngestEvent),
    report: Report,
    progress: IngestProgress,
    started: Instant,
    /// Document versions of this run and the file they came from.
    seen: HashMap<(DocNumber, Version), String>,
}

impl Ingester<'_> {
    /// Takes everything under the paths in. `cancel` ends the run after at most a batch of
    /// passages; the document in hand is then not stored.
    pub fn run(
        &self,
        options: &IngestOptions,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(IngestEvent),
    ) -> Result<Report, IngestError> {
        let plan = mirror::plan(&options.paths).map_err(IngestError::Plan)?;
        let bytes = plan.sources.iter().map(|source| source.bytes).sum();
        let sources = plan.sources.len();
        sink(IngestEvent::Started { sources, bytes });
        let mut run = Run {
            ingester: self,
            options,
            cancel,
            sink,
            report: Report::default(),
            progress: IngestProgress { sources, bytes, ..IngestProgress::default() },
            started: Instant::now(),
            seen: HashMap::new(),
        };
        for skipped in plan.skipped {
            run.skip(skipped.path.display().to_string(), skipped.reason);
        }
        if let Err(error) = run.all(plan.sources) {
            let current = &run.progress.current;
            run.report.failed = Some(format!("at {current}: {}", error_chain(&error)));
        }
        run.report.interrupted = cancel.load(Ordering::Acquire);
        run.report.seconds = run.started.elapsed().as_secs_f64();
        Ok(run.report)
    }
}

impl Run<'_> {
    fn all(&mut self, sources: Vec<mirror::Source>) -> Result<(), IngestError> {
        let (sender, receiver) = sync_channel(READ_AHEAD);
        let reader = &may_read(self.ingester.reader, &sources);
        let cancel = self.cancel;
        let rules = KnownRules {
            force: self.options.force,
            vectors: self.ingester.embedder.is_some(),
            drafts: self.options.drafts,
            converter: reader.options.converter.is_some(),
        };
        let store = self.ingester.store;
        thread::scope(|scope| {
            scope.spawn(move || read_all(sources, reader, rules, store, cancel, &sender));
            // The receiver ends with this loop, on an error too, and with it the reader.
            for read in receiver {
                if self.cancelled() {
                    break;
                }
                self.source(read)?;
            }
            Ok(())
        })
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Acquire)
    }

    fn source(&mut self, read: ReadSource) -> Result<(), IngestError> {
        let name = read.source.name();
        self.progress.current.clone_from(&name);
        let bytes_before = self.progress.bytes_done;
        match read.outcome {
            ReadOutcome::Known(row) => {
                self.known(&name, &row);
                // What takes no time says nothing of the time that is left.
                self.progress.sources_done += 1;
                self.progress.bytes -= read.source.bytes;
                return Ok(());
            }
            ReadOutcome::Failed(error) => self.refuse(&read.source, error.to_string()),
            ReadOutcome::Unreadable(error) => {
                self.refuse(&read.source, format!("cannot be read: {error}"));
            }
            ReadOutcome::Extracted(extraction) => {
                let source = SourceInHand {
                    name: &name,
                    files: read.source.files.iter().map(|p| p.display().to_string()).collect(),
                    hash: read.hash,
                    read_seconds: read.seconds,
                    bytes: read.source.bytes,
                    bytes_before,
                };
                self.extraction(&source, *extraction)?;
            }
        }
        if !self.cancelled() {
            self.progress.sources_done += 1;
            self.progress.bytes_done = bytes_before + read.source.bytes;
            self.tell_progress();
        }
        Ok(())
    }

    fn known(&mut self, name: &str, row: &SourceRow) {
        let snapshot = self.ingester.store.snapshot();
        for entry in row.documents.iter().filter_map(|id| snapshot.catalog().get(*id)) {
            self.seen.insert((entry.row.number.clone(), entry.row.version), name.to_owned());
        }
        self.skip(name.to_owned(), "already in the index".to_owned());
    }

    fn extraction(
        &mut self,
        source: &SourceInHand<'_>,
        extraction: Extraction,
    ) -> Result<(), IngestError> {
        for member in extraction.members {
            if let Fate::Skipped(reason) = member.fate {
                self.skip(format!("{}: {}", source.name, member.name), reason);
            }
        }
        let (documents, left) = self.storable(source, extraction.documents);
        let mut row = SourceRow {
            extractor_revision: EXTRACTOR_REVISION,
            pipeline: weakest(&documents),
            documents: Vec::new(),
            drafts_left: left,
            converter_tried: self.ingester.reader.options.converter.is_some(),
        };
        let last = documents.len().saturating_sub(1);
        for (index, (mut extracted, release)) in documents.into_iter().enumerate() {
            extracted.document.warnings.extend(extraction.warnings.iter().cloned());
            let finished = (index == last).then_some(&row);
            if let Some(id) = self.document(source, extracted, release, finished)? {
                row.documents.push(id);
            }
            if self.cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// The documents that are to be stored, with their releases; the others are told as skipped.
    /// Also whether drafts were among those.
    fn storable(
        &mut self,
        source: &SourceInHand<'_>,
        documents: Vec<Extracted>,
    ) -> (Vec<(Extracted, Release)>, bool) {
        let (mut storable, mut left) = (Vec::new(), false);
        for extracted in documents {
            match self.release_of(&extracted) {
                Ok(release) => storable.push((extracted, release)),
                Err(reason) => {
                    left = true;
                    self.skip(source.name.to_owned(), reason);
                }
            }
        }
        (storable, left)
    }

    /// Takes one document version in; returns its id when it was stored.
    fn document(
        &mut self,
        source: &SourceInHand<'_>,
        mut extracted: Extracted,
        release: Release,
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        let started = Instant::now();
        let key = (extracted.identity.number.clone(), extracted.identity.version);
        if let Some(earlier) = self.seen.get(&key) {
            let reason = format!("{} {} was taken from {earlier} already", key.0, key.1);
            self.skip(source.name.to_owned(), reason);
            return self.note_copy(source, &key, finished);
        }
        self.seen.insert(key, source.name.to_owned());
        let doc_type = doc_type_of(&extracted);
        let tokenizer = self.ingester.tokenizer;
        let prepared =
            prepare(&mut extracted.document, doc_type, &extracted.identity.number, &|text| {
                tokenizer.count(text)
            });
        let embedding = Instant::now();
        let Some(vectors) = self.embed(&prepared, source)? else { return Ok(None) };
        let model_seconds = embedding.elapsed().as_secs_f64();
        let mut taken = Taken {
            files: source.files.clone(),
            doc_number: extracted.identity.number.to_string(),
            version: extracted.identity.version.to_string(),
            release: release.to_string(),
            pipeline: pipeline_name(extracted.pipeline).to_owned(),
            sections: prepared.sections.len(),
            passages: prepared.passages.len(),
            figures: prepared.figures.len(),
            embedded: vectors.len(),
            seconds: 0.0,
            model_seconds,
            warnings: extracted.document.warnings.clone(),
        };
        let row = self.row(source, &extracted, doc_type, release);
        let id = self.store(row, prepared, vectors, finished)?;
        taken.seconds = source.read_seconds + started.elapsed().as_secs_f64();
        (self.sink)(IngestEvent::Taken(taken.clone()));
        self.report.taken.push(taken);
        Ok(id)
    }

    /// The release of a document, or why it is left out.
    fn release_of(&self, extracted: &Extracted) -> Result<Release, String> {
        let version = extracted.identity.version;
        match Release::of_version(version) {
            Some(release) => Ok(release),
            None if !self.options.drafts => Err(format!(
                "{} {version} is a draft; --drafts takes it",
                extracted.identity.number
            )),
            None => extracted.document.cover.release.ok_or_else(|| {
                format!(
                    "{} {version} is a draft whose cover names no release",
                    extracted.identity.number
                )
            }),
        }
    }

    /// Remembers that a second source holds a document that is in the index already, so that the
    /// two do not take turns at replacing each other.
    fn note_copy(
        &mut self,
        source: &SourceInHand<'_>,
        key: &(DocNumber, Version),
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        let store = self.ingester.store;
        let filter = exactly(&key.0, key.1);
        let id = store.snapshot().catalog().matching(&filter).next().map(|entry| entry.id);
        if let (Some(id), Some(row), false) = (id, finished, self.options.dry_run) {
            let mut row = row.clone();
            row.documents.push(id);
            store.writer().note_source(&source.hash, &row)?;
        }
        Ok(id)
    }

    fn row(
        &self,
        source: &SourceInHand<'_>,
        extracted: &Extracted,
        doc_type: DocType,
        release: Release,
    ) -> DocumentRow {
        let filter = exactly(&extracted.identity.number, extracted.identity.version);
        let snapshot = self.ingester.store.snapshot();
        let earlier = snapshot.catalog().matching(&filter).next();
        let now = || jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        DocumentRow {
            number: extracted.identity.number.clone(),
            doc_type,
            version: extracted.identity.version,
            release,
            title: extracted.document.cover.title.clone(),
            filename: source.name.to_owned(),
            created_at: earlier.map_or_else(now, |entry| entry.row.created_at.clone()),
            published: extracted.document.cover.date.clone(),
            source_hash: source.hash,
            first_passage: 0,
            passage_count: 0,
            section_count: 0,
            batch: 0,
            embedded: false,
            warnings: extracted.document.warnings.clone(),
        }
    }

    fn store(
        &self,
        row: DocumentRow,
        prepared: PreparedDocument,
        vectors: Vec<ContentVectors>,
        finished: Option<&SourceRow>,
    ) -> Result<Option<u32>, IngestError> {
        if self.options.dry_run {
            return Ok(None);
        }
        let PreparedDocument { sections, passages, figures, .. } = prepared;
        let new = NewDocument { row, sections, passages, figures, vectors };
        let mut writer = self.ingester.store.writer();
        let id = writer.commit_document(&new, finished, &self.ingester.model)?;
        writer.compact()?;
        Ok(Some(id))
    }

    /// Vectors of the contents that have none yet; none when the run was stopped meanwhile.
    fn embed(
        &mut self,
        prepared: &PreparedDocument,
        source: &SourceInHand<'_>,
    ) -> Result<Option<Vec<ContentVectors>>, IngestError> {
        let Some(embedder) = self.ingester.embedder.clone() else { return Ok(Some(Vec::new())) };
        if self.options.dry_run {
            return Ok(Some(Vec::new()));
        }
        let hashes = prepared.hashes();
        let have = self.ingester.store.snapshot().have_vectors(&hashes)?;
        let mut chosen = HashSet::new();
        let missing: Vec<usize> = (0..hashes.len())
            .filter(|index| !have[*index] && chosen.insert(hashes[*index]))
            .collect();
        let mut vectors = Vec::with_capacity(missing.len());
        for batch in missing.chunks(EMBED_AT_ONCE) {
            if self.cancelled() {
                return Ok(None);
            }
            let texts: Vec<&str> =
                batch.iter().map(|index| prepared.texts[*index].as_str()).collect();
            let windows = embedder.embed_documents(&texts)?;
            for (index, windows) in batch.iter().zip(windows) {
                vectors.push(ContentVectors { hash: hashes[*index], windows });
            }
            self.progress.passages_embedded += batch.len();
            let share = vectors.len() as f64 / missing.len() as f64;
            self.progress.bytes_done = source.bytes_before + (source.bytes as f64 * share) as u64;
            self.tell_progress();
        }
        Ok(Some(vectors))
    }

    fn tell_progress(&mut self) {
        self.progress.elapsed_s = self.started.elapsed().as_secs_f64();
        (self.sink)(IngestEvent::Progress(self.progress.clone()));
    }

    fn skip(&mut self, file: String, reason: String) {
        let skipped = SkippedFile { file, reason };
        (self.sink)(IngestEvent::Skipped(skipped.clone()));
        self.report.skipped.push(skipped);
    }

    fn refuse(&mut self, source: &mirror::Source, reason: String) {
        for path in &source.files {
            let refused = Refused { file: path.display().to_string(), reason: reason.clone() };
            (self.sink)(IngestEvent::Refused(refused.clone()));
            self.report.refused.push(refused);
        }
    }
}

/// The source whose documents are being taken in.
struct SourceInHand<'a> {
    name: &'a str,
    files: Vec<String>,
    hash: [u8; 32],
    read_seconds: f64,
    bytes: u64,
    /// Bytes that were done before it.
    bytes_before: u64,
}

/// The worker may read the targets of links to files too, wherever they lie.
fn may_read(config: &WorkerConfig, sources: &[mirror::Source]) -> WorkerConfig {
    let mut config = config.clone();
    if !config.readable.is_empty() {
        let files = sources.iter().flat_map(|source| &source.files);
        let links = files.filter(|path| path.is_symlink());
        config.readable.extend(links.filter_map(|path| path.canonicalize().ok()));
    }
    config
}

/// The name of the weakest reading among the documents of a source.
fn weakest(documents: &[(Extracted, Release)]) -> String {
    let of = |wanted| documents.iter().any(|(extracted, _)| extracted.pipeline == wanted);
    let weakest = [Pipeline::OfficeText, Pipeline::Converted].into_iter().find(|p| of(*p));
    pipeline_name(weakest.unwrap_or(Pipeline::OwnReader)).to_owned()
}

/// What the cover says, else what the number says: reports are numbered xx.8xx and xx.9xx.
fn doc_type_of(extracted: &Extracted) -> DocType {
    extracted.document.cover.doc_type.unwrap_or_else(|| {
        match extracted.identity.number.as_str().as_bytes().get(3) {
            Some(b'8' | b'9') => DocType::Report,
            _ => DocType::Specification,
        }
    })
}

/// The filter that names one document version.
fn exactly(number: &DocNumber, version: Version) -> DocumentFilter {
    DocumentFilter {
        number: Some(number.clone()),
        version: Some(version),
        ..DocumentFilter::default()
    }
}
