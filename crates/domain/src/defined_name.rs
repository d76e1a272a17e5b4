//! Words of the names that protocols define.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::closed_set::closed_set;

/// Two locations in a version that contradict each other about a name. Stored by the order of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NameFinding")]
pub struct NameFinding<P> {
    /// The subject of the contradiction.
    pub kind: NameFindingKind,
    /// The name, as printed at the first location.
    pub name: String,
    /// The type or message that contains it.
    pub within: Option<String>,
    /// The contradiction in one sentence.
    pub message: String,
    /// Whether the locations may mean different things.
    pub is_doubtful: bool,
    /// The locations.
    pub places: Vec<P>,
}

closed_set! {
    /// Kind of a name.
    pub enum DefinedNameKind {
        /// A message of a protocol.
        Message = "message",
        /// An ASN.1 type, or an information object class.
        Type = "type",
        /// A field of a type, or an alternative of a choice.
        Field = "field",
        /// A value of an enumeration, or a named number or bit.
        Value = "value",
        /// A constant.
        Constant = "constant",
        /// An ASN.1 information object set.
        ObjectSet = "object_set",
        /// An elementary procedure.
        Procedure = "procedure",
        /// An ASN.1 module.
        Module = "module",
        /// An information element in a table of a message.
        Element = "element",
        /// A timer.
        Timer = "timer",
        /// A counter.
        Counter = "counter",
        /// A cause, or an API error.
        Cause = "cause",
        /// An OpenAPI service.
        Service = "service",
        /// An operation of a service.
        Operation = "operation",
        /// A parameter of an operation or a procedure.
        Parameter = "parameter",
        /// An OpenAPI schema.
        Schema = "schema",
        /// An attribute of a schema.
        Attribute = "attribute",
        /// A terminal capability, or an API feature.
        Capability = "capability",
        /// A condition on which fields are present.
        Condition = "condition",
        /// A state variable.
        Variable = "variable",
        /// A response, body or header that OpenAPI operations share.
        Response = "response",
        /// An RRC parameter that the physical layer uses, with the clause that describes it in most detail.
        PhysicalParameter = "physical_parameter",
    }
    listed as [
        Message, Type, Schema, Service, Operation, Procedure, Timer, Counter, Constant, Cause, Variable, Capability, Element, Field, Attribute, Parameter, PhysicalParameter, Condition, Response, Value, ObjectSet, Module,
    ]
}

closed_set! {
    /// Subject of a contradiction between two locations.
    pub enum NameFindingKind {
        /// The name is missing in one of them.
        Missing = "missing",
        /// They spell it differently.
        Spelling = "spelling",
        /// They differ in presence.
        Presence = "presence",
        /// They differ in criticality.
        Criticality = "criticality",
        /// They differ in value or values.
        Value = "value",
        /// Both define it, or both use its identifier.
        Duplicate = "duplicate",
    }
}

closed_set! {
    /// Form of a definition.
    pub enum PrintedForm {
        /// In an ASN.1 or OpenAPI listing.
        Listing = "listing",
        /// As a row of a table, or in running text.
        Row = "row",
    }
}
