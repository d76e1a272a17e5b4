//! Replies with `detail=low`: what all rows of a list share is said once, and what has no value is left out.

use serde_json::{Map, Value};

use wire::values::Detail;

/// The parameter, among those of an operation that has it.
pub(super) const DETAIL: &str = "detail";
/// The field with what the rows of each list share, by the name of the list.
const SHARED: &str = "shared";
/// The name of the list of a reply that was a bare list.
const ROWS: &str = "rows";
/// The fewest rows whose common fields are moved: with one row, the reply would only be longer.
const MIN_ROWS: usize = 2;
/// The longest text in bytes that moves. A longer one is the text of a section or document, which tools cut in the rows if an
/// answer does not fit.
const MAX_SHARED_BYTES: usize = 500;

/// Takes the parameter from validated parameters; the operation does not know it.
pub(super) fn take_detail(parameters: &mut Value) -> Detail {
    let given = parameters.as_object_mut().and_then(|fields| fields.shift_remove(DETAIL));
    given.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default()
}

/// Whether a reply has the form of `detail=low`; an empty bare list has that of the full reply.
pub(crate) fn has_low_detail(parameters: &Value, reply: &[u8]) -> bool {
    let asked: Option<Detail> =
        parameters.get(DETAIL).and_then(|detail| serde_json::from_value(detail.clone()).ok());
    asked == Some(Detail::Low) && reply.starts_with(b"{")
}

/// A reply as `detail=low` has it, with each row shortened as its operation wants. An empty bare list stays one, so that every edge
/// still sees that it is empty.
pub(super) fn to_low_detail(mut reply: Value, shorten_row: fn(&mut Map<String, Value>)) -> Value {
    drop_valueless(&mut reply);
    let lists: Vec<&mut Value> = match &mut reply {
        Value::Object(fields) => fields.values_mut().collect(),
        list => vec![list],
    };
    let rows = lists.into_iter().filter_map(Value::as_array_mut).flatten();
    rows.filter_map(Value::as_object_mut).for_each(shorten_row);
    match reply {
        Value::Array(rows) if rows.is_empty() => Value::Array(rows),
        Value::Array(rows) => {
            let fields = Map::from_iter([(ROWS.to_owned(), Value::Array(rows))]);
            Value::Object(share_fields(fields))
        }
        Value::Object(fields) => Value::Object(share_fields(fields)),
        other => other,
    }
}

/// Removes the fields of records, at any depth, that are null, an empty list or an empty record. The lists of the reply itself
/// stay: that they are empty is the answer.
fn drop_valueless(reply: &mut Value) {
    match reply {
        Value::Object(fields) => {
            fields.values_mut().for_each(drop_valueless_within);
            fields.retain(|_, value| !value.is_null());
        }
        rows => drop_valueless_within(rows),
    }
}

fn drop_valueless_within(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(drop_valueless_within);
            fields.retain(|_, value| has_value(value));
        }
        Value::Array(items) => items.iter_mut().for_each(drop_valueless_within),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Moves what all rows of each list share to `shared`, the first field.
fn share_fields(mut reply: Map<String, Value>) -> Map<String, Value> {
    let mut shared = Map::new();
    for (name, list) in &mut reply {
        let Value::Array(rows) = list else { continue };
        let common = take_common_fields(rows);
        if !common.is_empty() {
            shared.insert(name.clone(), Value::Object(common));
        }
    }
    if !shared.is_empty() {
        reply.shift_insert(0, SHARED.to_owned(), Value::Object(shared));
    }
    reply
}

/// Takes the fields that all rows have with the same value.
fn take_common_fields(rows: &mut [Value]) -> Map<String, Value> {
    let Some((Value::Object(first), others)) = rows.split_first() else { return Map::new() };
    if rows.len() < MIN_ROWS {
        return Map::new();
    }
    let is_common = |name: &str, value: &Value| {
        value.as_str().is_none_or(|text| text.len() <= MAX_SHARED_BYTES)
            && others.iter().all(|row| row.get(name) == Some(value))
    };
    let common = first.iter().filter(|(name, value)| is_common(name, value));
    let common: Map<String, Value> =
        common.map(|(name, value)| (name.clone(), value.clone())).collect();
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.retain(|name, _| !common.contains_key(name));
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_rows_share_is_said_once_and_what_has_no_value_is_left_out() {
        let cases = [
            // Shared records move whole; fields without a value go, at any depth.
            (
                json!({"items": [
                    {"id": "a", "meeting": {"id": "R1-126", "end": null}, "sources": [], "abstract": null},
                    {"id": "b", "meeting": {"id": "R1-126", "end": null}, "sources": [{"role": null}], "abstract": "x"},
                ], "next_cursor": null}),
                json!({"shared": {"items": {"meeting": {"id": "R1-126"}}},
                    "items": [{"id": "a"}, {"id": "b", "sources": [{}], "abstract": "x"}]}),
            ),
            // A field that one row lacks is not shared: it would be claimed of that row.
            (
                json!({"items": [{"id": 1, "status": "agreed"}, {"id": 2, "status": null}]}),
                json!({"items": [{"id": 1, "status": "agreed"}, {"id": 2}]}),
            ),
            // Lists of one reply are apart.
            (
                json!({"text": [{"v": 1, "n": 1}, {"v": 1, "n": 2}], "images": [{"v": 1, "n": 3}]}),
                json!({"shared": {"text": {"v": 1}}, "text": [{"n": 1}, {"n": 2}], "images": [{"v": 1, "n": 3}]}),
            ),
            // A bare list becomes a record of its rows; an empty one remains.
            (
                json!([{"v": "1", "n": 1}, {"v": "1", "n": 2}]),
                json!({"shared": {"rows": {"v": "1"}}, "rows": [{"n": 1}, {"n": 2}]}),
            ),
            (json!([{"v": "1", "t": null}]), json!({"rows": [{"v": "1"}]})),
            (json!([]), json!([])),
            // An empty list is the answer; words, and rows that are not records, stay.
            (
                json!({"results": [], "names": ["a", "a"], "of": 0, "whole": false}),
                json!({"results": [], "names": ["a", "a"], "of": 0, "whole": false}),
            ),
        ];
        for (full, low) in cases {
            assert_eq!(to_low_detail(full, |_| ()), low);
        }
    }

    #[test]
    fn an_operation_shortens_the_rows_of_every_list() {
        let drop_b = |row: &mut Map<String, Value>| drop(row.shift_remove("b"));
        for (full, low) in [
            (json!([{"a": 1, "b": 2}]), json!({"rows": [{"a": 1}]})),
            (
                json!({"b": 1, "items": [{"a": 1, "b": 2}], "names": ["b"], "more": [{"b": {"b": 3}, "c": {"b": 4}}]}),
                json!({"b": 1, "items": [{"a": 1}], "names": ["b"], "more": [{"c": {"b": 4}}]}),
            ),
        ] {
            assert_eq!(to_low_detail(full, drop_b), low);
        }
    }

    #[test]
    fn only_a_reply_in_another_form_is_told_apart() {
        let low = json!({"detail": "low"});
        assert!(has_low_detail(&low, br#"{"rows": []}"#));
        assert!(!has_low_detail(&low, b"[]"));
        for full in [json!({"detail": "full"}), json!({}), json!({"detail": null})] {
            assert!(!has_low_detail(&full, b"{}"), "{full}");
        }
    }

    #[test]
    fn the_operation_does_not_see_the_parameter() {
        let mut parameters = json!({"q": "x", "detail": "low"});
        assert_eq!(take_detail(&mut parameters), Detail::Low);
        assert_eq!(parameters, json!({"q": "x"}));
        assert_eq!(take_detail(&mut parameters), Detail::Full);
    }
}
