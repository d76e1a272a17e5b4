//! Ingests documents: their words first, then the vectors, those of their pictures and the graphs.

use std::{path::PathBuf, sync::atomic::AtomicBool, time::Instant};

use super::{CommandError, Job, JobKind, JobProgress, JobReport, JobRunner};
use document::Limits;
use domain::error_chain;
use extract::{ExtractOptions, WorkerConfig};
use ingest::{IngestError, IngestEvent, IngestOptions, IngestReport, Ingester};
use store::{MissingVectors, Thoroughness};

/// How this installation reads documents.
#[derive(Debug, Clone, Default)]
pub struct IngestSettings {
    /// The program that serves as a worker when it is given the argument `worker`.
    pub program: PathBuf,
    /// LibreOffice, where it is installed.
    pub converter: Option<PathBuf>,
}

impl IngestSettings {
    /// The configuration of a worker that may read only `paths`, and cuts nothing into passages.
    pub fn worker_config(&self, paths: &[PathBuf], figures: bool) -> WorkerConfig {
        WorkerConfig {
            program: self.program.clone(),
            arguments: vec!["worker".into()],
            limits: Limits::default(),
            options: ExtractOptions {
                converter: self.converter.clone(),
                figures,
                ..ExtractOptions::default()
            },
            readable: paths.to_vec(),
            passages: None,
        }
    }
}

/// Ingests files; one run at a time, a second one waits for the first. What was read can be found by its words at
/// once. Vectors follow, unless they are left to a later run.
pub struct IngestFiles<'a> {
    /// What to ingest, and how.
    pub request: &'a IngestOptions,
}

impl JobReport for IngestReport {
    fn is_complete(&self) -> bool {
        let ingested_nothing = self.taken.is_empty() && !self.refused.is_empty();
        !self.interrupted && self.failed.is_none() && !ingested_nothing
    }
}

impl Job for IngestFiles<'_> {
    type Event = IngestEvent;
    type Report = IngestReport;
    type Error = IngestError;

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, IngestEvent>,
    ) -> Result<IngestReport, IngestError> {
        let Self { request } = self;
        let JobProgress { cancel, sink } = progress;
        let reading = jobs.lock_ingest_telling(|| sink(IngestEvent::Waiting));
        let name = jobs.text_embedding()?;
        let mut reader = jobs.settings.ingest.worker_config(&request.paths, true);
        reader.passages = Some(jobs.token_counting(&name));
        let ingester = Ingester {
            store: &jobs.store,
            reader: &reader,
            model: jobs.models.to_model_row(&name)?,
        };
        // A dry run stores nothing: it does not appear in the history.
        let job = (!request.dry_run).then(|| jobs.history.begin_job(JobKind::Ingest));
        let mut recording_sink = |event: IngestEvent| {
            job.iter().for_each(|job| job.record_ingest_event(&event));
            sink(event);
        };
        let mut report = match ingester.ingest_paths(request, cancel, &mut recording_sink) {
            Ok(report) => report,
            Err(error) => {
                let outcome = format!("failed: {}", error_chain(&error));
                job.iter().for_each(|job| job.end_job(outcome.clone()));
                return Err(error);
            }
        };
        report.reading_seconds = report.seconds;
        drop(reading);
        if !(request.dry_run || report.interrupted || report.failed.is_some()) {
            finish_ingest(jobs, &mut report, request.no_vectors, cancel, &mut recording_sink);
        }
        if !request.dry_run {
            let snapshot = jobs.store.snapshot();
            report.without_vectors = MissingVectors::of(&snapshot).count(&snapshot);
        }
        job.iter().for_each(|job| job.end_with_report(&report));
        Ok(report)
    }
}

/// Makes the vectors that are missing, embeds new pictures, and builds graphs where there are many new vectors. What
/// was ingested stays, even if this fails.
fn finish_ingest(
    jobs: &JobRunner,
    report: &mut IngestReport,
    no_vectors: bool,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(IngestEvent),
) {
    let started = Instant::now();
    if !no_vectors {
        let mut step = |done, total| sink(IngestEvent::Vectors { done, total });
        match super::vectors::make_missing_vectors(jobs, cancel, &mut step) {
            Ok(made) => {
                report.embedded = made.embedded;
                report.interrupted |= made.interrupted;
            }
            Err(error) => report.vectors_failed = Some(error_chain(&error)),
        }
    }
    let _one_at_a_time = jobs.lock_ingest();
    if !no_vectors && let Err(error) = embed_new_pictures(jobs, report, cancel, sink) {
        report.failed = Some(format!("while embedding pictures: {}", error_chain(&error)));
    }
    let mut step = |done, total| sink(IngestEvent::Graph { done, total });
    match super::optimize::build_graphs(jobs, Thoroughness::Worthwhile, cancel, &mut step) {
        Ok(built) => report.interrupted |= built.interrupted,
        Err(error) => {
            report.failed = Some(format!("while building the graph: {}", error_chain(&error)));
        }
    }
    report.seconds += started.elapsed().as_secs_f64();
}

fn embed_new_pictures(
    jobs: &JobRunner,
    report: &mut IngestReport,
    cancel: &AtomicBool,
    sink: &mut dyn FnMut(IngestEvent),
) -> Result<(), CommandError> {
    jobs.store.recover()?;
    let Some(model) = jobs.models.image_embedding(&jobs.store.snapshot())? else {
        return Ok(());
    };
    let stored = jobs.store.snapshot().figures().picture_model()?;
    // All vectors are recomputed only on request.
    let identity = jobs.models.to_model_row(&model)?;
    if let Some(stored) = stored.filter(|stored| *stored != identity) {
        let stored = stored.name;
        tracing::warn!(
            stored,
            model,
            "the stored picture vectors are from a different model; run specbox reindex --model"
        );
        return Ok(());
    }
    let mut step = |done, total| sink(IngestEvent::Pictures { done, total });
    let embedding = super::pictures::embed_pictures(jobs, &model, cancel, &mut step)?;
    report.pictures_embedded = embedding.embedded;
    report.interrupted |= embedding.interrupted;
    Ok(())
}
