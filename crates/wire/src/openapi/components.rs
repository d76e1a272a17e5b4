//! The named schemas of the document, and the references to them.

use schemars::Schema;
use serde_json::{Map, Value, json};

/// The prefixes of references to records: in the schema of a single type, and in the document.
const LOCAL_REFERENCE_PREFIX: &str = "#/$defs/";
const SHARED_REFERENCE_PREFIX: &str = "#/components/schemas/";

/// The named schemas, in the order in which they were first used.
#[derive(Debug, Default)]
pub(super) struct Components {
    schemas: Map<String, Value>,
}

impl Components {
    /// A reference to a schema of this name.
    pub(super) fn schema_reference(name: &str) -> Value {
        json!({ "$ref": format!("{SHARED_REFERENCE_PREFIX}{name}") })
    }

    /// Adds a schema under its name; the same type may be added again.
    pub(super) fn insert_schema(&mut self, name: &str, schema: Value) {
        self.schemas.entry(name).or_insert(schema);
    }

    /// Moves the records of a schema here, and returns its replacement: a reference if it is a record
    /// itself, otherwise the schema (such as a list of records).
    pub(super) fn extract_records(&mut self, schema: &Schema) -> Value {
        let mut schema = schema.as_value().clone();
        share_references(&mut schema);
        let title = take_keyword(&mut schema, "title");
        if let Some(Value::Object(records)) = take_keyword(&mut schema, "$defs") {
            for (name, record) in records {
                self.insert_schema(&name, record);
            }
        }
        match (title, schema.get("type")) {
            (Some(Value::String(name)), Some(kind)) if kind == "object" => {
                self.insert_schema(&name, schema);
                Self::schema_reference(&name)
            }
            _ => schema,
        }
    }

    /// The schemas by name.
    pub(super) fn into_value(self) -> Value {
        Value::Object(self.schemas)
    }
}

fn take_keyword(schema: &mut Value, keyword: &str) -> Option<Value> {
    schema.as_object_mut()?.shift_remove(keyword)
}

/// Turns references to local records into references to shared ones.
fn share_references(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(reference)) = map.get_mut("$ref")
                && let Some(name) = reference.strip_prefix(LOCAL_REFERENCE_PREFIX)
            {
                *reference = format!("{SHARED_REFERENCE_PREFIX}{name}");
            }
            map.values_mut().for_each(share_references);
        }
        Value::Array(items) => items.iter_mut().for_each(share_references),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
