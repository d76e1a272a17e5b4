//! Every tool answers as its operation does over REST: success and each refusal.

use base64::{Engine, engine::general_purpose::STANDARD};
use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use specbox::service::operations;
use wire::{Media, OperationDescriptor, ParameterLocation, find_example};

use crate::{
    client::{Answer, Client},
    order::{invalid, send},
    own::{add_user, client, configure, data, key, set},
    program_client::{call, payload, rpc},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        replies_faults_and_an_allowance_used_up_are_the_same,
        what_is_not_there_and_what_is_too_much_is_refused_alike,
        pictures_are_as_many_for_an_address_as_over_rest,
        a_refusal_does_not_echo_more_than_a_model_can_read,
        a_tool_is_charged_like_a_request_and_talking_is_free,
    ]
}

/// A payload without what differs from one call to the next, and without what a tool says to a model.
fn settled(mut payload: Value) -> Value {
    if let Some(fields) = payload.as_object_mut() {
        fields.shift_remove("elapsed_ms");
        fields.shift_remove("WARNING");
    }
    payload
}

/// The body of a refusal as tools have it: where a fault lies is told by the names of arguments alone.
fn as_told_by_tools(mut body: Value) -> Value {
    for fault in body["detail"].as_array_mut().into_iter().flatten() {
        if let Some(location) = fault["loc"].as_array_mut().filter(|location| location.len() > 1) {
            location.remove(0);
        }
    }
    body
}

/// A list of rows whose common fields a tool told once, with these fields in each row again.
fn with_common_fields(payload: Value) -> Value {
    let Some(rows) = payload["sections"].as_array() else { return payload };
    let common =
        || payload.as_object().into_iter().flatten().filter(|(name, _)| *name != "sections");
    let whole = rows.iter().map(|row| {
        let own = row.as_object().into_iter().flatten();
        common().chain(own).map(|(name, value)| (name.clone(), value.clone())).collect()
    });
    Value::Array(whole.map(Value::Object).collect())
}

/// The parameters as REST carries them: those of a path and of a query string are text.
fn as_sent(descriptor: &OperationDescriptor, parameters: &Map<String, Value>) -> Value {
    let sent = parameters.iter().map(|(name, value)| {
        let is_text = descriptor.route.parameter_location(name) != ParameterLocation::Body;
        let text = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.clone(), if is_text { Value::from(text()) } else { value.clone() })
    });
    Value::Object(sent.collect())
}

fn both(
    http: &Client,
    descriptor: &OperationDescriptor,
    parameters: &Map<String, Value>,
) -> (Answer, Value) {
    let rest = send(http, descriptor, parameters);
    (rest, call(http, descriptor.name, &as_sent(descriptor, parameters)))
}

fn replies_faults_and_an_allowance_used_up_are_the_same() -> TestResult {
    let data = data()?;
    let data = data.path();
    configure(data, "[[plans]]\nname = \"free\"\nrequests_per_month = 0");
    set(data, "mcp", "accept_keys = true");
    add_user(data, "ann");
    let server = RunningServer::start(data, "off-behind-proxy");
    let (full, spent) =
        (client(&server, &key(data, None)), client(&server, &key(data, Some("ann"))));
    let mut checked = 0;
    for operation in operations() {
        let descriptor = &operation.descriptor;
        let (name, Some(_)) = (descriptor.name, descriptor.tool) else { continue };
        let parameters =
            &find_example(name).unwrap_or_else(|| panic!("{name} has no example")).parameters;
        let (rest, tool) = both(&full, descriptor, parameters);
        let refused = rest.status != 200;
        assert_eq!(tool["isError"], refused, "{name} {}", rest.body);
        if descriptor.media == Media::Json {
            let told = if operation.row_constants.is_empty() {
                payload(&tool)
            } else {
                with_common_fields(payload(&tool))
            };
            assert_eq!(settled(told), settled(rest.body), "{name}");
        } else {
            assert_eq!(tool["content"][0]["mimeType"], descriptor.media.as_str());
            let picture = tool["content"][0]["data"].as_str().expect("a picture");
            assert_eq!(STANDARD.decode(picture).expect("base64"), rest.bytes);
            let metadata = payload(&tool);
            assert_eq!(metadata["doc_number"], parameters["doc_number"]);
            assert!(metadata.get("data").is_none());
        }
        if let Some(wrong) = invalid(descriptor) {
            let (rest, tool) = both(&full, descriptor, &wrong);
            assert_eq!((rest.status, &tool["isError"]), (422, &json!(true)), "{name}");
            assert_eq!(payload(&tool), as_told_by_tools(rest.body), "{name}");
            assert!(tool.get("structuredContent").is_none());
        }
        if descriptor.metered {
            let (rest, tool) = both(&spent, descriptor, parameters);
            assert_eq!((rest.status, &tool["isError"]), (402, &json!(true)), "{name}");
            assert_eq!(payload(&tool), rest.body, "{name}");
        }
        checked += 1;
    }
    assert!(checked >= 10, "{checked}");
    assert_eq!(spent.get("/suggest?text=beacon").status, 200, "typing costs nothing");
    Ok(())
}

fn what_is_not_there_and_what_is_too_much_is_refused_alike() -> TestResult {
    let data = data()?;
    let data = data.path();
    set(data, "mcp", "accept_keys = true");
    let server = RunningServer::start(data, "off-behind-proxy");
    let http = client(&server, &key(data, None));
    let image = |number: &str, version: &str, index: Value| json!({"doc_number": number, "version": version, "image_index": index});
    for (name, parameters, status) in [
        ("get_document", json!({"document_id": 99_999}), 404),
        ("get_image", image("38.331", "18.1.0", json!(4711)), 404),
        ("get_image", image("x", "18.1.0", json!(0)), 400),
        ("get_image", image("38.331", "18.x", json!(0)), 400),
        ("similar_images", image("99.999", "1.0.0", json!(0)), 404),
        ("search_text", json!({"query": "", "match_count": 0, "rerank_top_k": "x"}), 422),
        ("search_text", json!({}), 422),
        ("get_sections", json!({"prefix": "maybe"}), 422),
    ] {
        let descriptor = &operations()
            .iter()
            .find(|operation| operation.descriptor.name == name)
            .expect("declared")
            .descriptor;
        let parameters = parameters.as_object().expect("an object");
        let (rest, tool) = both(&http, descriptor, parameters);
        assert_eq!(
            (rest.status, &tool["isError"]),
            (status, &json!(true)),
            "{name} {parameters:?}"
        );
        assert_eq!(payload(&tool), as_told_by_tools(rest.body), "{name} {parameters:?}");
    }
    Ok(())
}

fn pictures_are_as_many_for_an_address_as_over_rest() -> TestResult {
    let data = data()?;
    let data = data.path();
    set(data, "mcp", "accept_keys = true");
    set(data, "images", "per_second = 1\nburst = 3");
    let server = RunningServer::start(data, "off-behind-proxy");
    let http = client(&server, &key(data, None));
    let parameters = &find_example("get_image").expect("there").parameters;
    let operation = operations().iter().find(|operation| operation.descriptor.name == "get_image");
    let descriptor = &operation.expect("declared").descriptor;
    let tools = || call(&http, "get_image", &as_sent(descriptor, parameters));
    let shown = (0..4).map(|_| tools()).find(|tool| tool["isError"] == true).expect("too many");
    let rest = send(&http, descriptor, parameters);
    assert_eq!((rest.status, payload(&shown)), (429, rest.body));
    Ok(())
}

fn a_refusal_does_not_echo_more_than_a_model_can_read() -> TestResult {
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key(data.path(), None));
    let refused = call(&http, "resolve_term", &json!({"term": "x".repeat(900_000)}));
    assert_eq!(payload(&refused)["detail"][0]["type"], "string_too_long");
    assert!(refused.to_string().len() < 70_000);
    Ok(())
}

fn a_tool_is_charged_like_a_request_and_talking_is_free() -> TestResult {
    let data = data()?;
    let data = data.path();
    set(data, "mcp", "accept_keys = true");
    add_user(data, "ann");
    let server = RunningServer::start(data, "off-behind-proxy");
    let http = client(&server, &key(data, Some("ann")));
    let left = || {
        let answer = http.get("/terms/resolve?term=UE");
        answer
            .header("x-ratelimit-remaining")
            .and_then(|n| n.parse::<u64>().ok())
            .expect("the header")
    };
    let before = left();
    for (method, params) in [
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/read", json!({"uri": "specbox://skill-guide"})),
        ("ping", json!({})),
    ] {
        assert_eq!(rpc(&http, method, &params).status, 200, "{method}");
    }
    call(&http, "search_text", &json!({"query": 5}));
    assert_eq!(left(), before - 1, "the look itself");
    call(&http, "resolve_term", &json!({"term": "UE"}));
    assert_eq!(left(), before - 3);
    Ok(())
}
