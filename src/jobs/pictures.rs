//! Vectors of pictures as a command of the service: after an ingest what is new, for another model
//! all.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use super::{CommandError, JobRunner, ReindexReport, reindex::check_configured_model};
use domain::error_chain;
use neural::{ImageEmbedder, Pixels};
use store::{ModelRow, PendingPicture, Snapshot, StoreError, Thoroughness};

/// Pictures embedded between two looks at Ctrl-C; one takes half a second on one core.
const EMBED_BATCH: usize = 16;
/// What is made is stored at least this often: no more is lost when the process ends.
const COMMIT_INTERVAL: Duration = Duration::from_secs(60);
/// And after this many vectors, for they are held in memory.
const MAX_UNCOMMITTED: usize = 4096;

/// State of a run.
struct PictureEmbeddingRun<'a> {
    runner: &'a JobRunner,
    snapshot: &'a Snapshot,
    embedder: &'a dyn ImageEmbedder,
    model: ModelRow,
    made: Vec<(PendingPicture, Vec<f32>)>,
    committed: Instant,
    report: ReindexReport,
}

impl JobRunner {
    /// Makes the vectors of all pictures anew with another image model. `cancel` ends the run
    /// early; a further one goes on from there.
    pub(super) fn reindex_pictures(
        &self,
        model: &str,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<ReindexReport, CommandError> {
        let _one_at_a_time = self.lock_ingest();
        let configured = self.models.settings().image_embedding.clone();
        check_configured_model("image_embedding", configured, model)?;
        let mut report = self.embed_pictures(model, cancel, step)?;
        let started = Instant::now();
        if !report.interrupted
            && let Err(error) = self.build_graphs(Thoroughness::Worthwhile, cancel, step)
        {
            // The vectors are in place and are scanned until then.
            tracing::error!(
                error = error_chain(&error),
                "no graph was built; run specbox optimize"
            );
        }
        report.seconds += started.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Makes the vectors that pictures lack, for whoever holds the right to change the store
    /// already.
    pub(super) fn embed_pictures(
        &self,
        model: &str,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<ReindexReport, CommandError> {
        let started = Instant::now();
        let identity = self.models.to_model_row(model)?;
        self.store.recover()?;
        let is_other = self.store.snapshot().figures().picture_model()?.as_ref() != Some(&identity);
        // Loaded before the old vectors go, and not for nothing.
        let embedder = match self.store.snapshot().figures().pending_pictures()?.0.is_empty()
            && !is_other
        {
            true => return Ok(ReindexReport { switched: true, ..ReindexReport::for_model(model) }),
            false => self.models.image_embedder(model)?,
        };
        self.store.lock_writer().switch_picture_model(&identity)?;
        let snapshot = self.store.snapshot();
        let (pending, total) = snapshot.figures().pending_pictures()?;
        let mut run = PictureEmbeddingRun {
            runner: self,
            snapshot: &snapshot,
            embedder: &*embedder,
            model: identity,
            made: Vec::new(),
            committed: started,
            report: ReindexReport::for_model(model),
        };
        run.report.resumed = (total - pending.len()) as u64;
        let done = run.embed_all(&pending, total, cancel, step);
        // What was made is stored, whatever ended the run.
        run.commit_vectors()?;
        done?;
        let mut report = run.report;
        report.pending = self.store.snapshot().figures().pending_pictures()?.0.len() as u64;
        // The old vectors went at the beginning.
        report.switched = true;
        report.interrupted = cancel.load(Ordering::Acquire);
        report.seconds = started.elapsed().as_secs_f64();
        Ok(report)
    }
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
            if self.made.len() >= MAX_UNCOMMITTED || self.committed.elapsed() >= COMMIT_INTERVAL {
                self.commit_vectors()?;
            }
        }
        Ok(())
    }

    fn embed_batch(&mut self, batch: &[PendingPicture]) -> Result<(), CommandError> {
        let (mut pixels, mut pictures) = (Vec::new(), Vec::new());
        for one in batch {
            let known =
                one.known_by.and_then(|content| self.snapshot.figures().picture_vector(content));
            if let Some(vector) = known {
                self.made.push((one.clone(), vector));
            } else if let Some(found) = self.decode_picture(one) {
                pixels.push(found);
                pictures.push(one);
            }
        }
        let vectors = self.embedder.embed_pictures(&pixels)?;
        self.report.embedded += vectors.len() as u64;
        for (picture, vector) in pictures.into_iter().zip(vectors) {
            // One that has no direction could not be stored, nor anything beside it.
            let has_direction = vector.iter().any(|value| *value != 0.0);
            if has_direction && vector.iter().all(|value| value.is_finite()) {
                self.made.push((picture.clone(), vector));
            } else {
                tracing::warn!("the model gives no vector for a picture, which is left out");
            }
        }
        Ok(())
    }

    /// A picture as the model looks at it. One that is lost or cannot be opened is found by its
    /// words; `specbox verify` names it.
    fn decode_picture(&self, one: &PendingPicture) -> Option<Pixels> {
        let png = match self.runner.store.read_picture(&one.picture) {
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
        let opened = self.embedder.preprocess_png(&png);
        opened
            .map_err(|error| tracing::warn!(error = error_chain(&error), "a picture is left out"))
            .ok()
    }

    fn commit_vectors(&mut self) -> Result<(), StoreError> {
        let made = std::mem::take(&mut self.made);
        self.runner.store.lock_writer().add_picture_vectors(&self.model, &made)?;
        self.committed = Instant::now();
        Ok(())
    }
}
