//! Lists of tools: what each says, which of them an address lists, and the tool that finds and calls the others.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    mcp::served,
    program_client::{MCP, page, payload, rpc},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        tools_say_what_they_are_for_and_what_they_take,
        an_address_lists_the_tools_of_its_profile,
        the_reading_profile_finds_describes_and_calls_the_other_tools,
        the_reading_profile_answers_lean_and_the_others_as_rest_does,
        lists_of_tools_are_short,
    ]
}

/// The answer to a message at an address of the endpoint.
fn ask(http: &Client, path: &str, method: &str, params: &Value) -> Value {
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let answer = http.send_with("POST", path, &MCP, message.to_string().as_bytes());
    assert_eq!(answer.status, 200, "{}", page(&answer));
    answer.body["result"].clone()
}

fn call(http: &Client, tool: &str, arguments: &Value) -> Value {
    ask(http, "/mcp/?tools=read", "tools/call", &json!({"name": tool, "arguments": arguments}))
}

fn names_at(http: &Client, path: &str) -> Vec<String> {
    let listed = ask(http, path, "tools/list", &json!({}));
    let tools = listed["tools"].as_array().expect("tools");
    tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
}

/// What a client is told of the server when it connects.
fn instructions(http: &Client) -> String {
    let client = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let reply = rpc(http, "initialize", &params).body;
    reply["result"]["instructions"].as_str().expect("instructions").to_owned()
}

fn tools_say_what_they_are_for_and_what_they_take() -> TestResult {
    let (_data, _server, http) = served()?;
    let instructions = instructions(&http);
    let shared = instructions.lines().find(|line| line.contains("many tools take"));
    let shared = shared.expect("what many tools take");
    let listed = rpc(&http, "tools/list", &json!({})).body;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        assert!(tool["title"].is_string(), "{name}");
        let description = tool["description"].as_str().expect("a description");
        assert!(description.contains("Use this"), "{name}: {description}");
        // A fetch changes what is indexed.
        assert_eq!(tool["annotations"]["readOnlyHint"], name != "fetch_tdoc", "{name}");
        // Nobody needs to know whether reading may be repeated.
        let repeats = if name == "fetch_tdoc" { json!(true) } else { Value::Null };
        assert_eq!(tool["annotations"]["idempotentHint"], repeats, "{name}");
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["properties"]["max_tokens"]["default"], 8_000, "{name}");
        let words = format!("{description} {schema}");
        for http in ["POST", "GET /", "image_path", "REST"] {
            assert!(!words.contains(http), "{name} speaks of {http}: {words}");
        }
        let text = schema.to_string();
        for odd in ["\"format\"", "$ref", "x-", "\"null\"", "[\"string\""] {
            assert!(!text.contains(odd), "{name} has {odd}: {text}");
        }
        for (parameter, schema) in schema["properties"].as_object().expect("properties") {
            // What many tools take is described once.
            let is_shared = shared.contains(&format!(" {parameter}: "));
            assert_eq!(schema["description"].is_string(), !is_shared, "{name}.{parameter}");
        }
    }
    let search = tools.iter().find(|tool| tool["name"] == "search_text").expect("there");
    let count = &search["inputSchema"]["properties"]["match_count"];
    assert_eq!(
        (&count["minimum"], &count["maximum"], &count["default"]),
        (&json!(1), &json!(200), &json!(30))
    );
    assert_eq!(search["inputSchema"]["required"], json!(["query"]));
    for name in ["health", "suggest"] {
        assert!(tools.iter().all(|tool| tool["name"] != name), "{name} is no tool");
    }
    let compares = tools.iter().any(|tool| tool["name"] == "similar_images");
    assert!(!compares, "without an image model no picture can be compared");
    let record = tools.iter().find(|tool| tool["name"] == "get_document").expect("there");
    assert_eq!(record["outputSchema"]["type"], "object");
    assert!(!record["outputSchema"].to_string().contains("\"x-"), "{record}");
    let budgets = json!({"name": "sampleName", "expansion_tokens": 100, "max_tokens": 200_000});
    assert_ne!(call(&http, "lookup_name", &budgets)["isError"], true);
    let result = call(&http, "get_document", &json!({"document_id": 1}));
    assert_eq!(result["structuredContent"], payload(&result));
    Ok(())
}

fn an_address_lists_the_tools_of_its_profile() -> TestResult {
    let (_data, _server, http) = served()?;
    let all = names_at(&http, "/mcp/");
    assert_eq!(names_at(&http, "/mcp?tools=all"), all);
    assert_eq!(names_at(&http, "/mcp?tools=specs,names,tdocs,meetings"), all);
    assert!(!all.iter().any(|name| name == "find_tool"));
    let reading = names_at(&http, "/mcp/?tools=read");
    assert!((10..=13).contains(&reading.len()), "{reading:?}");
    assert_eq!(reading.last().map(String::as_str), Some("find_tool"));
    assert!(reading.iter().all(|name| name == "find_tool" || all.contains(name)));
    let names = names_at(&http, "/mcp?tools=names");
    assert_eq!(
        names,
        ["resolve_term", "lookup_name", "list_names", "list_name_findings", "get_module"]
    );
    // Each tool is in one group.
    let grouped: usize = ["specs", "names", "tdocs", "meetings"]
        .iter()
        .map(|group| names_at(&http, &format!("/mcp?tools={group}")).len())
        .sum();
    assert_eq!(grouped, all.len());
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let refused = http.send_with("POST", "/mcp?tools=everything", &MCP, message.as_bytes());
    assert_eq!(refused.status, 400);
    let said = refused.body["error"]["message"].as_str().unwrap_or_default().to_owned();
    assert!(said.contains("read, all, or groups"), "{said}");
    Ok(())
}

fn the_reading_profile_finds_describes_and_calls_the_other_tools() -> TestResult {
    let (_data, _server, http) = served()?;
    let reading = names_at(&http, "/mcp?tools=read");
    let found = |arguments: Value| payload(&call(&http, "find_tool", &arguments));
    // Wishes and the tool that they mean.
    for (wish, expected) in [
        ("compare two versions of a clause", "compare_sections"),
        ("what changed between releases of a document", "compare_documents"),
        ("figures: an architecture drawing", "search_images"),
        ("show me a picture", "get_image"),
        ("list the meetings", "list_meetings"),
        ("what did the meeting decide", "list_meeting_decisions"),
        ("which clauses cite this clause", "list_references"),
        ("ASN.1 module for a compiler", "get_module"),
        ("who wrote it: a company name", "resolve_organization"),
        ("when was the wording of a clause introduced", "section_history"),
        ("trace_clause", "trace_clause"),
    ] {
        let reply = found(json!({ "query": wish }));
        let names = reply["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]);
        let names: Vec<&Value> = names.collect();
        assert!(names.contains(&&json!(expected)), "{wish}: {names:?}");
        assert!(reply["tools"][0]["arguments"].is_object(), "{reply}");
    }
    assert_eq!(found(json!({"query": "get_module"}))["tools"].as_array().map(Vec::len), Some(1));
    // Without a wish, or with one that no tool fits, every tool has a line.
    let all = names_at(&http, "/mcp").len();
    for arguments in [json!({}), json!({"query": "zzz qqq"}), json!({"query": null, "call": ""})] {
        assert_eq!(found(arguments)["tools"].as_array().map(Vec::len), Some(all));
    }
    // It answers as the tool itself does, however the arguments are given.
    let arguments = json!({"doc_number": "38.990", "section_number": "5.3.5"});
    let text = arguments.to_string();
    let own = payload(&call(&http, "list_references", &arguments));
    for given in [
        json!({"call": "list_references", "arguments": arguments}),
        json!({"call": "list_references", "arguments": text}),
        json!({"call": "list_references", "doc_number": "38.990", "section_number": "5.3.5"}),
    ] {
        assert_eq!(found(given), own);
    }
    assert!(!reading.contains(&"list_references".to_owned()));
    for (arguments, said) in [
        (json!({"call": "no_such_tool"}), "no tool 'no_such_tool'"),
        (json!({"call": "find_tool"}), "no tool 'find_tool'"),
        (json!({"call": "fetch_tdoc", "arguments": {"tdoc_id": "R1-1"}}), "as a tool of its own"),
        (json!({"call": "list_references", "arguments": [1]}), "must be an object"),
        (json!({"call": "list_references", "arguments": "x"}), "must be an object"),
        (json!({"call": "list_references"}), "doc_number"),
    ] {
        let refused = call(&http, "find_tool", &arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        assert!(payload(&refused).to_string().contains(said), "{refused}");
    }
    // Elsewhere there is no such tool.
    let params = json!({"name": "find_tool", "arguments": {}});
    assert!(rpc(&http, "tools/call", &params).body.get("error").is_some());
    Ok(())
}

fn the_reading_profile_answers_lean_and_the_others_as_rest_does() -> TestResult {
    let (_data, _server, http) = served()?;
    let arguments = json!({"limit": 3});
    let params = json!({"name": "list_documents", "arguments": arguments});
    let full = payload(&ask(&http, "/mcp/", "tools/call", &params));
    let lean = payload(&call(&http, "list_documents", &arguments));
    assert_ne!(full, lean);
    assert!(lean.to_string().len() < full.to_string().len());
    assert!(!lean.to_string().contains("null"), "{lean}");
    let asked = json!({"limit": 3, "detail": "full"});
    assert_eq!(payload(&call(&http, "list_documents", &asked)), full);
    let listed = ask(&http, "/mcp?tools=read", "tools/list", &json!({}));
    let tools = listed["tools"].as_array().expect("tools");
    let documents = tools.iter().find(|tool| tool["name"] == "list_documents").expect("there");
    assert_eq!(documents["inputSchema"]["properties"]["detail"]["default"], "low");
    Ok(())
}

/// Bytes of JSON for one token: a list of tools with 74 kB was counted as 17,800 tokens.
const BYTES_PER_TOKEN: f64 = 4.15;

fn lists_of_tools_are_short() -> TestResult {
    let (_data, _server, http) = served()?;
    for (path, most) in [("/mcp/?tools=read", 5_000.0), ("/mcp/", 11_000.0)] {
        let bytes = ask(&http, path, "tools/list", &json!({})).to_string().len();
        let tokens = bytes as f64 / BYTES_PER_TOKEN;
        assert!(tokens <= most, "{path}: {bytes} bytes, about {tokens:.0} tokens");
    }
    Ok(())
}
