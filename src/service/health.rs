//! `health`: whether the service answers, and with which models.

use super::{NO_MODEL, Operation, Service, internal};
use accounts::Caller;
use wire::{
    Failure, Route, ToolFacts,
    params::Health,
    records::{HealthResponse, INTERFACE_VERSION, ModelNames},
};

impl Operation for Health {
    const NAME: &'static str = "health";
    const ROUTE: Route = Route::get("/health");
    const OPEN: bool = true;
    const METERED: bool = false;
    const TOOL: Option<ToolFacts> = None;
    type Reply = HealthResponse;

    fn run(self, service: &Service, _caller: &Caller) -> Result<HealthResponse, Failure> {
        let text_embedding = service.text_embedding().map_err(internal)?;
        let image_embedding = service.image_embedding_in_use().map_err(internal)?;
        let at_hand = service.models.at_hand(&text_embedding, image_embedding.as_deref());
        let reads_texts = |name: &String| service.models.reads_texts(name);
        let or_none = |name: Option<String>| name.unwrap_or_else(|| NO_MODEL.to_owned());
        let models = ModelNames {
            text_embedding,
            image_text_tower: or_none(image_embedding.clone().filter(reads_texts)),
            image_embedding: or_none(image_embedding),
            reranker: service.models.settings().reranker.clone(),
        };
        Ok(HealthResponse {
            status: if at_hand { "ok" } else { "degraded" }.to_owned(),
            version: INTERFACE_VERSION.to_owned(),
            models,
        })
    }
}
