//! The one reader of spellings: what people write for documents, versions, releases and series becomes what operations
//! expect, for every edge. What it does not know stays as it is, and the operation says so.

use serde_json::{Map, Value};

use domain::{DocNumber, Release, TypedVersion};
use suggestion::{TypedDocument, print_version, release_of};
use wire::OperationDescriptor;

/// The parameters with a number of a document.
const NUMBERS: [&str; 3] = ["doc_number", "filter_doc_number", "spec"];
/// The parameters that a version written with a number goes to, the first of them that an operation has.
const VERSIONS: [&str; 2] = ["version", "to"];
/// The parameters with a release.
const RELEASES: [&str; 2] = ["release", "filter_release"];
/// The parameter that is a record of filters.
const FILTERS: &str = "filters";
/// The parameters with a series.
const SERIES: [&str; 2] = ["series", "filter_series"];

/// Rewrites validated parameters of an operation.
pub(super) fn read_spellings(operation: &OperationDescriptor, parameters: &mut Value) {
    let Some(parameters) = parameters.as_object_mut() else { return };
    rewrite_fields(operation, parameters);
    if let Some(Value::Object(filters)) = parameters.get_mut(FILTERS) {
        rewrite_fields(operation, filters);
    }
}

fn rewrite_fields(operation: &OperationDescriptor, parameters: &mut Map<String, Value>) {
    for name in NUMBERS {
        if let Some(number) = text_of(parameters, name).and_then(spaced_number) {
            parameters.insert(name.to_owned(), number.as_str().into());
        }
        let document = text_of(parameters, name).and_then(TypedDocument::parse_text);
        if let Some(TypedDocument { number, version }) = document {
            parameters.insert(name.to_owned(), number.as_str().into());
            add_version(operation, parameters, version);
        }
    }
    for name in RELEASES {
        let release = text_of(parameters, name).and_then(release_of_version);
        if let Some(release) = release {
            parameters.insert(name.to_owned(), release.to_string().into());
        }
    }
    for name in SERIES {
        let series = text_of(parameters, name).and_then(bare_series);
        if let Some(series) = series {
            parameters.insert(name.to_owned(), series.into());
        }
    }
}

/// A number whose digits are apart, or as ETSI publishes it: `38 331`, `TS 138 331`, `ETSI TS 138 101-1`. `None` for other
/// texts, and for a number that needs no rewriting.
fn spaced_number(text: &str) -> Option<DocNumber> {
    if text.parse::<DocNumber>().is_ok() {
        return None;
    }
    let words = text.split([' ', '\u{a0}', '_']).filter(|word| !word.is_empty());
    let is_label = |word: &&str| {
        ["ETSI", "3GPP", "TS", "TR"].iter().any(|label| word.eq_ignore_ascii_case(label))
    };
    let [series, number] = words.skip_while(is_label).collect::<Vec<_>>()[..] else { return None };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // ETSI writes a 1 before the series.
    let series = if series.len() == 3 { series.strip_prefix('1')? } else { series };
    let is_whole = number.split('-').next().is_some_and(|base| base.len() == 3 && is_digits(base));
    if is_digits(series) && is_whole { format!("{series}.{number}").parse().ok() } else { None }
}

fn text_of<'a>(parameters: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    parameters.get(name)?.as_str()
}

/// Sets the version that was written with a number, unless the request has one. An operation without versions gets the
/// release.
fn add_version(
    operation: &OperationDescriptor,
    parameters: &mut Map<String, Value>,
    version: TypedVersion,
) {
    let has = |name: &str| operation.parameters().any(|parameter| parameter.name == name);
    let mut set = |name: &str, value: String| {
        let given = parameters.entry(name).or_insert(Value::Null);
        if given.is_null() {
            *given = value.into();
        }
    };
    if let Some(name) = VERSIONS.into_iter().find(|name| has(name)) {
        set(name, print_version(version));
    } else if let Some(name) = RELEASES.into_iter().find(|name| has(name))
        && let Some(release) = release_of(version)
    {
        set(name, release.to_string());
    }
}

/// The release of a version that was written for one: `18.1.0`, `15.7`. `None` for a release.
fn release_of_version(text: &str) -> Option<Release> {
    match text.parse::<Release>() {
        Ok(_) => None,
        Err(_) => release_of(text.parse().ok()?),
    }
}

/// The digits of `38 series`, `38_series`, `TS 38`. `None` if nothing is written with them.
fn bare_series(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !matches!(*word, "" | "series" | "ts" | "tr" | "3gpp"));
    let digits = words.next().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?;
    let is_other = digits != text && words.next().is_none();
    is_other.then(|| digits.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::service::find_operation;

    #[test]
    fn spellings_become_what_operations_expect() {
        for (operation, given, expected) in [
            (
                "get_sections",
                json!({"doc_number": "TS 38.213-i10", "section_number": "5"}),
                json!({"doc_number": "38.213", "section_number": "5", "version": "18.1.0"}),
            ),
            (
                "get_sections",
                json!({"doc_number": "38.213-i10", "version": "17.0.0"}),
                json!({"doc_number": "38.213", "version": "17.0.0"}),
            ),
            (
                "list_changes",
                json!({"doc_number": "38.213 Rel-17"}),
                json!({"doc_number": "38.213", "to": "Rel-17"}),
            ),
            (
                "search_text",
                json!({"query": "x", "filter_doc_number": "38213-i10.zip", "filter_release": null}),
                json!({"query": "x", "filter_doc_number": "38.213", "filter_release": "Rel-18"}),
            ),
            (
                "search_tdocs",
                json!({"query": "x", "filters": {"spec": "38.213-i10", "release": "v18.1.0"}}),
                json!({"query": "x", "filters": {"spec": "38.213", "release": "Rel-18"}}),
            ),
            (
                "list_documents",
                json!({"release": "15.7", "series": "38_series"}),
                json!({"release": "Rel-15", "series": "38"}),
            ),
            ("list_documents", json!({"series": "TS 38 series"}), json!({"series": "38"})),
            ("list_documents", json!({"doc_number": "38 331"}), json!({"doc_number": "38.331"})),
            (
                "list_documents",
                json!({"doc_number": "ETSI TS 138 101-1"}),
                json!({"doc_number": "38.101-1"}),
            ),
            (
                "list_documents",
                json!({"doc_number": "TS 238 331"}),
                json!({"doc_number": "TS 238 331"}),
            ),
            (
                "list_documents",
                json!({"doc_number": "38.101-1", "release": "R15", "series": "38"}),
                json!({"doc_number": "38.101-1", "release": "R15", "series": "38"}),
            ),
            (
                "list_documents",
                json!({"doc_number": "what", "release": "soon", "series": "all of them"}),
                json!({"doc_number": "what", "release": "soon", "series": "all of them"}),
            ),
        ] {
            let descriptor = &find_operation(operation).expect("declared").descriptor;
            let mut read = given.clone();
            read_spellings(descriptor, &mut read);
            assert_eq!(read, expected, "{operation} {given}");
        }
    }
}
