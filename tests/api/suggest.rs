//! Typing help.

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
        beginnings_are_completed_with_their_places,
        an_address_lists_its_clause_first,
        misspelt_words_are_corrected_and_known_ones_are_not,
        it_needs_a_key_and_a_text_of_some_length,
        the_command_gives_what_http_gives,
    ]
}

/// `kind text = description (document section)` of each suggestion.
fn lines(body: &Value) -> Vec<String> {
    let text = |record: &Value, field: &str| record[field].as_str().unwrap_or("-").to_owned();
    let line = |record: &Value| {
        let [kind, suggested, description, number, section] =
            ["kind", "text", "description", "doc_number", "section_number"]
                .map(|field| text(record, field));
        format!("{kind} {suggested} = {description} ({number} {section})")
    };
    body["suggestions"].as_array().expect("a list").iter().map(line).collect()
}

fn beginnings_are_completed_with_their_places() -> TestResult {
    let client = fixture()?.client();
    for (typed, expected) in [
        ("38.99", "document 38.990 = "),
        ("lrc", "abbreviation LRC = Link Resource Control (38.990 3.2)"),
        ("link%20res", "abbreviation LRC = Link Resource Control (38.990 3.2)"),
        ("wake-u", "clause 38.990 5.3.2 = Wake-up (38.990 5.3.2)"),
        ("BeaconReg", "identifier BeaconRegistration = - (- -)"),
        ("C_SE", "identifier C_SETUP = - (- -)"),
        ("scop", "title Scope = - (- -)"),
    ] {
        let answer = client.get(&format!("/suggest?text={typed}"));
        assert_eq!(answer.status, 200, "{typed}: {}", answer.body);
        let found = lines(&answer.body);
        assert!(found.iter().any(|line| line.starts_with(expected)), "{typed}: {found:#?}");
    }
    let few = client.get("/suggest?text=beacon&limit=3");
    assert_eq!(lines(&few.body).len(), 3, "{}", few.body);
    assert_eq!(lines(&client.get("/suggest?text=qqqq").body), [""; 0]);
    Ok(())
}

fn an_address_lists_its_clause_first() -> TestResult {
    let client = fixture()?.client();
    for (typed, first) in [
        ("38.990%205.3.5", "clause 38.990 5.3.5 = Relocation (38.990 5.3.5)"),
        ("TS%2038990%20clause%205.3.5", "clause 38.990 5.3.5 = Relocation (38.990 5.3.5)"),
        (
            "38.990%20relocation%20with",
            "clause 38.990 5.3.5a = Relocation with shadow beacons (38.990 5.3.5a)",
        ),
    ] {
        let found = lines(&client.get(&format!("/suggest?text={typed}")).body);
        assert_eq!(found.first().map(String::as_str), Some(first), "{typed}");
    }
    let [document, clause] = ["38.990", "38.990%2099"]
        .map(|typed| client.get(&format!("/suggest?text={typed}&limit=4")).body);
    assert!(lines(&document)[0].starts_with("document 38.990 = "), "{document}");
    assert_eq!(lines(&clause), [""; 0], "there is no clause 99");
    Ok(())
}

fn misspelt_words_are_corrected_and_known_ones_are_not() -> TestResult {
    let client = fixture()?.client();
    for (typed, meant) in [
        ("overloded%20beacon", Some("overloaded beacon")),
        ("the%20reconfiguraton%20of%20a%20link", Some("the reconfiguration of a link")),
        ("beacon%20overload", None),
        // The last word may go on, until a blank is typed.
        ("overloded%20relocat", Some("overloaded relocat")),
        ("overloded%20relocatoin%20", Some("overloaded relocation")),
        // The beginning of a word is not misspelt, and digits tell names apart.
        ("beac", None),
        ("T999%20N391", None),
        // Common words are what was meant, although no document has them.
        ("two%20masts%20and%20a%20lamb%20for%20cars", None),
    ] {
        let answer = client.get(&format!("/suggest?text={typed}"));
        assert_eq!(answer.body["did_you_mean"].as_str(), meant, "{typed}");
    }
    let meant = client.get("/suggest?text=relocaton%20with");
    assert!(lines(&meant.body)[0].contains("Relocation with"), "{}", meant.body);
    Ok(())
}

fn it_needs_a_key_and_a_text_of_some_length() -> TestResult {
    let fixture = fixture()?;
    assert_eq!(fixture.client().get("/suggest").status, 422);
    assert_eq!(fixture.client().get(&format!("/suggest?text={}", "a".repeat(201))).status, 422);
    let mut stranger = fixture.client();
    stranger.authorization = None;
    assert_eq!(stranger.get("/suggest?text=beacon").status, 401);
    Ok(())
}

fn the_command_gives_what_http_gives() -> TestResult {
    let fixture = fixture()?;
    let over_http = fixture.client().get("/suggest?text=lrc").body;
    let by_command = json(specbox(&fixture.data).args(["call", "suggest", "--text", "lrc"]));
    assert_eq!(by_command, over_http);
    Ok(())
}
