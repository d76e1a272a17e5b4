//! An operation as a tool, and its arguments: those that are valid, and those that it does not have.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool};
use schemars::Schema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    answer::{ListShape, TextShape, ToolArguments, read_offsets},
    profiles::ToolProfile,
};
use crate::service::{DeclaredOperation, internal_failure};
use wire::{Failure, ToolFacts, ValidationFault, Validator};

/// An operation as a tool.
pub(super) struct DeclaredTool {
    pub(super) operation: &'static DeclaredOperation,
    pub(super) facts: ToolFacts,
    pub(super) tool: Tool,
    /// Schemas and validators of the arguments it adds to the parameters of its operation.
    pub(super) shapes: Vec<(Schema, Validator)>,
}

/// Limits on the unknown argument names that an answer repeats, and on their length: they come from the request, and
/// could fill the answer.
const MAX_ECHOED_NAMES: usize = 10;
pub(super) const MAX_ECHOED_CHARS: usize = 40;
/// Minimum similarity (Jaro-Winkler) of an unknown argument to the one that may be meant.
const MIN_LIKENESS: f64 = 0.8;

impl DeclaredTool {
    /// Whether it has an argument of this name.
    pub(super) fn has_argument(&self, name: &str) -> bool {
        let known = self.tool.input_schema.get("properties").and_then(Value::as_object);
        known.is_some_and(|known| known.contains_key(name))
    }

    /// The tool as clients of a profile see it.
    pub(super) fn as_shown_in(&self, profile: ToolProfile) -> Tool {
        let mut tool = self.tool.clone();
        profile.adapt_schema(Arc::make_mut(&mut tool.input_schema));
        tool
    }

    /// The note on arguments that the tool does not have, with the one that each may mean. They are ignored, as REST
    /// ignores unknown fields, but the model should learn of its mistake.
    pub(super) fn describe_unknown(&self, arguments: &Value) -> Option<String> {
        let known = self.tool.input_schema.get("properties")?.as_object()?;
        let given = arguments.as_object().into_iter().flat_map(JsonObject::keys);
        let unknown = given.filter(|name| !known.contains_key(*name)).take(MAX_ECHOED_NAMES);
        let described = unknown.map(|name| {
            let short: String = name.chars().take(MAX_ECHOED_CHARS).collect();
            match nearest_name(&short, known.keys()) {
                Some(near) => format!("{short} (did you mean {near}?)"),
                None => short,
            }
        });
        let described: Vec<String> = described.collect();
        let names = described.join(", ");
        match described.len() {
            0 => None,
            1 => Some(format!("Unknown argument {names}; it was ignored.")),
            _ => Some(format!("Unknown arguments {names}; they were ignored.")),
        }
    }

    /// The validated arguments, or every fault in them.
    pub(super) fn validate_arguments(&self, arguments: &Value) -> Result<ToolArguments, Failure> {
        let mut faults = Vec::new();
        let parameters =
            collect_faults(self.operation.validator.validate_value(arguments), &mut faults);
        let mut own = JsonObject::new();
        for (_, validator) in &self.shapes {
            if let Value::Object(fields) =
                collect_faults(validator.validate_value(arguments), &mut faults)
            {
                own.extend(fields);
            }
        }
        if !faults.is_empty() {
            return Err(Failure::Validation(faults));
        }
        let own = Value::Object(own);
        let (list, text): (ListShape, TextShape) =
            (deserialize_valid(&own)?, deserialize_valid(&own)?);
        let offsets = read_offsets(&self.facts, &list, &text);
        Ok(ToolArguments { parameters, shape: deserialize_valid(&own)?, offsets })
    }
}

/// The name that is spelt most like another, if any is.
fn nearest_name<'a>(written: &str, names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let likeness = names.map(|name| (strsim::jaro_winkler(written, name), name));
    let best = likeness.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness >= MIN_LIKENESS).map(|(_, name)| name)
}

fn collect_faults(
    validated: Result<Value, Vec<ValidationFault>>,
    faults: &mut Vec<ValidationFault>,
) -> Value {
    validated.unwrap_or_else(|more| {
        faults.extend(more);
        Value::default()
    })
}

fn deserialize_valid<T: DeserializeOwned>(valid: &Value) -> Result<T, Failure> {
    T::deserialize(valid).map_err(internal_failure)
}
