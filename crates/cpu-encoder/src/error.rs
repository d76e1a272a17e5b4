//! What can be wrong with weights or with an input.

use thiserror::Error;

/// An encoder could not be built, or an input could not be encoded.
#[derive(Debug, Error)]
pub enum EncoderError {
    /// A tensor could not be read from the weights.
    #[error("tensor {name} cannot be read")]
    Tensor {
        /// The tensor's name.
        name: String,
        /// The error of the tensor source.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The number of values of a tensor does not match its shape.
    #[error("tensor {name} has {found} elements, expected {expected}")]
    TensorSize {
        /// The tensor's name.
        name: String,
        /// Elements its shape has.
        expected: usize,
        /// Elements found.
        found: usize,
    },
    /// A tensor contains a number that is infinite or not a number.
    #[error("tensor {name} contains a non-finite number")]
    NotFinite {
        /// The tensor's name.
        name: String,
    },
    /// The shape is not supported by these forward passes.
    #[error("this shape cannot be run: {0}")]
    Shape(&'static str),
    /// A sequence has more tokens than the model has positions.
    #[error("a sequence has {tokens} tokens, the model has {positions} positions")]
    TooLong {
        /// Tokens of the sequence.
        tokens: usize,
        /// Positions of the model.
        positions: usize,
    },
    /// A token number is not in the vocabulary.
    #[error("token {id} is outside the vocabulary of {vocabulary}")]
    UnknownToken {
        /// The token number.
        id: u32,
        /// Tokens in the vocabulary.
        vocabulary: usize,
    },
    /// A type number is not one the model has.
    #[error("type {found} is outside the {types} types of the model")]
    UnknownType {
        /// The type number.
        found: u32,
        /// Types of the model.
        types: usize,
    },
    /// A sequence has types, but not one for each token.
    #[error("a sequence has {tokens} tokens and {types} types")]
    TypesMissing {
        /// Tokens of the sequence.
        tokens: usize,
        /// Types of the sequence.
        types: usize,
    },
}
