//! Words of names that protocols define.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What a name stands for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DefinedNameKind {
    /// A message of a protocol.
    Message,
    /// A type of ASN.1, or a class of information objects.
    Type,
    /// A schema of OpenAPI.
    Schema,
    /// A service of OpenAPI.
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
    /// A cause, or an error of an API.
    Cause,
    /// A state variable.
    Variable,
    /// A capability of the terminal, or a feature of an API.
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
    /// A response, body or header that operations of OpenAPI share.
    Response,
    /// A value of an enumeration, or a named number or bit.
    Value,
    /// A set of information objects of ASN.1.
    ObjectSet,
    /// A module of ASN.1.
    Module,
}

/// What two places of a version disagree about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum NameFindingKind {
    /// One of them lacks the name.
    Missing,
    /// They spell it differently.
    Spelling,
    /// Whether it has to be there.
    Presence,
    /// What a receiver does that does not understand it.
    Criticality,
    /// Its value, or its values.
    Value,
    /// Both define it, or both use its identifier.
    Duplicate,
}

/// How a definition is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum PrintedForm {
    /// In a listing of ASN.1 or OpenAPI.
    Listing,
    /// As a row of a table, or in running text.
    Row,
}

/// Whether a field or an element has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum FieldPresence {
    /// It has.
    Mandatory,
    /// It may be left out.
    Optional,
    /// A condition decides.
    Conditional,
    /// It has a value where it is left out.
    Default,
}
