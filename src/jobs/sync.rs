//! Synchronises with the mirror: the list of meetings, and all documents of a meeting.

use std::sync::atomic::Ordering;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::fetch::{TdocFetchError, TdocFetcher, is_read};
use super::{CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep};
use accounts::format_timestamp;
use contributions::{
    RefusedRegister, RegisterImporter, list_inner_files, list_meeting_folders, list_meeting_tdocs,
};
use domain::{Group, MeetingId, RegisterStatus, TdocId, error_chain};
use extract::Worker;
use mirror::{Mirror, MirrorError};
use store::{ContentStatus, TdocJobKind, Thoroughness};

/// Refused documents that are listed in a report.
const MAX_REFUSED: usize = 200;
/// Folders of a meeting on the mirror that may contain its register, in the order of preference.
const REGISTER_FOLDERS: [&str; 5] = ["Docs", "Tdoclists", "Inbox/Tdoc_list", "Agenda", "Inbox"];

/// Report of a synchronisation of meeting documents.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SyncReport {
    /// Meetings that were synchronised.
    pub meetings: Vec<String>,
    /// Registers that were imported from the mirror.
    pub registers: usize,
    /// Documents that were read before.
    pub known: usize,
    /// Documents that were read now.
    pub taken: usize,
    /// Of these, those that were read in part.
    pub partial: usize,
    /// Of these, those whose files have no readable text.
    pub unavailable: usize,
    /// Notes and reports that were imported.
    pub notes: usize,
    /// Documents that the mirror has no file of.
    pub missing: usize,
    /// The first of the documents that could not be fetched; the next run tries them again.
    pub refused: Vec<RefusedRegister>,
    /// The number of all of these.
    pub refused_count: usize,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Report of a synchronisation of the list of meetings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingSyncReport {
    /// Meetings that the mirror has.
    pub meetings: usize,
    /// Meetings that were not known before.
    pub new: usize,
    /// Groups whose meetings could not be listed.
    pub refused: Vec<RefusedRegister>,
}

impl SyncReport {
    fn record_refusal(&mut self, file: String, error: &dyn std::error::Error) {
        self.record_refusal_reason(file, error_chain(error));
    }

    fn record_refusal_reason(&mut self, file: String, reason: String) {
        self.refused_count += 1;
        if self.refused.len() < MAX_REFUSED {
            self.refused.push(RefusedRegister { file, reason });
        }
    }
}

/// Report of the pending jobs that were processed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingReport {
    /// Documents that were fetched or converted.
    pub done: usize,
    /// Documents that keep waiting: there is no LibreOffice.
    pub waiting: usize,
    /// Documents that could not be read.
    pub refused: Vec<RefusedRegister>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Fetches and reads all documents of meetings that were not read yet. A run that ended early is resumed
/// by the next one.
pub struct SyncTdocs<'a> {
    /// Meetings.
    pub meetings: &'a [MeetingId],
    /// Groups, whose known meetings are synchronised too.
    pub groups: &'a [Group],
}

impl JobReport for SyncReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty() && !self.interrupted
    }
}

impl Job for SyncTdocs<'_> {
    type Event = JobStep;
    type Report = SyncReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Sync, "documents"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<SyncReport, CommandError> {
        let Self { meetings, groups } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let mut report = SyncReport::default();
        let selected = select_meetings(jobs, meetings, groups)?;
        for meeting in &selected {
            report.meetings.push(meeting.to_string());
            match import_register_from_mirror(jobs, meeting) {
                Ok(true) => report.registers += 1,
                Ok(false) => {}
                // The other meetings are still synchronised.
                Err(CommandError::Mirror(error)) => {
                    report.record_refusal(meeting.to_string(), &error)
                }
                Err(error) => return Err(error),
            }
        }
        let ids = find_unread_tdocs(jobs, &selected, &mut report)?;
        let mut fetcher = TdocFetcher::new(jobs);
        for (done, id) in ids.iter().enumerate() {
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            let Some(_claim) = super::fetch::claim_tdoc(jobs, id) else {
                // The server is fetching it already.
                report.known += 1;
                continue;
            };
            match fetcher.fetch_tdoc(id) {
                Ok(_) => {
                    super::fetch::forget_fetch_job(jobs, id);
                    report.taken += 1;
                    let status =
                        jobs.store.snapshot().catalog().tdoc_by_id(id).map(|e| e.row.status);
                    match status {
                        Some(ContentStatus::Partial) => report.partial += 1,
                        Some(ContentStatus::Unavailable) => report.unavailable += 1,
                        Some(ContentStatus::Complete) | None => {}
                    }
                }
                Err(TdocFetchError::NotFound) => report.missing += 1,
                Err(error) => report.record_refusal(id.to_string(), &error),
            }
            step(done + 1, ids.len());
        }
        let meetings = if report.interrupted { &[] } else { &selected[..] };
        for meeting in meetings {
            let mut refused = Vec::new();
            match super::notes::sync_notes(jobs, meeting, &mut |file, reason| {
                refused.push((file, reason))
            }) {
                Ok(imported_count) => report.notes += imported_count,
                Err(CommandError::Mirror(error)) => {
                    report.record_refusal(meeting.to_string(), &error)
                }
                Err(error) => return Err(error),
            }
            refused
                .into_iter()
                .for_each(|(file, reason)| report.record_refusal_reason(file, reason));
        }
        if !report.interrupted && report.taken > 0 {
            super::optimize::build_graphs(jobs, Thoroughness::Worthwhile, cancel, &mut |_, _| {})?;
        }
        Ok(report)
    }
}

/// The given meetings, and the known ones of the given groups.
fn select_meetings(
    jobs: &JobRunner,
    meetings: &[MeetingId],
    groups: &[Group],
) -> Result<Vec<MeetingId>, CommandError> {
    let snapshot = jobs.store.snapshot();
    let catalog = jobs.tdoc_catalogs.catalog_of(&snapshot)?;
    let mut selected = meetings.to_vec();
    let of_groups = catalog.meetings.iter().map(|meeting| &meeting.id);
    selected.extend(of_groups.filter(|id| groups.contains(&id.group())).cloned());
    selected.sort();
    selected.dedup();
    Ok(selected)
}

/// Imports the register of a meeting from the mirror, if none is known. Returns whether it did.
fn import_register_from_mirror(
    jobs: &JobRunner,
    meeting: &MeetingId,
) -> Result<bool, CommandError> {
    let snapshot = jobs.store.snapshot();
    let catalog = jobs.tdoc_catalogs.catalog_of(&snapshot)?;
    let known =
        catalog.meeting_index(meeting).and_then(|index| catalog.meetings.get(index as usize));
    if known.is_some_and(|known| known.register.is_some()) {
        return Ok(false);
    }
    let mirror = &*jobs.settings.mirror;
    let Some(path) = find_register(mirror, meeting).map_err(CommandError::Mirror)? else {
        return Ok(false);
    };
    let folder = jobs.store.data_folder().tdoc_inbox_folder();
    let mirror_file = mirror.fetch_file(&path, &folder).map_err(CommandError::Mirror)?;
    let config = jobs.settings.ingest.worker_config(std::slice::from_ref(&mirror_file.path), false);
    let mut worker = Worker::new(config);
    let now = format_timestamp(Timestamp::now());
    let mut importer = RegisterImporter {
        store: &jobs.store,
        worker: &mut worker,
        now,
        meeting: Some(meeting.clone()),
    };
    let imported = importer.import_register(&mirror_file.path)?;
    if mirror_file.is_copy {
        let _ = std::fs::remove_file(&mirror_file.path);
    }
    if let Err(reason) = &imported {
        tracing::warn!(%meeting, reason, "the register on the mirror was not imported");
    }
    Ok(imported.is_ok())
}

/// The documents of meetings that have a file and were not read yet.
fn find_unread_tdocs(
    jobs: &JobRunner,
    meetings: &[MeetingId],
    report: &mut SyncReport,
) -> Result<Vec<TdocId>, CommandError> {
    let snapshot = jobs.store.snapshot();
    let catalog = jobs.tdoc_catalogs.catalog_of(&snapshot)?;
    let mut ids = Vec::new();
    for entry in catalog.entries() {
        let has_file =
            !matches!(entry.status, RegisterStatus::Withdrawn | RegisterStatus::Reserved);
        if !has_file || !meetings.contains(&catalog.meeting_of(entry).id) {
            continue;
        }
        let indexed = snapshot.catalog().tdoc_by_id(&entry.id);
        if indexed.is_some_and(|indexed| is_read(&indexed.row)) {
            report.known += 1;
        } else {
            ids.push(entry.id.clone());
        }
    }
    for meeting in meetings {
        let known =
            catalog.meeting_index(meeting).and_then(|index| catalog.meetings.get(index as usize));
        if known.is_none_or(|known| known.register.is_none()) {
            // Without a register, the documents in the meeting's folder are synchronised.
            match list_meeting_tdocs(&jobs.settings.mirror, meeting) {
                Ok(listed) => ids.extend(listed.into_iter().filter(|id| {
                    snapshot.catalog().tdoc_by_id(id).is_none() && catalog.get(id).is_none()
                })),
                Err(error) => report.record_refusal(meeting.to_string(), &error),
            }
        }
    }
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// Records the meetings that have folders on the mirror.
pub struct SyncMeetings<'a> {
    /// Groups whose folders are listed; all groups if there is none.
    pub groups: &'a [Group],
}

impl JobReport for MeetingSyncReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty()
    }
}

impl Job for SyncMeetings<'_> {
    type Event = JobStep;
    type Report = MeetingSyncReport;
    type Error = CommandError;

    fn run(
        self,
        jobs: &JobRunner,
        _progress: JobProgress<'_, JobStep>,
    ) -> Result<MeetingSyncReport, CommandError> {
        let Self { groups } = self;
        let mut report = MeetingSyncReport::default();
        let all: Vec<Group> = Group::all().collect();
        let groups = if groups.is_empty() { &all } else { groups };
        for group in groups {
            match list_meeting_folders(&jobs.settings.mirror, *group) {
                Ok(folders) => {
                    report.meetings += folders.len();
                    report.new += jobs.store.lock_writer().record_meeting_folders(&folders)?;
                }
                Err(error) => report.refused.push(RefusedRegister {
                    file: group.name().to_owned(),
                    reason: error_chain(&error),
                }),
            }
        }
        Ok(report)
    }
}

/// Processes the recorded jobs: documents to be fetched, and those that wait for the full pipeline.
pub struct ProcessPending;

impl JobReport for PendingReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty() && !self.interrupted
    }
}

impl Job for ProcessPending {
    type Event = JobStep;
    type Report = PendingReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Sync, "documents"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<PendingReport, CommandError> {
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let pending = jobs.store.snapshot().tdocs().tdoc_jobs()?;
        let mut report = PendingReport::default();
        let converts = jobs.settings.ingest.converter.is_some();
        let mut fetcher = TdocFetcher::new(jobs);
        for (done, job) in pending.iter().enumerate() {
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            if job.kind == TdocJobKind::Convert && !converts {
                report.waiting += 1;
                continue;
            }
            // The server itself finishes a document that it is working on.
            let Some(_claim) = super::fetch::claim_tdoc(jobs, &job.id) else { continue };
            let result = match job.kind {
                TdocJobKind::Convert => fetcher.convert_tdoc(&job.id),
                TdocJobKind::Fetch => {
                    let fetched = fetcher.fetch_tdoc(&job.id).map(drop);
                    if matches!(fetched, Ok(()) | Err(TdocFetchError::NotFound)) {
                        super::fetch::forget_fetch_job(jobs, &job.id);
                    }
                    fetched
                }
            };
            match result {
                Ok(()) => report.done += 1,
                Err(error) => report.refused.push(RefusedRegister {
                    file: job.id.to_string(),
                    reason: error_chain(&error),
                }),
            }
            step(done + 1, pending.len());
        }
        Ok(report)
    }
}

/// The path of the register of a meeting on a mirror.
fn find_register(mirror: &Mirror, meeting: &MeetingId) -> Result<Option<String>, MirrorError> {
    let folders = list_meeting_folders(mirror, meeting.group())?;
    let Some((_, folder)) = folders.into_iter().find(|(known, _)| known == meeting) else {
        return Ok(None);
    };
    for inner in REGISTER_FOLDERS {
        let Some((path, files)) = list_inner_files(mirror, &folder, inner)? else { continue };
        let is_register = |name: &str| {
            let name = name.to_lowercase();
            let is_workbook =
                name.contains("tdoc_list") && (name.ends_with(".xlsx") || name.ends_with(".xlsm"));
            is_workbook || name.contains("tdocsbyagenda") && name.contains(".htm")
        };
        // The last by name is the newest, since names contain the date.
        let names = files.into_iter().map(|file| file.name);
        if let Some(name) = names.filter(|name| is_register(name)).max() {
            return Ok(Some(format!("{path}/{name}")));
        }
    }
    Ok(None)
}
