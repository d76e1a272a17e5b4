//! Compiles a JSON Schema to a `ValueSchema`; rejects keywords that validation could not enforce.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::value_schema::{FieldSchema, IntegerRange, ObjectSchema, ValueKind, ValueSchema};

/// The schema of a parameters struct has a keyword that validation does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the schema of '{name}' has an unsupported '{keyword}'")]
pub struct UnsupportedSchema {
    /// The struct or field.
    pub name: String,
    /// The keyword that is not understood, or has a value that is not.
    pub keyword: String,
}

type CompileResult<T> = Result<T, UnsupportedSchema>;

/// Keywords that constrain nothing; `format` is read if it gives the width of an integer. Any other keyword that is
/// not supported is an error when the schema is compiled, so that no bound is silently ignored.
const ANNOTATIONS: [&str; 9] = [
    "title",
    "description",
    "default",
    "examples",
    "format",
    "x-addition",
    "x-pattern",
    "x-minimum",
    "x-maximum",
];

/// Compiles the schema of a parameters struct.
pub(super) fn compile_parameters(schema: &Value) -> CompileResult<ObjectSchema> {
    let name = schema.get("title").and_then(Value::as_str).unwrap_or("parameters");
    match compile_value(name, schema)? {
        ValueSchema { nullable: false, kind: ValueKind::Object(object) } => Ok(object),
        _ => Err(UnsupportedSchema { name: name.to_owned(), keyword: "type".to_owned() }),
    }
}

fn compile_value(name: &str, schema: &Value) -> CompileResult<ValueSchema> {
    let mut keywords = SchemaKeywords::from_schema(name, schema)?;
    let compiled = match keywords.take_keyword("anyOf") {
        Some(alternatives) => keywords.compile_optional(&alternatives)?,
        None => keywords.compile_plain()?,
    };
    keywords.check_all_read()?;
    Ok(compiled)
}

/// The keywords of one schema that have not been read yet.
struct SchemaKeywords<'a> {
    name: &'a str,
    unread: Map<String, Value>,
}

impl<'a> SchemaKeywords<'a> {
    fn from_schema(name: &'a str, schema: &Value) -> CompileResult<Self> {
        match schema {
            Value::Object(map) => Ok(Self { name, unread: map.clone() }),
            _ => Err(UnsupportedSchema { name: name.to_owned(), keyword: schema.to_string() }),
        }
    }

    fn take_keyword(&mut self, keyword: &str) -> Option<Value> {
        self.unread.shift_remove(keyword)
    }

    fn refuse_keyword<T>(&self, keyword: &str) -> CompileResult<T> {
        Err(UnsupportedSchema { name: self.name.to_owned(), keyword: keyword.to_owned() })
    }

    /// Takes a keyword whose value must be of the kind that `read` reads.
    fn take_as<T>(
        &mut self,
        keyword: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> CompileResult<Option<T>> {
        match self.take_keyword(keyword).map(|value| read(&value)) {
            Some(None) => self.refuse_keyword(keyword),
            Some(value) => Ok(value),
            None => Ok(None),
        }
    }

    fn check_all_read(self) -> CompileResult<()> {
        match self.unread.keys().find(|keyword| !ANNOTATIONS.contains(&keyword.as_str())) {
            Some(keyword) => self.refuse_keyword(keyword),
            None => Ok(()),
        }
    }

    /// `anyOf` is supported in one form: a schema, or null.
    fn compile_optional(&self, alternatives: &Value) -> CompileResult<ValueSchema> {
        match alternatives.as_array().map(Vec::as_slice) {
            Some([value, null]) if null.get("type").is_some_and(|name| name == "null") => {
                Ok(ValueSchema { nullable: true, kind: compile_value(self.name, value)?.kind })
            }
            _ => self.refuse_keyword("anyOf"),
        }
    }

    fn compile_plain(&mut self) -> CompileResult<ValueSchema> {
        if let Some(words) = self.take_as("oneOf", described_words)? {
            return Ok(ValueSchema { nullable: false, kind: ValueKind::Literal(words) });
        }
        let Some((name, nullable)) = self.take_as("type", type_name)? else {
            return self.refuse_keyword("absence of a type");
        };
        let kind = match name.as_str() {
            "string" => self.compile_string()?,
            "integer" => self.compile_integer()?,
            "number" => ValueKind::Number {
                min: self.take_as("minimum", Value::as_f64)?,
                max: self.take_as("maximum", Value::as_f64)?,
            },
            "boolean" => ValueKind::Boolean,
            "array" => match self.take_keyword("items") {
                Some(items) => ValueKind::List(Box::new(compile_value(self.name, &items)?)),
                None => return self.refuse_keyword("absence of items"),
            },
            "object" => ValueKind::Object(self.compile_object()?),
            _ => return self.refuse_keyword("type"),
        };
        Ok(ValueSchema { nullable, kind })
    }

    fn compile_string(&mut self) -> CompileResult<ValueKind> {
        if let Some(words) = self.take_as("enum", plain_words)? {
            return Ok(ValueKind::Literal(words));
        }
        Ok(ValueKind::Text {
            min_length: self.take_as("minLength", Value::as_u64)?,
            max_length: self.take_as("maxLength", Value::as_u64)?,
        })
    }

    fn compile_integer(&mut self) -> CompileResult<ValueKind> {
        let format = self.take_keyword("format");
        Ok(ValueKind::Integer(IntegerRange {
            min: self.take_as("minimum", Value::as_i64)?,
            max: self.take_as("maximum", Value::as_i64)?,
            representable: integer_limits(
                format.as_ref().and_then(Value::as_str).unwrap_or_default(),
            ),
        }))
    }

    fn compile_object(&mut self) -> CompileResult<ObjectSchema> {
        let required = self.take_keyword("required").unwrap_or_default();
        let properties = self.take_keyword("properties").unwrap_or_default();
        let closed = self.take_as("additionalProperties", |value| match value {
            Value::Bool(open) => Some(!open),
            _ => None,
        })?;
        let names = required.as_array().map(Vec::as_slice).unwrap_or_default();
        let fields = properties.as_object().into_iter().flatten().map(|(name, schema)| {
            let schema_default = || schema.get("default").cloned().unwrap_or_default();
            let default = (!names.iter().any(|other| other == name)).then(schema_default);
            Ok(FieldSchema { name: name.clone(), default, schema: compile_value(name, schema)? })
        });
        Ok(ObjectSchema {
            fields: fields.collect::<CompileResult<_>>()?,
            closed: closed.unwrap_or(false),
        })
    }
}

/// A type, and whether null is allowed too: `"string"` or `["string", "null"]`.
fn type_name(value: &Value) -> Option<(String, bool)> {
    match value {
        Value::String(name) => Some((name.clone(), false)),
        Value::Array(names) => match names.as_slice() {
            [Value::String(name), null] if null == "null" => Some((name.clone(), true)),
            _ => None,
        },
        _ => None,
    }
}

/// The words of an `enum`; the null of an optional one is in its type already.
fn plain_words(value: &Value) -> Option<Vec<String>> {
    let words = value.as_array()?.iter().filter(|word| !word.is_null());
    words.map(|word| word.as_str().map(str::to_owned)).collect()
}

/// The words of an enum whose variants have doc comments.
fn described_words(value: &Value) -> Option<Vec<String>> {
    let words = value.as_array()?.iter();
    words.map(|word| word.get("const")?.as_str().map(str::to_owned)).collect()
}

/// The range of an integer of this format; for narrower ones the schema has bounds.
fn integer_limits(format: &str) -> RangeInclusive<i128> {
    match format {
        "int32" => i32::MIN.into()..=i32::MAX.into(),
        "uint32" => 0..=u32::MAX.into(),
        "uint64" | "uint" => 0..=u64::MAX.into(),
        _ => i64::MIN.into()..=i64::MAX.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(field: Value) -> String {
        let schema = json!({"title": "P", "type": "object", "properties": {"f": field}});
        compile_parameters(&schema).expect_err("should be refused").to_string()
    }

    #[test]
    fn a_keyword_that_is_not_enforced_is_refused() {
        assert_eq!(
            refused(json!({"type": "string", "pattern": "^a$"})),
            "the schema of 'f' has an unsupported 'pattern'"
        );
        assert!(refused(json!({"type": "integer", "multipleOf": 5})).contains("multipleOf"));
        assert!(
            refused(json!({"type": "array", "items": {"type": "string"}, "maxItems": 3}))
                .contains("maxItems")
        );
        assert!(refused(json!({"$ref": "#/$defs/Other"})).contains("absence of a type"));
        assert!(refused(json!({"type": "integer", "minimum": 0.5})).contains("minimum"));
        assert!(refused(json!(true)).contains("true"));
    }

    #[test]
    fn optional_words_are_read_in_every_form() {
        for field in [
            json!({"type": ["string", "null"], "enum": ["TS", "TR", null]}),
            json!({"anyOf": [{"oneOf": [
                {"description": "a", "type": "string", "const": "TS"},
                {"description": "b", "type": "string", "const": "TR"},
            ]}, {"type": "null"}]}),
        ] {
            let compiled = compile_value("f", &field).expect("supported");
            assert!(compiled.nullable);
            assert!(matches!(compiled.kind, ValueKind::Literal(words) if words == ["TS", "TR"]));
        }
    }
}
