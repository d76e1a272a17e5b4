//! The history of long jobs: what runs, its progress, and how the last jobs ended.
//!
//! The last jobs are stored in a file of the data folder, so that the dashboard can show them after a
//! restart. Only people read it: nothing else depends on the file.

use std::{
    collections::VecDeque,
    fs,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use accounts::format_timestamp;
use ingest::{IngestEvent, IngestReport, RefusedFile};

/// Jobs that are remembered.
const MAX_RECORDS: usize = 20;
/// Document versions that are listed for one job.
const MAX_DOCUMENTS: usize = 200;
/// Refused files that are listed for one job.
const MAX_REFUSED: usize = 200;

/// The kind of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobKind {
    /// Documents are ingested.
    Ingest,
    /// Vectors are recomputed.
    Reindex,
    /// Vectors are merged into one file.
    Optimize,
    /// Registers, calendars or notes are imported.
    Import,
    /// Documents of meetings are fetched.
    Sync,
    /// Vectors that are missing are made.
    Vectors,
    /// The index is backed up.
    Backup,
    /// Packs are taken in.
    Packs,
    /// The index is written as tables.
    Export,
}

impl JobKind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ingest => "ingest",
            Self::Reindex => "reindex",
            Self::Optimize => "optimize",
            Self::Import => "import",
            Self::Sync => "sync",
            Self::Vectors => "vectors",
            Self::Backup => "backup",
            Self::Packs => "packs",
            Self::Export => "export",
        }
    }
}

/// A job that runs or has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// What it does.
    pub kind: JobKind,
    /// When it began, RFC 3339 in UTC.
    pub started_at: String,
    /// When it ended; none while it runs.
    pub ended_at: Option<String>,
    /// How much is done, of `total`.
    pub done: u64,
    /// How much there is; 0 while that is not known.
    pub total: u64,
    /// What is counted, such as `files`.
    pub unit: String,
    /// The file it works on.
    pub current: String,
    /// Document versions that were ingested.
    pub taken: u64,
    /// The first of them: number and version.
    #[serde(default)]
    pub documents: Vec<String>,
    /// Files that were skipped.
    pub skipped: u64,
    /// The first of the files that could not be ingested.
    pub refused: Vec<RefusedFile>,
    /// The number of all files that could not be ingested.
    pub refused_count: u64,
    /// How it ended; none while it runs.
    pub outcome: Option<String>,
}

/// The jobs of a data folder.
pub struct JobHistory {
    file: PathBuf,
    jobs: Mutex<VecDeque<JobRecord>>,
}

/// A running job; if it has not ended when dropped, it counts as failed.
pub struct RunningJob<'a> {
    jobs: &'a JobHistory,
    started_at: String,
    kind: JobKind,
}

impl JobHistory {
    /// Reads the last jobs, if there are any.
    pub(super) fn open(file: PathBuf) -> Self {
        let stored = fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut jobs: VecDeque<JobRecord> = stored.unwrap_or_default();
        // A job that the last process left running was cut off with it.
        for job in jobs.iter_mut().filter(|job| job.outcome.is_none()) {
            job.outcome = Some("interrupted".to_owned());
        }
        Self { file, jobs: Mutex::new(jobs) }
    }

    fn lock_records(&self) -> MutexGuard<'_, VecDeque<JobRecord>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last jobs, newest first.
    pub fn recent_jobs(&self) -> Vec<JobRecord> {
        self.lock_records().iter().cloned().collect()
    }

    /// Whether documents are being ingested.
    pub fn is_ingesting(&self) -> bool {
        self.lock_records().iter().any(|job| job.kind == JobKind::Ingest && job.outcome.is_none())
    }

    /// Begins a job.
    pub fn begin_job(&self, kind: JobKind) -> RunningJob<'_> {
        let started_at = format_timestamp(Timestamp::now());
        let job = JobRecord {
            kind,
            started_at: started_at.clone(),
            ended_at: None,
            done: 0,
            total: 0,
            unit: "files".to_owned(),
            current: String::new(),
            taken: 0,
            documents: Vec::new(),
            skipped: 0,
            refused: Vec::new(),
            refused_count: 0,
            outcome: None,
        };
        let mut jobs = self.lock_records();
        jobs.push_front(job);
        jobs.truncate(MAX_RECORDS);
        self.save_records(&jobs);
        RunningJob { jobs: self, started_at, kind }
    }

    fn save_records(&self, jobs: &VecDeque<JobRecord>) {
        let text = serde_json::to_vec_pretty(jobs).unwrap_or_default();
        if let Err(error) = durable_file::write_file(&self.file, &text) {
            tracing::warn!(%error, "the job history could not be stored");
        }
    }
}

impl RunningJob<'_> {
    fn update_record(&self, change: impl FnOnce(&mut JobRecord)) {
        let mut jobs = self.jobs.lock_records();
        let is_this_job = |job: &&mut JobRecord| {
            job.kind == self.kind && job.started_at == self.started_at && job.outcome.is_none()
        };
        if let Some(job) = jobs.iter_mut().find(is_this_job) {
            change(job);
        }
    }

    /// Updates the progress.
    pub fn report_progress(&self, done: usize, total: usize, unit: &str) {
        self.update_record(|job| {
            (job.done, job.total) = (done as u64, total as u64);
            unit.clone_into(&mut job.unit);
        });
    }

    pub(super) fn record_ingest_event(&self, event: &IngestEvent) {
        match event {
            // The job begins when it has waited.
            IngestEvent::Waiting => {}
            IngestEvent::Started { sources, .. } => self.report_progress(0, *sources, "files"),
            IngestEvent::Progress(progress) => self.update_record(|job| {
                (job.done, job.total) = (progress.sources_done as u64, progress.sources as u64);
                job.current.clone_from(&progress.current);
            }),
            IngestEvent::Taken(taken) => {
                count_file("taken");
                self.update_record(|job| {
                    job.taken += 1;
                    if job.documents.len() < MAX_DOCUMENTS {
                        job.documents.push(format!("{} {}", taken.doc_number, taken.version));
                    }
                });
            }
            IngestEvent::Skipped(_) => {
                count_file("skipped");
                self.update_record(|job| job.skipped += 1);
            }
            IngestEvent::Refused(refused) => self.update_record(|job| {
                count_file("refused");
                job.refused_count += 1;
                if job.refused.len() < MAX_REFUSED {
                    job.refused.push(refused.clone());
                }
            }),
            IngestEvent::Vectors { done, total } => self.report_progress(*done, *total, "vectors"),
            IngestEvent::Pictures { done, total } => {
                self.report_progress(*done, *total, "pictures")
            }
            IngestEvent::Graph { done, total } => {
                self.report_progress(*done, *total, "vectors in the graph")
            }
        }
    }

    /// Ends the job with the outcome in its report.
    pub(super) fn end_with_report(&self, report: &IngestReport) {
        let outcome = match &report.failed {
            Some(failed) => format!("failed: {failed}"),
            None if report.interrupted => "stopped".to_owned(),
            None => "finished".to_owned(),
        };
        self.end_job(outcome);
    }

    /// Ends the job.
    pub fn end_job(&self, outcome: String) {
        self.update_record(|job| {
            job.outcome = Some(outcome);
            job.ended_at = Some(format_timestamp(Timestamp::now()));
            job.current.clear();
        });
        self.jobs.save_records(&self.jobs.lock_records());
    }
}

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        let mut is_running = false;
        self.update_record(|_| is_running = true);
        if is_running {
            self.end_job("failed".to_owned());
        }
    }
}

fn count_file(outcome: &'static str) {
    metrics::counter!("specbox_ingest_files_total", "outcome" => outcome).increment(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_remembered_with_how_they_ended() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let file = dir.path().join("log").join("jobs.json");
        let jobs = JobHistory::open(file.clone());
        let running = jobs.begin_job(JobKind::Ingest);
        running.record_ingest_event(&IngestEvent::Started { sources: 3, bytes: 9 });
        let refused = RefusedFile { file: "a.zip".to_owned(), reason: "damaged".to_owned() };
        running.record_ingest_event(&IngestEvent::Refused(refused.clone()));
        assert!(jobs.is_ingesting());
        assert_eq!(
            (jobs.recent_jobs()[0].total, jobs.recent_jobs()[0].refused.as_slice()),
            (3, &[refused][..])
        );
        running.end_with_report(&IngestReport { interrupted: true, ..IngestReport::default() });
        drop(running);
        assert!(!jobs.is_ingesting());
        drop(jobs.begin_job(JobKind::Optimize));
        let outcomes: Vec<_> =
            JobHistory::open(file).recent_jobs().into_iter().map(|job| job.outcome).collect();
        assert_eq!(outcomes, [Some("failed".to_owned()), Some("stopped".to_owned())]);
    }

    #[test]
    fn a_job_that_was_cut_off_says_so_and_a_broken_file_has_no_jobs() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let file = dir.path().join("jobs.json");
        let jobs = JobHistory::open(file.clone());
        std::mem::forget(jobs.begin_job(JobKind::Ingest));
        assert_eq!(
            JobHistory::open(file.clone()).recent_jobs()[0].outcome.as_deref(),
            Some("interrupted")
        );
        fs::write(&file, "[{").expect("written");
        assert!(JobHistory::open(file).recent_jobs().is_empty());
    }
}
