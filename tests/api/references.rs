//! What sections cite, and what cites them.

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    fixture::fixture,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        citations_are_listed_in_both_directions_with_their_sentences,
        an_unknown_section_or_document_is_not_found,
    ]
}

fn citations_are_listed_in_both_directions_with_their_sentences() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let cited = client
        .get("/sections/references?doc_number=38.990&version=19.0.0&section_number=5.3.5.2")
        .body;
    assert_eq!((&cited["cites"], &cited["cited_by_total"]), (&json!([]), &json!(1)));
    let citing = &cited["cited_by"][0];
    assert_eq!(citing["section_number"], "5.6.2");
    assert_eq!((&citing["text"], &citing["kind"]), (&json!("clause 5.3.5.2"), &json!("clause")));
    let sentence = citing["sentence"].as_str().expect("a text");
    assert!(sentence.contains("as specified in clause 5.3.5.2"), "{sentence}");

    let own = client
        .get("/sections/references?doc_number=38.990&version=19.0.0&section_number=4.2.1")
        .body;
    let figure = &own["cites"][0];
    assert_eq!((&figure["kind"], &figure["target"]), (&json!("figure"), &json!("4.2.1-1")));
    assert_eq!(figure["target_section"], "4.2.1");
    assert_eq!(figure["target_version"], "19.0.0");
    assert_eq!((&figure["target_status"], &own["cites_missing"]), (&json!("found"), &json!(0)));
    assert_eq!(own["cited_by"], json!([]), "a clause that names its own figure does not count");

    let below = "/sections/references?doc_number=38.990&section_number=5&prefix=true";
    let both = client.get(below).body;
    assert!(both["cites_total"].as_u64().is_some_and(|total| total >= 3), "{both}");
    let outgoing = client.get(&format!("{below}&direction=outgoing&limit=1")).body;
    assert_eq!(outgoing["cites"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&outgoing["cites_total"], &outgoing["cited_by_total"]),
        (&both["cites_total"], &json!(0))
    );
    Ok(())
}

fn an_unknown_section_or_document_is_not_found() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for query in [
        "doc_number=38.990&section_number=99.9",
        "doc_number=38.777&section_number=5",
        "doc_number=zanzibar&section_number=5",
        "doc_number=38.990&section_number=5&version=1.2.3",
    ] {
        assert_eq!(client.get(&format!("/sections/references?{query}")).status, 404, "{query}");
    }
    let faulty = client.get("/sections/references?doc_number=38.990&section_number=5&direction=up");
    assert_eq!(faulty.status, 422);
    Ok(())
}
