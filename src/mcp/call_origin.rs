//! Where calls of tools come from: clients of the server, over HTTP, or the owner of the data folder, on this machine.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use axum::http::request::Parts;
use rmcp::model::Extensions;
use serde_json::Value;

use crate::{
    http::{Edge, ImagePermit, owner_of},
    service::{DeclaredOperation, OperationReply, Service, internal_failure},
};
use accounts::Caller;
use cost_meter::CostMeter;
use wire::{Failure, Media};

/// Who calls, and with that what runs the operations.
#[derive(Clone)]
pub(super) enum CallOrigin {
    /// Requests over HTTP: each has a caller with an allowance, and waits for a worker.
    Clients(Arc<Edge>),
    /// The owner of the data folder, who is charged for nothing. The thread that waits for the answer does the work.
    Owner(Arc<Service>),
}

/// A call that was admitted, until it ends.
pub(super) struct AdmittedCall<'a> {
    origin: &'a CallOrigin,
    caller: Caller,
    _picture: Option<ImagePermit>,
}

impl CallOrigin {
    /// The service behind the tools.
    pub(super) fn service(&self) -> &Arc<Service> {
        match self {
            Self::Clients(edge) => edge.service(),
            Self::Owner(service) => service,
        }
    }

    /// Identifies the caller of a request. Pictures are free of charge: each address has the same limits as over REST.
    pub(super) fn admit_call(
        &self,
        extensions: &Extensions,
        media: Media,
    ) -> Result<AdmittedCall<'_>, Failure> {
        let Self::Clients(edge) = self else {
            return Ok(AdmittedCall { origin: self, caller: Caller::Machine, _picture: None });
        };
        let parts = extensions.get::<Parts>();
        let parts = parts.ok_or_else(|| internal_failure("a request without a head"))?;
        let caller = parts.extensions.get::<Caller>().cloned();
        let caller = caller.ok_or_else(|| internal_failure("a request without a caller"))?;
        let picture = match media {
            Media::Png => Some(edge.admit_picture(parts)?),
            Media::Json => None,
        };
        Ok(AdmittedCall { origin: self, caller, _picture: picture })
    }
}

impl AdmittedCall<'_> {
    /// Who calls.
    pub(super) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Runs an operation on validated parameters, and charges the caller for it.
    pub(super) async fn run_operation(
        &self,
        operation: &'static DeclaredOperation,
        parameters: Value,
    ) -> OperationReply {
        match self.origin {
            CallOrigin::Clients(edge) => {
                edge.run_operation(operation, self.caller.clone(), parameters).await
            }
            CallOrigin::Owner(service) => refuse_on_panic(|| {
                service.recover_store();
                let meter = CostMeter::unlimited();
                Ok(operation.run(service, &self.caller, parameters, &meter))
            })
            .unwrap_or_else(OperationReply::from),
        }
    }

    /// Does work that takes too long for a thread that other clients wait for.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Service) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        match self.origin {
            CallOrigin::Clients(edge) => edge.run_blocking(owner_of(&self.caller), act).await,
            CallOrigin::Owner(service) => refuse_on_panic(|| act(service)),
        }
    }
}

/// Turns a panic into a failure, as the worker threads of the server do: otherwise the client would wait for ever.
fn refuse_on_panic<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let outcome = catch_unwind(AssertUnwindSafe(act));
    outcome
        .unwrap_or_else(|_| Err(internal_failure("a tool panicked; the log has the source line")))
}
