//! `diagnosis`, the field that says why a reply is empty or thin. No reply declares it: it is added to all that are
//! records, so that every operation explains itself in the same way.

use schemars::Schema;
use serde_json::{Map, Value};

/// The keywords of a schema that the field adds to.
const PROPERTIES: &str = "properties";
const DEFINITIONS: &str = "$defs";

/// Whether a reply can have the field: it is a record. A bare list is the contract's, and is left as it is.
pub(crate) fn takes_diagnosis(reply: &Schema) -> bool {
    reply.get(PROPERTIES).is_some_and(Value::is_object)
}

/// The schema of a reply with that of the field, which `addition` describes.
pub(crate) fn add_diagnosis(mut reply: Schema, addition: &Schema) -> Schema {
    for keyword in [PROPERTIES, DEFINITIONS] {
        let added = addition.get(keyword).and_then(Value::as_object).cloned().unwrap_or_default();
        let own = reply.ensure_object().entry(keyword);
        if let Value::Object(own) = own.or_insert_with(|| Value::Object(Map::new())) {
            for (name, schema) in added {
                own.entry(name).or_insert(schema);
            }
        }
    }
    reply
}
