//! Sections by number, and tables of contents.

use std::collections::BTreeSet;

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    fixture::fixture,
    program::sample,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_toc_is_that_of_the_answer_key,
        an_exact_number_gives_that_section_alone,
        a_prefix_gives_the_section_and_all_below_it,
        a_part_of_the_contents_is_listed_down_to_a_level,
        all_versions_come_newest_first_unless_one_is_named,
        no_match_gives_an_empty_list,
        an_empty_list_has_a_note_about_what_is_not_indexed,
        without_a_document_all_are_searched,
        a_part_is_returned_in_place_of_the_whole_text,
        what_no_part_has_is_told_and_what_is_no_part_is_refused,
    ]
}

fn numbers(body: &Value) -> Vec<String> {
    let sections = body.as_array().expect("a list");
    let text = |section: &Value| section["section_number"].as_str().expect("a number").to_owned();
    sections.iter().map(text).collect()
}

fn the_toc_is_that_of_the_answer_key() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let key = std::fs::read(sample().with_file_name("expected.json")).expect("the key");
    let key: Value = serde_json::from_slice(&key).expect("JSON");
    let archives = key["archives"].as_array().expect("archives");
    assert_eq!(archives.len(), 13);
    for archive in archives {
        let number = archive["doc_number"].as_str().expect("text");
        let version = archive["version"].as_str().expect("text");
        let toc = client.get(&format!("/sections/toc?doc_number={number}&version={version}")).body;
        // The key lists headings: neither the cover page nor the files of code beside the document.
        let members = archive["members"].as_array().expect("members");
        let is_heading = |section: &&Value| {
            section["section_number"] != "Cover" && !members.contains(&section["section_number"])
        };
        let headings: Vec<(&str, &str, u64)> = toc
            .as_array()
            .expect("a list")
            .iter()
            .filter(is_heading)
            .map(|s| {
                let text = |name: &str| s[name].as_str().expect("text");
                let level = s["heading_level"].as_u64().expect("a level");
                (text("section_number"), text("section_title"), level)
            })
            .collect();
        let expected: Vec<(&str, &str, u64)> = archive["sections"]
            .as_array()
            .expect("sections")
            .iter()
            .map(|entry| {
                let text = |index: usize| entry[index].as_str().expect("text");
                (text(0), text(1), entry[2].as_u64().expect("a level"))
            })
            .collect();
        assert_eq!(headings, expected, "{number} {version}");
    }
    Ok(())
}

fn an_exact_number_gives_that_section_alone() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let answer = client.get("/sections?doc_number=38.990&version=18.1.0&section_number=5.3.1");
    assert_eq!(numbers(&answer.body), ["5.3.1"]);
    let section = &answer.body[0];
    assert_eq!(section["parent_section_number"], "5.3");
    assert_eq!(section["heading_level"], 3);
    for typed in ["clause%205.3.1", "%C2%A75.3.1.", "Subclause%205.3.1"] {
        let named = client
            .get(&format!("/sections?doc_number=38.990&version=18.1.0&section_number={typed}"));
        assert_eq!(numbers(&named.body), ["5.3.1"], "{typed}");
    }
    let letters = client.get("/sections?doc_number=38.990&version=18.1.0&section_number=5.3.1.4a");
    assert_eq!(numbers(&letters.body), ["5.3.1.4a"]);
    assert!(letters.body[0]["full_text"].as_str().is_some_and(|text| text.len() > 50));
    Ok(())
}

fn a_prefix_gives_the_section_and_all_below_it() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let target = "/sections?doc_number=38.990&version=18.1.0&prefix=true&section_number=";
    let below = numbers(&client.get(&format!("{target}5.3")).body);
    assert!(below.len() > 5 && below[0] == "5.3", "{below:?}");
    assert!(below.iter().all(|number| number == "5.3" || number.starts_with("5.3.")), "{below:?}");
    let annex = numbers(&client.get(&format!("{target}A")).body);
    assert!(annex.len() > 1 && annex.iter().all(|number| number.starts_with('A')), "{annex:?}");
    Ok(())
}

fn a_part_of_the_contents_is_listed_down_to_a_level() -> TestResult {
    let client = fixture()?.client();
    let target = "/sections/toc?doc_number=38.990&version=latest";
    let all = numbers(&client.get(target).body);
    let part = numbers(&client.get(&format!("{target}&under=5.3&max_level=3")).body);
    let is_part = |number: &&String| {
        *number == "5.3" || number.starts_with("5.3.") && number.matches('.').count() == 2
    };
    let expected: Vec<&String> = all.iter().filter(is_part).collect();
    assert!(expected.len() > 4);
    assert_eq!(part.iter().collect::<Vec<_>>(), expected);
    assert_eq!(client.get(&format!("{target}&max_level=0")).status, 422);
    Ok(())
}

fn all_versions_come_newest_first_unless_one_is_named() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let versions = |filter: &str| -> Vec<String> {
        let target = format!("/sections?doc_number=38.990&section_number=5.3.1{filter}");
        let sections = client.get(&target).body;
        let version = |section: &Value| section["version"].as_str().expect("text").to_owned();
        sections.as_array().expect("a list").iter().map(version).collect()
    };
    assert_eq!(versions(""), ["19.0.0", "18.1.0", "18.0.0", "17.2.0"]);
    assert_eq!(versions("&version=18.0.0"), ["18.0.0"]);
    assert_eq!(versions("&release=Rel-18"), ["18.1.0", "18.0.0"]);
    assert_eq!(versions("&version=latest"), ["19.0.0"]);
    assert_eq!(versions("&version=latest&release=Rel-18"), ["18.1.0"]);
    Ok(())
}

fn an_empty_list_has_a_note_about_what_is_not_indexed() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for (query, note) in [
        ("doc_number=38.99x&section_number=1", "'38.99x' is not a document number such as 38.331"),
        ("doc_number=38.991&section_number=1", "38.991 is indexed as parts 1 and 2."),
        ("doc_number=38.999&section_number=1", "38.999 is not indexed; similar numbers are: "),
        ("doc_number=99.123&section_number=1", "99.123 is not indexed."),
        (
            "doc_number=38.990&version=15.7&section_number=1",
            "Version 15.7 of 38.990 is not indexed; indexed: 19.0.0, 18.1.0",
        ),
        (
            "doc_number=38.990&section_number=6.3.99",
            "38.990 19.0.0 has no section '6.3.99'; near it are 6.3.1",
        ),
        ("doc_number=38.990&section_number=%C3%A9", "38.990 19.0.0 has no section '?'"),
    ] {
        let answer = client.get(&format!("/sections?{query}"));
        assert_eq!(answer.body, Value::Array(Vec::new()), "{query}");
        let found = answer.header("x-specbox-note").unwrap_or_default();
        assert!(found.starts_with(note), "{query}: {found}");
    }
    let found = client.get("/sections?doc_number=38.990&section_number=6.3.1");
    assert_eq!(found.header("x-specbox-note"), None);
    Ok(())
}

fn no_match_gives_an_empty_list() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for target in [
        "/sections?doc_number=38.990&section_number=99.99",
        "/sections?doc_number=11.111&section_number=5",
        "/sections?doc_number=not-a-number&section_number=5",
        "/sections?section_number=99.99",
        "/sections/toc?doc_number=11.111",
        "/sections/toc?doc_number=38.990&version=1.1.1",
    ] {
        let answer = client.get(target);
        assert_eq!((answer.status, answer.body), (200, Value::Array(Vec::new())), "{target}");
    }
    Ok(())
}

fn without_a_document_all_are_searched() -> TestResult {
    let fixture = fixture()?;
    let sections = fixture.client().get("/sections?section_number=1").body;
    let sections = sections.as_array().expect("a list");
    let documents: BTreeSet<&str> =
        sections.iter().filter_map(|section| section["doc_number"].as_str()).collect();
    assert!(documents.len() >= 8, "{documents:?}");
    Ok(())
}

/// The parts of the first section that a request finds, each below its anchors.
fn parts(query: &str) -> Result<Vec<String>, crate::trials::Missing> {
    let body = fixture()?.client().get(&format!("/sections?{query}")).body;
    assert_eq!(body[0]["full_text"], "", "{query}: {body:#}");
    let found = body[0]["parts"]["found"].as_array().cloned().unwrap_or_default();
    let part = |part: &Value| {
        let anchors: Vec<&str> =
            part["anchors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let text = |name: &str| part[name].as_str().expect("text").to_owned();
        format!("{} {}: {}", text("kind"), anchors.join(" "), text("text"))
    };
    Ok(found.iter().map(part).collect())
}

fn a_part_is_returned_in_place_of_the_whole_text() -> TestResult {
    let cause = "row p1.2: Table 7.5-1: BSM cause values\n| Cause | Meaning | Sent by |\n|---|---|---|\n\
        | #26 | Insufficient resources | BCF |";
    for around in ["%2326", "cause%2026", "BSM%20cause%20%2326", "insufficient-resources", "p1.2"] {
        let query = format!("doc_number=24.990&section_number=7.5&around={around}");
        assert_eq!(parts(&query)?, [cause], "{around}");
    }
    assert_eq!(parts("doc_number=24.990&section_number=7&prefix=true&around=%2326")?, [cause]);
    assert_eq!(parts("doc_number=24.990&section_number=7.5&table_row=%2326,BCF")?, [cause]);
    let head = "| Timer | Value | State | Cause of start | Normal stop | On expiry |\n|---|---|---|---|---|---|\n";
    let timer = format!(
        "row p1.5: Table 8-1: Timers of beacon session management\n{head}\
         | T3996 | NOTE 1 | any | Cause #26 received | Power-off | Establishment is allowed |\n\
         NOTE 1: The value is given by the network; the default is 12 minutes."
    );
    for query in
        ["around=T3996", "around=timer%20t3996", "table_row=T3996", "table_row=Table%208-1:T3996"]
    {
        let query = format!("doc_number=24.990&section_number=8&{query}");
        assert_eq!(parts(&query)?, [timer.as_str()], "{query}");
    }
    let item = "list_item p3: Upon receipt of BSM ESTABLISHMENT REJECT the UE shall stop timer T3991 and act on the \
        cause value:\n[1 item left out]\n- #29 (authentication failed): delete the session key and not retry before \
        power-off;\n  - if the UE holds a second key set, it may retry once with that set;";
    assert_eq!(parts("doc_number=24.990&section_number=5.1.3&around=%2329")?, [item]);
    let body = fixture()?
        .client()
        .get("/sections?doc_number=38.990&section_number=7.1.1&around=T390")
        .body;
    assert_eq!(numbers(&body), ["7.1.1"], "versions with the same row are one");
    assert_eq!(body[0]["parts"]["same_in"], json!(["18.1.0", "18.0.0", "17.2.0"]));
    let path = body[0]["parts"]["heading_path"].as_str().expect("text");
    assert!(path.starts_with("TS 38.990 > 7 ") && path.contains(" > 7.1.1 "), "{path}");
    Ok(())
}

fn what_no_part_has_is_told_and_what_is_no_part_is_refused() -> TestResult {
    let client = fixture()?.client();
    let body = client.get("/sections?doc_number=24.990&section_number=8&around=T1").body;
    assert_eq!(numbers(&body), ["8"]);
    assert_eq!(body[0]["parts"]["found"], json!([]));
    assert_eq!(body[0]["parts"]["names"], json!(["T3991", "T3992", "T3993", "T3996"]));
    let body =
        client.get("/sections?doc_number=24.990&section_number=8&around=range%20of%20T3992").body;
    assert_eq!(body[0]["parts"]["unmatched_words"], json!(["range"]));
    for (query, status) in [
        ("around=--", 400),
        ("table_row=,", 400),
        ("around=T3992&table_row=T3992", 400),
        ("around=", 422),
        ("around=p99", 200),
    ] {
        let answer = client.get(&format!("/sections?doc_number=24.990&section_number=8&{query}"));
        assert_eq!(answer.status, status, "{query}: {}", answer.body);
    }
    let nothing = client.get("/sections?doc_number=24.990&section_number=99&around=T3992").body;
    assert_eq!(nothing, Value::Array(Vec::new()));
    Ok(())
}
