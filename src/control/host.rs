//! Executes commands in the process that holds the data folder.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use serde_json::Value;

use super::{
    AccountsCommand, AccountsReply, CommandReply, ControlEvent, ControlRequest, HandOver,
    RemoveReport, ServerStatus, StatusReport,
};
use crate::{
    jobs::{BackupOptions, BackupReport, CommandError, JobKind},
    service::{Service, find_operation},
};
use accounts::Caller;
use cost_meter::CostMeter;
use domain::{DocNumber, Group, Version, error_chain};
use ingest::{IngestError, IngestOptions, IngestReport};
use table_export::WrittenTable;
use wire::Failure;

/// The process that holds the data folder, as commands see it.
#[derive(Clone)]
pub struct CommandHost {
    service: Arc<Service>,
    /// How the data folder is handed to a server; none in a server, which keeps it.
    hand_over: Option<Arc<HandOver>>,
}

/// Why a command did not succeed.
enum CommandFailure {
    Refused(Value),
    Failed(String),
}

impl<E: std::error::Error> From<E> for CommandFailure {
    fn from(error: E) -> Self {
        Self::Failed(error_chain(&error))
    }
}

impl CommandHost {
    /// A host in the process of a command, which hands the data folder to a server that starts.
    pub fn in_command(service: Arc<Service>, hand_over: Arc<HandOver>) -> Self {
        Self { service, hand_over: Some(hand_over) }
    }

    /// A host in a server.
    pub fn in_server(service: Arc<Service>) -> Self {
        Self { service, hand_over: None }
    }

    /// Executes a command of another process; a data folder is not handed over meanwhile.
    pub(super) fn execute_for_client(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) {
        let _running =
            self.hand_over.as_ref().map(|hand_over| hand_over.begin_client_command(&request));
        self.execute_request(request, cancel, sink);
    }

    /// Executes a command; the last event passed to `sink` ends it. `cancel` stops long ones.
    pub fn execute_request(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) {
        let may = if request.changes_index() {
            self.service.jobs.check_changeable().map_err(CommandFailure::from)
        } else {
            Ok(())
        };
        let last = match may.and_then(|()| self.dispatch_request(request, cancel, sink)) {
            Ok(reply) => ControlEvent::Done { reply },
            Err(CommandFailure::Refused(body)) => ControlEvent::Refused { body },
            Err(CommandFailure::Failed(message)) => ControlEvent::Failed { message },
        };
        sink(last);
    }

    fn manage_accounts(&self, command: AccountsCommand) -> Result<AccountsReply, CommandFailure> {
        // Accounts of several servers do not lie in the folder.
        if command.changes_accounts() && !self.service.access.is_shared() {
            self.service.jobs.check_writable()?;
        }
        Ok(command.execute(&self.service)?)
    }

    fn dispatch_request(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<CommandReply, CommandFailure> {
        let jobs = &self.service.jobs;
        Ok(match request {
            ControlRequest::Ingest(options) => {
                CommandReply::Ingest(self.ingest(&options, cancel, sink)?)
            }
            ControlRequest::Remove { doc_number, version } => {
                CommandReply::Remove(self.remove_document(&doc_number, &version)?)
            }
            ControlRequest::Call { operation, arguments } => {
                CommandReply::Call(self.call_operation(&operation, &arguments)?)
            }
            ControlRequest::Status => CommandReply::Status(Box::new(self.describe_index()?)),
            ControlRequest::Server => CommandReply::Server(self.describe_server()),
            ControlRequest::HandOver => CommandReply::HandOver(self.hand_over()?),
            ControlRequest::Accounts(command) => {
                CommandReply::Accounts(self.manage_accounts(command)?)
            }
            ControlRequest::ImportRegisters { paths, meeting } => {
                let import = |step: Step<'_>| jobs.import_registers(&paths, meeting, cancel, step);
                CommandReply::ImportRegisters(self.run_as_job(IMPORT_REGISTERS, sink, import)?)
            }
            ControlRequest::ImportMeetings { paths, meeting } => {
                let meeting = meeting.as_ref();
                let import = |step: Step<'_>| jobs.import_meetings(&paths, meeting, cancel, step);
                CommandReply::ImportMeetings(self.run_as_job(IMPORT_MEETINGS, sink, import)?)
            }
            ControlRequest::SyncTdocs { meetings, groups } => {
                let groups = parse_groups(&groups)?;
                let sync = |step: Step<'_>| jobs.sync_tdocs(&meetings, &groups, cancel, step);
                CommandReply::SyncTdocs(self.run_as_job(SYNC, sink, sync)?)
            }
            ControlRequest::SyncMeetings { groups } => {
                CommandReply::SyncMeetings(jobs.sync_meetings(&parse_groups(&groups)?)?)
            }
            ControlRequest::SyncSpecs(options) => {
                let sync = |step: Step<'_>| jobs.sync_specs(&options, cancel, step);
                CommandReply::SyncSpecs(self.run_as_job(SYNC_SPECS, sink, sync)?)
            }
            ControlRequest::SyncPending => {
                let process = |step: Step<'_>| jobs.process_pending_tdocs(cancel, step);
                CommandReply::SyncPending(self.run_as_job(SYNC, sink, process)?)
            }
            ControlRequest::Backup(options) => {
                CommandReply::Backup(self.back_up(&options, cancel, sink)?)
            }
            ControlRequest::TakePacks(options) => {
                let take = |step: Step<'_>| jobs.take_packs(&options, cancel, step);
                CommandReply::TakePacks(self.run_as_job(PACKS, sink, take)?)
            }
            ControlRequest::ApplyBundle(options) => {
                let apply = |step: Step<'_>| jobs.apply_bundle(&options, cancel, step);
                CommandReply::ApplyBundle(Box::new(self.run_as_job(PACKS, sink, apply)?))
            }
            ControlRequest::RollBackBundle { discard_changes } => {
                CommandReply::RollBackBundle(jobs.roll_back_bundle(discard_changes)?)
            }
            ControlRequest::ExportTables { folder } => {
                CommandReply::ExportTables(self.export_tables(&folder, cancel, sink)?)
            }
            ControlRequest::Verify => {
                let step = |done, total| sink(step_event(done, total, "documents"));
                CommandReply::Verify(self.service.store.verify_store(step)?)
            }
            ControlRequest::Optimize => {
                let optimize = |step: Step<'_>| jobs.optimize_vectors(cancel, step);
                CommandReply::Optimize(self.run_as_job(OPTIMIZE, sink, optimize)?)
            }
            ControlRequest::Reindex { model } => {
                CommandReply::Reindex(self.run_as_job(REINDEX, sink, |step| {
                    jobs.reindex_with_model(&model, cancel, step)
                })?)
            }
        })
    }

    fn describe_index(&self) -> Result<StatusReport, CommandFailure> {
        let report = StatusReport::of_service(&self.service, self.describe_server());
        report.map_err(|failure| CommandFailure::Refused(failure.body()))
    }

    fn describe_server(&self) -> Option<ServerStatus> {
        self.hand_over.is_none().then(|| ServerStatus::of_service(&self.service))
    }

    fn hand_over(&self) -> Result<bool, CommandFailure> {
        let Some(hand_over) = &self.hand_over else {
            let url = self.service.address.base_url();
            return Err(CommandFailure::Failed(format!("a server is already running at {url}")));
        };
        hand_over.request().map_err(CommandFailure::Failed)
    }

    fn ingest(
        &self,
        options: &IngestOptions,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<IngestReport, IngestError> {
        let mut sink = |event| sink(ControlEvent::Ingest(event));
        self.service.jobs.ingest_files(options, cancel, &mut sink)
    }

    fn back_up(
        &self,
        options: &BackupOptions,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<BackupReport, CommandError> {
        let Service { jobs, access, .. } = &*self.service;
        self.run_as_job(BACKUP, sink, |step| jobs.back_up(access, options, cancel, step))
    }

    fn export_tables(
        &self,
        folder: &Path,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<Vec<WrittenTable>, CommandError> {
        let jobs = &self.service.jobs;
        self.run_as_job(EXPORT, sink, |step| jobs.export_tables(folder, cancel, step))
    }

    /// Runs long work as a job, and reports its progress to `sink` and to the dashboard.
    fn run_as_job<T, E: std::error::Error>(
        &self,
        (kind, unit): CountedJob,
        sink: &mut dyn FnMut(ControlEvent),
        work: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T, E>,
    ) -> Result<T, E> {
        let job = self.service.jobs.history.begin_job(kind);
        let mut step = |done, total| {
            job.report_progress(done, total, unit);
            sink(step_event(done, total, unit));
        };
        let outcome = work(&mut step);
        job.end_job(match &outcome {
            Ok(_) => "finished".to_owned(),
            Err(error) => format!("failed: {}", error_chain(error)),
        });
        outcome
    }

    fn remove_document(
        &self,
        doc_number: &str,
        version: &str,
    ) -> Result<RemoveReport, CommandFailure> {
        let doc_number: DocNumber = doc_number.parse()?;
        let version: Version = version.parse()?;
        let removed = self.service.store.lock_writer().remove_document(&doc_number, version)?;
        if removed {
            return Ok(RemoveReport { removed, doc_number, version: version.to_string() });
        }
        Err(CommandFailure::Failed(format!("{doc_number} {version} is not in the index")))
    }

    fn call_operation(&self, operation: &str, arguments: &Value) -> Result<Value, CommandFailure> {
        let declared = find_operation(operation)
            .ok_or_else(|| CommandFailure::Failed(format!("unknown operation '{operation}'")))?;
        let refused = |failure: Failure| {
            if let Failure::Internal { .. } = failure {
                tracing::error!(operation, %failure, "operation failed");
            }
            CommandFailure::Refused(failure.body())
        };
        let valid = declared.validator.validate_value(arguments);
        let parameters = valid.map_err(|faults| refused(Failure::Validation(faults)))?;
        let answer =
            declared.run(&self.service, &Caller::Machine, parameters, &CostMeter::unlimited());
        let bytes = answer.outcome.map_err(refused)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

/// What long work tells of its progress: done so far, and the total.
type Step<'a> = &'a mut dyn FnMut(usize, usize);

/// The kind of a job, and the unit in which its progress is counted.
type CountedJob = (JobKind, &'static str);

const IMPORT_REGISTERS: CountedJob = (JobKind::Import, "registers");
const IMPORT_MEETINGS: CountedJob = (JobKind::Import, "files");
const BACKUP: CountedJob = (JobKind::Backup, "packs");
const PACKS: CountedJob = (JobKind::Packs, "packs");
const EXPORT: CountedJob = (JobKind::Export, "documents");
const SYNC_SPECS: CountedJob = (JobKind::Sync, "files");
const SYNC: CountedJob = (JobKind::Sync, "documents");
const OPTIMIZE: CountedJob = (JobKind::Optimize, "rows");
const REINDEX: CountedJob = (JobKind::Reindex, "vectors");

fn parse_groups(groups: &[String]) -> Result<Vec<Group>, CommandFailure> {
    groups.iter().map(|group| Ok(group.parse()?)).collect()
}

fn step_event(done: usize, total: usize, unit: &str) -> ControlEvent {
    ControlEvent::Step { done, total, unit: unit.to_owned() }
}
