//! Maps errors of the search and of the models, and work that was ended, to failures of the contract.

use cost_meter::CostExceeded;
use neural::NeuralError;
use retrieval::RetrievalError;
use wire::Failure;

use super::internal_failure;

/// Seconds after which a client may retry an operation that did not end in time.
const RETRY_AFTER_DEADLINE_S: u64 = 30;

/// Work that was ended. What costs too much will probably do so again; what was only late may end in time.
pub(super) fn cost_failure(exceeded: CostExceeded) -> Failure {
    match exceeded {
        CostExceeded::ProcessorTime(_) | CostExceeded::Memory(_) => Failure::Unavailable {
            message: format!(
                "The work on this request was ended: {exceeded}. It may fail again; ask for a smaller part, such as one \
                 section, or for fewer results."
            ),
        },
        CostExceeded::Deadline | CostExceeded::Cancelled => {
            Failure::Overloaded { retry_after_s: RETRY_AFTER_DEADLINE_S }
        }
    }
}

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
