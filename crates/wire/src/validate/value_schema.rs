//! The compiled form of a JSON Schema.

use std::ops::RangeInclusive;

use serde_json::Value;

/// The schema of a value.
#[derive(Debug, Clone)]
pub(super) struct ValueSchema {
    /// Whether null is allowed.
    pub(super) nullable: bool,
    /// The kind of any other value.
    pub(super) kind: ValueKind,
}

/// The kinds of value that parameters have.
#[derive(Debug, Clone)]
pub(super) enum ValueKind {
    Text { min_length: Option<u64>, max_length: Option<u64> },
    Literal(Vec<String>),
    Integer(IntegerRange),
    Number { min: Option<f64>, max: Option<f64> },
    Boolean,
    List(Box<ValueSchema>),
    Object(ObjectSchema),
}

/// The allowed values of an integer.
#[derive(Debug, Clone)]
pub(super) struct IntegerRange {
    /// The minimum of the contract.
    pub(super) min: Option<i64>,
    /// The maximum of the contract.
    pub(super) max: Option<i64>,
    /// The range that the type of the field can represent.
    pub(super) representable: RangeInclusive<i128>,
}

/// The fields of an object.
#[derive(Debug, Clone)]
pub(super) struct ObjectSchema {
    /// In the order of their declaration, which is the order of faults.
    pub(super) fields: Vec<FieldSchema>,
    /// Whether other fields are rejected; they are ignored otherwise.
    pub(super) closed: bool,
}

/// One field of an object.
#[derive(Debug, Clone)]
pub(super) struct FieldSchema {
    /// The name on the wire.
    pub(super) name: String,
    /// Its value if absent; `None` if it is required.
    pub(super) default: Option<Value>,
    /// The schema of its value.
    pub(super) schema: ValueSchema,
}

impl ValueKind {
    /// Whether it can be in a string of a path or query.
    pub(super) fn is_scalar(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Literal(_)
            | Self::Integer(_)
            | Self::Number { .. }
            | Self::Boolean => true,
            Self::List(_) | Self::Object(_) => false,
        }
    }
}
