//! Sections by number, and tables of contents.

use std::collections::BTreeSet;

use libtest_mimic::Trial;
use serde_json::Value;

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
