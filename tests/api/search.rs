//! Text search against the questions of the sample corpus.

use evaluation::{EvaluationQuestion, parse_questions};
use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    fixture::fixture,
    program::sample,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        questions_find_their_section_among_the_first_results,
        every_field_is_there_and_scores_are_within_bounds,
        without_rerank_similarity_orders_and_nothing_is_scored,
        the_threshold_is_a_minimum_of_similarity,
        filters_limit_every_result,
        unknown_filter_values_match_nothing,
        identical_passages_of_several_versions_are_one_result,
        a_passage_with_the_identifier_comes_first_when_reranked,
        a_score_that_is_not_the_rerankers_says_so,
        an_invented_identifier_is_reported,
        a_named_document_that_is_not_indexed_is_reported_and_a_clause_is_not,
        versions_of_a_clause_are_collapsed_when_asked,
        low_detail_says_what_results_share_once,
        passages_of_a_section_are_one_result_when_grouped,
    ]
}

/// The questions of the sample corpus that something answers.
fn sample_questions() -> Vec<EvaluationQuestion> {
    let file = |name: &str| {
        let path = sample().with_file_name("questions").join(name);
        std::fs::read_to_string(path).expect("questions")
    };
    let (queries, qrels) = (file("queries.jsonl"), file("qrels/test.tsv"));
    let mut questions = parse_questions(&queries, Some(&qrels)).expect("valid questions");
    questions.retain(|question| !question.is_unanswerable());
    questions
}

pub(crate) fn results(body: &Value) -> &Vec<Value> {
    body["results"].as_array().expect("results")
}

fn questions_find_their_section_among_the_first_results() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let questions = sample_questions();
    let mut missed = Vec::new();
    for question in &questions {
        let body = json!({"query": question.text, "match_count": 15, "rerank_top_k": 10,
            "include_section_text": false});
        let answer = client.post("/search/text", &body);
        let hit = results(&answer.body).iter().any(|result| {
            let text = |key: &str| result[key].as_str().expect("text");
            let place = format!("{}#{}", text("doc_number"), text("section_number"));
            question.golds.iter().any(|gold| gold.to_string() == place)
        });
        if !hit {
            missed.push(&question.text);
        }
    }
    // A share of the questions is asked in everyday words, which small models often miss.
    assert!(missed.len() * 5 <= questions.len(), "missed {}: {missed:#?}", missed.len());
    Ok(())
}

/// The answer to a search that the server had time to rerank in full: on a busy machine it says that it had not.
fn reranked_in_full(client: &Client, body: &Value) -> Answer {
    let ask = || client.post("/search/text", body);
    let is_whole =
        |answer: &Answer| answer.body["reranked"] == true && answer.body["degraded"] == json!([]);
    let mut answer = ask();
    for _ in 0..20 {
        if is_whole(&answer) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        answer = ask();
    }
    answer
}

fn every_field_is_there_and_scores_are_within_bounds() -> TestResult {
    let fixture = fixture()?;
    let body = json!({"query": "timer T393", "rerank_top_k": 5});
    let answer = reranked_in_full(&fixture.client(), &body);
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["reranked"], true);
    assert_eq!(answer.body["total"], 5);
    assert!(answer.body["elapsed_ms"].as_f64().is_some_and(|ms| ms > 0.0));
    let mut before = 1.0;
    for result in results(&answer.body) {
        let relevance = result["relevance_score"].as_f64().expect("a score");
        let similarity = result["similarity"].as_f64().expect("a similarity");
        assert!(relevance <= before && (0.0..=1.0).contains(&similarity), "{result:#}");
        before = relevance;
        let section = result["section_text"].as_str().expect("the section");
        let content = result["content"].as_str().expect("the passage");
        assert!(section.contains(content.lines().last().expect("a line")), "{result:#}");
        assert!(result["section_token_count"].as_u64().is_some_and(|count| count > 0));
        assert!(["text", "table", "code"].iter().any(|kind| result["content_type"] == *kind));
    }
    Ok(())
}

fn without_rerank_similarity_orders_and_nothing_is_scored() -> TestResult {
    let fixture = fixture()?;
    let body = json!({"query": "overload of a beacon", "rerank": false, "match_count": 20,
        "include_section_text": false});
    let answer = fixture.client().post("/search/text", &body);
    assert_eq!(answer.body["reranked"], false);
    assert_eq!(results(&answer.body).len(), 20);
    let mut before = 1.0;
    for result in results(&answer.body) {
        let similarity = result["similarity"].as_f64().expect("a similarity");
        assert!(similarity <= before);
        before = similarity;
        assert!(result["relevance_score"].is_null() && result["section_text"].is_null());
    }
    Ok(())
}

fn the_threshold_is_a_minimum_of_similarity() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let search = |threshold: f64| {
        let body = json!({"query": "overload of a beacon", "rerank": false, "match_count": 200,
            "match_threshold": threshold, "include_section_text": false});
        client.post("/search/text", &body).body
    };
    let all = search(0.0);
    // The cosines of two models differ in size: the threshold is one that occurs.
    let similarities = results(&all).iter().map(|r| r["similarity"].as_f64().expect("a cosine"));
    let mut similarities: Vec<f64> = similarities.collect();
    similarities.sort_by(f64::total_cmp);
    let middle = similarities[similarities.len() / 2] - 1e-4;
    let expected = similarities.iter().filter(|similarity| **similarity >= middle).count();
    assert!(expected > 0 && expected < similarities.len());
    assert_eq!(results(&search(middle)).len(), expected);
    assert_eq!(results(&search(1.0)).len(), 0);
    Ok(())
}

fn filters_limit_every_result() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for (filter, value, field) in [
        ("filter_release", "Rel-17", "release"),
        ("filter_doc_type", "TR", "doc_type"),
        ("filter_doc_number", "38.991-1", "doc_number"),
    ] {
        let body = json!({"query": "reference channel R1", "match_count": 5, filter: value});
        let answer = client.post("/search/text", &body);
        assert!(!results(&answer.body).is_empty(), "{filter}");
        assert!(results(&answer.body).iter().all(|result| result[field] == value), "{filter}");
    }
    let series = json!({"query": "x", "match_count": 5, "filter_series": "29"});
    let series = client.post("/search/text", &series);
    assert!(!results(&series.body).is_empty());
    assert!(results(&series.body).iter().all(|r| r["doc_number"] == "29.990"));
    let section =
        json!({"query": "x", "filter_doc_number": "38.990", "filter_section_number": "7.1.1"});
    let section = client.post("/search/text", &section);
    assert!(!results(&section.body).is_empty());
    assert!(results(&section.body).iter().all(|r| r["section_number"] == "7.1.1"));
    Ok(())
}

fn unknown_filter_values_match_nothing() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for (filter, value) in [
        ("filter_release", "Release"),
        ("filter_doc_type", "XX"),
        ("filter_doc_number", "99.999"),
        ("filter_series", "no"),
        ("filter_section_number", "99.9"),
    ] {
        let answer = client.post("/search/text", &json!({"query": "timer", filter: value}));
        assert_eq!((answer.status, answer.body["total"].as_u64()), (200, Some(0)), "{filter}");
    }
    Ok(())
}

fn identical_passages_of_several_versions_are_one_result() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let body = json!({"query": "timer T393", "rerank": false, "match_count": 10,
        "filter_doc_number": "38.990"});
    let folded = client.post("/search/text", &body).body;
    let shared =
        results(&folded).iter().find(|r| r["also_in"].as_array().is_some_and(|a| !a.is_empty()));
    let shared = shared.expect("most sections of the sample are the same in all versions");
    let version = |v: &Value| -> Vec<u32> {
        let text = v["version"].as_str().expect("text");
        text.split('.').map(|field| field.parse().expect("a number")).collect()
    };
    let others = shared["also_in"].as_array().expect("a list");
    assert!(others.iter().all(|other| version(other) < version(shared)), "{shared:#}");
    let mut body = body;
    body["expand_versions"] = json!(true);
    let expanded = client.post("/search/text", &body).body;
    assert!(results(&expanded).iter().all(|r| r["also_in"] == json!([])));
    let of_shared = |r: &&Value| r["content"] == shared["content"];
    let same = results(&expanded).iter().filter(of_shared).count();
    assert!(same > 1, "versions are told apart");
    Ok(())
}

fn a_passage_with_the_identifier_comes_first_when_reranked() -> TestResult {
    let fixture = fixture()?;
    let body = json!({"query": "C_FALSEWAKE", "match_count": 5, "rerank_top_k": 20});
    let answer = reranked_in_full(&fixture.client(), &body);
    let first = &results(&answer.body)[0];
    assert!(
        first["content"].as_str().is_some_and(|text| text.contains("C_FALSEWAKE")),
        "{first:#}"
    );
    assert!(results(&answer.body).len() <= 5, "match_count bounds the results");
    assert_eq!(answer.body["rerank_scored"], 6, "the reranker chooses from more");
    assert_eq!(answer.body["unknown_terms"], json!([]));
    Ok(())
}

fn a_score_that_is_not_the_rerankers_says_so() -> TestResult {
    let client = fixture()?.client();
    for (match_count, rerank_top_k) in [(50, 5), (50, 20), (3, 20)] {
        let body = json!({"query": "overload of a beacon", "match_count": match_count,
            "rerank_top_k": rerank_top_k, "include_section_text": false});
        let answer = reranked_in_full(&client, &body).body;
        let rows = results(&answer);
        let most = usize::min(match_count, rerank_top_k);
        assert!(!rows.is_empty() && rows.len() <= most, "{match_count} {rerank_top_k}");
        let scores = rows.iter().map(|row| row["relevance_score"].as_f64().expect("a score"));
        assert!(scores.is_sorted_by(|better, worse| better >= worse));
        let read = rows.iter().filter(|row| row.get("reranked").is_none()).count();
        let scored =
            answer["rerank_scored"].as_u64().and_then(|scored| usize::try_from(scored).ok());
        assert!(Some(read) <= scored, "{read} of {scored:?}");
        let unread = rows.iter().filter(|row| row.get("reranked") == Some(&json!(false))).count();
        assert_eq!(read + unread, rows.len());
        assert!(rerank_top_k != 20 || match_count != 50 || unread > 0, "not all can be read");
    }
    let body = json!({"query": "overload of a beacon", "rerank": false});
    let plain = client.post("/search/text", &body).body;
    assert!(results(&plain).iter().all(|row| row.get("reranked").is_none()));
    Ok(())
}

fn an_invented_identifier_is_reported() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let ask = |query: &str| client.post("/search/text", &json!({"query": query})).body;
    let (invented, real) = (ask("what starts timer T9393?"), ask("what starts timer T393?"));
    assert_eq!(invented["unknown_terms"], json!(["T9393"]));
    assert_eq!(real["unknown_terms"], json!([]));
    assert!(results(&invented).len() <= 3 && results(&real).len() > 3, "little is returned");
    let confidence = |body: &Value| body["confidence"].as_f64().expect("a confidence");
    assert!(confidence(&invented) < confidence(&real));
    let similar = client.post("/search/text", &json!({"query": "T9393", "rerank": false})).body;
    assert!(similar["confidence"].is_null(), "similarity alone says nothing of it");
    assert_eq!(similar["unknown_terms"], json!(["T9393"]));
    Ok(())
}

fn a_named_document_that_is_not_indexed_is_reported_and_a_clause_is_not() -> TestResult {
    let fixture = fixture()?;
    let ask = |query: &str| fixture.client().post("/search/text", &json!({"query": query})).body;
    for (query, missing) in [
        ("what does TS 23.040 say about wake timers", json!(["23.040"])),
        ("TR 38.101-9 wake timers", json!(["38.101-9"])),
        ("wake timers in TS 38.990", json!([])),
        ("wake timers in clause 10.12", json!([])),
        ("a rate of 23.976 per second", json!([])),
    ] {
        assert_eq!(ask(query)["missing_documents"], missing, "{query}");
    }
    let missing = ask("what does TS 23.040 say about wake timers");
    assert_eq!(missing["answer_unlikely"], true, "{}", missing["confidence"]);
    for query in ["what starts timer T393?", "how is a sleeping device woken?"] {
        assert_eq!(ask(query)["answer_unlikely"], false, "{query}");
    }
    Ok(())
}

fn versions_of_a_clause_are_collapsed_when_asked() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let mut body = json!({"query": "timer T393", "match_count": 30, "rerank_top_k": 30,
        "filter_doc_number": "38.990", "collapse_versions": true, "include_section_text": false});
    let collapsed = client.post("/search/text", &body).body;
    let clauses: Vec<String> =
        results(&collapsed).iter().map(|r| r["section_number"].to_string()).collect();
    let distinct: std::collections::HashSet<&String> = clauses.iter().collect();
    assert_eq!(distinct.len(), clauses.len(), "{clauses:?}");
    assert!(results(&collapsed).iter().any(|r| r["also_in"] != json!([])));
    body["collapse_versions"] = json!(false);
    let plain = client.post("/search/text", &body).body;
    let sections: Vec<String> =
        results(&plain).iter().map(|r| r["section_number"].to_string()).collect();
    let distinct: std::collections::HashSet<&String> = sections.iter().collect();
    assert!(distinct.len() < sections.len(), "passages of one clause are told apart otherwise");
    Ok(())
}

fn low_detail_says_what_results_share_once() -> TestResult {
    let client = fixture()?.client();
    let mut body = json!({"query": "timer T393", "match_count": 5, "rerank": false,
        "filter_doc_number": "38.990", "filter_release": "Rel-18", "include_section_text": false});
    let full = client.post("/search/text", &body);
    assert_eq!(full.header("content-type"), Some("application/json"));
    let full = full.body;
    body["detail"] = json!("low");
    let low = client.post("/search/text", &body);
    assert_eq!(low.header("content-type"), Some("application/vnd.specbox.low+json"));
    let low = low.body;
    assert_eq!(low["shared"]["results"]["doc_number"], "38.990");
    assert_eq!(results(&low).len(), results(&full).len());
    for (short, whole) in results(&low).iter().zip(results(&full)) {
        assert_eq!(short["content"], whole["content"]);
        assert!(short.get("doc_number").is_none() && short.get("section_text").is_none());
    }
    body["detail"] = json!("medium");
    assert_eq!(client.post("/search/text", &body).status, 422);
    Ok(())
}

fn passages_of_a_section_are_one_result_when_grouped() -> TestResult {
    let client = fixture()?.client();
    let mut body = json!({"query": "timer T393", "match_count": 60, "rerank": false,
        "filter_doc_number": "38.990", "include_section_text": false});
    let plain = client.post("/search/text", &body).body;
    body["group_by"] = json!("section");
    let grouped = client.post("/search/text", &body).body;
    let place = |result: &Value| {
        ["doc_number", "version", "section_number"].map(|field| result[field].to_string())
    };
    let distinct: std::collections::HashSet<_> = results(&grouped).iter().map(place).collect();
    assert_eq!(distinct.len(), results(&grouped).len(), "one result for a section");
    let mut below = 0;
    for result in results(&grouped) {
        let more = result["more_passages"].as_array().expect("a list");
        below += more.len();
        for passage in more {
            let found = results(&plain).iter().find(|one| one["id"] == passage["id"]);
            let found = found.expect("a passage of the plain search");
            assert_eq!(place(found), place(result));
            assert_eq!(found["content"], passage["content"]);
        }
    }
    assert_eq!(results(&plain).len(), results(&grouped).len() + below, "none is lost");
    assert!(results(&plain)[0].get("more_passages").is_none());
    Ok(())
}
