//! Lists that are written by hand and follow from declarations: operations, parameters, settings.

use std::{collections::HashSet, fs};

use regex::Regex;
use serde_json::Value;
use specbox::service::operations;
use wire::{OperationDescriptor, Route};

use super::markdown::{find_files, read_text, root};

fn descriptors() -> impl Iterator<Item = &'static OperationDescriptor> {
    operations().iter().map(|operation| &operation.descriptor)
}

#[test]
fn the_table_of_operations_is_that_of_the_declarations() {
    let text = read_text("docs/operations.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> = descriptors()
        .map(|descriptor| {
            let Route { method, path, .. } = descriptor.route;
            let open = if descriptor.open { " (open)" } else { "" };
            let answers = descriptor.answers;
            format!("| `{}` | `{} {path}`{open} | {answers} |", descriptor.name, method.as_str())
        })
        .collect();
    assert_eq!(rows, expected, "docs/operations.md: run scripts/make-operations");
}

#[test]
fn the_guide_for_agents_names_every_tool() {
    let text = read_text("docs/skill.md");
    for descriptor in descriptors().filter(|descriptor| descriptor.tool.is_some()) {
        let name = format!("`{}`", descriptor.name);
        assert!(
            text.contains(&name),
            "docs/skill.md does not name {name}: see GUIDE of its declaration"
        );
        for (have, choose) in descriptor.guide {
            let row = format!("| {have} | {choose} |");
            assert!(text.contains(&row), "docs/skill.md: run scripts/make-operations\n{row}");
        }
    }
}

/// Fields that the interface specification declares as never null, by the schema they are in.
const NEVER_NULL: [(&str, &[&str]); 4] = [
    (
        "TdocRecord",
        &["tdoc_id", "title", "doc_kind", "status", "status_label", "agenda_item", "official_url"],
    ),
    ("TdocMeeting", &["meeting_id", "start_date", "end_date"]),
    ("TdocSource", &["org_id", "display_name", "role"]),
    (
        "DocumentInfo",
        &["doc_number", "doc_type", "version", "release", "series", "filename", "status"],
    ),
];

#[test]
fn every_field_that_may_be_null_against_the_contract_is_listed() {
    let all: Vec<OperationDescriptor> = descriptors().cloned().collect();
    let document = wire::openapi_document("https://specs.example", &all);
    let page = read_text("docs/contract.md");
    for (schema, fields) in NEVER_NULL {
        let properties = &document["components"]["schemas"][schema]["properties"];
        for field in fields {
            let property = &properties[field];
            assert!(property.is_object(), "{schema}.{field} is no field");
            let may_be_null = property.to_string().contains("\"null\"");
            assert!(
                !may_be_null
                    || page.contains(&format!("| `{field}` |"))
                    || page.contains(&format!("`{field}` is never null"))
                    || page.contains(&format!("| `meeting.{field}` |")),
                "docs/contract.md does not say when {schema}.{field} is null"
            );
        }
    }
}

#[test]
fn every_group_of_operations_is_described() {
    let all: Vec<OperationDescriptor> = descriptors().cloned().collect();
    let document = wire::openapi_document("https://specs.example", &all);
    for tag in document["tags"].as_array().expect("tags") {
        let description = tag["description"].as_str().unwrap_or_default();
        assert!(!description.is_empty(), "TAGS in crates/wire/src/openapi/document.rs lacks {tag}");
    }
}

#[test]
fn every_operation_has_the_example_that_its_declaration_names() {
    for descriptor in descriptors() {
        let declared: Value = serde_json::from_str(descriptor.example).expect("JSON");
        let shown = wire::find_example(descriptor.name).map(|example| &example.parameters);
        let is_shown = shown.is_some_and(|shown| declared.as_object() == Some(shown));
        assert!(is_shown, "{}: run scripts/make-operations", descriptor.name);
    }
}

/// Whether a path is one of a route, with values in place of its parameters.
fn is_path_of(route: &Route, path: &str) -> bool {
    let (own, given) = (route.path.split('/'), path.split('/'));
    own.clone().count() == given.clone().count()
        && own.zip(given).all(|(own, given)| own == given || own.starts_with('{'))
}

#[test]
fn the_requests_in_the_guide_for_agents_are_valid() {
    let text = read_text("docs/skill.md");
    let request = Regex::new(r"`(GET|POST) (/[^`?]*)(?:\?([^`]*))?`").expect("valid");
    let mut checked = 0;
    for found in request.captures_iter(&text) {
        // A literal path goes before one with parameters: /sections/toc is no section.
        let descriptor = descriptors()
            .filter(|descriptor| descriptor.route.method.as_str() == &found[1])
            .filter(|descriptor| is_path_of(&descriptor.route, &found[2]))
            .max_by_key(|descriptor| descriptor.route.path == &found[2])
            .unwrap_or_else(|| panic!("docs/skill.md: no operation answers {}", &found[0]));
        let query = found.get(3).map_or("", |query| query.as_str());
        for name in query.split('&').filter_map(|pair| pair.split('=').next()) {
            let known = name.is_empty() || descriptor.parameters().any(|p| p.name == name);
            assert!(known, "docs/skill.md: {} has no parameter {name}", descriptor.name);
        }
        checked += 1;
    }
    assert!(checked > 10, "only {checked} requests were found");
}

/// Keys and string values of a schema, at any depth.
fn collect_words(value: &Value, words: &mut HashSet<String>) {
    match value {
        Value::Object(members) => {
            words.extend(members.keys().cloned());
            members.values().for_each(|member| collect_words(member, words));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        Value::String(text) => {
            words.insert(text.clone());
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn the_guides_for_agents_use_words_of_the_contract() {
    let mut known = HashSet::new();
    for descriptor in descriptors() {
        known.insert(descriptor.name.to_owned());
        collect_words(descriptor.params.as_value(), &mut known);
        collect_words(descriptor.reply.as_value(), &mut known);
    }
    let word = Regex::new(r"\b[a-z]+(?:_[a-z]+)+\b").expect("valid");
    // Codes of refusals, and what tools take by themselves.
    let mut sources = find_files(&root().join("src/mcp"), "rs");
    sources.extend(find_files(&root().join("crates/wire/src"), "rs"));
    for source in sources {
        let text = fs::read_to_string(source).expect("readable");
        known.extend(word.find_iter(&text).map(|found| found.as_str().to_owned()));
    }
    known.insert("base_url".to_owned());
    for page in ["docs/skill.md", "docs/instructions.md"] {
        for found in word.find_iter(&read_text(page)) {
            assert!(
                known.contains(found.as_str()),
                "{page}: the contract has no {}",
                found.as_str()
            );
        }
    }
}

/// Minimum and maximum of a parameter: of its value, or of its length where it is a text.
fn bounds_of(schema: &serde_json::Map<String, Value>) -> Option<(u64, u64)> {
    let bound = |names: [&str; 2]| names.iter().find_map(|name| schema.get(*name)?.as_u64());
    Some((bound(["minimum", "minLength"])?, bound(["maximum", "maxLength"])?))
}

#[test]
fn the_bounds_in_the_page_of_limits_are_those_of_the_declarations() {
    let text = read_text("docs/site/limits.md").replace(',', "");
    let section = text.split("## ").find(|part| part.starts_with("Bounds")).expect("it is there");
    let name = Regex::new(r"`(\w+)`").expect("valid");
    let range = Regex::new(r"(\d+) to (\d+)").expect("valid");
    let mut checked = 0;
    for row in section.lines().filter(|line| line.contains('`')) {
        let found = range.captures(row).unwrap_or_else(|| panic!("no bounds in {row}"));
        let documented: (u64, u64) = (found[1].parse().unwrap(), found[2].parse().unwrap());
        for found in name.captures_iter(row) {
            let holds = descriptors()
                .flat_map(OperationDescriptor::parameters)
                .filter(|parameter| parameter.name == &found[1])
                .any(|parameter| bounds_of(parameter.schema) == Some(documented));
            assert!(holds, "docs/site/limits.md: {} is not {documented:?} anywhere", &found[1]);
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} bounds were found");
}

#[test]
fn the_page_of_configuration_has_every_section_and_variable() {
    let text = read_text("docs/configuration.md");
    let section = Regex::new(r"(?m)^(?:#:)?(\[\[?\w+\]\]?)$").expect("valid");
    for found in section.captures_iter(&read_text("src/cli/specbox.toml")) {
        assert!(text.contains(&format!("`{}`", &found[1])), "docs/configuration.md: {}", &found[1]);
    }
    let variable = Regex::new(r#"env = "(SPECBOX_\w+)""#).expect("valid");
    for found in variable.captures_iter(&read_text("src/cli/arguments.rs")) {
        assert!(text.contains(&format!("`{}`", &found[1])), "docs/configuration.md: {}", &found[1]);
    }
}
