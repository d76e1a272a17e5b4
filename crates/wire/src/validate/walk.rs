//! Walks over a value and its schema together: collects faults and builds the clean value.

use serde_json::{Map, Number, Value};

use super::{
    coerce,
    value_schema::{FieldSchema, IntegerRange, ObjectSchema, ValueKind, ValueSchema},
};
use crate::fault::{FaultKind, LocationStep, NumericBound, ValidationFault};
use domain::join_alternatives;

/// The maximum number of faults that are collected: a long list of wrong items would otherwise get a reply many times
/// its size, because each fault repeats its location and its value.
const MAX_FAULTS: usize = 1000;

/// The state of a walk: the location of the current value, and the faults so far.
#[derive(Debug, Default)]
pub(super) struct SchemaWalk {
    loc: Vec<LocationStep>,
    faults: Vec<ValidationFault>,
}

impl SchemaWalk {
    /// The clean value, or the faults if there are any.
    pub(super) fn into_result(
        self,
        clean: Map<String, Value>,
    ) -> Result<Value, Vec<ValidationFault>> {
        if self.faults.is_empty() { Ok(Value::Object(clean)) } else { Err(self.faults) }
    }

    /// Records a fault of the current value.
    pub(super) fn record_fault(&mut self, kind: FaultKind, input: &Value) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(ValidationFault::new(kind, self.loc.clone(), input.clone()));
        }
    }

    /// Calls `visit` with one more step in the location.
    pub(super) fn visit_step<T>(
        &mut self,
        step: LocationStep,
        visit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.loc.push(step);
        let result = visit(self);
        self.loc.pop();
        result
    }

    /// Reads one field; a fault for a missing field has `object_input` as its input.
    pub(super) fn validate_field(
        &mut self,
        field: &FieldSchema,
        given: Option<&Value>,
        object_input: &Value,
    ) -> Option<Value> {
        self.visit_step(LocationStep::Name(field.name.clone()), |walk| {
            match (given, &field.default) {
                (Some(value), _) => walk.validate_value(&field.schema, value),
                (None, Some(default)) => Some(default.clone()),
                (None, None) => {
                    walk.record_fault(FaultKind::Missing, object_input);
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

    fn validate_value(&mut self, schema: &ValueSchema, input: &Value) -> Option<Value> {
        if schema.nullable && input.is_null() {
            return Some(Value::Null);
        }
        let read = match &schema.kind {
            ValueKind::Text { min_length, max_length } => {
                validate_text(input, *min_length, *max_length)
            }
            ValueKind::Literal(words) => validate_literal(input, words),
            ValueKind::Integer(range) => validate_integer(input, range),
            ValueKind::Number { min, max } => validate_number(input, *min, *max),
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

fn validate_text(
    input: &Value,
    min_length: Option<u64>,
    max_length: Option<u64>,
) -> Result<Value, FaultKind> {
    let text = coerce::coerce_text(input)?;
    let length = text.chars().count() as u64;
    match (min_length, max_length) {
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
        None => {
            let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
            Err(FaultKind::Literal { expected: join_alternatives(&quoted) })
        }
    }
}

fn validate_integer(input: &Value, range: &IntegerRange) -> Result<Value, FaultKind> {
    let read = coerce::coerce_integer(input)?;
    match (range.min, range.max) {
        (_, Some(max)) if read > i128::from(max) => {
            Err(FaultKind::AboveMaximum(NumericBound::Integer(max)))
        }
        (Some(min), _) if read < i128::from(min) => {
            Err(FaultKind::BelowMinimum(NumericBound::Integer(min)))
        }
        _ if !range.representable.contains(&read) => Err(FaultKind::IntParsingSize),
        _ => Number::from_i128(read).map(Value::Number).ok_or(FaultKind::IntParsingSize),
    }
}

/// NaN is within no bounds: it violates every bound that exists.
fn validate_number(input: &Value, min: Option<f64>, max: Option<f64>) -> Result<Value, FaultKind> {
    let read = coerce::coerce_number(input)?;
    let violated_max = max.filter(|max| read > *max || read.is_nan());
    let violated_min = min.filter(|min| read < *min || read.is_nan());
    match (violated_max, violated_min) {
        (Some(max), _) => Err(FaultKind::AboveMaximum(NumericBound::Number(max))),
        (None, Some(min)) => Err(FaultKind::BelowMinimum(NumericBound::Number(min))),
        (None, None) => Number::from_f64(read).map(Value::Number).ok_or(FaultKind::FiniteNumber),
    }
}
