//! The run: every source read, cut and committed, one document version at a time. Vectors follow later.

mod copies;
mod documents;

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{
    IngestEvent, IngestProgress, IngestReport, RefusedFile,
    reading::{KnownRules, ReadOutcome, ReadSource, ReadingPosition, pipeline_name, read_sources},
    report::SkippedFile,
};
use copies::TextQuality;
use domain::{DocNumber, Release, Version, error_chain};
use extract::{ExtractedDocument, Extraction, MemberFate, Pipeline, WorkerConfig};
use neural::NeuralError;
use store::{EXTRACTOR_REVISION, ModelRow, SourceReading, SourceRow, Store, StoreError};

/// Sources read ahead of the current one; each may hold tens of megabytes of text.
const READ_AHEAD: usize = 1;
/// Time between two reports of how far a file is.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Share of the work on a file that is its reading; the rest is cutting and storing.
const READING_PART: f64 = 0.6;

/// What to ingest, and how.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct IngestOptions {
    /// Files and folders, absolute.
    pub paths: Vec<PathBuf>,
    /// Leave the vectors to a later run, or to the server.
    pub no_vectors: bool,
    /// Store nothing.
    pub dry_run: bool,
    /// What is read, and what it may replace.
    pub rules: IngestRules,
}

/// What an ingest reads, and what it may replace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IngestRules {
    /// Ingest drafts too.
    pub drafts: bool,
    /// Read known sources again.
    pub force: bool,
    /// Replace an indexed version even by a text that is not proven to be the same document.
    #[serde(default)]
    pub replace: bool,
}

/// A run failed; what was committed before stays.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// A path cannot be read.
    #[error(transparent)]
    Plan(io::Error),
    /// The model failed.
    #[error("the text model cannot be used")]
    Model(#[from] NeuralError),
    /// The data folder cannot be read or written.
    #[error("cannot store the data")]
    Store(#[from] StoreError),
}

/// Everything a run works with.
pub struct Ingester<'a> {
    /// Where documents are stored.
    pub store: &'a Store,
    /// How documents are read.
    pub reader: &'a WorkerConfig,
    /// The model that the vectors will be of.
    pub model: ModelRow,
}

/// State of a run.
struct IngestRun<'a> {
    ingester: &'a Ingester<'a>,
    options: &'a IngestOptions,
    cancel: &'a AtomicBool,
    sink: &'a mut dyn FnMut(IngestEvent),
    report: IngestReport,
    progress: IngestProgress,
    /// How far the thread that reads ahead is.
    position: &'a ReadingPosition,
    /// Bytes of the sources that are stored.
    stored_bytes: u64,
    started: Instant,
    last_report: Instant,
    /// Document versions of this run.
    seen: HashMap<(DocNumber, Version), SeenText>,
}

impl Ingester<'_> {
    /// Ingests everything under the paths, so that it can be found by its words. `cancel` ends the run, even in the
    /// middle of a file, of which nothing is stored then.
    pub fn ingest_paths(
        &self,
        options: &IngestOptions,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(IngestEvent),
    ) -> Result<IngestReport, IngestError> {
        let plan = mirror::plan_sources(&options.paths).map_err(IngestError::Plan)?;
        let bytes = plan.sources.iter().map(|source| source.bytes).sum();
        let sources = plan.sources.len();
        sink(IngestEvent::Started { sources, bytes });
        let position = ReadingPosition::default();
        let mut run = IngestRun {
            ingester: self,
            options,
            cancel,
            sink,
            report: IngestReport::default(),
            progress: IngestProgress { sources, bytes, ..IngestProgress::default() },
            position: &position,
            stored_bytes: 0,
            started: Instant::now(),
            last_report: Instant::now(),
            seen: HashMap::new(),
        };
        for skipped in plan.skipped {
            run.skip_file(skipped.path.display().to_string(), skipped.reason);
        }
        if let Err(error) = run.ingest_sources(plan.sources) {
            let current = &run.progress.current;
            run.report.failed = Some(format!("at {current}: {}", error_chain(&error)));
        }
        run.report.interrupted = cancel.load(Ordering::Acquire);
        run.report.seconds = run.started.elapsed().as_secs_f64();
        Ok(run.report)
    }
}

impl IngestRun<'_> {
    fn ingest_sources(
        &mut self,
        sources: Vec<mirror::SpecificationSource>,
    ) -> Result<(), IngestError> {
        let (sender, receiver) = sync_channel(READ_AHEAD);
        let files = sources.iter().flat_map(|source| &source.files);
        let reader = &self.ingester.reader.with_readable_links(files);
        let cancel = self.cancel;
        let rules = KnownRules {
            force: self.options.rules.force,
            drafts: self.options.rules.drafts,
            converter: reader.options.converter.is_some(),
        };
        let (store, position) = (self.ingester.store, self.position);
        thread::scope(|scope| {
            scope.spawn(move || {
                read_sources(sources, reader, rules, store, cancel, (&sender, position));
            });
            // It ends with this closure, on an error too, and with it the reader.
            let receiver = receiver;
            while !self.is_cancelled() {
                match receiver.recv_timeout(PROGRESS_INTERVAL) {
                    Ok(read) if !self.is_cancelled() => self.ingest_source(read)?,
                    Ok(_) | Err(RecvTimeoutError::Disconnected) => break,
                    Err(RecvTimeoutError::Timeout) => {
                        self.progress.current = self.position.state().name;
                        self.report_progress(0.0);
                    }
                }
            }
            Ok(())
        })
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Acquire)
    }

    fn ingest_source(&mut self, read: ReadSource) -> Result<(), IngestError> {
        let name = read.source.name();
        self.progress.current.clone_from(&name);
        match read.outcome {
            ReadOutcome::Known(row) => {
                self.skip_known_source(&name, &row);
                // Known sources take no time, so they do not count for the time left.
                self.progress.sources_done += 1;
                self.progress.bytes -= read.source.bytes;
                return Ok(());
            }
            ReadOutcome::SetAside => {
                let reason = "it ended the process that reads files twice and was set aside; --force tries it again";
                self.refuse_source(&read.source, reason.to_owned());
            }
            ReadOutcome::Failed(error) => self.refuse_source(&read.source, error.to_string()),
            ReadOutcome::Unreadable(error) => {
                self.refuse_source(&read.source, format!("cannot be read: {error}"));
            }
            ReadOutcome::Extracted(extraction) => {
                let source = CurrentSource {
                    name: &name,
                    bytes: read.source.bytes,
                    files: read.source.files.iter().map(|p| p.display().to_string()).collect(),
                    hash: read.hash,
                    read_seconds: read.seconds,
                };
                self.ingest_extraction(&source, *extraction)?;
            }
        }
        if !self.is_cancelled() {
            self.progress.sources_done += 1;
            self.stored_bytes += read.source.bytes;
            self.report_progress(0.0);
        }
        Ok(())
    }

    fn skip_known_source(&mut self, name: &str, row: &SourceRow) {
        let snapshot = self.ingester.store.snapshot();
        for entry in row.read.documents.iter().filter_map(|id| snapshot.catalog().get(*id)) {
            let quality = TextQuality::of_stored(&snapshot, entry);
            let seen = SeenText { file: name.to_owned(), quality };
            self.seen.insert((entry.row.number.clone(), entry.row.version), seen);
        }
        self.skip_file(name.to_owned(), "already indexed".to_owned());
    }

    fn ingest_extraction(
        &mut self,
        source: &CurrentSource<'_>,
        extraction: Extraction,
    ) -> Result<(), IngestError> {
        for member in extraction.members {
            if let MemberFate::Skipped(reason) = member.fate {
                self.skip_file(format!("{}: {}", source.name, member.name), reason);
            }
        }
        let (documents, drafts_left) = self.select_storable(source, extraction.documents);
        let mut row = SourceRow {
            extractor_revision: EXTRACTOR_REVISION,
            read: SourceReading {
                pipeline: weakest_pipeline(&documents),
                documents: Vec::new(),
                drafts_left,
                converter_tried: self.ingester.reader.options.converter.is_some(),
            },
        };
        let last = documents.len().saturating_sub(1);
        for (index, (mut extracted, release)) in documents.into_iter().enumerate() {
            extracted.document.warnings.extend(extraction.warnings.iter().cloned());
            let finished = (index == last).then_some(&row);
            if let Some(id) = self.ingest_document(source, extracted, release, finished)? {
                row.read.documents.push(id);
            }
            if self.is_cancelled() {
                break;
            }
        }
        Ok(())
    }

    /// The documents that are to be stored, with their releases; the others are reported as skipped.
    /// Also whether drafts were among those.
    fn select_storable(
        &mut self,
        source: &CurrentSource<'_>,
        documents: Vec<ExtractedDocument>,
    ) -> (Vec<(ExtractedDocument, Release)>, bool) {
        let (mut storable, mut drafts_left) = (Vec::new(), false);
        for extracted in documents {
            match self.release_of(&extracted) {
                Ok(release) => storable.push((extracted, release)),
                Err(reason) => {
                    drafts_left = true;
                    self.skip_file(source.name.to_owned(), reason);
                }
            }
        }
        (storable, drafts_left)
    }

    /// Reports how far the run is; `current_bytes` of the current source are stored.
    fn report_progress(&mut self, current_bytes: f64) {
        let (read, stored) = (self.position.state().bytes_read(), self.stored_bytes as f64);
        let done = READING_PART * read + (1.0 - READING_PART) * (stored + current_bytes);
        let done = (done as u64).max(self.progress.bytes_done);
        self.progress.bytes_done = done.min(self.progress.bytes);
        self.progress.elapsed_s = self.started.elapsed().as_secs_f64();
        self.last_report = Instant::now();
        (self.sink)(IngestEvent::Progress(self.progress.clone()));
    }

    /// The same at intervals, while a source is being stored: `share` of it is done.
    fn report_storing(&mut self, source: &CurrentSource<'_>, share: f64) {
        if self.last_report.elapsed() >= PROGRESS_INTERVAL {
            self.report_progress(source.bytes as f64 * share);
        }
    }

    fn skip_file(&mut self, file: String, reason: String) {
        let skipped = SkippedFile { file, reason };
        (self.sink)(IngestEvent::Skipped(skipped.clone()));
        self.report.skipped.push(skipped);
    }

    fn refuse_source(&mut self, source: &mirror::SpecificationSource, reason: String) {
        let files: Vec<String> =
            source.files.iter().map(|path| path.display().to_string()).collect();
        self.refuse_files(&files, &reason);
    }

    fn refuse_files(&mut self, files: &[String], reason: &str) {
        for file in files {
            let refused = RefusedFile { file: file.clone(), reason: reason.to_owned() };
            (self.sink)(IngestEvent::Refused(refused.clone()));
            self.report.refused.push(refused);
        }
    }
}

/// A document version of this run, and the file it came from.
struct SeenText {
    file: String,
    quality: TextQuality,
}

/// The source whose documents are being ingested.
struct CurrentSource<'a> {
    name: &'a str,
    bytes: u64,
    files: Vec<String>,
    hash: [u8; 32],
    read_seconds: f64,
}

/// The name of the weakest pipeline among the documents of a source.
fn weakest_pipeline(documents: &[(ExtractedDocument, Release)]) -> String {
    let of = |pipeline| documents.iter().any(|(extracted, _)| extracted.pipeline == pipeline);
    let weakest = [Pipeline::OfficeText, Pipeline::Converted].into_iter().find(|p| of(*p));
    pipeline_name(weakest.unwrap_or(Pipeline::OwnReader)).to_owned()
}
