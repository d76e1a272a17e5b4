//! The protocol on the wire: both spellings, every revision, what is refused and how.

use std::collections::HashSet;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    own::{client, data, key, set},
    program_client::{MCP, call, page, payload, rpc},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        requests_without_a_token_get_the_address_to_sign_in,
        every_revision_is_spoken_and_what_is_not_declared_is_not_there,
        what_is_no_message_is_refused_in_the_words_of_json_rpc,
        pages_of_others_and_other_hosts_are_turned_away,
        pages_that_the_operator_names_may_call_and_sign_in_from_a_browser,
        warnings_for_the_model_are_given_in_words,
        what_an_answer_would_repeat_is_told_once,
        long_answers_are_shortened_and_say_how_to_get_the_rest,
    ]
}

pub(crate) fn served() -> Result<(tempfile::TempDir, RunningServer, Client), Missing> {
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key(data.path(), None));
    Ok((data, server, http))
}

fn requests_without_a_token_get_the_address_to_sign_in() -> TestResult {
    let (_data, server, http) = served()?;
    let stranger = http.with_authorization(None);
    let base = &server.base_url;
    for (path, own) in [("/mcp", "/mcp"), ("/mcp/", "/mcp/")] {
        for (method, headers, body) in [
            ("GET", &[][..], ""),
            ("POST", &[], ""),
            ("POST", &MCP, "{}"),
            ("POST", &MCP, "not json"),
            ("DELETE", &[], ""),
            ("PUT", &[], ""),
        ] {
            let refused = stranger.send_with(method, path, headers, body.as_bytes());
            assert_eq!(refused.status, 401, "{method} {path}");
            let challenge = refused.header("www-authenticate").expect("a challenge");
            let metadata = format!(
                r#"Bearer resource_metadata="{base}/.well-known/oauth-protected-resource{own}", scope="read""#
            );
            assert_eq!(challenge, metadata);
        }
        let well_known = format!("/.well-known/oauth-protected-resource{own}");
        let metadata = stranger.get(&well_known);
        assert_eq!(metadata.body["resource"], format!("{base}{own}"));
        assert_eq!(metadata.body["authorization_servers"], json!([base]));
        let denied = stranger.with_authorization(Some("Bearer at-nothing"));
        let refused = denied.send_with("POST", path, &MCP, b"{}");
        let challenge = refused.header("www-authenticate").expect("a challenge");
        assert!(challenge.contains(r#"error="invalid_token""#), "{challenge}");
    }
    let root = stranger.get("/.well-known/oauth-protected-resource").body;
    assert_eq!(root["resource"], format!("{base}/mcp"));
    let issuer = stranger.get("/.well-known/oauth-authorization-server").body;
    assert_eq!(issuer["issuer"], json!(base));
    assert_eq!(issuer["code_challenge_methods_supported"], json!(["S256"]));
    for endpoint in ["authorization", "token", "registration", "revocation"] {
        let url = issuer[format!("{endpoint}_endpoint")].as_str().expect("a URL");
        assert!(url.starts_with(&format!("{base}/oauth/")), "{url}");
    }
    Ok(())
}

fn every_revision_is_spoken_and_what_is_not_declared_is_not_there() -> TestResult {
    let (_data, _server, http) = served()?;
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let params = json!({
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        });
        let reply = rpc(&http, "initialize", &params).body;
        assert_eq!(reply["result"]["protocolVersion"], revision, "{reply}");
        assert_eq!(reply["result"]["serverInfo"]["name"], "specbox");
        assert!(
            reply["result"]["instructions"]
                .as_str()
                .is_some_and(|text| text.contains("search_text"))
        );
        let declared = reply["result"]["capabilities"].as_object().expect("capabilities").keys();
        assert_eq!(declared.collect::<Vec<_>>(), ["completions", "prompts", "resources", "tools"]);
    }
    let modern = |method: &str, name: Option<&str>, mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let message = json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
        let mut headers = MCP.to_vec();
        headers.extend([("mcp-protocol-version", "2026-07-28"), ("mcp-method", method)]);
        headers.extend(name.map(|name| ("mcp-name", name)));
        http.send_with("POST", "/mcp/", &headers, message.to_string().as_bytes())
    };
    let discovered = modern("server/discover", None, json!({})).body;
    assert!(
        discovered["result"]["supportedVersions"].to_string().contains("2026-07-28"),
        "{discovered}"
    );
    let listed = modern("tools/list", None, json!({})).body;
    assert!(
        listed["result"]["tools"].as_array().is_some_and(|tools| tools.len() >= 10),
        "{listed}"
    );
    let params = json!({"name": "resolve_term", "arguments": {"term": "UE"}});
    let called = modern("tools/call", Some("resolve_term"), params).body;
    assert_eq!(called["result"]["isError"], false, "{called}");
    for method in [
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "resources/subscribe",
        "tasks/list",
        "no/such",
    ] {
        for reply in [
            rpc(&http, method, &json!({"name": "x", "uri": "x", "level": "info"})),
            modern(method, None, json!({})),
        ] {
            let code = &reply.body["error"]["code"];
            assert!(
                *code == -32601 || *code == -32602 || reply.status == 400,
                "{method} {}",
                reply.body
            );
            assert!(reply.body.get("result").is_none(), "{method}");
        }
    }
    Ok(())
}

fn what_is_no_message_is_refused_in_the_words_of_json_rpc() -> TestResult {
    let (_data, _server, http) = served()?;
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).to_string();
    let json_only = [("content-type", "application/json"), ("accept", "application/json")];
    let as_text = [("content-type", "text/plain"), MCP[1]];
    for (headers, body, status, code) in [
        (&MCP[..], "not json", 400, -32700),
        (&MCP, "", 400, -32700),
        (&MCP, "[]", 400, -32600),
        (&MCP, &format!("[{call}]"), 400, -32600),
        (&MCP, "5", 400, -32600),
        (&MCP, r#"{"id": 7}"#, 400, -32600),
        (&json_only, &call, 406, -32600),
        (&as_text, &call, 415, -32600),
    ] {
        let refused = http.send_with("POST", "/mcp", headers, body.as_bytes());
        assert_eq!(refused.status, status, "{body} {}", page(&refused));
        assert_eq!(refused.body["error"]["code"], code, "{body} {}", page(&refused));
        assert_eq!(refused.header("content-type"), Some("application/json"));
    }
    for method in ["GET", "DELETE", "PUT"] {
        let refused = http.send_with(method, "/mcp", &MCP, b"");
        assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")), "{method}");
    }
    let large = format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{}"}}"#, "a".repeat(2 << 20));
    assert_eq!(http.send_with("POST", "/mcp", &MCP, large.as_bytes()).status, 413);
    let unknown = rpc(&http, "tools/call", &json!({"name": "no_such", "arguments": {}}));
    assert_eq!((unknown.status, &unknown.body["error"]["code"]), (200, &json!(-32602)));
    let odd = rpc(&http, "tools/call", &json!({"name": "search_text", "arguments": [1]}));
    assert_eq!(odd.body["error"]["code"], -32602, "{}", odd.body);
    let missing = rpc(&http, "resources/read", &json!({"uri": "specbox://nothing"}));
    assert_eq!(missing.body["error"]["code"], -32002);
    assert_eq!(missing.body["error"]["data"]["uri"], "specbox://nothing");
    Ok(())
}

fn pages_of_others_and_other_hosts_are_turned_away() -> TestResult {
    let (_data, server, http) = served()?;
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).to_string();
    let own = server.base_url.clone();
    for (name, value, status) in [
        ("origin", own.as_str(), 200),
        ("origin", "https://evil.example", 403),
        ("origin", "http://localhost:1", 403),
        ("origin", "null", 403),
        ("host", "evil.example", 403),
        ("host", "localhost:9355.evil.example", 403),
    ] {
        let headers = [MCP[0], MCP[1], (name, value)];
        let answer = http.send_with("POST", "/mcp", &headers, call.as_bytes());
        assert_eq!(answer.status, status, "{name}: {value}");
    }
    let preflight = [("origin", "https://evil.example"), ("access-control-request-method", "POST")];
    let refused = http.with_authorization(None).send_with("OPTIONS", "/mcp", &preflight, b"");
    assert!(refused.header("access-control-allow-origin").is_none());
    Ok(())
}

fn pages_that_the_operator_names_may_call_and_sign_in_from_a_browser() -> TestResult {
    let data = data()?;
    set(
        data.path(),
        "mcp",
        "accept_keys = true\nallowed_origins = [\"https://inspector.example\"]",
    );
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key(data.path(), None));
    let origin = ("origin", "https://inspector.example");
    let asks = [
        origin,
        ("access-control-request-method", "POST"),
        (
            "access-control-request-headers",
            "authorization,content-type,mcp-protocol-version,mcp-method",
        ),
    ];
    let stranger = http.with_authorization(None);
    for path in ["/mcp", "/mcp/", "/oauth/token", "/oauth/register"] {
        let preflight = stranger.send_with("OPTIONS", path, &asks, b"");
        assert_eq!(preflight.status, 200, "{path}");
        assert_eq!(preflight.header("access-control-allow-origin"), Some(origin.1), "{path}");
        let headers = preflight.header("access-control-allow-headers").expect("the header");
        assert!(headers.contains("mcp-protocol-version") && headers.contains("authorization"));
        assert!(preflight.header("access-control-allow-credentials").is_none());
    }
    let refused = stranger.send_with("POST", "/mcp", &[origin], b"{}");
    let exposed = refused.header("access-control-expose-headers").expect("the header");
    assert_eq!(refused.status, 401);
    assert!(exposed.contains("www-authenticate"), "{exposed}");
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).to_string();
    let headers = [MCP[0], MCP[1], origin];
    assert_eq!(http.send_with("POST", "/mcp", &headers, call.as_bytes()).status, 200);
    let other_port = [MCP[0], MCP[1], ("origin", "https://inspector.example:444")];
    assert_eq!(http.send_with("POST", "/mcp", &other_port, call.as_bytes()).status, 403);
    Ok(())
}

fn warnings_for_the_model_are_given_in_words() -> TestResult {
    let (_data, _server, http) = served()?;
    let note_of = |tool: &str, arguments: &Value| {
        let result = call(&http, tool, arguments);
        result["content"][1]["text"].as_str().unwrap_or_default().to_owned()
    };
    let made_up = json!({"query": "timer T399x", "rerank_top_k": 1, "include_section_text": false});
    let unknown = payload(&call(&http, "search_text", &made_up));
    let first = unknown.as_object().and_then(|fields| fields.iter().next()).expect("a field");
    assert_eq!(first.0, "WARNING", "it comes first: {unknown}");
    assert!(first.1.as_str().is_some_and(|warning| warning.contains("T399x")), "{unknown}");
    let note = note_of("get_sections", &json!({"doc_number": "99.999", "section_number": "1"}));
    assert!(note.starts_with("No matches. 99.999 is not indexed."), "{note}");
    let misnamed = json!({"term": "UE", "top_k": 2});
    let note = note_of("resolve_term", &misnamed);
    assert!(note.contains("Unknown argument top_k"), "{note}");
    let misspelt = call(&http, "list_sections", &json!({"doc_numbr": "38.990"}));
    assert_eq!(misspelt["isError"], true);
    assert_eq!(payload(&misspelt)["detail"][0]["loc"], json!(["doc_number"]));
    let note = misspelt["content"][1]["text"].as_str().unwrap_or_default();
    assert!(note.contains("doc_numbr (did you mean doc_number?)"), "{note}");
    assert_eq!(note_of("resolve_term", &json!({"term": "UE"})), "", "nothing is said without need");
    Ok(())
}

fn what_an_answer_would_repeat_is_told_once() -> TestResult {
    let (_data, _server, http) = served()?;
    let arguments =
        json!({"doc_number": "38.990", "version": "latest", "max_level": 2, "under": "clause 5.3"});
    let contents = payload(&call(&http, "list_sections", &arguments));
    assert_eq!(
        (&contents["doc_number"], &contents["version"]),
        (&json!("38.990"), &json!("19.0.0"))
    );
    let rows = contents["sections"].as_array().expect("rows");
    assert_eq!(rows.len(), 1, "{contents}");
    let fields: Vec<&String> = rows[0].as_object().expect("a row").keys().collect();
    assert_eq!(fields, ["section_number", "section_title", "heading_level", "token_count"]);

    // A passage that is its whole section: the text comes twice over REST, once over MCP.
    let search = json!({"query": "beacon unit", "filter_doc_number": "38.990", "rerank": false, "match_count": 60,
        "max_tokens": 200_000});
    let result = payload(&call(&http, "search_text", &search));
    let results = result["results"].as_array().expect("results");
    let whole: HashSet<&str> =
        results.iter().filter_map(|one| one["section_text"].as_str()).collect();
    let remarks = whole.iter().filter(|text| text.starts_with("[same as")).count();
    assert!(remarks > 0, "{whole:?}");
    let rest = http.post("/search/text", &search).body;
    let texts: HashSet<&str> = rest["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|one| one["section_text"].as_str())
        .collect();
    assert!(whole.iter().all(|text| text.starts_with("[same as") || texts.contains(text)));
    Ok(())
}

fn long_answers_are_shortened_and_say_how_to_get_the_rest() -> TestResult {
    let (_data, _server, http) = served()?;
    let arguments =
        json!({"query": "session", "match_count": 50, "rerank": false, "max_tokens": 1000});
    let short = call(&http, "search_text", &arguments);
    let blocks = short["content"].as_array().expect("blocks");
    assert_eq!(blocks.len(), 2, "{short}");
    let bytes: usize = blocks.iter().filter_map(|b| b["text"].as_str()).map(str::len).sum();
    assert!(bytes <= 3000, "{bytes}");
    let note = blocks[1]["text"].as_str().expect("a text");
    assert!(note.contains("max_tokens=1000") && note.contains("get_sections"), "{note}");
    let settled = |result: &Value| {
        let mut payload = payload(result);
        payload.as_object_mut().and_then(|fields| fields.shift_remove("elapsed_ms"));
        payload
    };
    assert_eq!(
        settled(&short),
        settled(&call(&http, "search_text", &arguments)),
        "each time alike"
    );
    let whole =
        json!({"query": "session", "match_count": 50, "rerank": false, "max_tokens": 200_000});
    let whole = call(&http, "search_text", &whole);
    assert_eq!(whole["content"].as_array().map(Vec::len), Some(1));
    let refused = call(&http, "search_text", &json!({"query": "x", "max_tokens": 10}));
    assert_eq!(payload(&refused)["detail"][0]["loc"], json!(["max_tokens"]));

    // A section is read on where its text was cut; its pages joined are the whole: shorten.rs.
    let whole = http.get("/sections?doc_number=24.990&section_number=5&prefix=true").body;
    let whole = whole[0]["full_text"].as_str().expect("a text").to_owned();
    let arguments =
        json!({"doc_number": "24.990", "section_number": "5", "prefix": true, "char_offset": 7});
    let rest = call(&http, "get_sections", &arguments);
    let text = payload(&rest)[0]["full_text"].as_str().expect("a text").to_owned();
    assert_eq!(text, whole.chars().skip(7).collect::<String>());
    let listed = call(&http, "list_documents", &json!({"result_offset": 2}));
    let documents = http.get("/documents").body;
    assert_eq!(
        payload(&listed).as_array().map(Vec::as_slice),
        Some(&documents.as_array().expect("all")[2..])
    );
    let note = rest["content"][1]["text"].as_str().expect("a text");
    assert!(note.contains("begins at character 7") && !note.contains("To get the rest"), "{note}");
    Ok(())
}
