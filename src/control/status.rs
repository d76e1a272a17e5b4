//! What the index has and who serves it, for `specbox status`.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    jobs::JobRecord,
    service::{Operation, Service, ValidParameters},
};
use accounts::Caller;
use cost_meter::CostMeter;
use domain::ReadingCheck;
use neural::FileState;
use retrieval::NO_MODEL;
use wire::{
    Failure,
    params::{Health, ListMeetings},
    records::HealthResponse,
};

/// Meetings that are asked for at once.
const MEETINGS_PER_PAGE: u32 = 500;

/// What the index has, and who serves it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusReport {
    /// The version of the program that has the data folder open.
    pub specbox_version: String,
    /// The data folder.
    pub data_folder: PathBuf,
    /// Bytes of the files in it.
    pub disk_bytes: u64,
    /// The server that has it open; null without one.
    pub server: Option<ServerStatus>,
    /// What is indexed.
    pub index: IndexContents,
    /// The models in use.
    pub models: Vec<ModelStatus>,
    /// The jobs that are running.
    pub running_jobs: Vec<RunningJobStatus>,
    /// The reply of the operation `health`.
    pub health: HealthResponse,
}

/// A running server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerStatus {
    /// The URL by which clients reach it.
    pub url: String,
    /// Its process.
    pub process_id: u32,
}

/// What is indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexContents {
    /// Versions whose text was checked against their files.
    #[serde(default)]
    pub checked_versions: u64,
    /// Versions of which the checks of the reading found something lost.
    #[serde(default)]
    pub incomplete_versions: u64,
    /// What the checks of the reading found, by their words in the API.
    #[serde(default)]
    pub reading_findings: BTreeMap<String, ReadingFindings>,
    /// Different specifications.
    pub documents: u64,
    /// Versions of them.
    pub versions: u64,
    /// Versions of each release.
    pub releases: BTreeMap<String, u64>,
    /// Passages of all versions.
    pub passages: u64,
    /// Figures of all versions.
    pub figures: u64,
    /// Meetings whose register, calendar or notes are known.
    pub meetings: u64,
    /// TDocs in registers.
    pub tdocs: u64,
    /// TDocs whose files were read.
    pub tdocs_read: u64,
    /// Decisions in the notes and reports that were read.
    pub decisions: u64,
}

/// What the checks of one kind found in all versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingFindings {
    /// Versions in which something was found.
    pub versions: u64,
    /// How much, in all of them.
    pub missing: u64,
}

/// A model in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelStatus {
    /// What it does: `text`, `pictures` or `reranker`.
    pub role: String,
    /// Its name.
    pub name: String,
    /// `installed`, `missing` or `damaged`.
    pub state: String,
}

/// A job that is running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunningJobStatus {
    /// What it does.
    pub kind: String,
    /// How much is done, of `total`.
    pub done: u64,
    /// How much there is; 0 while that is unknown.
    pub total: u64,
    /// What is counted.
    pub unit: String,
    /// The file it works on; empty for none.
    pub current: String,
}

impl StatusReport {
    pub(super) fn of_service(
        service: &Service,
        server: Option<ServerStatus>,
    ) -> Result<Self, Failure> {
        let folder = service.store.data_folder().root();
        let health = run(service, Health {})?;
        let running = |job: &JobRecord| job.outcome.is_none();
        let jobs = service.jobs.history.recent_jobs().into_iter().filter(running);
        Ok(Self {
            specbox_version: env!("CARGO_PKG_VERSION").to_owned(),
            data_folder: folder.to_owned(),
            disk_bytes: folder_bytes(folder).unwrap_or(0),
            server,
            index: IndexContents::of_service(service)?,
            models: list_models(service, &health),
            running_jobs: jobs.map(RunningJobStatus::from).collect(),
            health,
        })
    }
}

impl ServerStatus {
    /// This process, which is a server.
    pub(super) fn of_service(service: &Service) -> Self {
        Self { url: service.address.base_url().to_owned(), process_id: std::process::id() }
    }
}

impl From<JobRecord> for RunningJobStatus {
    fn from(job: JobRecord) -> Self {
        let JobRecord { kind, done, total, unit, current, .. } = job;
        Self { kind: kind.as_str().to_owned(), done, total, unit, current }
    }
}

impl IndexContents {
    fn of_service(service: &Service) -> Result<Self, Failure> {
        let overview = crate::service::corpus_overview(service);
        let mut counts = Self {
            documents: overview.numbers,
            versions: overview.documents,
            releases: overview.releases.clone(),
            passages: overview.passages,
            figures: overview.figures,
            ..Self::default()
        };
        for entry in service.store.snapshot().catalog().document_entries() {
            let Some(checks) = &entry.reading else { continue };
            counts.checked_versions += u64::from(ReadingCheck::compare_file(checks));
            counts.incomplete_versions += u64::from(checks.iter().any(ReadingCheck::is_loss));
            for check in checks.iter().filter(|check| check.is_worth_warning()) {
                let kind = check.kind.as_str().to_owned();
                let found = counts.reading_findings.entry(kind).or_default();
                found.versions += 1;
                found.missing += check.missing;
            }
        }
        let mut offset = Some(0);
        while let Some(from) = offset {
            let page =
                ListMeetings { limit: MEETINGS_PER_PAGE, offset: from, ..Default::default() };
            let reply = run(service, page)?;
            counts.meetings = reply.total;
            for meeting in &reply.items {
                counts.tdocs += meeting.tdoc_count;
                counts.tdocs_read += meeting.indexed_tdocs;
                counts.decisions += meeting.decision_count;
            }
            offset = reply.next_offset;
        }
        Ok(counts)
    }
}

/// Runs an operation that is not charged to anybody.
fn run<O: Operation>(service: &Service, parameters: O) -> Result<O::Reply, Failure> {
    let valid = ValidParameters::from_parameters(parameters)?;
    service.call(&Caller::Machine, valid, &CostMeter::unlimited()).outcome
}

fn list_models(service: &Service, health: &HealthResponse) -> Vec<ModelStatus> {
    let settings = service.retriever.models.settings();
    let state = |name: &str| {
        let entry = settings.registry.find_entry(name).ok()?;
        neural::file_states(entry, &settings.folder).ok()
    };
    let models = [
        ("text", &health.models.text_embedding),
        ("pictures", &health.models.image_embedding),
        ("reranker", &health.models.reranker),
    ];
    let used = models.into_iter().filter(|(_, name)| *name != NO_MODEL);
    used.map(|(role, name)| ModelStatus {
        role: role.to_owned(),
        name: name.clone(),
        state: state(name).map_or("missing", |states| install_state(&states)).to_owned(),
    })
    .collect()
}

/// What the states of all files of a model come to: `installed`, `missing` or `damaged`.
pub fn install_state(states: &[FileState]) -> &'static str {
    let has_state = |state| states.contains(&state);
    match (has_state(FileState::Damaged), has_state(FileState::Missing)) {
        (true, _) => "damaged",
        (false, true) => "missing",
        (false, false) => "installed",
    }
}

/// Bytes of the files in a folder and below it. Files that vanish meanwhile do not count.
fn folder_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)?.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        bytes += if kind.is_dir() {
            folder_bytes(&entry.path()).unwrap_or(0)
        } else {
            entry.metadata().map_or(0, |metadata| metadata.len())
        };
    }
    Ok(bytes)
}
