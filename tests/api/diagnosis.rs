//! Why an answer is empty or thin: a table of situations, each over REST, and how every edge says it.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    fixture::fixture,
    mcp::served,
    own::data,
    person::{Person, link},
    program::specbox,
    program_client::{call, payload},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_empty_answer_says_why,
        a_full_answer_says_nothing,
        a_bare_list_has_its_reasons_in_a_header,
        spellings_of_people_are_read,
        a_command_prints_the_reasons_beside_the_reply,
        tools_say_the_reasons_once_and_read_the_same_spellings,
        pages_show_the_reasons,
    ]
}

/// The situations: a request, and the first reason that its answer gives.
const SITUATIONS: &str = include_str!("../fixtures/diagnosis.tsv");

/// The reasons of an answer: in its field, or in the header of a bare list.
fn reasons_of(answer: &crate::client::Answer) -> Vec<Value> {
    let header = answer.header("specbox-diagnosis").map(|header| {
        assert!(answer.body.is_array(), "only a bare list has the header");
        serde_json::from_str::<Value>(header).expect("JSON")
    });
    let found = header.unwrap_or_else(|| answer.body["diagnosis"].clone());
    found.as_array().cloned().unwrap_or_default()
}

fn an_empty_answer_says_why() -> TestResult {
    let client = fixture()?.client();
    let rows: Vec<Vec<&str>> = SITUATIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
        .collect();
    assert!(rows.len() >= 50, "{} situations", rows.len());
    let mut wrong = Vec::new();
    for row in rows {
        let [target, body, code, parameter, message] = row[..] else { panic!("a row: {row:?}") };
        let answer = match body {
            "" => client.get(target),
            body => client.post(target, &serde_json::from_str(body).expect("JSON")),
        };
        let reasons = reasons_of(&answer);
        let is_right = reasons.first().is_some_and(|reason| {
            let said = reason["message"].as_str().unwrap_or_default();
            reason["code"] == code
                && reason["parameter"].as_str().unwrap_or_default() == parameter
                && said.starts_with(message)
        });
        if !(answer.status == 200 && is_right) {
            wrong.push(format!("{target} {body}: {} {}", answer.status, Value::from(reasons)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn a_full_answer_says_nothing() -> TestResult {
    let client = fixture()?.client();
    for target in [
        "/documents",
        "/documents?series=38",
        "/sections?doc_number=38.990&section_number=5.3.1",
        "/terms/resolve?term=LRC",
        "/names?name=wakeUpConfig",
        "/tdocs?limit=1",
        "/meetings",
        "/decisions?limit=1",
    ] {
        let answer = client.get(target);
        assert!(
            answer.status == 200 && reasons_of(&answer).is_empty(),
            "{target}: {}",
            answer.body
        );
        assert_eq!(answer.header("x-specbox-note"), None, "{target}");
    }
    let asked = json!({"query": "How long does a terminal wait after an overloaded beacon turned it away?"});
    let answer = client.post("/search/text", &asked);
    assert!(answer.body.get("diagnosis").is_none(), "{}", answer.body["diagnosis"]);
    Ok(())
}

fn a_bare_list_has_its_reasons_in_a_header() -> TestResult {
    let client = fixture()?.client();
    let answer = client.get("/terms/resolve?term=%C3%A9lan");
    assert_eq!(answer.body, json!([]), "the contract's list is untouched");
    let header = answer.header("specbox-diagnosis").expect("a header");
    assert!(header.is_ascii() && header.contains(r"\u00e9lan"), "{header}");
    let lean = client.get("/terms/resolve?term=%C3%A9lan&detail=low");
    assert_eq!((lean.body.clone(), reasons_of(&lean)), (json!([]), reasons_of(&answer)));
    Ok(())
}

fn spellings_of_people_are_read() -> TestResult {
    let client = fixture()?.client();
    let version = |target: &str| {
        let body = client.get(target).body;
        assert!(body.as_array().is_some_and(|list| !list.is_empty()), "{target}: {body}");
        body[0]["version"].as_str().expect("text").to_owned()
    };
    for (document, expected) in [
        ("TS%2038.990-i10", "18.1.0"),
        ("38990-h20.zip", "17.2.0"),
        ("3GPP%20TS%2038.990%20V18.0.0%20(2026-01)", "18.0.0"),
        ("38.990%20Rel-18", "18.1.0"),
        ("ts%2038.990&version=R18", "18.1.0"),
        ("38.990&version=18.0", "18.0.0"),
        ("38.990&version=Rel-18", "18.1.0"),
        ("38.990&release=18.1.0", "18.1.0"),
    ] {
        let target = format!("/sections?section_number=5.3.1%20Setup&doc_number={document}");
        assert_eq!(version(&target), expected, "{target}");
    }
    for (name, found) in [
        ("IE%20wakeUpConfig", "wakeUpConfig"),
        ("LRCSetup%20message", "LRCSetup"),
        ("the%20timer%20T390", "T390"),
    ] {
        let body = client.get(&format!("/names?name={name}&version=latest")).body;
        assert_eq!(body["definitions"][0]["name"], found, "{name}: {body}");
    }
    let older = client.get("/names?name=T390&version=18.0").body;
    assert_eq!(older["definitions"][0]["version"], "18.0.0", "{older}");
    let listed = client.get("/documents?series=38%20series&release=Rel.18").body;
    assert!(listed.as_array().is_some_and(|list| list.len() > 3), "{listed}");
    Ok(())
}

fn a_command_prints_the_reasons_beside_the_reply() -> TestResult {
    let fixture = fixture()?;
    let output = specbox(&fixture.data)
        .args(["call", "resolve_term", "--term", "zyxwvut"])
        .output()
        .expect("it runs");
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(printed, json!([]));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("No indexed document defines 'zyxwvut'."), "{said}");
    Ok(())
}

fn tools_say_the_reasons_once_and_read_the_same_spellings() -> TestResult {
    let (_data, _server, http) = served()?;
    let undefined = call(&http, "lookup_name", &json!({"name": "zyxwvut"}));
    let reason = &payload(&undefined)["diagnosis"][0];
    assert_eq!(reason["code"], "name_not_found", "{undefined}");
    assert_eq!(undefined["content"][1], Value::Null, "a record has its reasons in itself");
    let listed = call(&http, "resolve_term", &json!({"term": "zyxwvut"}));
    assert_eq!(payload(&listed), json!([]));
    assert_eq!(listed["content"][1]["text"], "No matches. No indexed document defines 'zyxwvut'.");
    let spelled = json!({"doc_number": "TS 38.990-i10", "section_number": "5.3.1 Setup"});
    assert_eq!(payload(&call(&http, "get_sections", &spelled))[0]["version"], "18.1.0");
    Ok(())
}

fn pages_show_the_reasons() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let ann = Person::of(&server, &link(data.path(), "ann"));
    for (target, reason) in [
        ("/terms?term=LRX", "similar terms are "),
        ("/contributions?since=2030-01-01", "those with a date began from "),
        ("/contributions/search?q=beacon&agenda_item=99.9", "Without filters.agenda_item=99.9, "),
        ("/meeting?since=2030-01-01", "those with a date began from "),
        ("/search?q=beacon&release=Rel-9", "No version of Rel-9 is indexed"),
    ] {
        let answer = ann.get(target);
        let page = String::from_utf8(answer.bytes).expect("text");
        assert!(answer.status == 200 && page.contains(reason), "{target}: {page}");
    }
    Ok(())
}
