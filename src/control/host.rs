//! Carrying out commands.

use std::sync::{Arc, atomic::AtomicBool};

use serde::Serialize;
use serde_json::{Value, json};

use super::{Event, Request};
use crate::service::{JobKind, Service, declared};
use accounts::Caller;
use domain::{DocNumber, Group, Version};
use wire::{Failure, error_chain};

/// The process that holds the data folder, as commands see it.
#[derive(Clone)]
pub struct Host {
    service: Arc<Service>,
}

/// How a command ends when it does not end well.
enum Ending {
    Refused(Value),
    Failed(String),
}

impl<E: std::error::Error> From<E> for Ending {
    fn from(error: E) -> Self {
        Self::Failed(error_chain(&error))
    }
}

impl Host {
    /// Takes the service.
    pub fn new(service: Arc<Service>) -> Self {
        Self { service }
    }

    /// Carries a command out; the last event handed to `sink` ends it. `cancel` stops long ones.
    pub fn execute(&self, request: Request, cancel: &AtomicBool, sink: &mut dyn FnMut(Event)) {
        let last = match self.outcome(request, cancel, sink) {
            Ok(reply) => Event::Done { reply },
            Err(Ending::Refused(body)) => Event::Refused { body },
            Err(Ending::Failed(message)) => Event::Failed { message },
        };
        sink(last);
    }

    fn outcome(
        &self,
        request: Request,
        cancel: &AtomicBool,
        sink: &mut dyn FnMut(Event),
    ) -> Result<Value, Ending> {
        let service = &self.service;
        match request {
            Request::Ingest(request) => {
                reply(&service.ingest(&request, cancel, &mut |event| sink(Event::Ingest(event)))?)
            }
            Request::Remove { doc_number, version } => self.remove(&doc_number, &version),
            Request::Call { operation, arguments } => self.call(&operation, &arguments),
            Request::Accounts(command) => Ok(command.execute(service)?),
            Request::ImportRegisters { paths, meeting } => {
                self.watched(JobKind::Import, "registers", sink, |step| {
                    service.import_registers(&paths, meeting, cancel, step)
                })
            }
            Request::ImportMeetings { paths, meeting } => {
                self.watched(JobKind::Import, "files", sink, |step| {
                    service.import_meetings(&paths, meeting.as_ref(), cancel, step)
                })
            }
            Request::SyncTdocs { meetings, groups } => {
                let groups = parsed(&groups)?;
                self.watched(JobKind::Sync, "documents", sink, |step| {
                    service.sync_tdocs(&meetings, &groups, cancel, step)
                })
            }
            Request::SyncMeetings { groups } => reply(&service.sync_meetings(&parsed(&groups)?)?),
            Request::SyncPending => self.watched(JobKind::Sync, "documents", sink, |step| {
                service.work_on_pending(cancel, step)
            }),
            Request::Verify => {
                reply(&service.store.verify(|done, total| sink(counted(done, total, "documents")))?)
            }
            Request::Optimize => {
                self.watched(JobKind::Optimize, "rows", sink, |step| service.optimize(cancel, step))
            }
            Request::Reindex { model } => self.watched(JobKind::Reindex, "vectors", sink, |step| {
                service.reindex(&model, cancel, step)
            }),
        }
    }

    /// Does long work, with its steps told to `sink` and to those who watch the dashboard.
    fn watched<T: Serialize, E: std::error::Error>(
        &self,
        kind: JobKind,
        unit: &str,
        sink: &mut dyn FnMut(Event),
        work: impl FnOnce(&mut dyn FnMut(usize, usize)) -> Result<T, E>,
    ) -> Result<Value, Ending> {
        let job = self.service.jobs.begin(kind);
        let mut step = |done, total| {
            job.step(done, total, unit);
            sink(counted(done, total, unit));
        };
        let done = work(&mut step);
        job.ended(match &done {
            Ok(_) => "finished".to_owned(),
            Err(error) => format!("failed: {}", error_chain(error)),
        });
        reply(&done?)
    }

    fn remove(&self, doc_number: &str, version: &str) -> Result<Value, Ending> {
        let number: DocNumber = doc_number.parse()?;
        let version: Version = version.parse()?;
        let removed = self.service.store.writer().remove_document(&number, version)?;
        if removed {
            return Ok(
                json!({ "removed": true, "doc_number": number, "version": version.to_string() }),
            );
        }
        Err(Ending::Failed(format!("{number} {version} is not in the index")))
    }

    fn call(&self, operation: &str, arguments: &Value) -> Result<Value, Ending> {
        let declared = declared(operation)
            .ok_or_else(|| Ending::Failed(format!("there is no operation '{operation}'")))?;
        let refused = |failure: Failure| {
            if let Failure::Internal { .. } = failure {
                tracing::error!(operation, %failure, "operation failed");
            }
            Ending::Refused(failure.body())
        };
        let valid = declared.validator.validate_value(arguments);
        let parameters = valid.map_err(|faults| refused(Failure::Validation(faults)))?;
        let answer =
            declared.run(&self.service, &Caller::Machine, parameters, &AtomicBool::new(false));
        let bytes = answer.outcome.map_err(refused)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

fn parsed(groups: &[String]) -> Result<Vec<Group>, Ending> {
    groups.iter().map(|group| Ok(group.parse()?)).collect()
}

fn counted(done: usize, total: usize, unit: &str) -> Event {
    Event::Step { done, total, unit: unit.to_owned() }
}

fn reply<T: Serialize>(value: &T) -> Result<Value, Ending> {
    Ok(serde_json::to_value(value)?)
}
