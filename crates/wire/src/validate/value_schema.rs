//! The compiled form of a JSON Schema: what a value must look like.

use std::ops::RangeInclusive;

use serde_json::Value;

/// What a value must look like.
#[derive(Debug, Clone)]
pub(super) struct ValueSchema {
    /// Whether null is a value.
    pub(super) nullable: bool,
    /// What it is otherwise.
    pub(super) kind: ValueKind,
}

/// The kinds of value that parameters have.
#[derive(Debug, Clone)]
pub(super) enum ValueKind {
    Text { min_length: Option<u64>, max_length: Option<u64> },
    Literal(Vec<String>),
    Integer(IntegerRange),
    Number { least: Option<f64>, most: Option<f64> },
    Boolean,
    List(Box<ValueSchema>),
    Object(ObjectSchema),
}

/// What an integer may be.
#[derive(Debug, Clone)]
pub(super) struct IntegerRange {
    /// The least value the contract allows.
    pub(super) least: Option<i64>,
    /// The greatest value the contract allows.
    pub(super) most: Option<i64>,
    /// What the field of the struct can hold.
    pub(super) holds: RangeInclusive<i128>,
}

/// The fields of an object.
#[derive(Debug, Clone)]
pub(super) struct ObjectSchema {
    /// In the order of their declaration, which is the order of faults.
    pub(super) fields: Vec<FieldSchema>,
    /// Whether other fields are refused; they are ignored otherwise.
    pub(super) closed: bool,
}

/// One field of an object.
#[derive(Debug, Clone)]
pub(super) struct FieldSchema {
    /// The name on the wire.
    pub(super) name: String,
    /// The value it takes when absent; none when it is required.
    pub(super) default: Option<Value>,
    /// What its value must look like.
    pub(super) schema: ValueSchema,
}

impl ValueKind {
    /// Whether a string of a path or query can hold it.
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
