//! `health`: the state of the service and its models, and what the operator must look after.

use super::{Operation, Service, internal_failure, search_text::to_vector_coverage};
use crate::jobs::free_bytes;
use accounts::Caller;
use retrieval::NO_MODEL;
use store::DocumentFilter;
use wire::{
    Failure,
    params::Health,
    records::{HealthResponse, INTERFACE_VERSION, ModelNames, ReplicaHealth, WithoutVectors},
    values::HealthStatus,
};

/// Below this many bytes the disk is called full.
const FEW_BYTES: u64 = 100 << 20;

impl Operation for Health {
    fn run(self, service: &Service, _caller: &Caller) -> Result<HealthResponse, Failure> {
        let (installed, snapshot) = (&service.retriever.models, service.store.snapshot());
        let text_embedding = installed.text_embedding(&snapshot).map_err(internal_failure)?;
        let image_embedding =
            installed.image_embedding_in_use(&snapshot).map_err(internal_failure)?;
        let are_available = installed.are_available(&text_embedding, image_embedding.as_deref());
        let reads_texts = |name: &String| installed.reads_texts(name);
        let or_none = |name: Option<String>| name.unwrap_or_else(|| NO_MODEL.to_owned());
        let models = ModelNames {
            text_embedding,
            image_text_tower: or_none(image_embedding.clone().filter(reads_texts)),
            image_embedding: or_none(image_embedding),
            reranker: installed.settings().reranker.clone(),
        };
        let faults = find_faults(service);
        let lacking = snapshot.lacking_vectors();
        let is_ok = are_available && faults.is_empty();
        Ok(HealthResponse {
            status: if is_ok { HealthStatus::Ok } else { HealthStatus::Degraded },
            version: INTERFACE_VERSION.to_owned(),
            models,
            replica: crate::jobs::replica_state(&service.jobs).map(|state| ReplicaHealth {
                follows: state.follows(),
                manifest: state.manifest,
                created_at: state.created_at,
                checked_at: state.checked_at,
            }),
            vectors: to_vector_coverage(snapshot.vector_coverage(&DocumentFilter::default())),
            without_vectors: (!lacking.is_empty()).then_some(WithoutVectors {
                documents: lacking.documents,
                tdocs: lacking.tdocs,
                notes: lacking.notes,
            }),
            faults,
        })
    }
}

/// What the operator must look after. Paths are left out, because anybody may ask.
fn find_faults(service: &Service) -> Vec<String> {
    let mut faults = Vec::new();
    let folder = service.store.data_folder();
    if let Ok(free) = free_bytes(folder.root())
        && free < FEW_BYTES
    {
        faults.push(format!("The disk has only {} MB left.", free >> 20));
    }
    if service.store.has_failed() {
        faults
            .push("The database cannot be read or written. Check the disk and the log.".to_owned());
    }
    if service.access.charges().has_failed() {
        faults.push(
            "The accounts cannot be read or charged, so requests that need an account fail. Check the \
             accounts database."
                .to_owned(),
        );
    }
    let damage = service.store.snapshot().catalog().damage().len();
    if damage > 0 {
        faults.push(format!(
            "Damage was found in the database (locations: {damage}), which was opened read-only. \
             Stop the server and run specbox doctor."
        ));
    }
    if let Some(lost) = service.store.describe_lost_vectors() {
        faults.push(format!("Some vectors are missing: {lost}."));
    }
    for (thread, count) in service.jobs.threads.recent_panics() {
        faults.push(format!(
            "Internal errors ended the thread '{thread}', which was started again (ends: {count}). The log has the cause; \
             report it."
        ));
    }
    let set_aside = crate::jobs::set_aside_uploads(&service.jobs).len();
    if set_aside > 0 {
        faults.push(format!(
            "Uploads that ended the server twice were set aside: {set_aside}. The page of jobs names them."
        ));
    }
    if !service.store.has_all_files() {
        faults.push(
            "A file of the index is missing. Stop the server and run specbox doctor.".to_owned(),
        );
    }
    faults
}
