//! The collection of reasons, within limits of its own.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::service::Service;
use accounts::Caller;
use cost_meter::{CostLimits, CostMeter, Owner};
use store::Snapshot;
use wire::{records::DiagnosisReason, values::DiagnosisCode};

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
pub struct Reasons(Vec<DiagnosisReason>);

impl Reasons {
    /// Adds a reason, unless it is known.
    pub(in crate::service) fn add(&mut self, reason: DiagnosisReason) {
        let is_known = self.0.iter().any(|known| known.message == reason.message);
        if !is_known && self.0.len() < MAX_REASONS {
            self.0.push(reason);
        }
    }

    /// The reasons, the most important first.
    pub(in crate::service) fn into_list(self) -> Vec<DiagnosisReason> {
        self.0
    }

    /// Whether the index lacks a document or version that was asked for.
    pub(in crate::service) fn lack_a_document(&self) -> bool {
        self.0.iter().any(|reason| NOT_INDEXED.contains(&reason.code))
    }

    /// Whether there are none.
    pub(in crate::service) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The meter of a search for reasons, of nobody: no caller is charged for it.
pub(in crate::service) fn reasons_meter() -> CostMeter {
    CostMeter::new(Owner::Nobody, LIMITS, Instant::now() + TIME_LIMIT)
}
