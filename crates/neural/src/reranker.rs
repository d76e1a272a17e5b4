//! The interface of rerankers.

use super::{error::NeuralError, identity::ModelIdentity};

/// Scores how well passages answer a query, reading both together.
///
/// Calls block and use every core; async code calls them from a blocking thread.
pub trait Reranker: Send + Sync {
    /// Returns the identity of the model.
    fn identity(&self) -> &ModelIdentity;

    /// Returns one logit for each passage, in their order. A passage that does not fit next to the query is read in
    /// several windows and has the best one's logit. The query is complete in every window; only a query of more than
    /// three quarters of a window loses its end.
    fn score_passages(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, NeuralError>;
}

/// Returns a logit as a number between 0 and 1.
#[must_use]
pub fn relevance_from_logit(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relevance_is_between_zero_and_one_and_rises() {
        assert_eq!(relevance_from_logit(0.0), 0.5);
        assert!((relevance_from_logit(2.0) - 0.880_797).abs() < 1e-5);
        assert_eq!(relevance_from_logit(f32::NEG_INFINITY), 0.0);
        assert_eq!(relevance_from_logit(f32::INFINITY), 1.0);
    }
}
