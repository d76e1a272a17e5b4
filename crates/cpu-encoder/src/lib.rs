//! Forward passes of BERT encoders on a plain CPU.
//!
//! Owns the way from token numbers to one state for each token, for two families: BERT with learned
//! positions, and Nomic's BERT with rotary positions and gated layers. Weights are packed once,
//! when a [`CpuEncoder`] is built; sequences of any lengths run together without padding; buffers
//! are kept in an [`EncoderScratch`] and grow to the longest input only. Products run in one of
//! four precisions ([`Precision`]) with the widest instructions the processor has ([`SimdLevel`]);
//! attention's softmax, the norms and the residual stream are always 32-bit floats.
//!
//! Promises that a call runs on the calling thread alone and never waits, that a sequence's states
//! do not depend on what it is encoded with, and that no input panics. It knows nothing of texts,
//! tokenizers, files, pooling or threads. On processors other than x86-64 it runs plain Rust, which
//! is tested on x86-64 only.

mod aligned;
mod attention;
mod encoder;
mod error;
mod kernels;
mod linear;
mod load;
mod precision;
mod rotary;
mod scratch;
mod shape;

pub use encoder::{CpuEncoder, Sequence};
pub use error::EncoderError;
pub use kernels::SimdLevel;
pub use load::TensorSource;
pub use precision::{Precision, UnknownPrecision};
pub use scratch::EncoderScratch;
pub use shape::ModelSizes;
