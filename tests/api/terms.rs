//! Definitions of abbreviations, terms and symbols.

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
        terms_are_resolved_in_every_spelling_and_both_directions,
        a_definition_names_its_clause_and_all_versions_that_give_it,
        a_term_that_nothing_defines_is_looked_up_among_the_names_of_protocols,
        the_document_asked_for_comes_first,
        unknown_terms_are_an_empty_list_and_wrong_limits_a_fault,
        the_command_gives_what_http_gives,
    ]
}

/// `kind term = meaning (document section)` of each definition.
fn definition_lines(body: &Value) -> Vec<String> {
    let text = |definition: &Value, field: &str| -> String {
        definition[field].as_str().unwrap_or_else(|| panic!("{field}: {definition}")).to_owned()
    };
    let line = |definition: &Value| {
        let [kind, term, meaning, number, section] =
            ["kind", "term", "meaning", "doc_number", "section_number"]
                .map(|field| text(definition, field));
        format!("{kind} {term} = {meaning} ({number} {section})")
    };
    body.as_array().expect("a list").iter().map(line).collect()
}

fn terms_are_resolved_in_every_spelling_and_both_directions() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let unit = "abbreviation BU = Beacon Unit (38.990 3.2)";
    for (asked, expected) in [
        ("LRC", "abbreviation LRC = Link Resource Control (38.990 3.2)"),
        ("lrc", "abbreviation LRC = Link Resource Control (38.990 3.2)"),
        ("link-resource%20controls", "abbreviation LRC = Link Resource Control (38.990 3.2)"),
        ("BUs", unit),
        ("beacon%20unit", unit),
        (
            "P_rated",
            "symbol P_rated = Rated output power of the beacon unit, in dBm (38.991-1 3.2)",
        ),
        ("EH", "abbreviation EH = Energy Harvesting (38.992 3)"),
    ] {
        let answer = client.get(&format!("/terms/resolve?term={asked}"));
        assert_eq!(answer.status, 200, "{asked}");
        assert_eq!(
            definition_lines(&answer.body).first().map(String::as_str),
            Some(expected),
            "{asked}"
        );
    }
    let defined = client.get("/terms/resolve?term=Energy%20budgets").body;
    assert!(
        definition_lines(&defined)[0].starts_with("term Energy budget = energy that"),
        "{defined}"
    );
    Ok(())
}

fn a_definition_names_its_clause_and_all_versions_that_give_it() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let definition = client.get("/terms/resolve?term=LRC").body[0].clone();
    assert_eq!(definition["doc_type"], "TS");
    assert_eq!(
        (&definition["version"], &definition["release"]),
        (&"19.0.0".into(), &"Rel-19".into())
    );
    assert_eq!(definition["section_title"], "Abbreviations");
    let also: Vec<&str> = definition["also_in"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|other| other["version"].as_str())
        .collect();
    assert_eq!(also, ["18.1.0", "18.0.0", "17.2.0"]);
    let older = client.get("/terms/resolve?term=LRC&release=Rel-17").body;
    assert_eq!(
        (&older[0]["version"], &older[0]["also_in"]),
        (&"17.2.0".into(), &Value::Array(vec![]))
    );
    Ok(())
}

fn a_term_that_nothing_defines_is_looked_up_among_the_names_of_protocols() -> TestResult {
    let client = fixture()?.client();
    let found = client.get("/terms/resolve?term=t390").body;
    assert_eq!(
        (&found[0]["term"], &found[0]["kind"], &found[0]["section_number"]),
        (&"T390".into(), &"name".into(), &"7.1.1".into())
    );
    assert!(found[0]["meaning"].as_str().expect("text").contains("30 s"), "{found:#}");
    for query in ["term=T999", "term=t390&doc_number=23.990", "term=t390&doc_number=none"] {
        assert_eq!(client.get(&format!("/terms/resolve?{query}")).body, Value::Array(vec![]));
    }
    Ok(())
}

fn the_document_asked_for_comes_first() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let first = |number: &str| {
        let body = client.get(&format!("/terms/resolve?term=AS&doc_number={number}")).body;
        (definition_lines(&body).len(), definition_lines(&body)[0].clone())
    };
    assert_eq!(
        first("23.990"),
        (2, "abbreviation AS = Application Server (23.990 3.2)".to_owned())
    );
    assert_eq!(first("24.990"), (2, "abbreviation AS = Access Stratum (24.990 3)".to_owned()));
    let one = client.get("/terms/resolve?term=AS&limit=1").body;
    assert_eq!(one.as_array().map(Vec::len), Some(1));
    Ok(())
}

fn unknown_terms_are_an_empty_list_and_wrong_limits_a_fault() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for target in ["term=XYZZY", "term=%20", "term=LRC&release=never", "term=LRC&release=Rel-12"] {
        let answer = client.get(&format!("/terms/resolve?{target}"));
        assert_eq!((answer.status, answer.body), (200, Value::Array(Vec::new())), "{target}");
    }
    for target in ["", "?term=", "?term=LRC&limit=0", "?term=LRC&limit=101"] {
        assert_eq!(client.get(&format!("/terms/resolve{target}")).status, 422, "{target}");
    }
    Ok(())
}

fn the_command_gives_what_http_gives() -> TestResult {
    let fixture = fixture()?;
    let over_http = fixture.client().get("/terms/resolve?term=WUS").body;
    let printed = json(specbox(&fixture.data).args(["call", "resolve_term", "--term", "WUS"]));
    assert_eq!(printed, over_http);
    assert_eq!(definition_lines(&printed), ["abbreviation WUS = Wake-Up Signal (38.990 3.2)"]);
    Ok(())
}
