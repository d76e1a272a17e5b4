//! The thread of a server that makes vectors whenever some are missing.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{CommandError, JobKind, JobRunner};
use domain::error_chain;
use store::Thoroughness;

/// Time between two looks whether vectors are missing.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// After a failure, most often a model that is not installed, it tries again after so many looks.
const LOOKS_AFTER_FAILURE: u32 = 30;

impl JobRunner {
    /// Starts the thread. It ends with the process: a slice of vectors that was not committed is made again.
    pub fn start_background_vectors(self: &Arc<Self>) {
        self.background.store(true, Ordering::Release);
        let runner = self.clone();
        if let Err(error) = self.threads.start("vectors", move || runner.make_vectors_forever()) {
            tracing::error!(%error, "cannot start a thread for vectors; run `specbox ingest` to compute them");
        }
    }

    /// Whether vectors are made in the background of a server.
    pub(super) fn is_background(&self) -> bool {
        self.background.load(Ordering::Acquire)
    }

    fn make_vectors_forever(&self) {
        let never = AtomicBool::new(false);
        let mut last_failure = String::new();
        // The state in which nothing lacked vectors.
        let mut settled = Weak::new();
        loop {
            let mut looks = 1;
            let snapshot = self.store.snapshot();
            if !Weak::ptr_eq(&settled, &Arc::downgrade(&snapshot))
                && snapshot.lacking_vectors().is_empty()
            {
                settled = Arc::downgrade(&snapshot);
            }
            let is_settled = Weak::ptr_eq(&settled, &Arc::downgrade(&snapshot));
            drop(snapshot);
            if !is_settled && !self.is_reading() {
                match self.make_vectors_as_job(&never) {
                    Ok(()) => last_failure.clear(),
                    Err(error) => {
                        let failure = error_chain(&error);
                        if failure != last_failure {
                            tracing::warn!(error = failure, "texts can be searched by words only");
                            last_failure = failure;
                        }
                        looks = LOOKS_AFTER_FAILURE;
                    }
                }
            }
            thread::sleep(POLL_INTERVAL * looks);
        }
    }

    /// Makes what is missing, shown among the jobs.
    fn make_vectors_as_job(&self, cancel: &AtomicBool) -> Result<(), CommandError> {
        // Without a model there is nothing to show.
        self.models.text_embedder(&self.text_embedding()?)?;
        let job = self.history.begin_job(JobKind::Vectors);
        let mut step = |done, total| job.report_progress(done, total, "vectors");
        let made = self.make_missing_vectors(cancel, &mut step);
        job.end_job(match &made {
            Ok(_) => "finished".to_owned(),
            Err(error) => format!("failed: {}", error_chain(error)),
        });
        made?;
        self.try_embed_decisions(None, cancel)?;
        let _one_at_a_time = self.lock_ingest();
        self.build_graphs(Thoroughness::Worthwhile, cancel, &mut |_, _| {})?;
        Ok(())
    }
}
