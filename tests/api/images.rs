//! Figures: found by words and meaning, and served to everyone.

use std::{io::Write, net::TcpStream, path::Path, time::Duration};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    client::{Answer, Client},
    fixture::{Fixture, fixture},
    program::{json as command, sample, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_figures_of_the_answer_key_are_found_by_caption_by_label_and_by_meaning,
        every_field_is_there_and_every_image_path_answers,
        filters_and_thresholds_leave_figures_out,
        a_combined_search_is_both_searches,
        the_bounds_and_defaults_of_the_searches_are_the_contracts,
        a_picture_is_kept_for_a_day_and_not_sent_again,
        each_wrong_image_path_has_its_status,
        one_address_over_its_rate_limit_gets_retry_after,
        clients_that_do_not_read_use_up_their_own_connections_only,
        the_command_line_gives_the_picture_as_the_service_has_it,
        documents_count_their_figures,
    ]
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn found(client: &Client, body: Value) -> Vec<Value> {
    let answer = client.post("/search/images", &body);
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    let results = answer.body["results"].as_array().expect("results").clone();
    assert_eq!(answer.body["total"], results.len());
    results
}

/// A client without a key.
fn stranger(fixture: &Fixture) -> Client {
    fixture.client().with_authorization(None)
}

fn with_header(client: &Client, method: &str, path: &str, header: (&str, &str)) -> Answer {
    client.send_with(method, path, &[header], &[])
}

fn the_figures_of_the_answer_key_are_found_by_caption_by_label_and_by_meaning() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for (query, caption) in [
        ("Link states and transitions of the UE", "Figure 4.2.1-1: Link states and transitions"),
        ("Beacon session establishment", "Figure 6.1-1: Beacon session establishment"),
        ("sense compare back off", "Figure 6.4-1: Listen before transmit in band h4"),
        ("LRC_NULL LRC_DORMANT Wake-up", "Figure 4.2.1-1"),
        ("Choose units, Session accept", "Figure 6.1-1"),
        ("which keys are derived from which", "Figure 5.1-1: Key hierarchy"),
    ] {
        let results = found(&client, json!({"query": query, "match_count": 3}));
        let captions: Vec<&str> = results.iter().filter_map(|r| r["caption"].as_str()).collect();
        assert!(captions.iter().any(|found| found.starts_with(caption)), "{query}: {captions:?}");
    }
    Ok(())
}

fn every_field_is_there_and_every_image_path_answers() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let body = json!({"query": "link", "match_count": 50, "match_threshold": 0.0});
    let results = found(&client, body);
    assert!(results.len() >= 9, "{}", results.len());
    let mut before = 1.0;
    let mut pictures = 0;
    for result in &results {
        let similarity = result["similarity"].as_f64().expect("a number");
        assert!(similarity <= before && similarity >= 0.0, "{result:#}");
        before = similarity;
        for key in ["doc_number", "doc_type", "version", "release", "section_number"] {
            assert!(result[key].as_str().is_some_and(|text| !text.is_empty()), "{key}: {result:#}");
        }
        for key in ["caption", "context_before", "context_after", "image_path"] {
            assert!(result[key].is_string() || result[key].is_null(), "{key}: {result:#}");
        }
        let paths = result["also_in"].as_array().expect("a list").iter().chain([result]);
        for path in paths.filter_map(|occurrence| occurrence["image_path"].as_str()) {
            let picture = stranger(fixture).get(path);
            assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
            assert!(picture.bytes.starts_with(PNG), "{path}");
            pictures += 1;
        }
    }
    assert!(pictures >= 15, "{pictures}");
    let state =
        results.iter().find(|r| r["caption"].as_str().is_some_and(|c| c.contains("4.2.1-1")));
    let state = state.expect("the state diagram");
    assert_eq!(state["doc_number"], "38.990");
    assert!(!state["also_in"].as_array().expect("a list").is_empty(), "older versions show it too");
    assert!(state["labels"].as_array().expect("a list").contains(&json!("LRC_NULL")));
    assert!(state["context_before"].as_str().is_some_and(|text| text.contains("link states")));
    for result in &results {
        let around = [&result["context_before"], &result["context_after"]];
        assert!(around.iter().all(|text| text.as_str() != Some("[figure]")), "{result:#}");
    }
    Ok(())
}

fn filters_and_thresholds_leave_figures_out() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let all = |extra: Value| {
        let mut body = json!({"query": "link states", "match_count": 50, "match_threshold": 0.0});
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("one").clone());
        found(&client, body)
    };
    let everything = all(json!({})).len();
    let one = all(json!({"filter_doc_number": "38.990", "filter_release": "Rel-17"}));
    assert!(!one.is_empty() && one.len() < everything);
    assert!(one.iter().all(|r| r["doc_number"] == "38.990" && r["release"] == "Rel-17"));
    assert!(one.iter().all(|r| {
        r["also_in"]
            .as_array()
            .is_some_and(|others| others.iter().all(|other| other["release"] == "Rel-17"))
    }));
    assert!(all(json!({"filter_series": "33"})).iter().all(|r| r["doc_number"] == "33.990"));
    assert!(all(json!({"filter_doc_number": "38.999"})).is_empty());
    assert!(all(json!({"filter_release": "nonsense"})).is_empty());
    assert!(all(json!({"match_threshold": 0.6})).len() < everything);
    let nothing = found(&client, json!({"query": "zebra crossing pancake recipe"}));
    assert!(nothing.is_empty(), "the default threshold: {nothing:#?}");
    Ok(())
}

fn a_combined_search_is_both_searches() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let query = "Beacon session establishment";
    let both = client.post("/search/combined", &json!({"query": query, "rerank_top_k": 4}));
    assert_eq!(both.status, 200, "{:#}", both.body);
    let text = client.post("/search/text", &json!({"query": query, "rerank_top_k": 4}));
    assert_eq!(both.body["text_results"], text.body["results"]);
    assert_eq!(both.body["text_total"], 4);
    assert_eq!(both.body["reranked"], true);
    let images = found(&client, json!({"query": query, "match_count": 5, "match_threshold": 0.0}));
    assert_eq!(both.body["image_results"], json!(images));
    assert_eq!(both.body["image_total"], 5);
    assert!(both.body["elapsed_ms"].is_number() && both.body["query"] == query);
    let none = json!({"query": query, "image_match_threshold": 1.0, "text_match_threshold": 1.0});
    let none = client.post("/search/combined", &none);
    assert_eq!((&none.body["text_total"], &none.body["image_total"]), (&json!(0), &json!(0)));
    Ok(())
}

fn the_bounds_and_defaults_of_the_searches_are_the_contracts() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    for (path, parameter, bad) in [
        ("/search/images", "match_count", json!(51)),
        ("/search/images", "match_count", json!(0)),
        ("/search/images", "match_threshold", json!(1.1)),
        ("/search/combined", "image_match_count", json!(51)),
        ("/search/combined", "text_match_count", json!(201)),
        ("/search/combined", "image_match_threshold", json!(-0.1)),
        ("/search/combined", "rerank_top_k", json!(51)),
    ] {
        let answer = client.post(path, &json!({"query": "link", parameter: bad}));
        assert_eq!(answer.status, 422, "{path} {parameter}");
        assert_eq!(answer.body["detail"][0]["loc"], json!(["body", parameter]));
    }
    let strange = stranger(fixture).post("/search/images", &json!({"query": "link"}));
    assert_eq!(strange.status, 401);
    let description = client.get("/openapi.json").body;
    let schema = |name: &str| description["components"]["schemas"][name]["properties"].clone();
    assert_eq!(schema("SearchImages")["match_threshold"]["default"], 0.3);
    assert_eq!(schema("SearchImages")["match_count"]["default"], 10);
    assert_eq!(schema("SearchCombined")["image_match_threshold"]["default"], 0.0);
    assert_eq!(schema("SearchCombined")["image_match_count"]["default"], 5);
    assert_eq!(schema("SearchCombined")["text_match_count"]["default"], 30);
    let image = &description["paths"]["/images/{doc_number}/{version}/{image_index}"]["get"];
    assert!(image["responses"]["200"]["content"]["image/png"].is_object(), "{image:#}");
    assert_eq!(image["security"], json!([]));
    Ok(())
}

fn a_picture_is_kept_for_a_day_and_not_sent_again() -> TestResult {
    let fixture = fixture()?;
    let client = stranger(fixture);
    let path = "/images/38.990/18.1.0/0";
    let first = client.get(path);
    assert_eq!(first.status, 200);
    assert_eq!(first.header("cache-control"), Some("public, max-age=86400"));
    assert_eq!(first.header("content-encoding"), None);
    let etag = first.header("etag").expect("an ETag").to_owned();
    let weak = format!("\"other\", W/{etag}");
    for known in [etag.as_str(), "*", &weak] {
        let again = with_header(&client, "GET", path, ("if-none-match", known));
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{known}");
        assert_eq!(again.header("etag"), Some(etag.as_str()));
        assert_eq!(again.header("cache-control"), Some("public, max-age=86400"));
    }
    for (typed, exact) in
        [("Rel-18", "18.1.0"), ("rel-18", "18.1.0"), ("18.1", "18.1.0"), ("latest", "19.0.0")]
    {
        let picture = |version: &str| client.get(&format!("/images/38.990/{version}/0"));
        assert_eq!(picture(typed).status, 200, "{typed}");
        assert_eq!(picture(typed).header("etag"), picture(exact).header("etag"), "{typed}");
    }
    let other = with_header(&client, "GET", path, ("if-none-match", "\"other\""));
    assert_eq!(other.status, 200);
    let head = client.send("HEAD", path, None, &[]);
    assert_eq!((head.status, head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(first.bytes.len().to_string().as_str()));
    assert_eq!(head.header("etag"), Some(etag.as_str()));
    Ok(())
}

fn each_wrong_image_path_has_its_status() -> TestResult {
    let fixture = fixture()?;
    let client = stranger(fixture);
    for (path, status) in [
        ("/images/38.990/latest/999", 404),
        ("/images/38.990/18.1.0/999", 404),
        ("/images/38.990/18.1.0/99999999999", 404),
        ("/images/38.990/99.1.0/0", 404),
        ("/images/38.999/18.1.0/0", 404),
        ("/images/38.990/18.1.0/-1", 400),
        ("/images/nonsense/18.1.0/0", 400),
        ("/images/..%2f..%2fetc/18.1.0/0", 400),
        ("/images/38.990/eighteen/0", 400),
        ("/images/38.990/18.1.0/abc", 422),
        ("/images/38.990/18.1.0/1.5", 422),
        ("/images/38.990/18.1.0", 404),
    ] {
        let answer = client.get(path);
        assert_eq!(answer.status, status, "{path}: {:#}", answer.body);
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
    }
    let invalid = client.get("/images/38.990/18.1.0/-1").body;
    assert_eq!(invalid["detail"]["parameter"], "image_index");
    let fault = client.get("/images/38.990/18.1.0/abc").body["detail"][0].clone();
    assert_eq!(
        (&fault["type"], &fault["loc"]),
        (&json!("int_parsing"), &json!(["path", "image_index"]))
    );
    assert_eq!(client.send("POST", "/images/38.990/18.1.0/0", None, &[]).status, 405);
    Ok(())
}

/// A server over the sample corpus that tells clients apart by what a proxy says.
fn limited(data: &Path, limits: &str) -> RunningServer {
    std::fs::write(data.join("specbox.toml"), format!("[images]\n{limits}\n")).expect("written");
    command(specbox(data).args(["ingest", "--no-vectors"]).arg(sample()));
    RunningServer::start(data, "off-behind-proxy")
}

fn one_address_over_its_rate_limit_gets_retry_after() -> TestResult {
    fixture()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let server = limited(data.path(), "per_second = 1\nburst = 3");
    let client = Client::new(&server.base_url, None, None);
    let ask = |address: &str| {
        with_header(&client, "GET", "/images/38.990/18.1.0/0", ("x-forwarded-for", address))
    };
    let statuses: Vec<u16> = (0..6).map(|_| ask("192.0.2.1").status).collect();
    assert_eq!(statuses[..3], [200, 200, 200]);
    assert!(statuses[3..].contains(&429), "{statuses:?}");
    let refused = (0..6).map(|_| ask("192.0.2.1")).find(|answer| answer.status == 429);
    let refused = refused.expect("a refusal");
    assert!(refused.header("retry-after").is_some_and(|wait| wait.parse::<u64>().is_ok()));
    assert_eq!(refused.body["detail"]["code"], "too_many_requests");
    assert_eq!(ask("192.0.2.2").status, 200, "another client");
    // What is no picture is served as before.
    assert_eq!(client.get("/health").status, 200);
    Ok(())
}

/// Asks for so many pictures that no buffer holds them, and reads none: one of them is on its way
/// for ever.
fn request_without_reading(base_url: &str, address: &str) -> TcpStream {
    let authority = base_url.strip_prefix("http://").expect("plain HTTP");
    let mut stream = TcpStream::connect(authority).expect("the server listens");
    let request = format!(
        "GET /images/38.990/18.1.0/0 HTTP/1.1\r\nhost: {authority}\r\nx-forwarded-for: {address}\r\n\r\n"
    );
    stream.set_write_timeout(Some(Duration::from_millis(500))).expect("set");
    // Until the server, which cannot answer, stops reading.
    for _ in 0..200_000 {
        if stream.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    stream
}

fn clients_that_do_not_read_use_up_their_own_connections_only() -> TestResult {
    fixture()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let server = limited(data.path(), "per_second = 0\nat_once = 2");
    let client = Client::new(&server.base_url, None, None);
    let ask = |address: &str| {
        with_header(&client, "GET", "/images/38.990/18.1.0/0", ("x-forwarded-for", address))
    };
    assert_eq!(ask("192.0.2.1").status, 200);
    let first = request_without_reading(&server.base_url, "192.0.2.1");
    assert_eq!(ask("192.0.2.1").status, 200, "one place is left");
    let second = request_without_reading(&server.base_url, "192.0.2.1");
    let refused = ask("192.0.2.1");
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").is_some());
    assert_eq!(ask("192.0.2.2").status, 200, "another client");
    drop((first, second));
    wait_until("connections that are gone leave room", || ask("192.0.2.1").status == 200);
    Ok(())
}

fn the_command_line_gives_the_picture_as_the_service_has_it() -> TestResult {
    let fixture = fixture()?;
    let picture = stranger(fixture).get("/images/38.990/18.1.0/0");
    let call = ["call", "get_image", "--doc_number", "38.990", "--version", "18.1.0"];
    let record = command(specbox(&fixture.data).args(call).args(["--image_index", "0"]));
    assert_eq!(record["mime_type"], "image/png");
    assert!(
        record["caption"].as_str().is_some_and(|caption| caption.starts_with("Figure 4.2.1-1"))
    );
    let length = record["data"].as_str().expect("base64").len();
    assert_eq!(length, picture.bytes.len().div_ceil(3) * 4);
    Ok(())
}

fn documents_count_their_figures() -> TestResult {
    let fixture = fixture()?;
    let list = fixture.client().get("/documents?doc_number=38.990").body;
    let counts: Vec<u64> = list
        .as_array()
        .expect("a list")
        .iter()
        .map(|document| document["total_image_chunks"].as_u64().expect("a number"))
        .collect();
    assert!(counts.iter().all(|count| *count >= 3), "{counts:?}");
    Ok(())
}
