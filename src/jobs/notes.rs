//! Imports notes and reports of meetings, as sources of decisions.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep,
    calendars::import_calendars,
};
use accounts::format_timestamp;
use contributions::{
    FoundFiles, RecognisedNotes, RefusedRegister, find_meeting_files, list_meeting_notes,
    notes_kind_of_entry, recognise_notes, recognise_tdoc_notes, to_decision_rows, to_notes_bases,
    to_notes_doubts,
};
use domain::{MeetingId, NotesKind, TdocId, error_chain};
use extract::{Contribution, NotesOptions, Worker, WorkerConfig};
use ingest::to_block_rows;
use store::{NotesRow, NotesStoreResult, StoreError};

/// What is said of notes in which nothing was recognised.
const NO_DECISION: &str = "no decision and no outcome of a document was recognised in it";

/// Notes that were imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedNotes {
    /// The file.
    pub file: String,
    /// The meeting.
    pub meeting: String,
    /// What kind of notes it is.
    pub source_kind: String,
    /// Its version as written.
    pub version: Option<String>,
    /// Whether it is the final report.
    pub is_final: bool,
    /// Decisions in it.
    pub decisions: usize,
    /// `new`, `replaces` an earlier version, or `older` than the one that is there, and left out.
    pub fate: String,
    /// Parts of it that could not be read.
    pub faults: Vec<String>,
}

/// Report of an import of calendars and notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingsReport {
    /// Meetings that calendars list.
    pub meetings: usize,
    /// Notes and reports that were imported.
    pub notes: Vec<ImportedNotes>,
    /// Parts of calendars that could not be read, a sentence for each.
    pub warnings: Vec<String>,
    /// Files that could not be read.
    pub refused: Vec<RefusedRegister>,
    /// Files in folders that were not taken for calendars, notes or reports.
    #[serde(default)]
    pub skipped: Vec<RefusedRegister>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// Imports calendars (`.htm`, `.html`, `.csv`, `.txt`), notes and reports of meetings. A file that cannot be
/// read, or is none of these, is reported and does not affect the rest.
pub struct ImportMeetings<'a> {
    /// Files and folders, absolute.
    pub paths: &'a [PathBuf],
    /// The meeting of notes whose file does not name it.
    pub meeting: Option<&'a MeetingId>,
}

impl JobReport for MeetingsReport {
    fn is_complete(&self) -> bool {
        self.refused.is_empty() && !self.interrupted
    }
}

impl Job for ImportMeetings<'_> {
    type Event = JobStep;
    type Report = MeetingsReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Import, "files"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<MeetingsReport, CommandError> {
        let Self { paths, meeting } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let mut worker = Worker::new(notes_worker_config(jobs, paths)?);
        let FoundFiles { files, skipped } =
            find_meeting_files(paths).map_err(CommandError::Files)?;
        let mut report = MeetingsReport { skipped, ..MeetingsReport::default() };
        for (done, path) in files.iter().enumerate() {
            if is_calendar(path) {
                let calendar = import_calendars(jobs, std::slice::from_ref(path))?;
                report.meetings += calendar.meetings;
                report.warnings.extend(calendar.warnings);
                report.refused.extend(calendar.refused);
                step(done + 1, files.len());
                continue;
            }
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            let file = path.display().to_string();
            match import_notes_file(jobs, &mut worker, path, meeting) {
                Ok(imported) => {
                    if imported.fate != "older" {
                        super::decision_vectors::embed_decisions(jobs, None, cancel);
                    }
                    report.notes.push(imported);
                }
                Err(NotesImportError::Unreadable(reason)) => {
                    report.refused.push(RefusedRegister { file, reason })
                }
                Err(NotesImportError::Store(error)) => return Err(error.into()),
            }
            step(done + 1, files.len());
        }
        Ok(report)
    }
}

/// The configuration of a worker that reads notes, with the operator's own rules.
fn notes_worker_config(jobs: &JobRunner, paths: &[PathBuf]) -> Result<WorkerConfig, CommandError> {
    let mut config = jobs.settings.ingest.worker_config(paths, false);
    let folder = jobs.store.data_folder().notes_rules_folder();
    config.options.notes = NotesOptions::with_rules_from(&folder)?;
    Ok(config)
}

/// Imports the notes and reports in the folders of a meeting on the mirror that were not read yet. Returns
/// how many; each file that could not be imported is passed to `refused`, with the reason.
pub(super) fn sync_notes(
    jobs: &JobRunner,
    meeting: &MeetingId,
    refused: &mut dyn FnMut(String, String),
) -> Result<usize, CommandError> {
    let mirror = &*jobs.settings.mirror;
    jobs.store.recover()?;
    let known = jobs.store.snapshot().meetings().meeting_notes(meeting)?;
    let is_known = |name: &str| known.iter().any(|notes| notes.file == name);
    let mut imported_count = 0;
    let paths = list_meeting_notes(mirror, meeting).map_err(CommandError::Mirror)?;
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
        if is_known(&name) {
            continue;
        }
        let mirror_file =
            match mirror.fetch_file(&path, &jobs.store.data_folder().tdoc_inbox_folder()) {
                Ok(mirror_file) => mirror_file,
                Err(error) => {
                    refused(name, error_chain(&error));
                    continue;
                }
            };
        let config = notes_worker_config(jobs, std::slice::from_ref(&mirror_file.path))?;
        let read =
            import_notes_file(jobs, &mut Worker::new(config), &mirror_file.path, Some(meeting));
        if mirror_file.is_copy {
            let _ = std::fs::remove_file(&mirror_file.path);
        }
        match read {
            Ok(_) => imported_count += 1,
            Err(NotesImportError::Unreadable(reason)) => refused(name, reason),
            Err(NotesImportError::Store(error)) => return Err(error.into()),
        }
    }
    if imported_count > 0 {
        super::decision_vectors::embed_decisions(jobs, Some(meeting), &AtomicBool::new(false));
    }
    Ok(imported_count)
}

fn import_notes_file(
    jobs: &JobRunner,
    worker: &mut Worker,
    path: &Path,
    meeting: Option<&MeetingId>,
) -> Result<ImportedNotes, NotesImportError> {
    let read = worker.read_contribution(path, "", None).map_err(|error| to_import_error(&error))?;
    if read.files.is_empty() {
        let reason = read.faults.join("; ");
        return Err(NotesImportError::Unreadable(reason));
    }
    let snapshot = jobs.store.snapshot();
    let catalog = jobs.tdoc_catalogs.catalog_of(&snapshot)?;
    let registered = |id: &TdocId| Some(snapshot.tdocs().tdoc_row(id).ok()??.entry);
    let notes = recognise_notes(path, &read, &catalog, registered, meeting)
        .map_err(|error| to_import_error(&error))?;
    let hash = hash_file(path).map_err(|error| to_import_error(&error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(store_notes(jobs, notes, &read, name, hash)?)
}

/// Stores notes, the decisions in them, and their text.
fn store_notes(
    jobs: &JobRunner,
    notes: RecognisedNotes,
    read: &Contribution,
    file: String,
    hash: [u8; 32],
) -> Result<ImportedNotes, StoreError> {
    let rows = to_decision_rows(notes.kind, &read.minutes);
    let doubts = to_notes_doubts(notes.kind, &read.minutes, &rows);
    let mut faults: Vec<String> = read.faults.iter().cloned().chain(notes.notices).collect();
    if rows.is_empty() && notes.kind != NotesKind::Summary {
        faults.push(NO_DECISION.to_owned());
    }
    let row = NotesRow {
        meeting: notes.meeting.clone(),
        key: notes.key,
        kind: notes.kind,
        title: notes.title,
        file: file.clone(),
        tdoc: notes.tdoc,
        version: notes.version.clone(),
        rank: notes.rank,
        is_final: notes.is_final,
        hash,
        read_at: format_timestamp(Timestamp::now()),
        faults: faults.clone(),
        decisions: u32::try_from(rows.len()).unwrap_or(u32::MAX),
    };
    let blocks = to_block_rows(read.blocks.clone());
    let bases = Some(to_notes_bases(&read.minutes, &rows));
    let fate = match jobs.store.lock_writer().store_notes(&row, &rows, &doubts, bases, &blocks)? {
        NotesStoreResult::Stored => "new",
        NotesStoreResult::Replaced { .. } => "replaces",
        NotesStoreResult::Older { .. } => "older",
    };
    if fate != "older"
        && let Some(reported) = &notes.reported
    {
        jobs.store.lock_writer().record_reported_meeting(&notes.meeting, reported)?;
    }
    Ok(ImportedNotes {
        file,
        meeting: notes.meeting.to_string(),
        source_kind: notes.kind.as_str().to_owned(),
        version: notes.version,
        is_final: notes.is_final,
        decisions: rows.len(),
        fate: fate.to_owned(),
        faults,
    })
}

/// Stores the decisions in a TDoc, where it is notes, a summary or a report.
pub(super) fn store_notes_of_tdoc(
    jobs: &JobRunner,
    id: &TdocId,
    read: &Contribution,
    file: &str,
    hash: [u8; 32],
) -> Result<(), StoreError> {
    let Some(row) = jobs.store.snapshot().tdocs().tdoc_row(id)? else { return Ok(()) };
    let Some(kind) = notes_kind_of_entry(&row.entry) else { return Ok(()) };
    let title = row.entry.column_text(register::Column::Title).map(str::to_owned);
    let notes = recognise_tdoc_notes(&row.meeting, kind, id, title, read);
    store_notes(jobs, notes, read, file.to_owned(), hash)?;
    super::decision_vectors::embed_decisions(jobs, Some(&row.meeting), &AtomicBool::new(false));
    Ok(())
}

fn is_calendar(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    matches!(extension.as_str(), "htm" | "html" | "csv" | "txt")
}

/// Why a file was not imported.
enum NotesImportError {
    Unreadable(String),
    Store(StoreError),
}

impl From<StoreError> for NotesImportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn to_import_error(error: &dyn std::error::Error) -> NotesImportError {
    NotesImportError::Unreadable(error_chain(error))
}

fn hash_file(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}
