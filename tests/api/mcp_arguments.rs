//! What MCP clients send although they need not: nulls for arguments that a model left out, and any media type.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use wire::find_example;

use crate::{
    mcp::served,
    program_client::{call, page, payload, rpc},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![null_arguments_and_any_media_type_are_taken_as_not_given]
}

fn null_arguments_and_any_media_type_are_taken_as_not_given() -> TestResult {
    let (_data, _server, http) = served()?;
    let listed = rpc(&http, "tools/list", &json!({})).body;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    assert!(tools.len() > 25, "{}", tools.len());
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        let example = find_example(name).unwrap_or_else(|| panic!("{name} has no example"));
        // The document of the examples may not be here: then both are refused alike.
        let given = Value::Object(example.parameters.clone());
        let required = tool["inputSchema"]["required"].as_array().cloned().unwrap_or_default();
        let mut with_nulls = given.clone();
        let all = tool["inputSchema"]["properties"].as_object().expect("properties");
        for name in all.keys().filter(|name| !required.contains(&json!(name))) {
            if with_nulls.get(name).is_none() {
                with_nulls[name] = Value::Null;
            }
        }
        let expected = call(&http, name, &given);
        let without_time = |result: &Value| {
            let mut payload = payload(result);
            payload.as_object_mut().map(|fields| fields.remove("elapsed_ms"));
            (payload, result["isError"].clone())
        };
        let told = call(&http, name, &with_nulls);
        assert_eq!(without_time(&told), without_time(&expected), "{name}");
    }
    // A required argument is required.
    assert_eq!(call(&http, "search_text", &json!({"query": null}))["isError"], true);
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    for (accept, status) in [
        ("*/*", 200),
        ("text/html, */*;q=0.8", 200),
        ("application/json, text/event-stream", 200),
        ("text/html", 406),
    ] {
        let headers = [("content-type", "application/json"), ("accept", accept)];
        let answer = http.send_with("POST", "/mcp", &headers, message.as_bytes());
        assert_eq!(answer.status, status, "{accept}: {}", page(&answer));
    }
    Ok(())
}
