//! The list of documents and single records.

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    fixture::fixture,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        every_version_is_listed_with_every_field,
        filters_combine_and_unknown_values_match_nothing,
        parts_are_documents_of_their_own,
        pages_make_up_the_list,
        a_record_is_found_by_its_id_and_strange_ids_are_not,
    ]
}

fn every_version_is_listed_with_every_field() -> TestResult {
    let fixture = fixture()?;
    let list = fixture.client().get("/documents");
    let documents = list.body.as_array().expect("a list");
    assert!(documents.len() >= 13);
    let one = documents.iter().find(|d| d["doc_number"] == "38.990" && d["version"] == "18.1.0");
    let one = one.expect("it was ingested");
    assert_eq!(one["doc_type"], "TS");
    assert_eq!(one["release"], "Rel-18");
    assert_eq!(one["series"], "38");
    assert_eq!(one["filename"], "38990-i10.zip");
    assert_eq!(one["status"], "indexed");
    assert!(one["title"].as_str().is_some_and(|title| !title.is_empty()));
    assert!(one["total_text_chunks"].as_u64().is_some_and(|count| count > 50));
    assert!(one["created_at"].as_str().is_some_and(|at| at.ends_with('Z')));
    Ok(())
}

fn filters_combine_and_unknown_values_match_nothing() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let count = |query: &str| {
        let answer = client.get(&format!("/documents?{query}"));
        assert_eq!(answer.status, 200, "{query}");
        answer.body.as_array().map(Vec::len).expect("a list")
    };
    assert_eq!(count("doc_number=38.990"), 4);
    assert_eq!(count("doc_number=38.990&release=Rel-18"), 2);
    assert_eq!(count("doc_type=TR"), 1);
    assert_eq!(count("series=29&release=Rel-18"), 2);
    for nothing in ["doc_number=38.999", "release=Rel-99x", "doc_type=XX", "series=zz"] {
        assert_eq!(count(nothing), 0, "{nothing}");
    }
    Ok(())
}

fn parts_are_documents_of_their_own() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let one = client.get("/documents?doc_number=38.991-1").body;
    let two = client.get("/documents?doc_number=38.991-2").body;
    assert_ne!(one[0]["id"], two[0]["id"]);
    assert_eq!(client.get("/documents?doc_number=38.991").body, json!([]));
    Ok(())
}

fn pages_make_up_the_list() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let whole = client.get("/documents").body;
    let whole = whole.as_array().expect("a list");
    for limit in [1, 3, 10_000] {
        let (mut pages, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = client.get(&format!("/documents?limit={limit}{cursor}")).body;
            let page = page.as_array().expect("a list").clone();
            let Some(last) = page.last() else { break };
            let text = |field: &str| last[field].as_str().expect("text").to_owned();
            cursor = format!("&cursor={}/{}", text("doc_number"), text("version"));
            assert!(page.len() <= limit);
            pages.extend(page);
        }
        assert_eq!(pages, *whole, "{limit}");
    }
    // A version that is gone, or never was, has its place all the same.
    let after = client.get("/documents?doc_number=38.990&cursor=38.990/18.9.0").body;
    let listed = client.get("/documents?doc_number=38.990").body;
    let older = |d: &&Value| d["version"].as_str().is_some_and(|version| version < "18.9.0");
    let older: Vec<Value> =
        listed.as_array().expect("a list").iter().filter(older).cloned().collect();
    assert_eq!(after, Value::Array(older));
    for (query, status) in [("cursor=38.990", 400), ("cursor=x/y", 400), ("limit=0", 422)] {
        assert_eq!(client.get(&format!("/documents?{query}")).status, status, "{query}");
    }
    Ok(())
}

fn a_record_is_found_by_its_id_and_strange_ids_are_not() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let listed: Value = client.get("/documents?doc_number=33.990").body[0].clone();
    let answer = client.get(&format!("/documents/{}", listed["id"]));
    assert_eq!((answer.status, &answer.body), (200, &listed));
    for id in ["0", "-1", "999999", "9223372036854775807"] {
        let answer = client.get(&format!("/documents/{id}"));
        assert_eq!(answer.status, 404, "{id}");
        assert_eq!(answer.body["detail"]["code"], "document_not_found", "{id}");
    }
    Ok(())
}
