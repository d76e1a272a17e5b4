//! Validation: untyped values against the schema of a parameters struct.
//!
//! Every fault of a request is found at once and reported in the words of FastAPI, whose lax
//! coercions hold here too. The JSON Schema that the struct derives is the only source of types,
//! bounds and defaults; it is compiled once, and a keyword that could not be enforced is an
//! error then, not a bound that silently does not hold.

mod coerce;
mod compile;
mod json;
mod json_scanner;
mod validator;
mod value_schema;
mod walk;

pub use compile::UnsupportedSchema;
pub use validator::{RawRequest, Validator};
