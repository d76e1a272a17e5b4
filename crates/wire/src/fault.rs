//! One fault of a request, with the messages and key order of FastAPI.
//!
//! The set of faults is closed: each kind knows its code, its sentence and its context, which occur nowhere else in
//! the program.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// One thing that is wrong with a request, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationFault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The path to the value, starting with `path`, `query` or `body`.
    pub loc: Vec<LocationStep>,
    /// The value as given; it is returned to its sender and used nowhere else.
    pub input: Value,
}

/// One step of the path to a value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum LocationStep {
    /// A part of the request, or a field of an object.
    Name(String),
    /// An item of a list, or a character of a body that is not JSON.
    Index(usize),
}

/// What can be wrong with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// A required value is absent.
    Missing,
    /// The body is not JSON.
    JsonInvalid {
        /// What the parser found wrong.
        error: &'static str,
    },
    /// Not an object.
    NotAnObject,
    /// A field that a closed object does not have.
    ExtraForbidden,
    /// Not a string.
    StringType,
    /// A string with too few characters.
    StringTooShort {
        /// The minimum number of characters.
        min_length: u64,
    },
    /// A string with too many characters.
    StringTooLong {
        /// The maximum number of characters.
        max_length: u64,
    },
    /// Not one of a closed set of words.
    Literal {
        /// The words, quoted and joined: `'TS' or 'TR'`.
        expected: String,
    },
    /// Not convertible to an integer.
    IntType,
    /// A number with a fraction.
    IntFromFloat,
    /// A string that is not an integer.
    IntParsing,
    /// An integer that is too large to be represented.
    IntParsingSize,
    /// Not convertible to a number.
    FloatType,
    /// A string that is not a number.
    FloatParsing,
    /// Infinite, or not a number at all.
    FiniteNumber,
    /// Not convertible to a boolean.
    BoolType,
    /// A string or integer that does not mean true or false.
    BoolParsing,
    /// Below the minimum.
    BelowMinimum(NumericBound),
    /// Above the maximum.
    AboveMaximum(NumericBound),
    /// Not a list.
    ListType,
}

/// A bound of a numeric field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NumericBound {
    /// The bound of an integer.
    Integer(i64),
    /// The bound of a number; finite.
    Number(f64),
}

impl ValidationFault {
    /// A fault of the given kind.
    pub fn new(kind: FaultKind, loc: Vec<LocationStep>, input: Value) -> Self {
        Self { kind, loc, input }
    }
}

impl Serialize for ValidationFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.kind.code())?;
        map.serialize_entry("loc", &self.loc)?;
        map.serialize_entry("msg", &self.kind.message())?;
        map.serialize_entry("input", &self.input)?;
        if let Some((name, value)) = self.kind.context_entry() {
            map.serialize_entry("ctx", &serde_json::Map::from_iter([(name.to_owned(), value)]))?;
        }
        map.end()
    }
}

impl FaultKind {
    /// The value of `type`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::JsonInvalid { .. } => "json_invalid",
            Self::NotAnObject => "model_attributes_type",
            Self::ExtraForbidden => "extra_forbidden",
            Self::StringType => "string_type",
            Self::StringTooShort { .. } => "string_too_short",
            Self::StringTooLong { .. } => "string_too_long",
            Self::Literal { .. } => "literal_error",
            Self::IntType => "int_type",
            Self::IntFromFloat => "int_from_float",
            Self::IntParsing => "int_parsing",
            Self::IntParsingSize => "int_parsing_size",
            Self::FloatType => "float_type",
            Self::FloatParsing => "float_parsing",
            Self::FiniteNumber => "finite_number",
            Self::BoolType => "bool_type",
            Self::BoolParsing => "bool_parsing",
            Self::BelowMinimum(_) => "greater_than_equal",
            Self::AboveMaximum(_) => "less_than_equal",
            Self::ListType => "list_type",
        }
    }

    /// The value of `msg`.
    pub fn message(&self) -> String {
        let fixed = match self {
            Self::Missing => "Field required",
            Self::JsonInvalid { .. } => "JSON decode error",
            Self::NotAnObject => {
                "Input should be a valid dictionary or object to extract fields from"
            }
            Self::ExtraForbidden => "Extra inputs are not permitted",
            Self::StringType => "Input should be a valid string",
            Self::StringTooShort { min_length } => return length_message("least", *min_length),
            Self::StringTooLong { max_length } => return length_message("most", *max_length),
            Self::Literal { expected } => return format!("Input should be {expected}"),
            Self::IntType => "Input should be a valid integer",
            Self::IntFromFloat => {
                "Input should be a valid integer, got a number with a fractional part"
            }
            Self::IntParsing => {
                "Input should be a valid integer, unable to parse string as an integer"
            }
            Self::IntParsingSize => {
                "Unable to parse input string as an integer, exceeded maximum size"
            }
            Self::FloatType => "Input should be a valid number",
            Self::FloatParsing => {
                "Input should be a valid number, unable to parse string as a number"
            }
            Self::FiniteNumber => "Input should be a finite number",
            Self::BoolType => "Input should be a valid boolean",
            Self::BoolParsing => "Input should be a valid boolean, unable to interpret input",
            Self::BelowMinimum(min) => {
                return format!("Input should be greater than or equal to {min}");
            }
            Self::AboveMaximum(max) => {
                return format!("Input should be less than or equal to {max}");
            }
            Self::ListType => "Input should be a valid list",
        };
        fixed.to_owned()
    }

    /// The one entry of `ctx`, for the kinds that have it.
    fn context_entry(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::JsonInvalid { error } => Some(("error", Value::from(*error))),
            Self::StringTooShort { min_length } => Some(("min_length", Value::from(*min_length))),
            Self::StringTooLong { max_length } => Some(("max_length", Value::from(*max_length))),
            Self::Literal { expected } => Some(("expected", Value::from(expected.as_str()))),
            Self::BelowMinimum(min) => Some(("ge", min.to_value())),
            Self::AboveMaximum(max) => Some(("le", max.to_value())),
            Self::Missing
            | Self::NotAnObject
            | Self::ExtraForbidden
            | Self::StringType
            | Self::IntType
            | Self::IntFromFloat
            | Self::IntParsing
            | Self::IntParsingSize
            | Self::FloatType
            | Self::FloatParsing
            | Self::FiniteNumber
            | Self::BoolType
            | Self::BoolParsing
            | Self::ListType => None,
        }
    }
}

fn length_message(side: &str, length: u64) -> String {
    let plural = if length == 1 { "" } else { "s" };
    format!("String should have at {side} {length} character{plural}")
}

impl NumericBound {
    /// The bound as in `ctx`: that of a number keeps its point (`0.0`).
    fn to_value(self) -> Value {
        match self {
            Self::Integer(bound) => Value::from(bound),
            Self::Number(bound) => Value::from(bound),
        }
    }
}

/// Prints the bound as in `msg`: without a point if there is no fraction (`0`).
impl fmt::Display for NumericBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(bound) => bound.fmt(f),
            Self::Number(bound) => bound.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(kind: FaultKind) -> String {
        let fault = ValidationFault::new(
            kind,
            vec![LocationStep::Name("body".into()), LocationStep::Index(3)],
            Value::Null,
        );
        serde_json::to_string(&fault).expect("a fault is JSON")
    }

    #[test]
    fn keys_are_in_the_order_of_fastapi() {
        assert_eq!(
            printed(FaultKind::AboveMaximum(NumericBound::Number(1.0))),
            concat!(
                r#"{"type":"less_than_equal","loc":["body",3],"#,
                r#""msg":"Input should be less than or equal to 1","input":null,"ctx":{"le":1.0}}"#
            )
        );
        assert!(!printed(FaultKind::Missing).contains("ctx"));
    }

    #[test]
    fn one_character_is_singular() {
        let message = |min_length| FaultKind::StringTooShort { min_length }.message();
        assert_eq!(message(1), "String should have at least 1 character");
        assert_eq!(message(2), "String should have at least 2 characters");
    }
}
