//! Embeds the decisions of notes that were imported.

use std::sync::atomic::AtomicBool;

use domain::MeetingId;
use ingest::IngestError;

use super::JobRunner;

/// Embeds the decisions, of one meeting or of all, that have no vectors of the text model yet. Without a model they stay
/// as they are: they are found by their words.
pub(super) fn embed_decisions(jobs: &JobRunner, meeting: Option<&MeetingId>, cancel: &AtomicBool) {
    if let Err(error) = try_embed_decisions(jobs, meeting, cancel) {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(
            error,
            "decisions can be searched by words only; the next import tries again"
        );
    }
}

/// The same; what fails is told, so that it is tried again after a while.
pub(super) fn try_embed_decisions(
    jobs: &JobRunner,
    meeting: Option<&MeetingId>,
    cancel: &AtomicBool,
) -> Result<(), IngestError> {
    let name = jobs.text_embedding()?;
    let model = jobs.models.to_model_row(&name)?;
    if let Some(stored) = jobs.store.snapshot().contents().text_model()? {
        model.check_stored(&stored)?;
    }
    let embedder = jobs.models.text_embedder(&name)?;
    let embedded = ingest::embed_decisions(&jobs.store, &*embedder, &model, meeting, cancel)?;
    tracing::debug!(embedded, "decisions were embedded");
    Ok(())
}
