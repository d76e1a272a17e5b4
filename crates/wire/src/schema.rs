//! JSON Schemas of parameters and replies, simplified for clients.

use schemars::{
    JsonSchema, Schema,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::Value;

/// The schema as derived, without references: the validator reads the width of integers from it.
pub(super) fn derived_schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>()
}

/// The schema of a parameters struct for clients: complete in itself.
pub fn parameters_schema<T: JsonSchema>() -> Schema {
    let mut schema = derived_schema::<T>();
    RecursiveTransform(simplify_schema).transform(&mut schema);
    schema
}

/// The schema of a reply for clients: records by name, under `$defs`. Fields that are always sent are required.
pub(super) fn reply_schema<T: JsonSchema>() -> Schema {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(simplify_schema).transform(&mut schema);
    schema
}

/// Internal keywords, and the standard ones that clients see instead. A value that violates one is not rejected by
/// the validator, with 422, but by the operation, with 400 or 404 as the contract requires.
const CLIENT_KEYWORDS: [(&str, &str); 3] =
    [("x-pattern", "pattern"), ("x-minimum", "minimum"), ("x-maximum", "maximum")];

/// Removes the widths of numbers (`uint32` is not a standard format, and some clients warn about it) and joins the
/// lines of doc comments.
fn simplify_schema(schema: &mut Schema) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if keywords.get("format").and_then(Value::as_str).is_some_and(is_width) {
        keywords.shift_remove("format");
    }
    for (internal, keyword) in CLIENT_KEYWORDS {
        if let Some(value) = keywords.shift_remove(internal) {
            keywords.insert(keyword.to_owned(), value);
        }
    }
    if let Some(Value::String(description)) = keywords.get_mut("description") {
        *description = join_lines(description);
    }
}

fn is_width(format: &str) -> bool {
    let bits = format.trim_start_matches('u').strip_prefix("int");
    matches!(format, "float" | "double")
        || bits.is_some_and(|bits| bits.bytes().all(|b| b.is_ascii_digit()))
}

/// One line for each paragraph.
fn join_lines(description: &str) -> String {
    let paragraphs = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_formats_that_are_widths_are_removed() {
        for width in ["int32", "int64", "uint", "uint8", "uint32", "int", "float", "double"] {
            assert!(is_width(width), "{width}");
        }
        for meaning in ["date", "date-time", "uri", "integer"] {
            assert!(!is_width(meaning), "{meaning}");
        }
    }

    #[test]
    fn lines_join_and_paragraphs_stay() {
        assert_eq!(join_lines("one\ntwo\n\nthree\nfour"), "one two\n\nthree four");
    }
}
