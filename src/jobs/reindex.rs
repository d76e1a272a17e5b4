//! Reindex as a command of the service: every stored text embedded anew by another model.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{CommandError, JobRunner};
use neural::{ModelKind, TextEmbedder};
use store::{Reindex, Snapshot, Thoroughness};

/// Passages embedded between two looks at Ctrl-C.
const EMBED_BATCH: usize = 64;
/// What is made is stored at least this often: no more is lost when the process ends.
const COMMIT_INTERVAL: Duration = Duration::from_secs(60);
/// And after this many passages, for they are held in memory.
const MAX_UNCOMMITTED: usize = 16_384;

/// How a reindexing went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReindexReport {
    /// The model asked for.
    pub model: String,
    /// Whether searches use it now.
    pub switched: bool,
    /// Whether the run was stopped before its end.
    #[serde(default)]
    pub interrupted: bool,
    /// Passages, or pictures, embedded by this run.
    pub embedded: u64,
    /// Those that an earlier run had embedded.
    pub resumed: u64,
    /// Those that still wait, or cannot be opened; a further run
    /// tries them again.
    pub pending: u64,
    /// Seconds taken.
    pub seconds: f64,
}

impl ReindexReport {
    pub(super) fn for_model(model: &str) -> Self {
        Self { model: model.to_owned(), ..Self::default() }
    }
}

/// Refuses a model beside which the configuration names another one.
pub(super) fn check_configured_model(
    key: &'static str,
    configured: Option<String>,
    model: &str,
) -> Result<(), CommandError> {
    match configured.filter(|configured| configured != model) {
        Some(configured) => Err(CommandError::Configured { key, configured }),
        None => Ok(()),
    }
}

/// What holds passages.
enum PassageOwner {
    Document(u32),
    Tdoc(u32),
}

/// State of a run.
struct ReindexRun<'a> {
    runner: &'a JobRunner,
    embedder: &'a dyn TextEmbedder,
    reindex: Reindex,
    waiting: Vec<(u64, String)>,
    made: Vec<(u64, Vec<Vec<f32>>)>,
    committed: Instant,
    report: ReindexReport,
}

impl JobRunner {
    /// Makes vectors of another text embedder for everything stored, then puts them in place.
    /// Searches use the old ones until then. With an image embedder, the same for the pictures of
    /// figures; there the old ones go at once, and figures are found by their words meanwhile.
    /// `cancel` ends the run early; a further one goes on from there. `step` hears how many of how
    /// many passages are done.
    pub fn reindex_with_model(
        &self,
        model: &str,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<ReindexReport, CommandError> {
        if self.models.settings().registry.find_entry(model)?.kind == ModelKind::ImageEmbedder {
            return self.reindex_pictures(model, cancel, step);
        }
        let _one_at_a_time = self.lock_ingest();
        let started = Instant::now();
        let configured = self.models.settings().text_embedding.clone();
        check_configured_model("text_embedding", configured, model)?;
        let identity = self.models.to_model_row(model)?;
        let embedder = self.models.load_text_embedder(model)?;
        let reindex = self.store.lock_writer().begin_reindex(&identity)?;
        let mut run = ReindexRun {
            runner: self,
            embedder: &*embedder,
            reindex,
            waiting: Vec::new(),
            made: Vec::new(),
            committed: started,
            report: ReindexReport::for_model(model),
        };
        let snapshot = self.store.snapshot();
        run.embed_all(&snapshot, cancel, step)?;
        let mut report = run.report;
        report.interrupted = cancel.load(Ordering::Acquire);
        report.pending = run.reindex.pending_count(&self.store.snapshot());
        if report.pending == 0 {
            let mut writer = self.store.lock_writer();
            report.switched = writer.finish_reindex(&run.reindex)?;
            writer.compact_segments()?;
        }
        if report.switched
            && let Err(error) = self.build_graphs(Thoroughness::Worthwhile, cancel, step)
        {
            // The vectors are in place and are scanned until then.
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "no graph was built; run specbox optimize");
        }
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }
}

impl ReindexRun<'_> {
    fn embed_all(
        &mut self,
        snapshot: &Snapshot,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<(), CommandError> {
        let pending = self.reindex.pending_count(snapshot);
        let total = snapshot.content_count();
        self.report.resumed = total - pending;
        let documents = snapshot.catalog().document_ids().map(PassageOwner::Document);
        let tdocs = snapshot.catalog().tdoc_entries().map(|entry| PassageOwner::Tdoc(entry.key));
        for held in documents.chain(tdocs) {
            self.waiting.extend(match held {
                PassageOwner::Document(id) => self.reindex.take_pending_texts(snapshot, id)?,
                PassageOwner::Tdoc(key) => self.reindex.take_pending_tdoc_texts(snapshot, key)?,
            });
            while self.waiting.len() >= EMBED_BATCH {
                self.embed_waiting(EMBED_BATCH)?;
                step(as_count(self.report.resumed + self.report.embedded), as_count(total));
                if cancel.load(Ordering::Acquire) {
                    return self.commit_vectors();
                }
            }
        }
        self.embed_waiting(self.waiting.len())?;
        step(as_count(total), as_count(total));
        self.commit_vectors()
    }

    /// Embeds the first of what waits.
    fn embed_waiting(&mut self, count: usize) -> Result<(), CommandError> {
        let texts: Vec<(u64, String)> = self.waiting.drain(..count).collect();
        let borrowed: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        if borrowed.is_empty() {
            return Ok(());
        }
        let embedded = self.embedder.embed_documents(&borrowed)?;
        self.report.embedded += borrowed.len() as u64;
        self.made.extend(texts.iter().map(|(content, _)| *content).zip(embedded));
        if self.made.len() >= MAX_UNCOMMITTED || self.committed.elapsed() >= COMMIT_INTERVAL {
            self.commit_vectors()?;
        }
        Ok(())
    }

    fn commit_vectors(&mut self) -> Result<(), CommandError> {
        self.runner.store.lock_writer().add_reindexed(&mut self.reindex, &self.made)?;
        self.made.clear();
        self.committed = Instant::now();
        Ok(())
    }
}

fn as_count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
