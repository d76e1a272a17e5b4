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

/// What becomes of the width of a number, which Rust types have and JSON Schema has not.
#[derive(Debug, Clone, Copy)]
enum Widths {
    /// It is dropped: some clients warn about every `format` that they do not know.
    Dropped,
    /// It is one of the formats of OpenAPI: generated clients take 32 bits for an integer without one.
    OpenApi,
}

/// The schema of a parameters struct for clients: complete in itself.
pub fn parameters_schema<T: JsonSchema>() -> Schema {
    simplify(derived_schema::<T>(), Widths::Dropped)
}

/// The same in the OpenAPI document.
pub(super) fn documented_parameters<T: JsonSchema>() -> Schema {
    simplify(derived_schema::<T>(), Widths::OpenApi)
}

/// The schema of a reply for clients: records by name, under `$defs`. Fields that are always sent are required.
pub(super) fn reply_schema<T: JsonSchema>() -> Schema {
    simplify(derived_reply::<T>(), Widths::Dropped)
}

/// The same in the OpenAPI document.
pub(super) fn documented_reply<T: JsonSchema>() -> Schema {
    simplify(derived_reply::<T>(), Widths::OpenApi)
}

fn derived_reply<T: JsonSchema>() -> Schema {
    let settings =
        SchemaSettings::draft2020_12().for_serialize().with(|settings| settings.meta_schema = None);
    settings.into_generator().into_root_schema_for::<T>()
}

fn simplify(mut schema: Schema, widths: Widths) -> Schema {
    RecursiveTransform(|schema: &mut Schema| simplify_keywords(schema, widths))
        .transform(&mut schema);
    schema
}

/// Internal keywords, and the standard ones that clients see instead. A value that violates one is not rejected by
/// the validator, with 422, but by the operation, with 400 or 404 as the contract requires.
const CLIENT_KEYWORDS: [(&str, &str); 3] =
    [("x-pattern", "pattern"), ("x-minimum", "minimum"), ("x-maximum", "maximum")];

/// Removes or translates the width of a number, and joins the lines of doc comments.
fn simplify_keywords(schema: &mut Schema, widths: Widths) {
    let Some(keywords) = schema.as_object_mut() else { return };
    for (internal, keyword) in CLIENT_KEYWORDS {
        if let Some(value) = keywords.shift_remove(internal) {
            keywords.insert(keyword.to_owned(), value);
        }
    }
    if let Some(width) = keywords.get("format").and_then(Value::as_str).filter(|f| is_width(f)) {
        let standard = openapi_format(width, keywords.get("maximum").and_then(Value::as_f64));
        match widths {
            Widths::Dropped => keywords.shift_remove("format"),
            Widths::OpenApi => keywords.insert("format".to_owned(), standard.into()),
        };
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

/// The format of OpenAPI that has room for all numbers of a width up to `maximum`. It knows no unsigned integers; that they
/// are not negative is said by `minimum`.
fn openapi_format(width: &str, maximum: Option<f64>) -> &'static str {
    let fits_int32 = maximum.is_some_and(|maximum| maximum <= f64::from(i32::MAX));
    match width {
        "float" => "float",
        "double" => "double",
        "int8" | "int16" | "int32" | "uint8" | "uint16" => "int32",
        _ if fits_int32 => "int32",
        _ => "int64",
    }
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
    fn the_format_of_openapi_has_room_for_the_number() {
        for (width, maximum, format) in [
            ("uint8", None, "int32"),
            ("uint16", Some(65_535.0), "int32"),
            ("int32", None, "int32"),
            ("uint32", None, "int64"),
            ("uint32", Some(4_294_967_295.0), "int64"),
            ("uint32", Some(200.0), "int32"),
            ("uint", Some(2_147_483_648.0), "int64"),
            ("uint64", Some(2_147_483_647.0), "int32"),
            ("int64", None, "int64"),
            ("uint64", None, "int64"),
            ("float", None, "float"),
            ("double", Some(1.0), "double"),
        ] {
            assert_eq!(openapi_format(width, maximum), format, "{width} up to {maximum:?}");
        }
    }

    #[test]
    fn lines_join_and_paragraphs_stay() {
        assert_eq!(join_lines("one\ntwo\n\nthree\nfour"), "one two\n\nthree four");
    }
}
