//! The walk over a value along its shape: collects faults, gives the clean value.

use serde_json::{Map, Number, Value};

use super::{
    coerce,
    shape::{Field, IntegerRange, Kind, Object, Shape},
};
use crate::fault::{Bound, Fault, FaultKind, Step};

/// More faults than this are not collected: a long list of wrong items would be answered with a
/// reply many times its size.
const MAX_FAULTS: usize = 1000;

/// A walk under way: where it stands and what it found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    loc: Vec<Step>,
    faults: Vec<Fault>,
}

impl Walk {
    /// The clean value, or the faults when there are any.
    pub(super) fn finish(self, clean: Map<String, Value>) -> Result<Value, Vec<Fault>> {
        if self.faults.is_empty() { Ok(Value::Object(clean)) } else { Err(self.faults) }
    }

    /// Notes a fault of the value where the walk stands.
    pub(super) fn refuse(&mut self, kind: FaultKind, input: &Value) {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(Fault::new(kind, self.loc.clone(), input.clone()));
        }
    }

    /// Does something one step further on.
    pub(super) fn at<T>(&mut self, step: Step, visit: impl FnOnce(&mut Self) -> T) -> T {
        self.loc.push(step);
        let seen = visit(self);
        self.loc.pop();
        seen
    }

    /// Reads one field; `whole` is what a fault shows when the field is missing.
    pub(super) fn field(
        &mut self,
        field: &Field,
        given: Option<&Value>,
        whole: &Value,
    ) -> Option<Value> {
        self.at(Step::Name(field.name.clone()), |walk| match (given, &field.absent) {
            (Some(value), _) => walk.value(&field.shape, value),
            (None, Some(absent)) => Some(absent.clone()),
            (None, None) => {
                walk.refuse(FaultKind::Missing, whole);
                None
            }
        })
    }

    /// Reads the fields of an object.
    pub(super) fn object(&mut self, object: &Object, input: &Value) -> Option<Map<String, Value>> {
        let Value::Object(given) = input else {
            self.refuse(FaultKind::NotAnObject, input);
            return None;
        };
        let mut clean = Map::new();
        for field in &object.fields {
            if let Some(value) = self.field(field, given.get(&field.name), input) {
                clean.insert(field.name.clone(), value);
            }
        }
        if object.closed {
            self.refuse_extras(object, given);
        }
        Some(clean)
    }

    fn refuse_extras(&mut self, object: &Object, given: &Map<String, Value>) {
        for (name, value) in given {
            if object.fields.iter().all(|field| field.name != *name) {
                self.at(Step::Name(name.clone()), |walk| {
                    walk.refuse(FaultKind::ExtraForbidden, value);
                });
            }
        }
    }

    fn value(&mut self, shape: &Shape, input: &Value) -> Option<Value> {
        if shape.nullable && input.is_null() {
            return Some(Value::Null);
        }
        let read = match &shape.kind {
            Kind::Text { min_length, max_length } => text(input, *min_length, *max_length),
            Kind::Literal(words) => literal(input, words),
            Kind::Integer(range) => integer(input, range),
            Kind::Number { least, most } => number(input, *least, *most),
            Kind::Boolean => coerce::boolean(input).map(Value::Bool),
            Kind::List(item) => return self.list(item, input),
            Kind::Object(object) => return self.object(object, input).map(Value::Object),
        };
        read.map_err(|kind| self.refuse(kind, input)).ok()
    }

    fn list(&mut self, item: &Shape, input: &Value) -> Option<Value> {
        let Value::Array(items) = input else {
            self.refuse(FaultKind::ListType, input);
            return None;
        };
        let mut clean = Vec::new();
        for (index, value) in items.iter().enumerate() {
            clean.extend(self.at(Step::Index(index), |walk| walk.value(item, value)));
        }
        Some(Value::Array(clean))
    }
}

fn text(input: &Value, least: Option<u64>, most: Option<u64>) -> Result<Value, FaultKind> {
    let text = coerce::text(input)?;
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

fn literal(input: &Value, words: &[String]) -> Result<Value, FaultKind> {
    match input.as_str().filter(|text| words.iter().any(|word| word == text)) {
        Some(word) => Ok(Value::from(word)),
        None => Err(FaultKind::Literal { expected: one_of(words) }),
    }
}

/// `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`.
fn one_of(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn integer(input: &Value, range: &IntegerRange) -> Result<Value, FaultKind> {
    let read = coerce::integer(input)?;
    match (range.least, range.most) {
        (_, Some(most)) if read > i128::from(most) => {
            Err(FaultKind::AboveMaximum(Bound::Integer(most)))
        }
        (Some(least), _) if read < i128::from(least) => {
            Err(FaultKind::BelowMinimum(Bound::Integer(least)))
        }
        _ if !range.holds.contains(&read) => Err(FaultKind::IntParsingSize),
        _ => Number::from_i128(read).map(Value::Number).ok_or(FaultKind::IntParsingSize),
    }
}

/// Not-a-number lies within no bounds, so each bound is asked whether it holds.
fn number(input: &Value, least: Option<f64>, most: Option<f64>) -> Result<Value, FaultKind> {
    let read = coerce::number(input)?;
    let above = most.filter(|most| read > *most || read.is_nan());
    let below = least.filter(|least| read < *least || read.is_nan());
    match (above, below) {
        (Some(most), _) => Err(FaultKind::AboveMaximum(Bound::Number(most))),
        (None, Some(least)) => Err(FaultKind::BelowMinimum(Bound::Number(least))),
        (None, None) => Number::from_f64(read).map(Value::Number).ok_or(FaultKind::FiniteNumber),
    }
}
