//! Operations as clients see them: the description, the schema of the arguments, and that of a record.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::answer::{ListShape, Shape, TextShape};
use wire::{
    Media, OperationDescriptor, Route, ToolEffect, ToolFacts, Validator, parameters_schema,
};

/// The parameters of many tools, which the instructions describe (docs/instructions.md).
const SHARED_PARAMETERS: [&str; 15] = [
    "max_tokens",
    "result_offset",
    "char_offset",
    "detail",
    "doc_number",
    "release",
    "filter_doc_number",
    "filter_release",
    "section_number",
    "group",
    "limit",
    "offset",
    "since",
    "until",
    "versions",
];
/// Limits that a model does not come near, or that go without saying. A call that exceeds one is refused with the limit.
const UNSAID_LIMITS: [&str; 2] = ["minLength", "maxLength"];

/// Marks what is not in the interface specification.
const ADDITION: &str = "x-addition";
/// Faults in the arguments that a tool adds are reported as faults in a body.
const SHAPE_ROUTE: Route = Route::post("/");

/// The arguments that a tool adds: how long its answer may be, and where its lists and texts begin.
pub(super) fn build_shape_schemas(
    operation: &OperationDescriptor,
    facts: &ToolFacts,
) -> Vec<(Schema, Validator)> {
    fn compile_shape<T: JsonSchema>() -> (Schema, Validator) {
        let validator = Validator::from_route::<T>(&SHAPE_ROUTE).expect("plain numbers compile");
        (parameters_schema::<T>(), validator)
    }
    let mut shapes = vec![compile_shape::<Shape>()];
    if operation.media == Media::Json && !facts.is_record {
        shapes.push(compile_shape::<ListShape>());
    }
    if facts.continuable_field.is_some() {
        shapes.push(compile_shape::<TextShape>());
    }
    shapes
}

/// A tool as clients see it. Models keep the list of tools in their context, so it says when to use a tool and what it takes,
/// no more: what every tool shares is in the instructions of the server.
pub(super) fn describe_tool(
    operation: &OperationDescriptor,
    facts: &ToolFacts,
    shapes: &[(Schema, Validator)],
) -> Tool {
    let description = format!("{}. {}", operation.summary, facts.advice);
    let mut input = standard_keywords(&operation.params);
    // The tool has a title and a description of its own.
    input.shift_remove("description");
    input.shift_remove("title");
    let properties = input.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    if let Some(properties) = properties.as_object_mut() {
        let own = shapes.iter().filter_map(|(schema, _)| schema.get("properties")?.as_object());
        for (name, schema) in own.flatten() {
            let hidden = properties.insert(name.clone(), schema.clone());
            assert!(hidden.is_none(), "{} has a parameter {name} of its own", operation.name);
        }
        properties.values_mut().for_each(drop_null_type);
        properties.values_mut().for_each(drop_unsaid_limits);
        for name in SHARED_PARAMETERS {
            let shared = properties.get_mut(name).and_then(Value::as_object_mut);
            shared.and_then(|schema| schema.shift_remove("description"));
        }
        let budget = properties.get_mut("max_tokens").and_then(Value::as_object_mut);
        if let Some(budget) = budget {
            budget.retain(|keyword, _| !matches!(keyword.as_str(), "minimum" | "maximum"));
        }
    }
    let tool = Tool::new(operation.name, description, Arc::new(input))
        .with_title(facts.title)
        .with_annotations(annotate(facts.effect));
    if !facts.is_record {
        return tool;
    }
    let mut reply = standard_keywords(&operation.reply);
    reply.shift_remove("title");
    let mut reply = Value::Object(reply);
    simplify_reply(&mut reply);
    let reply = reply.as_object().cloned().unwrap_or_default();
    tool.with_raw_output_schema(Arc::new(reply))
}

/// The hints of the protocol. Those on destruction and repetition mean nothing for a tool that only reads.
pub(super) fn annotate(effect: ToolEffect) -> ToolAnnotations {
    match effect {
        ToolEffect::Reads => ToolAnnotations::new().read_only(true),
        ToolEffect::Fetches => {
            let fetches = ToolAnnotations::new().read_only(false).destructive(false);
            fetches.idempotent(true).open_world(true)
        }
    }
}

/// A schema without the keywords that are not of JSON Schema, which some clients do not support, and without examples.
fn standard_keywords(schema: &Schema) -> JsonObject {
    fn drop_additions(schema: &mut Value) {
        match schema {
            Value::Object(keywords) => {
                keywords.shift_remove(ADDITION);
                // A parameter of this name is a schema.
                if keywords.get("examples").is_some_and(Value::is_array) {
                    keywords.shift_remove("examples");
                }
                keywords.values_mut().for_each(drop_additions);
            }
            Value::Array(schemas) => schemas.iter_mut().for_each(drop_additions),
            _ => {}
        }
    }
    let mut keywords = schema.as_object().cloned().unwrap_or_default();
    keywords.shift_remove("examples");
    keywords.values_mut().for_each(drop_additions);
    keywords
}

/// Removes the descriptions of a schema of a reply, which is for programs (models read the reply), and describes nullable fields
/// by `anyOf`, because some clients do not support a list of types. A field may be called `description` or `type`: that is a schema.
fn simplify_reply(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            if keywords.get("description").is_some_and(Value::is_string) {
                keywords.shift_remove("description");
            }
            if let Some(Value::Array(types)) = keywords.get("type") {
                let alternatives = types.iter().map(|name| json!({ "type": name })).collect();
                keywords.shift_remove("type");
                keywords.insert("anyOf".to_owned(), Value::Array(alternatives));
            }
            keywords.values_mut().for_each(simplify_reply);
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(simplify_reply),
        _ => {}
    }
}

/// Removes the limits of a parameter, and of those within it, that need not be said.
fn drop_unsaid_limits(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    for limit in UNSAID_LIMITS {
        keywords.shift_remove(limit);
    }
    // What is counted is never negative.
    if keywords.get("minimum").and_then(Value::as_f64) == Some(0.0) {
        keywords.shift_remove("minimum");
    }
    if let Some(items) = keywords.get_mut("items") {
        drop_unsaid_limits(items);
    }
    let inner = keywords.get_mut("properties").and_then(Value::as_object_mut);
    inner.into_iter().flat_map(JsonObject::values_mut).for_each(drop_unsaid_limits);
}

/// Describes an optional parameter without its null type: a model leaves out what it does not need, and
/// some clients do not support a list of types.
fn drop_null_type(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = keywords.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            keywords.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = keywords.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if keywords.get("default").is_some_and(Value::is_null) {
        keywords.shift_remove("default");
    }
    let inner = keywords.get_mut("properties").and_then(Value::as_object_mut);
    inner.into_iter().flat_map(JsonObject::values_mut).for_each(drop_null_type);
}
