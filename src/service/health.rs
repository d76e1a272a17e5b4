//! `health`: whether the service answers, and with which models.

use super::{Operation, Service, internal};
use crate::{
    access::Caller,
    wire::{
        Failure, Route,
        params::Health,
        records::{HealthResponse, INTERFACE_VERSION, ModelNames},
    },
};

/// Said where a kind of model is not used.
const NO_MODEL: &str = "none";

impl Operation for Health {
    const NAME: &'static str = "health";
    const ROUTE: Route = Route::get("/health");
    const OPEN: bool = true;
    const METERED: bool = false;
    type Reply = HealthResponse;

    fn run(self, service: &Service, _caller: &Caller) -> Result<HealthResponse, Failure> {
        let text_embedding = service.text_embedding().map_err(internal)?;
        let at_hand = service.models.at_hand(&text_embedding);
        let models = ModelNames {
            text_embedding,
            image_embedding: NO_MODEL.to_owned(),
            reranker: service.models.settings().reranker.clone(),
        };
        Ok(HealthResponse {
            status: if at_hand { "ok" } else { "degraded" }.to_owned(),
            version: INTERFACE_VERSION.to_owned(),
            models,
        })
    }
}
