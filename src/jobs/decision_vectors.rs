//! Embeds the decisions of notes that were imported.

use std::sync::atomic::AtomicBool;

use domain::MeetingId;
use ingest::IngestError;

use super::JobRunner;

impl JobRunner {
    /// Embeds the decisions, of one meeting or of all, that have no vectors of the text model yet. Without a model they stay
    /// as they are: they are found by their words.
    pub(super) fn embed_decisions(&self, meeting: Option<&MeetingId>, cancel: &AtomicBool) {
        if let Err(error) = self.try_embed_decisions(meeting, cancel) {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(
                error,
                "decisions can be searched by words only; the next import tries again"
            );
        }
    }

    /// The same; what fails is told, so that it is tried again after a while.
    pub(super) fn try_embed_decisions(
        &self,
        meeting: Option<&MeetingId>,
        cancel: &AtomicBool,
    ) -> Result<(), IngestError> {
        let name = self.text_embedding()?;
        let model = self.models.to_model_row(&name)?;
        if let Some(stored) = self.store.snapshot().contents().text_model()? {
            model.check_stored(&stored)?;
        }
        let embedder = self.models.text_embedder(&name)?;
        let embedded = ingest::embed_decisions(&self.store, &*embedder, &model, meeting, cancel)?;
        tracing::debug!(embedded, "decisions were embedded");
        Ok(())
    }
}
