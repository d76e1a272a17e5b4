//! The document as a whole: information, servers, paths, components.

use serde_json::{Map, Value, json};

use super::{components::Components, errors::refusal_schema};
use crate::wire::{
    failure::describe_status,
    operation::{Carrier, Media, OperationDescriptor, Parameter, Place},
    records::INTERFACE_VERSION,
};

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// The OpenAPI document of these operations, served at `base_url`.
pub fn openapi_document(base_url: &str, operations: &[OperationDescriptor]) -> Value {
    let mut components = Components::default();
    let mut paths = Map::new();
    for operation in operations {
        let method = operation.route.method.as_str().to_ascii_lowercase();
        let item = paths.entry(operation.route.path).or_insert_with(|| json!({}));
        item[method] = operation_object(operation, &mut components);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "specbox",
            "summary": "Search and read telecom standards.",
            "description": "Full-text search over telecom standards documents, and their \
                sections, contents and records.",
            "version": INTERFACE_VERSION,
        },
        "servers": [{"url": base_url}],
        "paths": paths,
        "components": {
            "schemas": components.into_value(),
            "securitySchemes": {
                BEARER: {
                    "type": "http",
                    "scheme": "bearer",
                    "bearerFormat": "sk-...",
                    "description": "An API key, made in the dashboard.",
                },
            },
        },
    })
}

fn operation_object(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut object = Map::new();
    object.insert("operationId".to_owned(), json!(operation.name));
    object.insert("tags".to_owned(), json!([tag(operation)]));
    object.insert("summary".to_owned(), json!(operation.summary));
    object.insert("description".to_owned(), json!(operation.description));
    let outside_of_body: Vec<Value> = operation
        .parameters()
        .filter(|parameter| parameter.place != Place::Body)
        .map(|parameter| parameter_object(&parameter))
        .collect();
    if !outside_of_body.is_empty() {
        object.insert("parameters".to_owned(), Value::Array(outside_of_body));
    }
    if operation.route.carrier == Carrier::Body {
        object.insert("requestBody".to_owned(), request_body(operation, components));
    }
    object.insert("responses".to_owned(), responses(operation, components));
    let security = if operation.open { json!([]) } else { json!([{BEARER: []}]) };
    object.insert("security".to_owned(), security);
    Value::Object(object)
}

/// The first word of the path groups operations on the documentation pages.
fn tag(operation: &OperationDescriptor) -> &'static str {
    operation.route.path.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// A parameter outside of a body: it cannot be null there, only absent.
fn parameter_object(parameter: &Parameter<'_>) -> Value {
    let mut schema = parameter.schema.clone();
    let description = schema.shift_remove("description").unwrap_or_default();
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        let name = types.iter().find(|name| *name != "null").cloned().unwrap_or_default();
        schema.insert("type".to_owned(), name);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.shift_remove("default");
    }
    json!({
        "name": parameter.name,
        "in": parameter.place.as_str(),
        "required": parameter.required,
        "description": description,
        "schema": schema,
    })
}

/// The body is the parameters struct without what stands in the path.
fn request_body(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut params = operation.params.clone();
    for name in operation.route.path_names() {
        if let Some(Value::Object(properties)) = params.get_mut("properties") {
            properties.shift_remove(name);
        }
        if let Some(Value::Array(required)) = params.get_mut("required") {
            required.retain(|other| other != name);
        }
    }
    json!({"required": true, "content": json_content(components.lift(&params))})
}

fn responses(operation: &OperationDescriptor, components: &mut Components) -> Value {
    let mut responses = Map::new();
    for status in operation.all_statuses() {
        let content = match (status, operation.media) {
            (200, Media::Json) => json_content(components.lift(&operation.reply)),
            (200, Media::Png) => {
                json!({Media::Png.as_str(): {"schema": {"type": "string", "format": "binary"}}})
            }
            _ => json_content(refusal_schema(components, status)),
        };
        let description = describe_status(status).unwrap_or("A refusal.");
        responses
            .insert(status.to_string(), json!({"description": description, "content": content}));
    }
    Value::Object(responses)
}

fn json_content(schema: Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

#[cfg(test)]
mod tests;
