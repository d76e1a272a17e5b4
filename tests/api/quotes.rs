//! Quotes: exact, near with what differs, or absent, in specifications, meeting documents and reports.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::Client,
    fixture::fixture,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_sentence_of_a_specification_is_exact_in_every_version_that_has_it,
        another_number_name_or_negation_is_near_and_shown,
        what_nobody_wrote_is_absent,
        every_decision_of_a_report_is_exact_at_its_anchor,
        every_proposal_of_a_document_is_exact,
        a_quote_from_another_document_is_found_elsewhere,
        what_names_no_document_is_refused,
    ]
}

/// A sentence of clause 5.3.1.3 of the sample's 38.990.
const SENTENCE: &str = "When C_SETUP has reached N390 the UE shall inform upper layers about the failure of the \
    link setup and start timer T390.";

fn verify(client: &Client, parameters: &Value) -> Value {
    let answer = client.post("/quotes/verify", parameters);
    assert_eq!(answer.status, 200, "{parameters}: {}", answer.body);
    answer.body
}

fn a_sentence_of_a_specification_is_exact_in_every_version_that_has_it() -> TestResult {
    let client = fixture()?.client();
    let reply = verify(&client, &json!({"quote": SENTENCE}));
    assert_eq!(reply["verdict"], "exact", "{reply:#}");
    assert_eq!((reply["total"].as_u64(), &reply["elsewhere"]), (Some(1), &json!([])));
    let found = &reply["occurrences"][0];
    assert_eq!(found["found_in"], "specification");
    assert_eq!((&found["doc_number"], &found["version"]), (&json!("38.990"), &json!("19.0.0")));
    assert_eq!(format!("{}.", found["text"].as_str().expect("text")), SENTENCE);
    assert_eq!((&found["similarity"], &found["differences"]), (&json!(1.0), &json!([])));
    let versions: Vec<&str> = found["also_in"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|version| version["version"].as_str())
        .collect();
    assert_eq!(versions, ["18.1.0", "18.0.0", "17.2.0"]);
    let section = client.get(&format!(
        "/sections?doc_number=38.990&version=19.0.0&section_number={}",
        found["section_number"].as_str().expect("a number")
    ));
    assert!(section.body[0]["full_text"].as_str().is_some_and(|text| text.contains(SENTENCE)));
    let one = json!({"quote": SENTENCE, "document": "TS 38.990 V18.0.0"});
    let reply = verify(&client, &one);
    assert_eq!(reply["occurrences"][0]["version"], "18.0.0");
    assert_eq!(reply["occurrences"][0]["also_in"], json!([]));
    assert_eq!(reply["coverage"]["document_versions"], 1);
    Ok(())
}

fn another_number_name_or_negation_is_near_and_shown() -> TestResult {
    let client = fixture()?.client();
    for (from, to, difference) in [
        ("N390", "N391", json!({"kind": "replaced", "quoted": "N391", "actual": "N390"})),
        (
            "the UE shall",
            "the UE shall not",
            json!({"kind": "inserted", "quoted": "not", "actual": ""}),
        ),
        ("the UE", "the LRC", json!({"kind": "replaced", "quoted": "LRC", "actual": "UE"})),
        ("link setup", "setup", json!({"kind": "missing", "quoted": "", "actual": "link"})),
    ] {
        let reply = verify(&client, &json!({"quote": SENTENCE.replacen(from, to, 1)}));
        assert_eq!(reply["verdict"], "near", "{to}: {reply:#}");
        let found = &reply["occurrences"][0];
        assert_eq!(found["differences"], json!([difference]), "{to}");
        assert_eq!(found["section_title"].as_str().map(str::is_empty), Some(false));
    }
    Ok(())
}

fn what_nobody_wrote_is_absent() -> TestResult {
    let client = fixture()?.client();
    for quote in [
        "The quick brown fox jumps over the lazy dog and into the beacon.",
        "timer T99999",
        "shall not be not shall be not",
    ] {
        let reply = verify(&client, &json!({"quote": quote}));
        assert_eq!(
            (&reply["verdict"], &reply["occurrences"]),
            (&json!("absent"), &json!([])),
            "{quote}"
        );
        assert_eq!(reply["coverage"]["is_complete"], true);
        assert!(reply["coverage"]["document_versions"].as_u64().is_some_and(|count| count >= 13));
        assert_eq!(reply["coverage"]["notes_without_text"], 0);
    }
    Ok(())
}

fn every_decision_of_a_report_is_exact_at_its_anchor() -> TestResult {
    let client = fixture()?.client();
    let decisions = client.get("/meetings/R1-190/decisions?source_kind=meeting_report");
    let items = decisions.body["items"].as_array().expect("a list");
    assert!(items.len() >= 8, "{items:#?}");
    for item in items {
        let reply = verify(&client, &json!({"quote": item["quote"], "document": "RAN1#190"}));
        assert_eq!(reply["verdict"], "exact", "{item:#}\n{reply:#}");
        let found = &reply["occurrences"][0];
        assert_eq!(
            (&found["found_in"], &found["meeting_id"]),
            (&json!("meeting_notes"), &json!("R1-190"))
        );
        assert_eq!(found["source_kind"], "meeting_report");
        assert!(found["last_anchor"].is_string());
    }
    // Where its marker is a paragraph of its own, a decision begins at that.
    let (first, agreement) =
        (&items[0], items.iter().find(|item| item["decision_type"] == "agreement"));
    let reply = verify(&client, &json!({"quote": first["quote"]}));
    assert_eq!(reply["occurrences"][0]["anchor"], first["source"]["anchor"], "{reply:#}");
    let reply = verify(&client, &json!({"quote": agreement.expect("one")["quote"]}));
    let places = reply["occurrences"].as_array().expect("a list");
    let kinds: Vec<&Value> = places.iter().map(|place| &place["source_kind"]).collect();
    assert_eq!(kinds, ["meeting_report", "session_notes"], "the final report first");
    Ok(())
}

fn every_proposal_of_a_document_is_exact() -> TestResult {
    let client = fixture()?.client();
    let record = client.get("/tdocs/R1-2600110?include=units").body;
    let units = record["units"].as_array().expect("units");
    assert!(!units.is_empty());
    for unit in units {
        let reply = verify(&client, &json!({"quote": unit["quote"], "document": "R1-2600110"}));
        assert_eq!(reply["verdict"], "exact", "{unit:#}\n{reply:#}");
        let found = &reply["occurrences"][0];
        assert_eq!((&found["found_in"], &found["tdoc_id"]), (&json!("tdoc"), &json!("R1-2600110")));
        assert_eq!(reply["coverage"]["indexed_tdocs"], 1);
        let anywhere = verify(&client, &json!({"quote": unit["quote"]}));
        assert_eq!(anywhere["verdict"], "exact", "{unit:#}");
    }
    Ok(())
}

fn a_quote_from_another_document_is_found_elsewhere() -> TestResult {
    let client = fixture()?.client();
    for document in ["24.990", "R1-2600110", "R1-190", "38.331 18.1.0"] {
        let reply = verify(&client, &json!({"quote": SENTENCE, "document": document}));
        assert_ne!(reply["verdict"], "exact", "{document}");
        assert_eq!(reply["elsewhere"][0]["doc_number"], "38.990", "{document}: {reply:#}");
    }
    Ok(())
}

fn what_names_no_document_is_refused() -> TestResult {
    let client = fixture()?.client();
    for (parameters, parameter) in [
        (json!({"quote": SENTENCE, "document": "the radio specification"}), "document"),
        (json!({"quote": " ... "}), "quote"),
    ] {
        let answer = client.post("/quotes/verify", &parameters);
        assert_eq!(answer.status, 400, "{parameters}");
        assert_eq!(answer.body["detail"]["code"], "invalid_parameter");
        assert_eq!(answer.body["detail"]["parameter"], parameter, "{}", answer.body);
    }
    for parameters in [json!({}), json!({"quote": ""}), json!({"quote": "a", "limit": 51})] {
        assert_eq!(client.post("/quotes/verify", &parameters).status, 422, "{parameters}");
    }
    Ok(())
}
