//! The collection of reasons, within limits of its own.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::super::{
    Operation, Service, on_demand::explain_source_of, operation::run_within,
};
use accounts::Caller;
use cost_meter::{CostLimits, CostMeter, Owner};
use store::Snapshot;
use wire::{Failure, records::Diagnosis, values::DiagnosisCode};

/// Reasons beside which it matters whether the source has what the index lacks.
const NOT_INDEXED: [DiagnosisCode; 4] = [
    DiagnosisCode::DocumentNotIndexed,
    DiagnosisCode::DocumentOnlyCited,
    DiagnosisCode::VersionNotIndexed,
    DiagnosisCode::ReleaseNotIndexed,
];

/// What the search for reasons may use: an empty answer should not take longer than a full one. What was found until
/// then is given.
const LIMITS: CostLimits =
    CostLimits { processor_time: Duration::from_millis(500), memory_bytes: 50_000_000 };
const TIME_LIMIT: Duration = Duration::from_secs(3);
/// Reasons of one answer; more would not be read.
const MAX_REASONS: usize = 8;

/// What the search for reasons works with.
pub struct DiagnosisContext<'a> {
    /// The service.
    pub(in crate::service) service: &'a Service,
    /// What is indexed.
    pub(in crate::service) snapshot: Arc<Snapshot>,
    /// Whose request it is.
    pub(in crate::service) caller: &'a Caller,
}

/// The reasons that were found, the most important first.
#[derive(Debug, Default)]
pub struct Reasons(Vec<Diagnosis>);

impl Reasons {
    /// Adds a reason, unless it is known.
    pub(in crate::service) fn add(&mut self, reason: Diagnosis) {
        let is_known = self.0.iter().any(|known| known.message == reason.message);
        if !is_known && self.0.len() < MAX_REASONS {
            self.0.push(reason);
        }
    }

    /// The reasons, the most important first.
    pub(super) fn into_list(self) -> Vec<Diagnosis> {
        self.0
    }

    /// Whether there are none.
    pub(in crate::service) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Why an answer is empty or thin. A search for reasons that fails or takes too long leaves those that it found: the
/// answer itself is good.
pub(in crate::service) fn collect_reasons<O: Operation>(
    operation: &O,
    service: &Service,
    caller: &Caller,
    reply: &O::Reply,
) -> Vec<Diagnosis> {
    let mut reasons = Reasons::default();
    let meter = CostMeter::new(Owner::Nobody, LIMITS, Instant::now() + TIME_LIMIT);
    let looked = run_within(&meter, || {
        let context = DiagnosisContext { service, snapshot: service.store.snapshot(), caller };
        operation.diagnose(&context, reply, &mut reasons)?;
        add_source(operation, service, &mut reasons);
        Ok(())
    });
    match looked {
        Ok(()) => {}
        Err(failure @ Failure::Internal { .. }) => {
            tracing::error!(operation = O::NAME, %failure, "an empty answer could not be explained");
        }
        Err(failure) => {
            tracing::debug!(operation = O::NAME, %failure, "an empty answer is explained in part");
        }
    }
    reasons.into_list()
}

/// What the source lists of the document that an operation names and the index does not have.
fn add_source<O: Operation>(operation: &O, service: &Service, reasons: &mut Reasons) {
    if !reasons.0.iter().any(|reason| NOT_INDEXED.contains(&reason.code)) {
        return;
    }
    let Ok(parameters) = serde_json::to_value(operation) else { return };
    let named = parameters.get("doc_number").and_then(serde_json::Value::as_str);
    let Some(number) = named.and_then(|named| named.trim().parse().ok()) else { return };
    if let Some(message) = explain_source_of(service, &number, &parameters) {
        reasons.add(Diagnosis::new(DiagnosisCode::ListedBySource, message));
    }
}
