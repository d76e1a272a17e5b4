//! Executes commands in the process that holds the data folder.

use std::sync::{Arc, atomic::AtomicBool};

use serde_json::Value;

use super::{
    AccountsCommand, AccountsReply, AnswerAgent, CommandReply, ControlEvent, ControlRequest,
    HandOver, RemoveReport, ServerStatus, StatusReport,
};
use crate::{
    jobs::{
        ApplyBundle, Backup, ExportTables, ImportMeetings, ImportRegisters, IngestFiles, Job,
        JobProgress, JobReport, JobStep, OptimizeVectors, ProcessPending, ReindexVectors,
        RollBackBundle, SyncMeetings, SyncSpecs, SyncTdocs, TakePacks,
    },
    service::{Service, find_operation},
};
use accounts::Caller;
use cost_meter::CostMeter;
use domain::{DocNumber, Group, Version, error_chain};
use wire::Failure;

/// The process that holds the data folder, as commands see it.
#[derive(Clone)]
pub struct CommandHost {
    service: Arc<Service>,
    /// How the data folder is handed to a server; none in a server, which keeps it.
    hand_over: Option<Arc<HandOver>>,
    answer_agent: AnswerAgent,
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
    pub fn in_command(
        service: Arc<Service>,
        hand_over: Arc<HandOver>,
        answer_agent: AnswerAgent,
    ) -> Self {
        Self { service, hand_over: Some(hand_over), answer_agent }
    }

    /// A host in a server.
    pub fn in_server(service: Arc<Service>, answer_agent: AnswerAgent) -> Self {
        Self { service, hand_over: None, answer_agent }
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
            crate::jobs::check_changeable(&self.service.jobs).map_err(CommandFailure::from)
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
            crate::jobs::check_writable(&self.service.jobs)?;
        }
        Ok(command.execute(&self.service)?)
    }

    fn dispatch_request(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<CommandReply, CommandFailure> {
        Ok(match request {
            ControlRequest::Ingest(request) => {
                let mut sink = |event| sink(ControlEvent::Ingest(event));
                let progress = JobProgress { cancel, sink: &mut sink };
                let ingest = IngestFiles { request: &request };
                CommandReply::Ingest(ingest.run(&self.service.jobs, progress)?)
            }
            ControlRequest::Remove { doc_number, version } => {
                CommandReply::of_report(&self.remove_document(&doc_number, &version)?)?
            }
            ControlRequest::Call { operation, arguments } => {
                self.call_operation(&operation, &arguments)?
            }
            ControlRequest::Agent(request) => CommandReply::Agent((self.answer_agent)(&request)),
            ControlRequest::Status => CommandReply::Status(Box::new(self.describe_index()?)),
            ControlRequest::Server => CommandReply::Server(self.describe_server()),
            ControlRequest::HandOver => CommandReply::HandOver(self.hand_over()?),
            ControlRequest::Accounts(command) => {
                CommandReply::Accounts(self.manage_accounts(command)?)
            }
            ControlRequest::ImportRegisters { paths, meeting } => {
                let import = ImportRegisters { paths: &paths, meeting };
                self.report_job(import, cancel, sink)?
            }
            ControlRequest::ImportMeetings { paths, meeting } => {
                let import = ImportMeetings { paths: &paths, meeting: meeting.as_ref() };
                self.report_job(import, cancel, sink)?
            }
            ControlRequest::SyncTdocs { meetings, groups } => {
                let sync = SyncTdocs { meetings: &meetings, groups: &parse_groups(&groups)? };
                self.report_job(sync, cancel, sink)?
            }
            ControlRequest::SyncMeetings { groups } => {
                let sync = SyncMeetings { groups: &parse_groups(&groups)? };
                self.report_job(sync, cancel, sink)?
            }
            ControlRequest::SyncSpecs(options) => {
                let sync = SyncSpecs { options: &options };
                self.report_job(sync, cancel, sink)?
            }
            ControlRequest::SyncPending => self.report_job(ProcessPending, cancel, sink)?,
            ControlRequest::Backup(options) => {
                let backup = Backup { access: &self.service.access, options: &options };
                self.report_job(backup, cancel, sink)?
            }
            ControlRequest::TakePacks(options) => {
                let take = TakePacks { options: &options };
                self.report_job(take, cancel, sink)?
            }
            ControlRequest::ApplyBundle(options) => {
                let apply = ApplyBundle { options: &options };
                self.report_job(apply, cancel, sink)?
            }
            ControlRequest::RollBackBundle { discard_changes } => {
                self.report_job(RollBackBundle { discard_changes }, cancel, sink)?
            }
            ControlRequest::ExportTables { folder } => {
                let export = ExportTables { folder: &folder };
                self.report_job(export, cancel, sink)?
            }
            ControlRequest::Verify => {
                let step = |done, total| sink(step_event(done, total, "documents"));
                CommandReply::of_report(&self.service.store.verify_store(step)?)?
            }
            ControlRequest::Optimize => self.report_job(OptimizeVectors, cancel, sink)?,
            ControlRequest::Reindex { model } => {
                let reindex = ReindexVectors { model: &model };
                self.report_job(reindex, cancel, sink)?
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

    /// Runs a job, and reports its progress to `sink` and to the dashboard.
    fn report_job<J>(
        &self,
        job: J,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<CommandReply, CommandFailure>
    where
        J: Job<Event = JobStep, Report: JobReport, Error: std::error::Error>,
    {
        let jobs = &self.service.jobs;
        let record = J::COUNTED.map(|(kind, unit)| (jobs.history.begin_job(kind), unit));
        let mut report = |JobStep { done, total }| {
            if let Some((record, unit)) = &record {
                record.report_progress(done, total, unit);
                sink(step_event(done, total, unit));
            }
        };
        let outcome = job.run(jobs, JobProgress { cancel, sink: &mut report });
        if let Some((record, _)) = record {
            record.end_job(match &outcome {
                Ok(_) => "finished".to_owned(),
                Err(error) => format!("failed: {}", error_chain(error)),
            });
        }
        Ok(CommandReply::of_report(&outcome?)?)
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

    fn call_operation(
        &self,
        operation: &str,
        arguments: &Value,
    ) -> Result<CommandReply, CommandFailure> {
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
        let reply = serde_json::from_slice(&bytes)?;
        Ok(CommandReply::Call { reply, diagnosis: answer.diagnosis })
    }
}

fn parse_groups(groups: &[String]) -> Result<Vec<Group>, CommandFailure> {
    groups.iter().map(|group| Ok(group.parse()?)).collect()
}

fn step_event(done: usize, total: usize, unit: &str) -> ControlEvent {
    ControlEvent::Step { done, total, unit: unit.to_owned() }
}
