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

/// Starts the thread. It ends with the process: a slice of vectors that was not committed is made again.
pub fn start_background_vectors(jobs: &Arc<JobRunner>) {
    jobs.background.store(true, Ordering::Release);
    let runner = jobs.clone();
    if let Err(error) = jobs.threads.start("vectors", move || make_vectors_forever(&runner)) {
        tracing::error!(%error, "cannot start a thread for vectors; run `specbox ingest` to compute them");
    }
}

fn make_vectors_forever(jobs: &JobRunner) {
    let never = AtomicBool::new(false);
    let mut last_failure = String::new();
    // The state in which nothing lacked vectors.
    let mut settled = Weak::new();
    loop {
        let mut looks = 1;
        let snapshot = jobs.store.snapshot();
        if !Weak::ptr_eq(&settled, &Arc::downgrade(&snapshot))
            && snapshot.lacking_vectors().is_empty()
        {
            settled = Arc::downgrade(&snapshot);
        }
        let is_settled = Weak::ptr_eq(&settled, &Arc::downgrade(&snapshot));
        drop(snapshot);
        if !is_settled && !jobs.is_reading() {
            match make_vectors_as_job(jobs, &never) {
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
fn make_vectors_as_job(jobs: &JobRunner, cancel: &AtomicBool) -> Result<(), CommandError> {
    // Without a model there is nothing to show.
    jobs.models.text_embedder(&jobs.text_embedding()?)?;
    let job = jobs.history.begin_job(JobKind::Vectors);
    let mut step = |done, total| job.report_progress(done, total, "vectors");
    let made = super::vectors::make_missing_vectors(jobs, cancel, &mut step);
    job.end_job(match &made {
        Ok(_) => "finished".to_owned(),
        Err(error) => format!("failed: {}", error_chain(error)),
    });
    made?;
    super::decision_vectors::try_embed_decisions(jobs, None, cancel)?;
    let _one_at_a_time = jobs.lock_ingest();
    super::optimize::build_graphs(jobs, Thoroughness::Worthwhile, cancel, &mut |_, _| {})?;
    Ok(())
}
