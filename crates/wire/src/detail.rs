//! `detail`, the parameter that every operation with a list has: it says how much each row repeats.

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::values::Detail;

/// The content type of a reply with less than the full one. It has one of its own because its form is another: programs and
/// descriptions tell the two apart by it.
pub const LOW_DETAIL_MEDIA: &str = "application/vnd.specbox.low+json";

/// The parameter as it is declared; an operation does not see it, because it is about the form of the reply alone.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct DetailParameter {
    /// How much each row repeats: with `low`, fields that are null or empty are left out, and fields that all rows of a
    /// list share are in `shared` under the name of the list; a reply that is a list becomes `rows` beside it.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub detail: Detail,
}

/// Whether an operation has the parameter: its reply is a list or has one. Not a tool whose reply is described by a
/// schema: without some of its fields, the reply would violate it.
pub(crate) fn takes_detail(is_record: bool, reply: &Schema) -> bool {
    !is_record && has_rows(reply)
}

/// The schema of parameters with that of the parameter, which `addition` describes.
pub(crate) fn add_detail(mut schema: Schema, addition: &Schema) -> Schema {
    let added = addition.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
    let properties = schema.ensure_object().entry("properties");
    if let Value::Object(properties) = properties.or_insert_with(|| Value::Object(Map::new())) {
        properties.extend(added);
    }
    schema
}

/// Whether a reply is a list of records, or has a field that is one.
fn has_rows(reply: &Schema) -> bool {
    let is_list = |schema: &Value| schema.get("items").is_some_and(|row| row.get("$ref").is_some());
    let fields = reply.get("properties").and_then(Value::as_object);
    is_list(reply.as_value()) || fields.is_some_and(|fields| fields.values().any(is_list))
}
