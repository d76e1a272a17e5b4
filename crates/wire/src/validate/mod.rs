//! Validation: untyped values against the schema of a parameters struct.
//!
//! All faults of a request are reported together, with the messages of FastAPI, whose lax coercions
//! apply here too. The JSON Schema that the struct derives is the only source of types, bounds and
//! defaults; it is compiled once, and a keyword that could not be enforced is then an error rather
//! than a bound that is silently ignored.

mod coerce;
mod compile;
mod json;
mod json_scanner;
mod validator;
mod value_schema;
mod walk;

pub use compile::UnsupportedSchema;
pub use validator::{RawRequest, Validator};
