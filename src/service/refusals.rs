//! Failures of what operations are made of, as the contract tells them.

use neural::NeuralError;
use retrieval::RetrievalError;
use wire::Failure;

use super::internal_failure;

/// A model that is not there is the operator's to mend; anything else is a defect.
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
            message: "Neither meaning nor words could be searched; try again shortly.".to_owned(),
        },
        RetrievalError::Model(error) => model_failure(error),
        RetrievalError::Store(error) => internal_failure(error),
    }
}
