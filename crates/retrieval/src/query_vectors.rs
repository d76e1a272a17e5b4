//! The vectors of a query.

use std::sync::Arc;

use neural::TextEmbedder;
use store::{ModelRow, Snapshot};

use super::{RetrievalError, Retriever};

/// The vectors of a question.
pub(crate) struct QueryVectors {
    /// Of the question as it was asked.
    pub(crate) own: Vec<f32>,
    /// Of the question with field terms added, if it has everyday words of the vocabulary.
    pub(crate) field: Option<Vec<f32>>,
}

impl QueryVectors {
    /// The vectors of one question, each at most once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[f32]> {
        std::iter::once(self.own.as_slice()).chain(self.field.as_deref())
    }
}

impl Retriever {
    /// Embeds a question; `with_field_terms` also embeds it with the field's terms added.
    pub(crate) fn embed_question(
        &self,
        snapshot: &Snapshot,
        text: &str,
        with_field_terms: bool,
    ) -> Result<QueryVectors, RetrievalError> {
        let embedder = self.stored_embedder(snapshot)?;
        let own = embedder.embed_query(text)?;
        let in_field_terms =
            with_field_terms.then(|| self.query_expander.append_field_terms(text)).flatten();
        let field = in_field_terms.map(|text| embedder.embed_query(&text)).transpose()?;
        Ok(QueryVectors { own, field })
    }

    /// The vector of a question, and its model: for texts that are stored separately from passages.
    pub fn question_vector(
        &self,
        snapshot: &Snapshot,
        text: &str,
    ) -> Result<(ModelRow, Vec<f32>), RetrievalError> {
        let embedder = self.stored_embedder(snapshot)?;
        let model = self.models.to_model_row(&self.models.text_embedding(snapshot)?)?;
        Ok((model, embedder.embed_query(text)?))
    }

    /// The embedder whose vectors are stored, unless another one is configured: that is an error.
    fn stored_embedder(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Arc<dyn TextEmbedder>, RetrievalError> {
        let stored = snapshot.contents().text_model()?;
        let name = self.models.settings().text_embedding(stored.as_ref());
        if let Some(stored) = stored {
            let configured = self.models.to_model_row(&name)?;
            configured
                .check_stored(&stored)
                .map_err(|error| RetrievalError::ModelMismatch { message: error.to_string() })?;
        }
        Ok(self.models.text_embedder(&name)?)
    }
}
