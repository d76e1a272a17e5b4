//! `health`: the state of the service and its models.

use super::{Operation, Service, internal_failure, search_text::to_vector_coverage};
use accounts::Caller;
use retrieval::NO_MODEL;
use store::DocumentFilter;
use wire::{
    Failure, Route, ToolFacts,
    params::Health,
    records::{HealthResponse, INTERFACE_VERSION, ModelNames, ReplicaHealth},
    values::HealthStatus,
};

impl Operation for Health {
    const NAME: &'static str = "health";
    const ROUTE: Route = Route::get("/health");
    const OPEN: bool = true;
    const METERED: bool = false;
    const TOOL: Option<ToolFacts> = None;
    type Reply = HealthResponse;

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
        Ok(HealthResponse {
            status: if are_available { HealthStatus::Ok } else { HealthStatus::Degraded },
            version: INTERFACE_VERSION.to_owned(),
            models,
            replica: service.jobs.replica_state().map(|state| ReplicaHealth {
                manifest: state.manifest,
                created_at: state.created_at,
                follows: state.failure.is_none() && state.checked_at.is_some(),
                checked_at: state.checked_at,
            }),
            vectors: to_vector_coverage(snapshot.vector_coverage(&DocumentFilter::default())),
        })
    }
}
