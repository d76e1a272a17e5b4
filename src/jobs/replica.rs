//! Replicas: an index that has what the newest list of a depot has.
//!
//! A thread looks for a new list. Its packs are fetched and taken in beside the index that is served, which the new one then replaces:
//! no request waits for it, none fails.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use jiff::Timestamp;

use super::{
    CommandError, JobKind, JobRunner,
    bundle_apply::{ApplyMode, read_list},
};
use accounts::format_timestamp;
use domain::error_chain;
use object_storage::open_depot;
use pack::ManifestTrust;

/// What a replica follows.
#[derive(Debug, Clone)]
pub struct ReplicaSettings {
    /// The depot: an absolute folder, or an address of object storage.
    pub source: String,
    /// Whose signature its lists must have.
    pub trust: ManifestTrust,
    /// Time between two looks.
    pub interval: Duration,
}

/// How far a replica is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplicaState {
    /// What it follows.
    pub source: String,
    /// The list that it has; none before the first one.
    pub manifest: Option<String>,
    /// When that was made.
    pub created_at: Option<String>,
    /// When the source was last looked at with success.
    pub checked_at: Option<String>,
    /// Why the last look failed.
    pub failure: Option<String>,
    /// Until when the last look that succeeded counts; none while a new list is taken in, which may take long.
    pub counts_until: Option<Timestamp>,
}

/// Intervals after which a look that succeeded counts no more: then the thread that looks hangs, or is not there.
const INTERVALS_THAT_COUNT: u32 = 10;
/// The least time that it counts.
const LEAST_TIME_THAT_COUNTS: Duration = Duration::from_secs(300);

impl ReplicaState {
    /// Whether the replica can reach what it follows, and looks at it.
    pub fn follows(&self) -> bool {
        let is_late = self.counts_until.is_some_and(|until| Timestamp::now() > until);
        self.failure.is_none() && self.checked_at.is_some() && !is_late
    }
}

/// What a server follows; nothing, but for replicas.
#[derive(Debug, Default)]
pub(super) struct FollowedSource(Mutex<Option<ReplicaState>>);

impl FollowedSource {
    fn lock(&self) -> MutexGuard<'_, Option<ReplicaState>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut ReplicaState)) {
        self.lock().as_mut().map(change);
    }
}

/// While a new list is taken in: where that panics, the replica does not follow.
struct Updating<'a>(&'a FollowedSource);

impl Drop for Updating<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.change(|state| state.failure = Some("an internal error".to_owned()));
        }
    }
}

/// Follows a depot from now on, on a thread that ends with the process. Changes of any other kind are refused.
pub fn start_following(jobs: &Arc<JobRunner>, settings: ReplicaSettings) {
    let state = ReplicaState { source: settings.source.clone(), ..ReplicaState::default() };
    *jobs.followed.lock() = Some(state);
    let runner = jobs.clone();
    let started = jobs.threads.start("replica", move || {
        let mut last_failure = None;
        loop {
            look(&runner, &settings, &mut last_failure);
            thread::sleep(settings.interval);
        }
    });
    if let Err(error) = started {
        tracing::error!(%error, "cannot start a thread to follow the source");
    }
}

/// How far this replica is; none where the server is none.
pub fn replica_state(jobs: &JobRunner) -> Option<ReplicaState> {
    jobs.followed.lock().clone()
}

/// Refuses changes from now on: the data folder is only read.
pub fn forbid_changes(jobs: &JobRunner) {
    jobs.only_reads.store(true, Ordering::Release);
}

/// Refuses changes of a folder that is only read.
pub fn check_writable(jobs: &JobRunner) -> Result<(), CommandError> {
    if jobs.only_reads.load(Ordering::Acquire) { Err(CommandError::OnlyReads) } else { Ok(()) }
}

/// Refuses changes of a replica, and of a folder that is only read.
pub fn check_changeable(jobs: &JobRunner) -> Result<(), CommandError> {
    check_writable(jobs)?;
    match replica_state(jobs) {
        Some(state) => Err(CommandError::Replica { of: state.source }),
        None => Ok(()),
    }
}

/// One look at the source. A failure that stays is logged once.
fn look(jobs: &JobRunner, settings: &ReplicaSettings, last_failure: &mut Option<String>) {
    let failure = follow(jobs, settings).err().map(|error| error_chain(&error));
    if let Some(new) = &failure
        && failure != *last_failure
    {
        tracing::warn!(error = new, "the replica was not updated");
    }
    last_failure.clone_from(&failure);
    jobs.followed.change(|state| {
        state.failure = failure;
        if state.failure.is_none() {
            let now = Timestamp::now();
            let counts = LEAST_TIME_THAT_COUNTS.max(settings.interval * INTERVALS_THAT_COUNT);
            state.checked_at = Some(format_timestamp(now));
            state.counts_until = now.checked_add(counts).ok();
        }
    });
}

/// Brings the index to the newest list of a depot.
fn follow(jobs: &JobRunner, settings: &ReplicaSettings) -> Result<(), CommandError> {
    let applied = super::bundle_apply::applied_list(jobs)?;
    if let Some((name, manifest)) = &applied {
        jobs.followed.change(|state| {
            state.manifest = Some(name.to_string());
            state.created_at = Some(manifest.created_at.clone());
        });
    }
    let depot = open_depot(&settings.source)?;
    let newest = depot.latest_manifest()?;
    if newest.is_some() && newest == applied.map(|(name, _)| name) {
        return Ok(());
    }
    let (name, manifest) = read_list(&depot, newest.as_ref(), &settings.trust)?;
    let _one_at_a_time = jobs.lock_ingest();
    let _vectors = super::vectors::lock_vectors(jobs);
    let _unless_it_panics = Updating(&jobs.followed);
    jobs.followed.change(|state| state.counts_until = None);
    let job = jobs.history.begin_job(JobKind::Packs);
    let mut step = |done, total| job.report_progress(done, total, "packs");
    let never = AtomicBool::new(false);
    let followed = super::bundle_apply::apply_list(
        jobs,
        &depot,
        (&name, &manifest),
        ApplyMode::Follow,
        &never,
        &mut step,
    );
    job.end_job(match &followed {
        Ok(_) => "finished".to_owned(),
        Err(error) => format!("failed: {}", error_chain(error)),
    });
    let report = followed?;
    tracing::info!(
        manifest = report.manifest,
        added = report.added.len(),
        replaced = report.replaced.len(),
        removed = report.removed.len(),
        "the replica was updated"
    );
    jobs.followed.change(|state| {
        state.manifest = Some(report.manifest);
        state.created_at = Some(report.created_at);
    });
    Ok(())
}
