//! The interface of text embedders.

use std::ops::Range;

use super::{error::NeuralError, identity::ModelIdentity};

/// Turns texts into vectors of length one, so that their inner product is their cosine.
///
/// Calls block and use every core; async code calls them from a blocking thread.
pub trait TextEmbedder: Send + Sync {
    /// Returns the identity of the model.
    fn identity(&self) -> &ModelIdentity;

    /// Returns the dimension of the vectors.
    fn dimension(&self) -> usize {
        self.identity().dimension as usize
    }

    /// Returns the maximum number of tokens in a window, special tokens and prompt included.
    fn max_tokens(&self) -> usize {
        self.identity().max_tokens as usize
    }

    /// Returns the number of a document's tokens that fit in one window with special tokens and prompt.
    fn document_capacity(&self) -> usize;

    /// Returns the number of tokens of the bare text.
    fn count_tokens(&self, text: &str) -> usize;

    /// Returns the byte range of each token of the bare text.
    fn token_offsets(&self, text: &str) -> Vec<Range<usize>>;

    /// Returns, for each text, the vectors of its windows: one for a text that fits, otherwise several that overlap
    /// and together cover it.
    fn embed_documents(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f32>>>, NeuralError>;

    /// Returns the vector of a query. A query that does not fit in a window gives the mean of its
    /// windows, scaled to length one.
    fn embed_query(&self, text: &str) -> Result<Vec<f32>, NeuralError>;
}
