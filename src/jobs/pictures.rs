//! Embeds pictures: the new ones after an ingest, or all of them with another model.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{CommandError, JobRunner, ReindexReport, reindex_report::check_configured_model};
use domain::error_chain;
use neural::{ImageEmbedder, Pixels};
use store::{ModelRow, PendingPicture, Snapshot, StoreError, Thoroughness};

/// Pictures embedded between two checks for cancellation; one takes half a second on one core.
const EMBED_BATCH: usize = 16;
/// Vectors are stored at least this often, so that no more work is lost when the process ends.
const COMMIT_INTERVAL: Duration = Duration::from_secs(60);
/// Vectors are stored when there are this many, since they are held in memory.
const MAX_UNCOMMITTED: usize = 4096;

/// The state of a run.
struct PictureEmbeddingRun<'a> {
    runner: &'a JobRunner,
    snapshot: &'a Snapshot,
    embedder: &'a dyn ImageEmbedder,
    model: ModelRow,
    vectors: Vec<(PendingPicture, Vec<f32>)>,
    last_commit: Instant,
    report: ReindexReport,
}

/// Recomputes the vectors of all pictures with another image model. `cancel` ends the run early; the
/// next one resumes it.
pub(super) fn reindex_pictures(
    jobs: &JobRunner,
    model: &str,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<ReindexReport, CommandError> {
    let _one_at_a_time = jobs.lock_ingest();
    let configured = jobs.models.settings().image_embedding.clone();
    check_configured_model("image_embedding", configured, model)?;
    let mut report = embed_pictures(jobs, model, cancel, step)?;
    let started = Instant::now();
    if !report.interrupted
        && let Err(error) =
            super::optimize::build_graphs(jobs, Thoroughness::Worthwhile, cancel, step)
    {
        // The vectors are in place; until there is a graph, they are scanned.
        tracing::error!(error = error_chain(&error), "no graph was built; run specbox optimize");
    }
    report.seconds += started.elapsed().as_secs_f64();
    Ok(report)
}

/// Embeds the pictures that have no vector of the model; the caller holds the ingest lock.
pub(super) fn embed_pictures(
    jobs: &JobRunner,
    model: &str,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<ReindexReport, CommandError> {
    let started = Instant::now();
    let identity = jobs.models.to_model_row(model)?;
    jobs.store.recover()?;
    let is_other = jobs.store.snapshot().figures().picture_model()?.as_ref() != Some(&identity);
    // The model is loaded before the old vectors are removed, and only if it is needed.
    let embedder = if jobs.store.snapshot().figures().pending_pictures()?.0.is_empty() && !is_other
    {
        return Ok(ReindexReport { switched: true, ..ReindexReport::for_model(model) });
    } else {
        jobs.models.image_embedder(model)?
    };
    jobs.store.lock_writer().switch_picture_model(&identity)?;
    let snapshot = jobs.store.snapshot();
    let (pending, total) = snapshot.figures().pending_pictures()?;
    let mut run = PictureEmbeddingRun {
        runner: jobs,
        snapshot: &snapshot,
        embedder: &*embedder,
        model: identity,
        vectors: Vec::new(),
        last_commit: started,
        report: ReindexReport::for_model(model),
    };
    run.report.resumed = (total - pending.len()) as u64;
    let outcome = run.embed_all(&pending, total, cancel, step);
    // Finished vectors are stored, even if the run failed.
    run.commit_vectors()?;
    outcome?;
    let mut report = run.report;
    report.pending = jobs.store.snapshot().figures().pending_pictures()?.0.len() as u64;
    // The old vectors were removed at the beginning.
    report.switched = true;
    report.interrupted = cancel.load(Ordering::Acquire);
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

impl PictureEmbeddingRun<'_> {
    fn embed_all(
        &mut self,
        pending: &[PendingPicture],
        total: usize,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<(), CommandError> {
        let mut done = total - pending.len();
        for batch in pending.chunks(EMBED_BATCH) {
            if cancel.load(Ordering::Acquire) {
                break;
            }
            self.embed_batch(batch)?;
            done += batch.len();
            step(done, total);
            if self.vectors.len() >= MAX_UNCOMMITTED
                || self.last_commit.elapsed() >= COMMIT_INTERVAL
            {
                self.commit_vectors()?;
            }
        }
        Ok(())
    }

    fn embed_batch(&mut self, batch: &[PendingPicture]) -> Result<(), CommandError> {
        let (mut pixels, mut pictures) = (Vec::new(), Vec::new());
        for picture in batch {
            let known = picture
                .known_by
                .and_then(|content| self.snapshot.figures().picture_vector(content));
            if let Some(vector) = known {
                self.vectors.push((picture.clone(), vector));
            } else if let Some(decoded) = self.decode_picture(picture) {
                pixels.push(decoded);
                pictures.push(picture);
            }
        }
        let vectors = self.embedder.embed_pictures(&pixels)?;
        self.report.embedded += vectors.len() as u64;
        for (picture, vector) in pictures.into_iter().zip(vectors) {
            // A zero vector has no direction: the store would refuse the whole batch.
            let has_direction = vector.iter().any(|value| *value != 0.0);
            if has_direction && vector.iter().all(|value| value.is_finite()) {
                self.vectors.push((picture.clone(), vector));
            } else {
                tracing::warn!("the model returned no vector for a picture; skipped");
            }
        }
        Ok(())
    }

    /// The pixels of a picture, preprocessed for the model. A picture that is missing or cannot be decoded
    /// is still found by its text; `specbox verify` names it.
    fn decode_picture(&self, pending: &PendingPicture) -> Option<Pixels> {
        let png = match self.runner.store.read_picture(&pending.picture.hash) {
            Ok(Some(png)) => png,
            Ok(None) => {
                tracing::warn!("a picture is missing; ingest its archive again with --force");
                return None;
            }
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "a picture cannot be read");
                return None;
            }
        };
        let pixels = self.embedder.preprocess_png(&png);
        pixels
            .map_err(|error| tracing::warn!(error = error_chain(&error), "a picture was skipped"))
            .ok()
    }

    fn commit_vectors(&mut self) -> Result<(), StoreError> {
        let vectors = std::mem::take(&mut self.vectors);
        self.runner.store.lock_writer().add_picture_vectors(&self.model, &vectors)?;
        self.last_commit = Instant::now();
        Ok(())
    }
}
