//! Words of names that protocols define.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Kind of a name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DefinedNameKind {
    /// A message of a protocol.
    Message,
    /// An ASN.1 type, or an information object class.
    Type,
    /// An OpenAPI schema.
    Schema,
    /// An OpenAPI service.
    Service,
    /// An operation of a service.
    Operation,
    /// An elementary procedure.
    Procedure,
    /// A timer.
    Timer,
    /// A counter.
    Counter,
    /// A constant.
    Constant,
    /// A cause, or an API error.
    Cause,
    /// A state variable.
    Variable,
    /// A terminal capability, or an API feature.
    Capability,
    /// An information element in a table of a message.
    Element,
    /// A field of a type, or an alternative of a choice.
    Field,
    /// An attribute of a schema.
    Attribute,
    /// A parameter of an operation or a procedure.
    Parameter,
    /// An RRC parameter that the physical layer uses, with the clause that describes it in most detail.
    PhysicalParameter,
    /// A condition on which fields are present.
    Condition,
    /// A response, body or header that OpenAPI operations share.
    Response,
    /// A value of an enumeration, or a named number or bit.
    Value,
    /// An ASN.1 information object set.
    ObjectSet,
    /// An ASN.1 module.
    Module,
}

/// Subject of a contradiction between two locations.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum NameFindingKind {
    /// The name is missing in one of them.
    Missing,
    /// They spell it differently.
    Spelling,
    /// They differ in presence.
    Presence,
    /// They differ in criticality.
    Criticality,
    /// They differ in value or values.
    Value,
    /// Both define it, or both use its identifier.
    Duplicate,
}

/// Form of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum PrintedForm {
    /// In an ASN.1 or OpenAPI listing.
    Listing,
    /// As a row of a table, or in running text.
    Row,
}

/// Presence of a field or an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum FieldPresence {
    /// It is mandatory.
    Mandatory,
    /// It is optional.
    Optional,
    /// It is conditional.
    Conditional,
    /// It has a default value.
    Default,
}
