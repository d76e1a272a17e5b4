//! The walk over a value along its shape: collects faults, gives the clean value.

use serde_json::{Map, Number, Value};

use super::{
    coerce,
    value_schema::{FieldSchema, IntegerRange, ObjectSchema, ValueKind, ValueSchema},
};
use crate::fault::{FaultKind, LocationStep, NumericBound, ValidationFault};

/// More faults than this are not collected: a long list of wrong items would be answered with a
/// reply many times its size.
const MAX_FAULTS: usize = 1000;

/// A walk under way: where it stands and what it found.
#[derive(Debug, Default)]
pub(super) struct SchemaWalk {
    loc: Vec<LocationStep>,
    faults: Vec<ValidationFault>,
}

impl SchemaWalk {
    /// The clean value, or the faults when there are any.
    pub(super) fn into_result(
        self,
        clean: Map<String, Value>,
    ) -> Result<Value, Vec<ValidationFault>> {
        if self.faults.is_empty() { Ok(Value::Object(clean)) } else { Err(self.faults) }
    }

    /// Notes a fault of the value where the walk stands.
    pub(super) fn record_fault(&mut self, kind: FaultKind, input: &Value) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ValidationFault::new(kind, self.loc.clone(), input.clone()));
        }
    }

    /// Does something one step further on.
    pub(super) fn visit_step<T>(
        &mut self,
        step: LocationStep,
        visit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.loc.push(step);
        let seen = visit(self);
        self.loc.pop();
        seen
    }

    /// Reads one field; `whole` is what a fault shows when the field is missing.
    pub(super) fn validate_field(
        &mut self,
        field: &FieldSchema,
        given: Option<&Value>,
        whole: &Value,
    ) -> Option<Value> {
        self.visit_step(LocationStep::Name(field.name.clone()), |walk| {
            match (given, &field.default) {
                (Some(value), _) => walk.validate_value(&field.schema, value),
                (None, Some(absent)) => Some(absent.clone()),
                (None, None) => {
                    walk.record_fault(FaultKind::Missing, whole);
                    None
                }
            }
        })
    }

    /// Reads the fields of an object.
    pub(super) fn validate_object(
        &mut self,
        object: &ObjectSchema,
        input: &Value,
    ) -> Option<Map<String, Value>> {
        let Value::Object(given) = input else {
            self.record_fault(FaultKind::NotAnObject, input);
            return None;
        };
        let mut clean = Map::new();
        for field in &object.fields {
            if let Some(value) = self.validate_field(field, given.get(&field.name), input) {
                clean.insert(field.name.clone(), value);
            }
        }
        if object.closed {
            self.record_extra_fields(object, given);
        }
        Some(clean)
    }

    fn record_extra_fields(&mut self, object: &ObjectSchema, given: &Map<String, Value>) {
        for (name, value) in given {
            if object.fields.iter().all(|field| field.name != *name) {
                self.visit_step(LocationStep::Name(name.clone()), |walk| {
                    walk.record_fault(FaultKind::ExtraForbidden, value);
                });
            }
        }
    }

    fn validate_value(&mut self, shape: &ValueSchema, input: &Value) -> Option<Value> {
        if shape.nullable && input.is_null() {
            return Some(Value::Null);
        }
        let read = match &shape.kind {
            ValueKind::Text { min_length, max_length } => {
                validate_text(input, *min_length, *max_length)
            }
            ValueKind::Literal(words) => validate_literal(input, words),
            ValueKind::Integer(range) => validate_integer(input, range),
            ValueKind::Number { least, most } => validate_number(input, *least, *most),
            ValueKind::Boolean => coerce::coerce_boolean(input).map(Value::Bool),
            ValueKind::List(item) => return self.validate_list(item, input),
            ValueKind::Object(object) => {
                return self.validate_object(object, input).map(Value::Object);
            }
        };
        read.map_err(|kind| self.record_fault(kind, input)).ok()
    }

    fn validate_list(&mut self, item: &ValueSchema, input: &Value) -> Option<Value> {
        let Value::Array(items) = input else {
            self.record_fault(FaultKind::ListType, input);
            return None;
        };
        let mut clean = Vec::new();
        for (index, value) in items.iter().enumerate() {
            clean.extend(
                self.visit_step(LocationStep::Index(index), |walk| {
                    walk.validate_value(item, value)
                }),
            );
        }
        Some(Value::Array(clean))
    }
}

fn validate_text(input: &Value, least: Option<u64>, most: Option<u64>) -> Result<Value, FaultKind> {
    let text = coerce::coerce_text(input)?;
    let length = text.chars().count() as u64;
    match (least, most) {
        (Some(min_length), _) if length < min_length => {
            Err(FaultKind::StringTooShort { min_length })
        }
        (_, Some(max_length)) if length > max_length => {
            Err(FaultKind::StringTooLong { max_length })
        }
        _ => Ok(Value::from(text)),
    }
}

fn validate_literal(input: &Value, words: &[String]) -> Result<Value, FaultKind> {
    match input.as_str().filter(|text| words.iter().any(|word| word == text)) {
        Some(word) => Ok(Value::from(word)),
        None => Err(FaultKind::Literal { expected: join_alternatives(words) }),
    }
}

/// `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`.
fn join_alternatives(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn validate_integer(input: &Value, range: &IntegerRange) -> Result<Value, FaultKind> {
    let read = coerce::coerce_integer(input)?;
    match (range.least, range.most) {
        (_, Some(most)) if read > i128::from(most) => {
            Err(FaultKind::AboveMaximum(NumericBound::Integer(most)))
        }
        (Some(least), _) if read < i128::from(least) => {
            Err(FaultKind::BelowMinimum(NumericBound::Integer(least)))
        }
        _ if !range.holds.contains(&read) => Err(FaultKind::IntParsingSize),
        _ => Number::from_i128(read).map(Value::Number).ok_or(FaultKind::IntParsingSize),
    }
}

/// Not-a-number lies within no bounds, so each bound is asked whether it holds.
fn validate_number(
    input: &Value,
    least: Option<f64>,
    most: Option<f64>,
) -> Result<Value, FaultKind> {
    let read = coerce::coerce_number(input)?;
    let above = most.filter(|most| read > *most || read.is_nan());
    let below = least.filter(|least| read < *least || read.is_nan());
    match (above, below) {
        (Some(most), _) => Err(FaultKind::AboveMaximum(NumericBound::Number(most))),
        (None, Some(least)) => Err(FaultKind::BelowMinimum(NumericBound::Number(least))),
        (None, None) => Number::from_f64(read).map(Value::Number).ok_or(FaultKind::FiniteNumber),
    }
}
