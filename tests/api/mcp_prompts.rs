//! What the protocol has beside tools: sections by address, prompts, and completion of their arguments.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    mcp::served,
    own::{add_user, client, configure, data, key, set},
    program::{json as json_of, specbox},
    program_client::rpc,
    quota::used,
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        sections_are_read_by_address_as_markdown,
        addresses_that_lead_nowhere_say_why,
        a_section_by_address_is_charged_and_refused_like_a_call,
        prompts_are_filled_in_with_arguments,
        arguments_are_completed_from_what_is_indexed,
        a_key_for_some_series_reads_and_completes_no_others,
    ]
}

fn read(http: &Client, uri: &str) -> Value {
    rpc(http, "resources/read", &json!({ "uri": uri })).body
}

fn sections_are_read_by_address_as_markdown() -> TestResult {
    let (_data, _server, http) = served()?;
    let listed = rpc(&http, "resources/templates/list", &json!({})).body;
    let templates = listed["result"]["resourceTemplates"].as_array().expect("templates");
    let uris: Vec<_> = templates.iter().map(|template| &template["uriTemplate"]).collect();
    assert_eq!(uris, ["spec://{document}/{section}", "spec://{document}/{section}@{version}"]);
    assert!(templates.iter().all(|template| template["mimeType"] == "text/markdown"), "{listed}");
    for (uri, version, release) in [
        ("spec://38.990/5.3.1.4a", "19.0.0", "Rel-19"),
        ("spec://TS%2038.990/5.3.1.4a", "19.0.0", "Rel-19"),
        ("spec://38.990/5.3.1.4a@18.1.0", "18.1.0", "Rel-18"),
        ("spec://38.990/5.3.1.4a@Rel-18", "18.1.0", "Rel-18"),
    ] {
        let contents = read(&http, uri)["result"]["contents"][0].clone();
        assert_eq!(
            (&contents["uri"], &contents["mimeType"]),
            (&json!(uri), &json!("text/markdown"))
        );
        let text = contents["text"].as_str().unwrap_or_else(|| panic!("{uri}: {contents}"));
        let path = format!("/sections?doc_number=38.990&section_number=5.3.1.4a&version={version}");
        let section = http.get(&path).body[0].clone();
        let expected = format!(
            "# 5.3.1.4a {}\n\n3GPP 38.990 V{version} ({release}), clause 5.3.1.4a\n\n{}\n",
            section["section_title"].as_str().expect("a title"),
            section["full_text"].as_str().expect("a text").trim(),
        );
        assert_eq!(text, expected, "{uri}");
    }
    Ok(())
}

fn addresses_that_lead_nowhere_say_why() -> TestResult {
    let (_data, _server, http) = served()?;
    for (uri, said) in [
        ("spec://99.999/5.3.5", "99.999 is not indexed"),
        ("spec://38.990/5.3.1.99", "38.990 19.0.0 has no section '5.3.1.99'"),
        ("spec://38.990/5.3.1.4a@17.0.0", "Version 17.0.0 of 38.990 is not indexed"),
        ("spec://nothing/5", "is not a document number"),
        ("spec://38.990", "unknown resource"),
        ("spec://38.990/%ff", "unknown resource"),
        ("https://38.990/5", "unknown resource"),
    ] {
        let error = read(&http, uri)["error"].clone();
        assert_eq!(
            (&error["code"], &error["data"]["uri"]),
            (&json!(-32002), &json!(uri)),
            "{error}"
        );
        let message = error["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{uri}: {message}");
    }
    Ok(())
}

fn a_section_by_address_is_charged_and_refused_like_a_call() -> TestResult {
    let data = data()?;
    configure(data.path(), "[[plans]]\nname = \"free\"\nrequests_per_month = 2");
    set(data.path(), "mcp", "accept_keys = true");
    add_user(data.path(), "ann");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, &key(data.path(), Some("ann")));
    for method in ["resources/templates/list", "prompts/list", "resources/list"] {
        assert!(rpc(&http, method, &json!({})).body["result"].is_object(), "{method}");
    }
    let typed = json!({"name": "document", "value": "38"});
    let template = json!({"type": "ref/resource", "uri": "spec://{document}/{section}"});
    let params = json!({"ref": template, "argument": typed});
    assert!(rpc(&http, "completion/complete", &params).body["result"].is_object());
    assert_eq!(used(data.path(), "ann"), 0, "what helps to ask is free of charge");
    for _ in 0..2 {
        assert!(read(&http, "spec://38.990/3.2")["result"].is_object());
    }
    assert_eq!(used(data.path(), "ann"), 2);
    let refused = read(&http, "spec://38.990/3.2")["error"].clone();
    assert_eq!(refused["code"], -32600, "{refused}");
    assert_eq!(refused["data"]["code"], "api_quota_exhausted", "{refused}");
    assert!(refused["message"].as_str().is_some_and(|message| !message.is_empty()), "{refused}");
    Ok(())
}

fn prompts_are_filled_in_with_arguments() -> TestResult {
    let (_data, _server, http) = served()?;
    let listed = rpc(&http, "prompts/list", &json!({})).body;
    let tools = rpc(&http, "tools/list", &json!({})).body;
    let tools = tools["result"]["tools"].as_array().expect("tools").clone();
    let prompts = listed["result"]["prompts"].as_array().expect("prompts");
    let names: Vec<_> = prompts.iter().map(|prompt| &prompt["name"]).collect();
    assert_eq!(names, ["find_clause", "compare_releases", "what_was_decided", "trace_parameter"]);
    let get = |name: &Value, arguments: &Value| {
        rpc(&http, "prompts/get", &json!({"name": name, "arguments": arguments})).body
    };
    for prompt in prompts {
        assert!(prompt["title"].is_string() && prompt["description"].is_string(), "{prompt}");
        let parameters = prompt["arguments"].as_array().expect("arguments");
        let given = |parameters: Vec<&Value>| {
            let value = |one: &&Value| {
                let name = one["name"].as_str().expect("a name").to_owned();
                (name.clone(), json!(format!("the {name} \"{{}}\"")))
            };
            Value::Object(parameters.iter().map(value).collect())
        };
        let text_of = |arguments: &Value| {
            let answer = get(&prompt["name"], arguments);
            let message = answer["result"]["messages"][0].clone();
            assert_eq!(
                (&message["role"], &message["content"]["type"]),
                (&json!("user"), &json!("text"))
            );
            message["content"]["text"].as_str().expect("a text").to_owned()
        };
        let all = given(parameters.iter().collect());
        let text = text_of(&all);
        for value in all.as_object().expect("arguments").values() {
            assert!(text.contains(value.as_str().expect("a text")), "{value} is not in: {text}");
        }
        let required: Vec<&Value> =
            parameters.iter().filter(|parameter| parameter["required"] == true).collect();
        let short = text_of(&given(required.clone()));
        assert!(short.len() < text.len() && !short.contains("  "), "{short}");
        let words = short.split(|c: char| !c.is_alphanumeric() && c != '_');
        let named = words.filter(|word| word.contains('_') && !word.starts_with("filter_"));
        let is_known = |word: &str| {
            tools.iter().any(|tool| {
                tool["name"] == word || tool["inputSchema"]["properties"].get(word).is_some()
            })
        };
        let named: Vec<&str> = named.collect();
        assert!(!named.is_empty() && named.iter().all(|word| is_known(word)), "{named:?}");
        for left_out in &required {
            let rest = required.iter().copied().filter(|one| one["name"] != left_out["name"]);
            let refused = get(&prompt["name"], &given(rest.collect()));
            assert_eq!(refused["error"]["code"], -32602, "{refused}");
            let message = format!("{} is missing", left_out["name"].as_str().expect("a name"));
            assert_eq!(refused["error"]["message"], message);
        }
    }
    let long = "x".repeat(3_000);
    for (name, arguments) in [
        ("no_such", json!({})),
        ("find_clause", json!({"question": " "})),
        ("find_clause", json!({"question": null})),
        ("find_clause", json!({"question": 5})),
        ("find_clause", json!({"question": long})),
        ("find_clause", json!([])),
    ] {
        let refused = get(&json!(name), &arguments);
        assert_eq!(refused["error"]["code"], -32602, "{name} {refused}");
        assert!(refused.to_string().len() < 500, "{refused}");
    }
    Ok(())
}

fn arguments_are_completed_from_what_is_indexed() -> TestResult {
    let (_data, _server, http) = served()?;
    let section = json!({"type": "ref/resource", "uri": "spec://{document}/{section}"});
    let version = json!({"type": "ref/resource", "uri": "spec://{document}/{section}@{version}"});
    let prompt = |name: &str| json!({"type": "ref/prompt", "name": name});
    let complete = |reference: &Value, name: &str, value: &str, context: &Value| {
        let argument = json!({"name": name, "value": value});
        let params = json!({"ref": reference, "argument": argument, "context": context});
        rpc(&http, "completion/complete", &params).body
    };
    let of = |document: &str| json!({"arguments": {"document": document}});
    let none = json!({"arguments": {}});
    let with_prefix = ["38.990", "38.991-1", "38.991-2", "38.992"];
    for (reference, name, value, context, expected) in [
        (&section, "document", "38.99", &none, &with_prefix[..]),
        (&section, "document", "TS 38.99", &none, &with_prefix),
        (&section, "document", "77", &none, &[]),
        (&section, "section", "5.3.1.4a", &of("38.990"), &["5.3.1.4a"]),
        (&section, "section", "refused by OVERLOAD", &of("38.990"), &["5.3.1.4a"]),
        (&section, "section", "5.3", &none, &[]),
        (&section, "section", "5.3", &of("77.777"), &[]),
        (&section, "section", "5.3", &of("\u{fffd}"), &[]),
        (&version, "version", "", &of("38.990"), &["19.0.0", "18.1.0", "18.0.0", "17.2.0"]),
        (&version, "version", "18", &of("38.990"), &["18.1.0", "18.0.0"]),
        (&prompt("compare_releases"), "from", "", &of("38.990"), &["Rel-19", "Rel-18", "Rel-17"]),
        (&prompt("compare_releases"), "to", "18", &none, &["Rel-18"]),
        (&prompt("compare_releases"), "section", "5.3.1.4a", &of("TS 38.990"), &["5.3.1.4a"]),
        (&prompt("what_was_decided"), "meeting", "RAN1#190", &none, &["R1-190"]),
        (&prompt("what_was_decided"), "topic", "b", &none, &[]),
        (&prompt("trace_parameter"), "name", "LRCSetupRej", &none, &["LRCSetupReject"]),
        (&prompt("trace_parameter"), "name", "", &none, &[]),
    ] {
        let answer = complete(reference, name, value, context);
        let completion = &answer["result"]["completion"];
        assert_eq!(completion["values"], json!(expected), "{name} '{value}' {context}: {answer}");
        assert_eq!(completion["total"], json!(expected.len()), "{answer}");
        assert_eq!(completion["hasMore"], false);
    }
    let all = complete(&section, "document", "", &none)["result"]["completion"].clone();
    let documents = http.get("/documents").body;
    let mut numbers: Vec<&str> = documents["results"]
        .as_array()
        .or(documents.as_array())
        .expect("a list")
        .iter()
        .filter_map(|document| document["doc_number"].as_str())
        .collect();
    numbers.dedup();
    assert_eq!(all["values"], json!(numbers));
    let meetings = complete(&prompt("what_was_decided"), "meeting", "", &none);
    let meetings = &meetings["result"]["completion"];
    assert!(meetings["values"].as_array().is_some_and(|ids| ids.contains(&json!("R1-190"))));
    let long = "9".repeat(500);
    let long = complete(&section, "document", &long, &none);
    assert_eq!(long["result"]["completion"]["values"], json!([]), "{long}");
    for (reference, name) in [
        (&prompt("no_such"), "question"),
        (&prompt("find_clause"), "no_such"),
        (&section, "version"),
        (&json!({"type": "ref/resource", "uri": "spec://38.990/5"}), "document"),
        (&json!({"type": "ref/other"}), "document"),
    ] {
        let refused = complete(reference, name, "", &none);
        assert_eq!(refused["error"]["code"], -32602, "{reference} {name}: {refused}");
    }
    Ok(())
}

fn a_key_for_some_series_reads_and_completes_no_others() -> TestResult {
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let mut create = specbox(data.path());
    let made = json_of(create.args(["key", "create", "--name", "test", "--series", "38"]));
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let http = client(&server, made["key"].as_str().expect("a key"));
    assert!(read(&http, "spec://38.990/3.2")["result"].is_object());
    let refused = read(&http, "spec://23.990/4.4.3");
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
    let version = json!({"type": "ref/resource", "uri": "spec://{document}/{section}@{version}"});
    for (name, document, is_empty) in [
        ("document", None, false),
        ("section", Some("38.990"), false),
        ("section", Some("TS 38.990"), false),
        ("section", Some("23.990"), true),
        ("version", Some("23.990"), true),
        ("version", Some("TS 23990"), true),
        ("version", None, true),
    ] {
        let argument = json!({"name": name, "value": ""});
        let context = json!({"arguments": document.map(|document| json!({"document": document}))});
        let params = json!({"ref": version, "argument": argument, "context": context});
        let answer = rpc(&http, "completion/complete", &params).body;
        let values = answer["result"]["completion"]["values"].as_array().expect("values");
        assert_eq!(values.is_empty(), is_empty, "{name} of {document:?}: {answer}");
        if name == "document" {
            let is_own =
                |number: &Value| number.as_str().is_some_and(|text| text.starts_with("38."));
            assert!(values.iter().all(is_own), "{answer}");
        }
    }
    Ok(())
}
