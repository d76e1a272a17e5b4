//! Notes and reports of meetings, taken in as sources of decisions.

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::service::{CommandError, Service};
use accounts::printed;
use contributions::{
    RecognisedNotes, RefusedRegister, decision_rows, kind_of_document, notes_on, of_document,
    recognise,
};
use domain::{MeetingId, TdocId};
use extract::{Contribution, Worker};
use store::{NotesFate, NotesRow, StoreError};
use wire::error_chain;

/// What became of notes that were taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenNotes {
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
    /// What of it was not read.
    pub faults: Vec<String>,
}

/// What became of calendars and notes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingsReport {
    /// Meetings that calendars told of.
    pub meetings: usize,
    /// Notes and reports that were taken in.
    pub notes: Vec<TakenNotes>,
    /// What could not be read of calendars, a sentence for each.
    pub warnings: Vec<String>,
    /// Files that were not.
    pub refused: Vec<RefusedRegister>,
    /// Whether it was asked to stop before the end.
    pub interrupted: bool,
}

impl Service {
    /// Takes in what tells of meetings: calendars (`.htm`, `.csv`), notes and reports. What cannot be read, or is
    /// none of these, is told and costs itself alone.
    pub fn import_meetings(
        &self,
        paths: &[PathBuf],
        meeting: Option<&MeetingId>,
        cancel: &AtomicBool,
        step: &mut dyn FnMut(usize, usize),
    ) -> Result<MeetingsReport, CommandError> {
        let mut worker = Worker::new(self.settings.ingest.worker_config(paths, false));
        let mut report = MeetingsReport::default();
        for (done, path) in paths.iter().enumerate() {
            if is_calendar(path) {
                let calendar = self.import_calendars(std::slice::from_ref(path))?;
                report.meetings += calendar.meetings;
                report.warnings.extend(calendar.warnings);
                report.refused.extend(calendar.refused);
                step(done + 1, paths.len());
                continue;
            }
            if cancel.load(Ordering::Acquire) {
                report.interrupted = true;
                break;
            }
            let file = path.display().to_string();
            match self.take_file(&mut worker, path, meeting) {
                Ok(taken) => report.notes.push(taken),
                Err(Refused::Because(reason)) => {
                    report.refused.push(RefusedRegister { file, reason })
                }
                Err(Refused::Store(error)) => return Err(error.into()),
            }
            step(done + 1, paths.len());
        }
        Ok(report)
    }

    /// Takes in the notes and reports that lie in the folders of a meeting on the mirror and were not read yet.
    /// Returns how many it took; what could not be taken goes to `refused`.
    pub(in crate::service) fn sync_notes(
        &self,
        meeting: &MeetingId,
        refused: &mut dyn FnMut(String, String),
    ) -> Result<usize, CommandError> {
        let mirror = &*self.settings.mirror;
        let known = self.store.snapshot().notes_of(meeting)?;
        let is_known = |name: &str| known.iter().any(|notes| notes.file == name);
        let mut taken = 0;
        let found = notes_on(mirror, meeting).map_err(CommandError::Mirror)?;
        for path in found {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            if is_known(&name) {
                continue;
            }
            let obtained = match mirror.obtain(&path, &self.store.folder().fetched()) {
                Ok(obtained) => obtained,
                Err(error) => {
                    refused(name, error_chain(&error));
                    continue;
                }
            };
            let config =
                self.settings.ingest.worker_config(std::slice::from_ref(&obtained.path), false);
            let read = self.take_file(&mut Worker::new(config), &obtained.path, Some(meeting));
            if obtained.is_copy {
                let _ = std::fs::remove_file(&obtained.path);
            }
            match read {
                Ok(_) => taken += 1,
                Err(Refused::Because(reason)) => refused(name, reason),
                Err(Refused::Store(error)) => return Err(error.into()),
            }
        }
        Ok(taken)
    }

    fn take_file(
        &self,
        worker: &mut Worker,
        path: &Path,
        meeting: Option<&MeetingId>,
    ) -> Result<TakenNotes, Refused> {
        let read = worker.contribution(path, "").map_err(|error| because(&error))?;
        if read.files.is_empty() {
            let reason = read.faults.join("; ");
            return Err(Refused::Because(reason));
        }
        let snapshot = self.store.snapshot();
        let catalog = self
            .contributions(&snapshot)
            .map_err(|failure| Refused::Because(failure.body()["detail"].to_string()))?;
        let registered = |id: &TdocId| Some(snapshot.tdoc(id).ok()??.entry);
        let notes = recognise(path, &read, &catalog, registered, meeting)
            .map_err(|error| because(&error))?;
        let hash = hash_of(path).map_err(|error| because(&error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(self.put_notes(notes, &read, name, hash)?)
    }

    /// Stores what notes say.
    fn put_notes(
        &self,
        notes: RecognisedNotes,
        read: &Contribution,
        file: String,
        hash: [u8; 32],
    ) -> Result<TakenNotes, StoreError> {
        let rows = decision_rows(notes.kind, &read.decisions);
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
            read_at: printed(Timestamp::now()),
            faults: read.faults.clone(),
            decisions: u32::try_from(rows.len()).unwrap_or(u32::MAX),
        };
        let fate = match self.store.writer().put_notes(&row, &rows)? {
            NotesFate::Stored => "new",
            NotesFate::Replaced { .. } => "replaces",
            NotesFate::Older { .. } => "older",
        };
        Ok(TakenNotes {
            file,
            meeting: notes.meeting.to_string(),
            source_kind: notes.kind.as_str().to_owned(),
            version: notes.version,
            is_final: notes.is_final,
            decisions: rows.len(),
            fate: fate.to_owned(),
            faults: read.faults.clone(),
        })
    }

    /// Stores what a document of a meeting says that was decided, where it is notes, a summary or a report.
    pub(in crate::service) fn take_notes_of(
        &self,
        id: &TdocId,
        read: &Contribution,
        file: &str,
        hash: [u8; 32],
    ) -> Result<(), StoreError> {
        let Some(row) = self.store.snapshot().tdoc(id)? else { return Ok(()) };
        let Some(kind) = kind_of_document(&row.entry) else { return Ok(()) };
        let title = row.entry.text(register::Column::Title).map(str::to_owned);
        let notes = of_document(&row.meeting, kind, id, title, read);
        self.put_notes(notes, read, file.to_owned(), hash)?;
        Ok(())
    }
}

fn is_calendar(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    matches!(extension.as_str(), "htm" | "html" | "csv" | "txt")
}

/// Why a file was not taken in.
enum Refused {
    Because(String),
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn because(error: &dyn std::error::Error) -> Refused {
    Refused::Because(error_chain(error))
}

fn hash_of(path: &Path) -> std::io::Result<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(*hasher.finalize().as_bytes())
}
