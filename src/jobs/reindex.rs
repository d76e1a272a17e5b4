//! Reindexes: embeds every stored text again with another model.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{
    CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep,
    ReindexReport, reindex_report::check_configured_model,
};
use neural::{ModelKind, TextEmbedder};
use store::{Reindex, Snapshot, Thoroughness};

/// Passages embedded between two checks for cancellation.
const EMBED_BATCH: usize = 64;
/// Vectors are stored at least this often, so that no more work is lost when the process ends.
const COMMIT_INTERVAL: Duration = Duration::from_secs(60);
/// Vectors are stored when there are those of this many passages, since they are held in memory.
const MAX_UNCOMMITTED: usize = 16_384;

/// What passages belong to: a document version or a TDoc.
enum PassageOwner {
    Document(u32),
    Tdoc(u32),
}

/// The state of a run.
struct ReindexRun<'a> {
    runner: &'a JobRunner,
    embedder: &'a dyn TextEmbedder,
    reindex: Reindex,
    pending_texts: Vec<(u64, String)>,
    vectors: Vec<(u64, Vec<Vec<f32>>)>,
    last_commit: Instant,
    report: ReindexReport,
}

/// Recomputes the vectors of everything stored with another text embedder, then switches to them;
/// searches use the old ones until then. With an image embedder, the same for the pictures of figures;
/// there the old vectors are removed at once, and figures are found only by their text meanwhile.
/// If it is ended early, the next one resumes it. Its steps count passages.
pub struct ReindexVectors<'a> {
    /// Name of the model.
    pub model: &'a str,
}

impl JobReport for ReindexReport {
    fn is_complete(&self) -> bool {
        self.switched && !self.interrupted
    }
}

impl Job for ReindexVectors<'_> {
    type Event = JobStep;
    type Report = ReindexReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Reindex, "vectors"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<ReindexReport, CommandError> {
        let Self { model } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        if jobs.models.settings().registry.find_entry(model)?.kind == ModelKind::ImageEmbedder {
            return super::pictures::reindex_pictures(jobs, model, cancel, step);
        }
        let _one_at_a_time = (jobs.lock_ingest(), super::vectors::lock_vectors(jobs));
        let started = Instant::now();
        let configured = jobs.models.settings().text_embedding.clone();
        check_configured_model("text_embedding", configured, model)?;
        let identity = jobs.models.to_model_row(model)?;
        let embedder = jobs.models.load_text_embedder(model)?;
        let reindex = jobs.store.lock_writer().begin_reindex(&identity)?;
        let mut run = ReindexRun {
            runner: jobs,
            embedder: &*embedder,
            reindex,
            pending_texts: Vec::new(),
            vectors: Vec::new(),
            last_commit: started,
            report: ReindexReport::for_model(model),
        };
        let snapshot = jobs.store.snapshot();
        run.embed_all(&snapshot, cancel, step)?;
        let mut report = run.report;
        report.pending = run.reindex.pending_count(&jobs.store.snapshot());
        // With nothing left to do, the end is reached in spite of it.
        report.interrupted = report.pending > 0 && cancel.load(Ordering::Acquire);
        if report.pending == 0 {
            let mut writer = jobs.store.lock_writer();
            report.switched = writer.finish_reindex(&run.reindex)?;
            writer.compact_segments()?;
        }
        if report.switched {
            super::decision_vectors::embed_decisions(jobs, None, cancel);
        }
        if report.switched
            && let Err(error) =
                super::optimize::build_graphs(jobs, Thoroughness::Worthwhile, cancel, step)
        {
            // The vectors are in place; until there is a graph, they are scanned.
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
        for owner in documents.chain(tdocs) {
            self.pending_texts.extend(match owner {
                PassageOwner::Document(id) => self.reindex.take_pending_texts(snapshot, id)?,
                PassageOwner::Tdoc(key) => self.reindex.take_pending_tdoc_texts(snapshot, key)?,
            });
            while self.pending_texts.len() >= EMBED_BATCH {
                self.embed_pending_texts(EMBED_BATCH)?;
                step(as_count(self.report.resumed + self.report.embedded), as_count(total));
                if cancel.load(Ordering::Acquire) {
                    return self.commit_vectors();
                }
            }
        }
        self.embed_pending_texts(self.pending_texts.len())?;
        step(as_count(total), as_count(total));
        self.commit_vectors()
    }

    /// Embeds the first `count` pending texts.
    fn embed_pending_texts(&mut self, count: usize) -> Result<(), CommandError> {
        let texts: Vec<(u64, String)> = self.pending_texts.drain(..count).collect();
        let borrowed: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        if borrowed.is_empty() {
            return Ok(());
        }
        let embedded = self.embedder.embed_documents(&borrowed)?;
        self.report.embedded += borrowed.len() as u64;
        self.vectors.extend(texts.iter().map(|(content, _)| *content).zip(embedded));
        if self.vectors.len() >= MAX_UNCOMMITTED || self.last_commit.elapsed() >= COMMIT_INTERVAL {
            self.commit_vectors()?;
        }
        Ok(())
    }

    fn commit_vectors(&mut self) -> Result<(), CommandError> {
        self.runner.store.lock_writer().add_reindexed_vectors(&mut self.reindex, &self.vectors)?;
        self.vectors.clear();
        self.last_commit = Instant::now();
        Ok(())
    }
}

fn as_count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
