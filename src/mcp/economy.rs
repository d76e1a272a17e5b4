//! Savings in answers that a model reads: what a payload says several times is said once.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// The name of the list of a payload that was a bare list.
const ROWS: &str = "sections";
/// The field of a search result with the text of its whole section.
const SECTION_TEXT: &str = "section_text";

/// Moves the fields that all rows of a list have in common out of the rows: the payload becomes a record of them and
/// of the list. Null fields are removed. An empty list stays as it is.
pub(super) fn hoist_row_constants(payload: &mut Value, fields: &[&str]) {
    let Value::Array(rows) = payload else { return };
    if fields.is_empty() || rows.is_empty() {
        return;
    }
    let mut record = Map::new();
    for field in fields {
        let first = rows[0].get(field).cloned();
        if let Some(value) =
            first.filter(|value| rows.iter().all(|row| row.get(field) == Some(value)))
        {
            record.insert((*field).to_owned(), value);
        }
    }
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.retain(|name, value| !record.contains_key(name) && !value.is_null());
    }
    record.insert(ROWS.to_owned(), Value::Array(std::mem::take(rows)));
    *payload = Value::Object(record);
}

/// Replaces the text of a section by a remark if an earlier result has it, or if the passage is all of it.
pub(super) fn drop_repeated_texts(payload: &mut Value) {
    for list in ["results", "text_results"] {
        let Some(Value::Array(results)) = payload.get_mut(list) else { continue };
        let mut first_with: HashMap<String, usize> = HashMap::new();
        for (place, result) in (1..).zip(results) {
            let Some(text) = result.get(SECTION_TEXT).and_then(Value::as_str) else { continue };
            let is_passage = result.get("content").and_then(Value::as_str) == Some(text);
            let first = *first_with.entry(text.to_owned()).or_insert(place);
            let remark = match (is_passage, first == place) {
                (true, _) => "[same as content]".to_owned(),
                (false, false) => format!("[same as result {first}]"),
                (false, true) => continue,
            };
            result[SECTION_TEXT] = json!(remark);
        }
    }
}

/// An error payload without the words of HTTP: the names of arguments alone say where a fault is.
pub(super) fn name_arguments(body: &mut Value) {
    let Some(Value::Array(faults)) = body.get_mut("detail") else { return };
    for fault in faults {
        if let Some(Value::Array(location)) = fault.get_mut("loc")
            && location.len() > 1
        {
            location.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_rows_have_in_common_is_told_once() {
        let row = |version: &str, number: &str| json!({"doc_number": "38.990", "version": version, "section_number": number, "clause": null});
        let mut same = json!([row("18.0.0", "1"), row("18.0.0", "2")]);
        hoist_row_constants(&mut same, &["doc_number", "version"]);
        let expected = json!({"doc_number": "38.990", "version": "18.0.0",
            "sections": [{"section_number": "1"}, {"section_number": "2"}]});
        assert_eq!(same, expected);
        let mut versions = json!([row("18.0.0", "1"), row("19.0.0", "1")]);
        hoist_row_constants(&mut versions, &["doc_number", "version"]);
        assert_eq!(versions["doc_number"], "38.990");
        assert_eq!(versions["sections"][1]["version"], "19.0.0");
        let mut nothing = json!([]);
        hoist_row_constants(&mut nothing, &["doc_number"]);
        assert_eq!(nothing, json!([]));
    }

    #[test]
    fn the_text_of_a_section_is_told_once() {
        let result = |content: &str, text: Value| json!({"content": content, "section_text": text});
        let mut payload = json!({"results": [
            result("a", json!("a b")), result("b", json!("a b")), result("c", json!("c")), result("d", Value::Null),
        ]});
        drop_repeated_texts(&mut payload);
        let texts: Vec<_> = payload["results"].as_array().expect("a list").iter().collect();
        assert_eq!(texts[0]["section_text"], "a b");
        assert_eq!(texts[1]["section_text"], "[same as result 1]");
        assert_eq!(texts[2]["section_text"], "[same as content]");
        assert_eq!(texts[3]["section_text"], Value::Null);
    }

    #[test]
    fn faults_name_arguments() {
        let mut body = json!({"detail": [{"loc": ["body", "query"]}, {"loc": ["body"]}]});
        name_arguments(&mut body);
        assert_eq!(body, json!({"detail": [{"loc": ["query"]}, {"loc": ["body"]}]}));
    }
}
