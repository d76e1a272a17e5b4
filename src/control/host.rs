//! Carrying out commands.

use std::sync::{Arc, atomic::AtomicBool};

use serde::Serialize;
use serde_json::{Value, json};

use super::{ControlEvent, ControlRequest};
use crate::service::{JobKind, Service, find_operation};
use accounts::Caller;
use domain::{DocNumber, Group, Version};
use wire::{Failure, error_chain};

/// The process that holds the data folder, as commands see it.
#[derive(Clone)]
pub struct CommandHost {
    service: Arc<Service>,
}

/// How a command ends when it does not end well.
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
    /// Takes the service.
    pub fn new(service: Arc<Service>) -> Self {
        Self { service }
    }

    /// Carries a command out; the last event handed to `sink` ends it. `cancel` stops long ones.
    pub fn execute_request(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) {
        let last = match self.dispatch_request(request, cancel, sink) {
            Ok(reply) => ControlEvent::Done { reply },
            Err(CommandFailure::Refused(body)) => ControlEvent::Refused { body },
            Err(CommandFailure::Failed(message)) => ControlEvent::Failed { message },
        };
        sink(last);
    }

    fn dispatch_request(
        &self,
        request: ControlRequest,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(ControlEvent),
    ) -> Result<Value, CommandFailure> {
        let service = &self.service;
        match request {
            ControlRequest::Ingest(request) => {
                serialize_reply(&service.ingest_files(&request, cancel, &mut |event| {
                    sink(ControlEvent::Ingest(event))
                })?)
            }
            ControlRequest::Remove { doc_number, version } => {
                self.remove_document(&doc_number, &version)
            }
            ControlRequest::Call { operation, arguments } => {
                self.call_operation(&operation, &arguments)
            }
            ControlRequest::Accounts(command) => Ok(command.execute(service)?),
            ControlRequest::ImportRegisters { paths, meeting } => {
                self.run_as_job(JobKind::Import, "registers", sink, |step| {
                    service.import_registers(&paths, meeting, cancel, step)
                })
            }
            ControlRequest::ImportMeetings { paths, meeting } => {
                self.run_as_job(JobKind::Import, "files", sink, |step| {
                    service.import_meetings(&paths, meeting.as_ref(), cancel, step)
                })
            }
            ControlRequest::SyncTdocs { meetings, groups } => {
                let groups = parse_groups(&groups)?;
                self.run_as_job(JobKind::Sync, "documents", sink, |step| {
                    service.sync_tdocs(&meetings, &groups, cancel, step)
                })
            }
            ControlRequest::SyncMeetings { groups } => {
                serialize_reply(&service.sync_meetings(&parse_groups(&groups)?)?)
            }
            ControlRequest::SyncPending => {
                self.run_as_job(JobKind::Sync, "documents", sink, |step| {
                    service.process_pending_tdocs(cancel, step)
                })
            }
            ControlRequest::Verify => serialize_reply(
                &service
                    .store
                    .verify_store(|done, total| sink(step_event(done, total, "documents")))?,
            ),
            ControlRequest::Optimize => self.run_as_job(JobKind::Optimize, "rows", sink, |step| {
                service.optimize_vectors(cancel, step)
            }),
            ControlRequest::Reindex { model } => {
                self.run_as_job(JobKind::Reindex, "vectors", sink, |step| {
                    service.reindex_with_model(&model, cancel, step)
                })
            }
        }
    }

    /// Does long work, with its steps told to `sink` and to those who watch the dashboard.
    fn run_as_job<T: Serialize, E: std::error::Error>(
        &self,
        kind: JobKind,
        unit: &str,
        sink: &mut dyn FnMut(ControlEvent),
        work: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T, E>,
    ) -> Result<Value, CommandFailure> {
        let job = self.service.jobs.begin_job(kind);
        let mut step = |done, total| {
            job.report_progress(done, total, unit);
            sink(step_event(done, total, unit));
        };
        let done = work(&mut step);
        job.end_job(match &done {
            Ok(_) => "finished".to_owned(),
            Err(error) => format!("failed: {}", error_chain(error)),
        });
        serialize_reply(&done?)
    }

    fn remove_document(&self, doc_number: &str, version: &str) -> Result<Value, CommandFailure> {
        let number: DocNumber = doc_number.parse()?;
        let version: Version = version.parse()?;
        let removed = self.service.store.lock_writer().remove_document(&number, version)?;
        if removed {
            return Ok(
                json!({ "removed": true, "doc_number": number, "version": version.to_string() }),
            );
        }
        Err(CommandFailure::Failed(format!("{number} {version} is not in the index")))
    }

    fn call_operation(&self, operation: &str, arguments: &Value) -> Result<Value, CommandFailure> {
        let declared = find_operation(operation).ok_or_else(|| {
            CommandFailure::Failed(format!("there is no operation '{operation}'"))
        })?;
        let refused = |failure: Failure| {
            if let Failure::Internal { .. } = failure {
                tracing::error!(operation, %failure, "operation failed");
            }
            CommandFailure::Refused(failure.body())
        };
        let valid = declared.validator.validate_value(arguments);
        let parameters = valid.map_err(|faults| refused(Failure::Validation(faults)))?;
        let answer =
            declared.run(&self.service, &Caller::Machine, parameters, &AtomicBool::new(false));
        let bytes = answer.outcome.map_err(refused)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

fn parse_groups(groups: &[String]) -> Result<Vec<Group>, CommandFailure> {
    groups.iter().map(|group| Ok(group.parse()?)).collect()
}

fn step_event(done: usize, total: usize, unit: &str) -> ControlEvent {
    ControlEvent::Step { done, total, unit: unit.to_owned() }
}

fn serialize_reply<T: Serialize>(value: &T) -> Result<Value, CommandFailure> {
    Ok(serde_json::to_value(value)?)
}
