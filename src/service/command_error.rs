//! Why an operator's command could not be carried out.

use crate::{neural::NeuralError, store::StoreError};

/// A failure of a model or of the data folder; what was stored before it stays.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The model failed.
    #[error("the model is not usable")]
    Model(#[from] NeuralError),
    /// The data folder failed.
    #[error("storing failed")]
    Store(#[from] StoreError),
}
