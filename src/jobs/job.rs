//! What every job is: parameters, and one way to run.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::{JobKind, JobRunner};

/// Long work: a struct with what it needs to know. It may be ended early, and what it stored before stays.
pub trait Job {
    /// What it reports while it runs.
    type Event;
    /// What it has done.
    type Report;
    /// Why it failed.
    type Error;
    /// How it appears in the history of jobs, with the unit of its steps; `None` if it does not, or if it records itself.
    const COUNTED: Option<CountedJob> = None;

    /// Does the work. It blocks until it is done.
    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, Self::Event>,
    ) -> Result<Self::Report, Self::Error>;
}

/// What a job has done, as people and their scripts get it.
pub trait JobReport: Serialize {
    /// Whether the job did everything it was asked to. An import that refused a file did not, even though it imported the others: the
    /// refused file was named, or looks like one to import.
    fn is_complete(&self) -> bool {
        true
    }
}

/// The kind of a job, and the unit in which its progress is counted.
pub type CountedJob = (JobKind, &'static str);

/// How a job that runs is watched and ended.
pub struct JobProgress<'a, Event = JobStep> {
    /// Ends the job early once it is set.
    pub cancel: &'a AtomicBool,
    /// Receives what the job reports.
    pub sink: &'a mut dyn FnMut(Event),
}

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobStep {
    /// Units that are done.
    pub done: usize,
    /// All units.
    pub total: usize,
}
