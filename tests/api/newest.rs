//! Searches for the newest versions of clauses and figures.

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    fixture::fixture,
    search::results,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_newest_version_of_a_clause_says_since_when_it_differs,
        no_older_version_of_a_clause_is_returned_when_the_newest_is_asked_for,
    ]
}

fn the_newest_version_of_a_clause_says_since_when_it_differs() -> TestResult {
    let client = fixture()?.client();
    // The key of the sample corpus names the sections that changed in each version.
    for (section, release, version, since) in [
        ("6.3.1", None, "19.0.0", json!("Rel-19")),
        ("5.3.5a", None, "19.0.0", json!("Rel-18")),
        ("6.3.1", Some("Rel-18"), "18.1.0", json!(null)),
        ("5.3.2.5", None, "19.0.0", json!(null)),
    ] {
        let mut body = json!({"query": "what the beacon does", "filter_doc_number": "38.990",
            "filter_section_number": section, "versions": "newest", "include_section_text": false});
        body["filter_release"] = json!(release);
        for rerank in [true, false] {
            body["rerank"] = json!(rerank);
            let answer = client.post("/search/text", &body).body;
            let [only] = &results(&answer)[..] else { panic!("{section}: {answer:#}") };
            assert_eq!(only["version"], version, "{section}");
            assert_eq!(only["differs_since"], since, "{section}");
            assert!(only.get("removed_since").is_none(), "{section}");
        }
    }
    Ok(())
}

fn no_older_version_of_a_clause_is_returned_when_the_newest_is_asked_for() -> TestResult {
    let client = fixture()?.client();
    for question in ["timer T393", "which timers does a terminal have?", "change history"] {
        let mut body = json!({"query": question, "match_count": 40, "rerank_top_k": 30,
            "filter_doc_number": "38.990", "include_section_text": false});
        let all = client.post("/search/text", &body).body;
        assert!(results(&all).iter().any(|result| result["version"] != "19.0.0"), "{question}");
        assert!(results(&all).iter().all(|result| result.get("differs_since").is_none()));
        body["versions"] = json!("newest");
        for group_by in ["passage", "section"] {
            body["group_by"] = json!(group_by);
            let newest = client.post("/search/text", &body).body;
            let sections: Vec<String> =
                results(&newest).iter().map(|r| r["section_number"].to_string()).collect();
            let distinct: std::collections::HashSet<&String> = sections.iter().collect();
            assert_eq!(distinct.len(), sections.len(), "{question}: {sections:?}");
            // Nothing was removed from this document.
            assert!(results(&newest).iter().all(|result| result["version"] == "19.0.0"));
        }
    }
    let figures = client.post(
        "/search/images",
        &json!({"query": "states of a link", "versions": "newest", "filter_doc_number": "38.990"}),
    );
    assert!(!results(&figures.body).is_empty());
    assert!(results(&figures.body).iter().all(|figure| figure["version"] == "19.0.0"));
    let unknown = json!({"query": "timer", "versions": "latest"});
    assert_eq!(client.post("/search/text", &unknown).status, 422);
    Ok(())
}
