//! Tests of `document`.

use super::*;
use crate::params::{
    CompareSections, GetDocument, GetSections, Health, ListDocuments, ListNames, ListSections,
    SearchDecisions, SearchText,
};

fn operations() -> Vec<OperationDescriptor> {
    vec![
        OperationDescriptor::of::<Health>(),
        OperationDescriptor::of::<SearchText>(),
        OperationDescriptor::of::<ListDocuments>(),
        OperationDescriptor::of::<GetDocument>(),
        OperationDescriptor::of::<GetSections>(),
        OperationDescriptor::of::<ListSections>(),
    ]
}

fn document() -> Value {
    openapi_document("https://specs.example", &operations())
}

/// Collects every value of a key, at any depth.
fn collect_values<'a>(key: &str, value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get(key));
            map.values().for_each(|inner| collect_values(key, inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect_values(key, inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn no_reference_dangles() {
    let document = document();
    let mut references = Vec::new();
    collect_values("$ref", &document, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        assert!(pointer.is_some_and(|path| document.pointer(path).is_some()), "{reference}");
    }
    assert!(!document.to_string().contains("$defs"));
}

#[test]
fn every_response_is_described() {
    let document = document();
    let mut all = Vec::new();
    collect_values("responses", &document, &mut all);
    assert_eq!(all.len(), 6);
    for response in all.iter().filter_map(|responses| responses.as_object()).flatten() {
        let description = response.1["description"].as_str().unwrap_or_default();
        assert!(!description.is_empty() && description != "A refusal.", "{}", response.0);
    }
}

#[test]
fn numbers_have_formats_that_openapi_knows() {
    let document = document();
    let mut formats = Vec::new();
    collect_values("format", &document, &mut formats);
    assert!(formats.len() > 20);
    for format in formats {
        assert!(
            ["int32", "int64", "float", "double"].iter().any(|known| format == known),
            "{format}"
        );
    }
    let text = &document["components"]["schemas"]["TextResult"]["properties"];
    assert_eq!(text["id"]["format"], "int64");
    let count = &document["components"]["schemas"]["SearchText"]["properties"]["match_count"];
    assert_eq!(count["format"], "int32");
}

#[test]
fn values_of_a_parameter_outside_of_a_body_have_its_type() {
    let operations = [
        OperationDescriptor::of::<SearchDecisions>(),
        OperationDescriptor::of::<CompareSections>(),
        OperationDescriptor::of::<ListNames>(),
    ];
    let document = openapi_document("https://specs.example", &operations);
    let mut parameters = Vec::new();
    collect_values("parameters", &document, &mut parameters);
    let schemas: Vec<&Value> = parameters
        .into_iter()
        .filter_map(Value::as_array)
        .flatten()
        .map(|parameter| &parameter["schema"])
        .collect();
    let enums: Vec<&Value> = schemas.iter().filter_map(|schema| schema.get("enum")).collect();
    assert!(enums.len() > 3, "{enums:?}");
    for values in enums.iter().filter_map(|values| values.as_array()) {
        assert!(values.iter().all(Value::is_string), "{values:?}");
    }
    assert!(schemas.iter().all(|schema| schema["type"].is_string()));
}

#[test]
fn a_reply_with_less_detail_has_a_content_type_and_a_schema_of_its_own() {
    let document = document();
    let content = |path: &str, method: &str| {
        document["paths"][path][method]["responses"]["200"]["content"].clone()
    };
    for listed in [content("/search/text", "post"), content("/documents", "get")] {
        let kinds: Vec<&String> = listed.as_object().expect("an object").keys().collect();
        assert_eq!(kinds, ["application/json", LOW_DETAIL_MEDIA], "the full reply comes first");
        assert_eq!(
            listed[LOW_DETAIL_MEDIA]["schema"]["$ref"],
            "#/components/schemas/LowDetailReply"
        );
    }
    assert_eq!(content("/health", "get").as_object().map(Map::len), Some(1));
}

#[test]
fn no_schema_has_the_name_that_generators_give_to_a_field_of_another() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().expect("an object");
    for (name, schema) in schemas {
        let fields = schema["properties"].as_object().into_iter().flatten();
        for (field, _) in fields
            .filter(|(_, field)| ["anyOf", "oneOf"].iter().any(|key| field.get(key).is_some()))
        {
            let given = format!("{name}{field}").replace('_', "").to_lowercase();
            let taken = schemas.keys().find(|other| other.to_lowercase() == given);
            assert!(taken.is_none(), "{name}.{field} is taken for {taken:?}");
        }
    }
    assert!(schemas["ErrorReason"]["oneOf"].is_array());
}

#[test]
fn bounds_and_defaults_are_those_of_the_contract() {
    let document = document();
    let fields = &document["components"]["schemas"]["SearchText"]["properties"];
    let bounds = |name: &str| {
        let field = &fields[name];
        (field["minimum"].as_f64(), field["maximum"].as_f64(), field["default"].clone())
    };
    assert_eq!(bounds("match_count"), (Some(1.0), Some(200.0), json!(30)));
    assert_eq!(bounds("match_threshold"), (Some(0.0), Some(1.0), json!(0.0)));
    assert_eq!(bounds("rerank_top_k"), (Some(1.0), Some(50.0), json!(10)));
    assert_eq!(fields["include_section_text"]["default"], json!(true));
    let is_addition = |name: &str| fields[name]["x-addition"] == json!(true);
    assert!(is_addition("group_by") && !is_addition("rerank"));
    let names: Vec<&str> = fields.as_object().expect("an object").keys().map(|k| &**k).collect();
    assert_eq!((names.first(), names.last()), (Some(&"query"), Some(&"detail")));
}

#[test]
fn parameters_are_located_as_the_route_says() {
    let document = document();
    let id = &document["paths"]["/documents/{document_id}"]["get"]["parameters"][0];
    assert_eq!((&id["in"], &id["required"]), (&json!("path"), &json!(true)));
    let prefix = &document["paths"]["/sections"]["get"]["parameters"][4];
    assert_eq!((&prefix["in"], &prefix["required"]), (&json!("query"), &json!(false)));
    assert_eq!(document["paths"]["/sections"]["get"]["parameters"][1]["schema"]["type"], "string");
    assert!(document["paths"]["/health"]["get"].get("parameters").is_none());
}

#[test]
fn only_open_operations_need_no_key() {
    let document = document();
    assert_eq!(document["paths"]["/health"]["get"]["security"], json!([]));
    assert_eq!(document["paths"]["/documents"]["get"]["security"], json!([{BEARER: []}]));
    assert!(document["components"]["securitySchemes"][BEARER].is_object());
    assert!(document["paths"]["/health"]["get"]["responses"].get("401").is_none());
}

#[test]
fn fields_that_are_always_sent_are_required() {
    let reply = &document()["components"]["schemas"]["TextSearchReply"];
    let is_required = |name: &str| {
        assert!(reply["properties"][name].is_object(), "{name}");
        reply["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name))
    };
    for always in ["results", "rerank_scored", "unknown_terms", "confidence", "degraded"] {
        assert!(is_required(always), "{always}");
    }
    for sometimes in ["coverage", "explain", "defined_name"] {
        assert!(!is_required(sometimes), "{sometimes}");
    }
}
