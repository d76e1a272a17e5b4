//! The public contract: parameters, replies, failures, validation and the OpenAPI document.
//!
//! Owns every field name, bound, default, code and body a client sees, and is the only place
//! that knows them. A parameters struct declares itself once (serde and `JsonSchema`); the
//! validator, the OpenAPI document, the MCP tool and the command line all read that declaration.
//! It knows nothing of HTTP servers, storage, or what an operation does.

#![forbid(unsafe_code)]

mod detail;
mod diagnosis;
mod examples;
mod failure;
mod fault;
mod openapi;
mod operation;
pub mod params;
pub mod records;
mod schema;
mod tool_facts;
mod validate;
pub mod values;

pub use detail::{DetailParameter, LOW_DETAIL_MEDIA};
pub use examples::{Example, find_example};
pub use failure::{CredentialFault, Failure, describe_status};
pub use fault::{FaultKind, LocationStep, NumericBound, ValidationFault};
pub use openapi::openapi_document;
pub use operation::{
    Media, Method, OperationDeclaration, OperationDescriptor, Parameter, ParameterCarrier,
    ParameterLocation, Route,
};
pub use schema::parameters_schema;
pub use tool_facts::{ToolEffect, ToolFacts, ToolGroup};
pub use validate::{RawRequest, UnsupportedSchema, Validator};
