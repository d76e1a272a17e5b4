//! Versions of a document compared, its recorded changes, and the history of a section.

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    fixture::fixture,
    program::{json, specbox},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        documents_are_compared_section_by_section,
        sections_are_compared_word_by_word_as_text_or_as_hunks,
        a_section_that_is_only_a_heading_says_so_and_where_its_text_is,
        recorded_changes_are_listed_newest_first,
        a_section_is_followed_back_to_the_change_request_that_made_it,
        versions_that_are_not_indexed_are_named_in_the_refusal,
        the_command_shows_differences_as_text,
    ]
}

/// `changes old new` of each section that differs.
fn summaries(body: &Value) -> Vec<String> {
    let text = |section: &Value, field: &str| section[field].as_str().unwrap_or("-").to_owned();
    let line = |section: &Value| {
        let changes: Vec<&str> = section["changes"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let (old, new) = (text(section, "old_section_number"), text(section, "section_number"));
        format!("{} {old} {new}", changes.join("+"))
    };
    body["sections"].as_array().expect("a list").iter().map(line).collect()
}

fn documents_are_compared_section_by_section() -> TestResult {
    let client = fixture()?.client();
    let answer = client.get("/documents/compare?doc_number=38.990&from=18.1.0&to=19.0.0");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let expected = ["changed Cover Cover", "added - 5.3.2.5", "changed 6.3.1 6.3.1", "changed C C"];
    assert_eq!(summaries(&answer.body), expected);
    let counts = &answer.body["section_counts"];
    assert_eq!((&counts["added"], &counts["changed"]), (&1.into(), &3.into()), "{counts}");
    assert_eq!(answer.body["sections"][2]["counts"]["code_lines"]["inserted"], 1);

    let by_release = client.get("/documents/compare?doc_number=38.990&from=Rel-18&to=Rel-19").body;
    assert_eq!(by_release, answer.body, "the newest of a release");
    let by_default = client.get("/documents/compare?doc_number=38.990").body;
    assert_eq!(by_default, answer.body, "the newest, and the one before it");
    let back = client.get("/documents/compare?doc_number=38.990&from=19.0.0&to=18.1.0").body;
    assert!(summaries(&back).contains(&"removed 5.3.2.5 -".to_owned()), "{back}");
    let same = client.get("/documents/compare?doc_number=38.990&from=19.0.0&to=19.0.0").body;
    assert_eq!(same["total"], 0);
    let part = client.get("/documents/compare?doc_number=38.990&section_number=clause%205.3").body;
    assert_eq!(summaries(&part), ["added - 5.3.2.5"]);
    let page = client.get("/documents/compare?doc_number=38.990&limit=1&offset=2").body;
    assert_eq!((summaries(&page), &page["total"]), (vec![expected[2].to_owned()], &4.into()));
    Ok(())
}

fn sections_are_compared_word_by_word_as_text_or_as_hunks() -> TestResult {
    let client = fixture()?.client();
    let path = "/sections/compare?doc_number=38.990&section_number=6.3.1&from=18.1.0&to=19.0.0";
    let text = client.get(path).body;
    let shown = text["sections"][0]["text"].as_str().expect("text");
    assert!(shown.starts_with("~ Code:\n  + "), "{shown}");
    assert_eq!(text["sections"][0]["hunks"], Value::Null);
    let hunks = client.get(&format!("{path}&form=hunks")).body;
    let hunk = &hunks["sections"][0]["hunks"][0];
    assert_eq!((&hunk["kind"], &hunk["block"]), (&"changed".into(), &"code".into()), "{hunk}");
    assert_eq!(hunk["lines"][0]["kind"], "inserted");
    assert_eq!(hunks["sections"][0]["text"], Value::Null);
    let below = client.get("/sections/compare?doc_number=38.990&section_number=6&prefix=true").body;
    assert_eq!(
        (&below["total"], summaries(&below)),
        (&1.into(), vec!["changed 6.3.1 6.3.1".to_owned()])
    );
    assert!(below["unchanged"].as_u64() > Some(3), "{below}");
    Ok(())
}

fn a_section_that_is_only_a_heading_says_so_and_where_its_text_is() -> TestResult {
    let client = fixture()?.client();
    let heading = "/sections/compare?doc_number=38.990&section_number=6&from=18.1.0&to=19.0.0";
    let alone = client.get(heading).body;
    assert_eq!((&alone["total"], &alone["unchanged"]), (&0.into(), &1.into()), "{alone}");
    let note = alone["note"].as_str().expect("a note");
    assert!(note.contains("only a heading") && note.contains("prefix"), "{note}");
    let with_text = client.get(&format!("{heading}&prefix=true")).body;
    assert!(with_text["note"].is_null() && with_text["total"] != 0, "{with_text}");
    let history = client.get("/sections/history?doc_number=38.990&section_number=6").body;
    assert!(
        history["note"].as_str().is_some_and(|note| note.contains("only a heading")),
        "{history}"
    );
    let own = client.get("/sections/history?doc_number=38.990&section_number=6.3.1").body;
    assert!(own["note"].is_null(), "{own}");
    Ok(())
}

fn recorded_changes_are_listed_newest_first() -> TestResult {
    let client = fixture()?.client();
    let all = client.get("/documents/changes?doc_number=38.990").body;
    assert_eq!((&all["total"], &all["unread_rows"]), (&6.into(), &0.into()), "{all}");
    let first = &all["changes"][0];
    assert_eq!(first["cr_number"], "0021");
    assert_eq!((&first["date"], &first["new_version"]), (&"2025-06".into(), &"19.0.0".into()));
    let numbers = |body: &Value| -> Vec<String> {
        let changes = body["changes"].as_array().expect("a list").iter();
        changes.map(|change| change["cr_number"].as_str().unwrap_or("-").to_owned()).collect()
    };
    for (query, expected) in [
        ("from=18.0.0&to=18.1.0", ["0015"]),
        ("subject=reject%20beacon", ["0015"]),
        ("cr_number=21", ["0021"]),
    ] {
        let body = client.get(&format!("/documents/changes?doc_number=38.990&{query}")).body;
        assert_eq!(numbers(&body), expected, "{query}");
    }
    Ok(())
}

fn a_section_is_followed_back_to_the_change_request_that_made_it() -> TestResult {
    let client = fixture()?.client();
    let answer = client.get("/sections/history?doc_number=38.990&section_number=5.3.1.4a");
    let body = answer.body;
    assert_eq!(body["versions"], serde_json::json!(["19.0.0", "18.1.0", "18.0.0", "17.2.0"]));
    assert_eq!(body["total"], 1, "{body}");
    let change = &body["changes"][0];
    assert_eq!((&change["from"], &change["to"]), (&"18.0.0".into(), &"18.1.0".into()));
    assert_eq!(change["changes"], serde_json::json!(["added"]));
    assert_eq!(change["is_unattributed"], false);
    let attribution = &change["attributions"][0];
    assert_eq!(attribution["certainty"], "certain", "{attribution}");
    assert_eq!(attribution["evidence"][0], "only_change");
    assert_eq!(attribution["cr_number"], "0015");
    let still = client.get("/sections/history?doc_number=38.990&section_number=5.3.5.1").body;
    assert_eq!((&still["total"], &still["changes"]), (&0.into(), &serde_json::json!([])));
    let annex = client.get("/sections/history?doc_number=38.990&section_number=C").body;
    assert_eq!(annex["changes"][0]["attributions"], serde_json::json!([]), "it changes always");
    Ok(())
}

fn versions_that_are_not_indexed_are_named_in_the_refusal() -> TestResult {
    let client = fixture()?.client();
    for (path, message) in [
        ("/documents/compare?doc_number=38.999", "38.999 is not indexed. Did you mean 38.990"),
        (
            "/documents/compare?doc_number=38.990&from=1.0.0",
            "1.0.0 is not indexed. Indexed versions: 17.2.0, 18.0.0, 18.1.0, 19.0.0.",
        ),
        ("/documents/compare?doc_number=38.990&to=17.2.0", "No version of 38.990 before 17.2.0"),
        ("/documents/changes?doc_number=38.990&to=x", "'x' is neither a version"),
        (
            "/sections/compare?doc_number=38.990&section_number=99",
            "There is no section 99 in 38.990 18.1.0 or 38.990 19.0.0.",
        ),
        ("/sections/history?doc_number=38.990&section_number=99", "There is no section 99"),
        ("/documents/compare?doc_number=beam", "beam"),
    ] {
        let answer = client.get(path);
        assert_eq!(answer.status, 400, "{path}: {}", answer.body);
        let said = answer.body["detail"]["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{path}: {said}");
    }
    assert_eq!(client.get("/documents/compare").status, 422);
    Ok(())
}

fn the_command_shows_differences_as_text() -> TestResult {
    let fixture = fixture()?;
    let run = |arguments: &[&str]| {
        let output = specbox(&fixture.data).args(arguments).output().expect("runs");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let document = run(&["compare", "38.990", "--from", "18.1.0"]);
    assert!(document.contains("\n+ 5.3.2.5 Group wake-up (+"), "{document}");
    let section = run(&["compare", "38.990", "6.3.1"]);
    assert!(section.contains("== 6.3.1 WakeUpConfig\n~ Code:\n  + "), "{section}");
    let history = run(&["history", "38.990", "5.3.1.4a"]);
    assert!(history.contains("certain: CR 0015 "), "{history}");
    let changes = run(&["changes", "38.990", "--limit", "1"]);
    assert!(changes.contains("19.0.0") && changes.contains("CR 0021 Group wake-up"), "{changes}");
    let arguments = ["compare", "38.990", "--json"];
    let by_command = json(specbox(&fixture.data).args(arguments));
    assert_eq!(by_command["total"], 4);
    Ok(())
}
