//! The OpenAPI 3.1 document, built from the descriptors of the operations.

mod components;
mod document;
mod errors;
mod low_detail;

pub use document::openapi_document;
