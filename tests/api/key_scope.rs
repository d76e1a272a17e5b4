//! Keys that expire, or that may read only some operations or series.

use std::time::Duration;

use jiff::Timestamp;
use libtest_mimic::Trial;
use serde_json::{Value, json};
use specbox::service::operations;
use wire::find_example;

use crate::{
    client::Client,
    order::send,
    own::{client, data, set},
    program::{json as command, run, specbox},
    program_client::{call, payload, rpc},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_expired_key_is_401_and_says_so_over_rest_and_mcp,
        a_key_for_some_operations_is_refused_by_all_others_and_not_charged,
        a_key_for_a_series_finds_nothing_of_another_one_whatever_it_calls,
        a_key_for_a_series_reads_that_series_as_another_key_does,
        the_limits_of_a_key_are_listed_and_wrong_ones_make_no_key,
    ]
}

/// A client with a new key that was created with some flags.
fn limited(data: &std::path::Path, server: &RunningServer, flags: &[&str]) -> Client {
    let made = command(specbox(data).args(["key", "create", "--name", "limited"]).args(flags));
    client(server, made["key"].as_str().expect("a key"))
}

/// The document numbers of a reply, wherever they are.
fn document_numbers(reply: &Value) -> Vec<String> {
    match reply {
        Value::Object(fields) => {
            let own = fields.get("doc_number").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(document_numbers)).collect()
        }
        Value::Array(items) => items.iter().flat_map(document_numbers).collect(),
        _ => Vec::new(),
    }
}

fn an_expired_key_is_401_and_says_so_over_rest_and_mcp() -> TestResult {
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let end = Timestamp::now() + Duration::from_secs(5);
    let short = limited(data.path(), &server, &["--expires", &end.to_string()]);
    assert_eq!(short.get("/documents").status, 200);
    wait_until("the key expires", || short.get("/documents").status == 401);
    let expired = json!({"detail": "API key has expired"});
    let refused = short.get("/documents");
    assert_eq!(refused.body, expired);
    assert_eq!(refused.header("www-authenticate"), Some(r#"Bearer error="invalid_token""#));
    let refused = rpc(&short, "tools/list", &json!({}));
    assert_eq!((refused.status, &refused.body), (401, &expired));
    let listed = command(specbox(data.path()).args(["key", "list", "--json"]));
    assert_eq!((&listed[0]["expired"], &listed[0]["active"]), (&json!(true), &json!(true)));
    let table = run(specbox(data.path()).args(["key", "list"]));
    assert!(String::from_utf8_lossy(&table.stdout).contains("expired"));
    Ok(())
}

fn a_key_for_some_operations_is_refused_by_all_others_and_not_charged() -> TestResult {
    let data = data()?;
    set(data.path(), "mcp", "accept_keys = true");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let allowed = ["get_sections", "list_documents"];
    let flags = ["--operations", "list_documents,get_sections"];
    let narrow = limited(data.path(), &server, &flags);
    for operation in operations() {
        let descriptor = &operation.descriptor;
        let example = find_example(descriptor.name).expect("has an example");
        let answer = send(&narrow, descriptor, &example.parameters);
        if allowed.contains(&descriptor.name) || descriptor.open {
            assert_eq!(answer.status, 200, "{} {}", descriptor.name, answer.body);
        } else {
            assert_eq!(answer.status, 403, "{} {}", descriptor.name, answer.body);
            assert_eq!(answer.body["detail"]["code"], "out_of_scope", "{}", descriptor.name);
        }
    }
    let users = command(specbox(data.path()).args(["user", "list", "--json"]));
    assert_eq!(users[0]["used_this_month"], 2, "refusals are not charged");
    let tools = rpc(&narrow, "tools/list", &json!({}));
    let tools = tools.body["result"]["tools"].as_array().expect("tools").iter();
    let mut names: Vec<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["get_sections", "list_documents"]);
    let refused = call(&narrow, "search_text", &json!({"query": "timer"}));
    assert_eq!(refused["isError"], true);
    assert_eq!(payload(&refused)["detail"]["code"], "out_of_scope");
    Ok(())
}

/// The examples are about documents of series 38, contributions and meetings.
fn a_key_for_a_series_finds_nothing_of_another_one_whatever_it_calls() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let narrow = limited(data.path(), &server, &["--series", "24,23"]);
    let mut answered = Vec::new();
    for operation in operations() {
        let descriptor = &operation.descriptor;
        if descriptor.open {
            continue;
        }
        let example = find_example(descriptor.name).expect("has an example");
        let answer = send(&narrow, descriptor, &example.parameters);
        if answer.status == 200 {
            let numbers = document_numbers(&answer.body);
            let is_own = |number: &String| number.starts_with("24.") || number.starts_with("23.");
            assert!(numbers.iter().all(is_own), "{} {}", descriptor.name, answer.body);
            answered.push(descriptor.name);
        } else {
            assert_eq!(answer.status, 403, "{} {}", descriptor.name, answer.body);
            assert_eq!(answer.body["detail"]["code"], "out_of_scope", "{}", descriptor.name);
        }
    }
    // Their examples name no document, and are filtered.
    assert_eq!(answered, ["search_text", "search_images", "search_combined"]);
    let mut listed = document_numbers(&narrow.get("/documents").body);
    listed.dedup();
    assert_eq!(listed, ["23.990", "24.990"]);
    for target in [
        "/documents?doc_number=TS+38.990",
        "/documents?series=38",
        "/documents?series=24,38",
        "/sections?section_number=5.3.1",
        "/sections?section_number=5&doc_number=38990",
        "/sections?section_number=5&doc_number=38.101-1",
        "/sections/toc?doc_number=",
    ] {
        let answer = narrow.get(target);
        assert_eq!(answer.status, 403, "{target} {}", answer.body);
    }
    for filters in [
        json!({"query": "beacon", "filter_doc_number": "38.990"}),
        json!({"query": "beacon", "filter_series": "38"}),
        json!({"query": "beacon", "filter_series": "24, 38"}),
    ] {
        assert_eq!(narrow.post("/search/text", &filters).status, 403, "{filters}");
    }
    Ok(())
}

fn a_key_for_a_series_reads_that_series_as_another_key_does() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let (narrow, free) = (
        limited(data.path(), &server, &["--series", "24"]),
        limited(data.path(), &server, &["--project", "all of it"]),
    );
    for target in [
        "/sections?section_number=5.1.1&doc_number=24.990",
        "/sections/toc?doc_number=24.990",
        "/documents?series=24",
    ] {
        let (own, all) = (narrow.get(target), free.get(target));
        assert_eq!((own.status, &own.body), (200, &all.body), "{target}");
        assert_ne!(own.body, json!([]), "{target}");
    }
    let listed = free.get("/documents");
    let listed = listed.body.as_array().expect("a list");
    for document in listed {
        let target = format!("/documents/{}", document["id"]);
        let status = if document["series"] == "24" { 200 } else { 403 };
        assert_eq!(narrow.get(&target).status, status, "{document}");
    }
    assert_eq!(narrow.get("/documents/999999").status, 404);
    let (own, same) = (
        narrow.post("/search/text", &json!({"query": "timer of a session", "rerank": false})),
        free.post(
            "/search/text",
            &json!({"query": "timer of a session", "rerank": false, "filter_series": "24"}),
        ),
    );
    assert!(own.body["total"].as_u64().is_some_and(|total| total > 0), "{}", own.body);
    assert_eq!(own.body["results"], same.body["results"]);
    Ok(())
}

fn the_limits_of_a_key_are_listed_and_wrong_ones_make_no_key() -> TestResult {
    let data = data()?;
    let data = data.path();
    let flags = ["--project", "Rel-20", "--expires", "30d", "--series", "38,23"];
    let create = ["key", "create", "--name", "lab"];
    command(specbox(data).args(create).args(flags));
    command(specbox(data).args(create));
    let listed = command(specbox(data).args(["key", "list", "--json", "--project", "Rel-20"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(1));
    assert_eq!(listed[0]["project"], "Rel-20");
    assert_eq!(listed[0]["scope"], json!({"operations": [], "series": ["23", "38"]}));
    let table = run(specbox(data).args(["key", "list"]));
    let table = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(table.contains("Rel-20") && table.contains("series 23, 38"), "{table}");
    for (flag, value, words) in [
        ("--expires", "2020-01-01", "expires"),
        ("--expires", "tomorrow", "expires"),
        ("--series", "3800", "'3800' is not a series"),
        ("--operations", "search_text,delete_all", "no operation 'delete_all'"),
    ] {
        let refused = run(specbox(data).args(create).args([flag, value]));
        let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(1), "{flag} {value} {errors}");
        assert!(errors.contains(words), "{flag} {value}: {errors}");
    }
    let all = command(specbox(data).args(["key", "list", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(2));
    Ok(())
}
