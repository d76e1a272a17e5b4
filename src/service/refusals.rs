//! Maps errors of the search and of the models to failures of the contract.

use neural::NeuralError;
use retrieval::RetrievalError;
use wire::Failure;

use super::internal_failure;

/// A missing or wrong model file is the operator's to correct; any other error is a defect.
pub(super) fn model_failure(error: NeuralError) -> Failure {
    match error {
        NeuralError::MissingFile { .. }
        | NeuralError::NotInstalled { .. }
        | NeuralError::Lock { .. }
        | NeuralError::WrongSize { .. }
        | NeuralError::WrongHash { .. }
        | NeuralError::UnknownModel { .. }
        | NeuralError::WrongKind { .. } => Failure::ModelMissing { message: error.to_string() },
        other => internal_failure(other),
    }
}

/// A search that was refused, or that failed.
pub(super) fn retrieval_failure(error: RetrievalError) -> Failure {
    match error {
        RetrievalError::Overloaded { retry_after_s } => Failure::Overloaded { retry_after_s },
        RetrievalError::ModelMismatch { message } => Failure::ModelMissing { message },
        RetrievalError::Unavailable => Failure::SearchUnavailable {
            message: "The search indexes are unavailable; try again shortly.".to_owned(),
        },
        RetrievalError::Model(error) => model_failure(error),
        RetrievalError::Store(error) => internal_failure(error),
    }
}
