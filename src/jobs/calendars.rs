//! Imports calendars of meetings.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{CommandError, Job, JobProgress, JobRunner, JobStep};
use contributions::{ReadCalendar, RefusedRegister, read_calendar};
use domain::error_chain;

/// Report of an import of calendars.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarReport {
    /// Meetings that were imported.
    pub meetings: usize,
    /// Files that could not be read.
    pub refused: Vec<RefusedRegister>,
    /// Parts of files that could not be read, a sentence for each.
    pub warnings: Vec<String>,
}

/// Imports calendars. What cannot be read is reported and does not affect the rest.
pub struct ImportCalendars<'a> {
    /// Files, absolute.
    pub paths: &'a [PathBuf],
}

impl Job for ImportCalendars<'_> {
    type Event = JobStep;
    type Report = CalendarReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        _progress: JobProgress<'_, JobStep>,
    ) -> Result<CalendarReport, CommandError> {
        import_calendars(jobs, self.paths)
    }
}

pub(super) fn import_calendars(
    jobs: &JobRunner,
    paths: &[PathBuf],
) -> Result<CalendarReport, CommandError> {
    let mut report = CalendarReport::default();
    for path in paths {
        let file = path.display().to_string();
        match read_calendar(path) {
            Ok(ReadCalendar { meetings, faults }) => {
                jobs.store.lock_writer().import_calendar(&meetings)?;
                report.meetings += meetings.len();
                report.warnings.extend(faults.into_iter().map(|fault| format!("{file}: {fault}")));
            }
            Err(error) => {
                report.refused.push(RefusedRegister { file, reason: error_chain(&error) });
            }
        }
    }
    Ok(report)
}
