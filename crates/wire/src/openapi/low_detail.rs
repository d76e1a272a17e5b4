//! The schema of replies with `detail=low`.

use serde_json::{Value, json};

use super::components::Components;

/// One schema for all operations: which fields a row has depends on their values, so that all could be said of a single operation
/// is that every field may be missing.
pub(super) fn low_detail_schema(components: &mut Components) -> Value {
    components.insert_schema(
        "LowDetailReply",
        json!({
            "type": "object",
            "description": "A reply with `detail=low`: the full reply without fields that are null or empty, and with \
                `shared`. A reply that is a list is in `rows`; an empty list stays as it is, in `application/json`.",
            "properties": {
                "shared": {
                    "type": "object",
                    "additionalProperties": {"type": "object"},
                    "description": "The fields that all rows of a list share, by the name of the list.",
                },
                "rows": {
                    "type": "array",
                    "items": {"type": "object"},
                    "description": "The rows of a reply that is a list.",
                },
            },
        }),
    );
    Components::schema_reference("LowDetailReply")
}
