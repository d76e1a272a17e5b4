//! Versions that are asked for and not indexed: fetched if the operator allows it, or else named with what the source says.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use super::{Service, diagnosis::Reasons};
use crate::jobs::{
    FetchRequester, SourceAnswer, VersionRefusal, WantedVersion, ask_catalogue, fetch_version,
    fetches_on_demand, source_catalogue,
};
use accounts::{Caller, format_timestamp};
use cost_meter::run_shared;
use domain::{DocNumber, Release, TypedVersion};
use store::Snapshot;
use wire::{Failure, records::DiagnosisReason, values::DiagnosisCode};

/// Fetches the newest version that is wanted, unless one is indexed. Returns whether one is indexed then; otherwise the operation
/// answers as without a source.
pub(super) fn fetch_if_missing(
    service: &Service,
    caller: &Caller,
    number: &DocNumber,
    wanted: WantedVersion,
) -> Result<bool, Failure> {
    if is_indexed(&service.store.snapshot(), number, wanted) {
        return Ok(true);
    }
    let requester = match caller {
        Caller::Machine => FetchRequester::Command,
        Caller::Account { account, .. } => FetchRequester::Account(*account),
        Caller::Anyone => return Ok(false),
    };
    // It does the work of a job, for all who ask.
    let fetched = run_shared(|| fetch_version(&service.jobs, number, wanted, requester));
    match fetched {
        Ok(_) => Ok(is_indexed(&service.store.snapshot(), number, wanted)),
        Err(VersionRefusal::NotFetched) => Ok(false),
        Err(VersionRefusal::InProgress { stage, retry_after_s }) => {
            let document = name_version(number, wanted);
            Err(Failure::DocumentFetchInProgress { document, stage, retry_after_s })
        }
        Err(VersionRefusal::Failed(reason)) => Err(Failure::Unavailable {
            message: format!(
                "{} is not indexed, and could not be fetched from the mirror. {reason} It is not tried again for some minutes.",
                name_version(number, wanted)
            ),
        }),
        Err(VersionRefusal::QueueFull { retry_after_s }) => {
            Err(Failure::Overloaded { retry_after_s })
        }
    }
}

fn is_indexed(snapshot: &Snapshot, number: &DocNumber, wanted: WantedVersion) -> bool {
    let versions = snapshot.catalog().document_versions(number);
    versions.into_iter().any(|entry| {
        let row = &entry.row;
        wanted.release.is_none_or(|release| release == row.release)
            && wanted.typed.is_none_or(|typed| typed.is_meant(row.version, row.release))
    })
}

/// A document with the version that was asked for, if it was one.
fn name_version(number: &DocNumber, wanted: WantedVersion) -> String {
    match (wanted.typed, wanted.release) {
        (Some(TypedVersion::Exact(version)), _) => format!("{number} {version}"),
        (Some(TypedVersion::Edition(major, technical)), _) => {
            format!("{number} {major}.{technical}")
        }
        (Some(TypedVersion::Release(release)), _) | (_, Some(release)) => {
            format!("{number} of {release}")
        }
        (Some(TypedVersion::Latest) | None, None) => number.to_string(),
    }
}

/// The refusal of a request for a version that is not indexed, with what the source says.
pub(super) fn not_indexed_failure(
    service: &Service,
    number: &DocNumber,
    wanted: WantedVersion,
) -> Failure {
    let said = explain_source(service, number, wanted).unwrap_or_default();
    let message = format!("{} is not indexed. {said}", name_version(number, wanted));
    Failure::DocumentNotIndexed { message: message.trim_end().to_owned() }
}

/// Adds what the source lists of the document that a request names, if the index lacks it.
pub(super) fn add_source(service: &Service, parameters: &impl Serialize, reasons: &mut Reasons) {
    if !reasons.lack_a_document() {
        return;
    }
    let Ok(parameters) = serde_json::to_value(parameters) else { return };
    let parameter = |name: &str| parameters.get(name).and_then(Value::as_str).map(str::trim);
    let Some(number) = parameter("doc_number").and_then(|number| number.parse().ok()) else {
        return;
    };
    let typed = parameter("version").map(str::parse::<TypedVersion>).transpose();
    let release = parameter("release").map(str::parse::<Release>).transpose();
    let (Ok(typed), Ok(release)) = (typed, release) else { return };
    if let Some(message) = explain_source(service, &number, WantedVersion { typed, release }) {
        reasons.add(DiagnosisReason::new(DiagnosisCode::ListedBySource, message));
    }
}

/// A sentence that says what the source lists, as far as it was read; `None` if nothing is known.
fn explain_source(service: &Service, number: &DocNumber, wanted: WantedVersion) -> Option<String> {
    Some(match run_shared(|| ask_catalogue(&service.jobs, number, wanted)) {
        SourceAnswer::Listed { version, listed_at } => {
            let permission = if fetches_on_demand(&service.jobs) {
                "ask again to fetch it"
            } else {
                "the operator can allow that it is fetched (on_demand under [sync]), or fetch it with `specbox sync specs`"
            };
            format!("The mirror lists version {version} ({}); {permission}.", as_of(listed_at))
        }
        SourceAnswer::NotListed { listed_at } => {
            format!("The mirror does not list it either ({}).", as_of(listed_at))
        }
        SourceAnswer::Unknown(Some(reason)) => {
            format!("Whether the mirror lists it is not known. {reason}")
        }
        SourceAnswer::Unknown(None) => return None,
    })
}

fn as_of(time: Timestamp) -> String {
    format!("as of {}", format_timestamp(time))
}

/// Why a list of what is not indexed is empty.
pub(super) fn explain_empty_catalogue(service: &Service) -> String {
    let catalogue: Arc<_> = source_catalogue(&service.jobs);
    let listed_at = catalogue.folders.values().map(|folder| folder.listed_at).max();
    match listed_at {
        None => "Nothing is known of what the mirror lists. The operator can read its lists with `specbox sync specs --list`."
            .to_owned(),
        Some(at) => format!(
            "Of the {} documents whose folders were read ({}), no version matches that is not indexed.",
            catalogue.folders.len(),
            as_of(at)
        ),
    }
}
