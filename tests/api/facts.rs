//! Exact facts of the sample corpus: merged cells, accepted changes, equations, automatic numbers.

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    client::Client,
    fixture::fixture,
    program::sample,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        texts_are_those_of_their_version_with_changes_accepted,
        merged_cells_are_repeated_in_the_rows_they_cover,
        equations_are_latex_and_figures_are_marked,
        automatic_numbers_are_printed,
    ]
}

fn facts(kind: &str) -> Vec<Value> {
    let key = std::fs::read(sample().with_file_name("expected.json")).expect("the key");
    let key: Value = serde_json::from_slice(&key).expect("JSON");
    key["facts"][kind].as_array().expect("facts of this kind").clone()
}

fn text_of<'a>(fact: &'a Value, field: &str) -> &'a str {
    fact[field].as_str().expect("text")
}

/// The text of the section that a fact is about.
fn section(client: &Client, fact: &Value) -> String {
    let (number, version, section) =
        (text_of(fact, "doc_number"), text_of(fact, "version"), text_of(fact, "section"));
    let found = client
        .get(&format!("/sections?doc_number={number}&version={version}&section_number={section}"));
    found.body[0]["full_text"].as_str().unwrap_or_else(|| panic!("no section: {fact}")).to_owned()
}

fn texts_are_those_of_their_version_with_changes_accepted() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for fact in facts("text").iter().chain(&facts("accepted_text")) {
        let text = section(&client, fact);
        assert!(text.contains(text_of(fact, "contains")), "{fact}\n{text}");
        let lacks = text_of(fact, "lacks");
        assert!(lacks.is_empty() || !text.contains(lacks), "{fact}\n{text}");
    }
    Ok(())
}

fn merged_cells_are_repeated_in_the_rows_they_cover() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let mut rows = 0;
    for fact in facts("table_rows") {
        let text = section(&client, &fact);
        assert!(text.contains(text_of(&fact, "caption")), "{fact}\n{text}");
        let cells = fact["cells"].as_array().expect("cells").iter().filter_map(Value::as_str);
        let cells: Vec<String> = cells.map(|cell| cell.replace('|', "\\|")).collect();
        // Head rows are folded into one, so only their words can be looked for.
        let body = fact["row"].as_u64().is_some_and(|row| row >= 2);
        let line = format!("| {} |", cells.join(" | "));
        let found = if body {
            text.contains(&line)
        } else {
            cells.iter().all(|c| text.contains(c.as_str()))
        };
        assert!(found, "{fact}\n{text}");
        rows += usize::from(body);
    }
    assert!(rows >= 3, "the key has body rows");
    Ok(())
}

fn equations_are_latex_and_figures_are_marked() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for fact in facts("equations") {
        let text = section(&client, &fact);
        let line = text.lines().find(|line| line.contains(text_of(&fact, "label")));
        let line = line.unwrap_or_else(|| panic!("no label: {fact}\n{text}"));
        let fraction = text_of(&fact, "latex").contains("\\frac");
        assert!(line.contains('$') && (!fraction || line.contains("\\frac{")), "{fact}\n{line}");
    }
    for fact in facts("figures") {
        assert!(section(&client, &fact).contains(text_of(&fact, "caption")), "{fact}");
    }
    Ok(())
}

fn automatic_numbers_are_printed() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for fact in facts("auto_numbered") {
        let text = section(&client, &fact);
        for mark in fact["marks"].as_array().expect("marks") {
            let mark = mark.as_str().expect("text");
            let marked = text.lines().any(|line| line.trim_start().starts_with(mark));
            assert!(marked, "{mark} is missing: {text}");
        }
        assert!(text.contains(text_of(&fact, "first")), "{text}");
    }
    Ok(())
}
