//! Documents of meetings on demand: fetched from a mirror, read, searched. The mirror is the sample's folder.

use std::{
    fs,
    path::{Path, PathBuf},
};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    client::{Answer, Client},
    installed_models::models_installed,
    own,
    program::{json, run, sample, specbox},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
    wait::wait_for,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_document_is_fetched_read_and_found,
        every_kind_of_file_is_read_with_its_own_anchors,
        searches_follow_the_rules_of_evidence,
        what_is_not_there_is_said_with_its_code,
        a_document_that_no_register_lists_tells_of_itself,
        the_meetings_of_a_mirror_are_noted_and_their_registers_taken_in,
    ]
}

/// The sample's mirror.
pub(crate) fn mirror() -> PathBuf {
    sample().with_file_name("mirror")
}

/// A data folder that knows a mirror.
pub(crate) fn data_with(source: &str) -> Result<TempDir, Missing> {
    let data = own::data()?;
    let settings = format!("source = {source:?}\nrequests_per_second = 1000.0");
    own::set(data.path(), "mirror", &settings);
    Ok(data)
}

pub(crate) fn serve(data: &Path) -> (RunningServer, Client) {
    let key = own::key(data, None);
    // The free plan is for persons; what is fetched here is more.
    let server = RunningServer::start(data, "auto");
    let client = own::client(&server, &key);
    (server, client)
}

/// Fetches until the fetch is over.
pub(crate) fn fetch(client: &Client, id: &str) -> Answer {
    let path = format!("/tdocs/{id}/fetch?include=units,text,revisions");
    wait_for("the fetch is over", || {
        let answer = client.post(&path, &json!(null));
        if answer.status != 202 {
            return Some(answer);
        }
        assert_eq!(answer.body["detail"]["code"], "tdoc_fetch_in_progress");
        assert!(answer.body["detail"]["retry_after"].as_u64().is_some_and(|s| s > 0));
        assert!(answer.header("retry-after").is_some());
        None
    })
}

/// Each unit as its kind, label and anchor.
fn units(record: &Value) -> Vec<(String, String, String)> {
    let text = |unit: &Value, name: &str| unit[name].as_str().expect("text").to_owned();
    let units = record["units"].as_array().expect("units");
    units.iter().map(|u| (text(u, "unit_type"), text(u, "label"), text(u, "anchor"))).collect()
}

fn a_document_is_fetched_read_and_found() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    let (_server, client) = serve(data.path());
    let before = client.get("/tdocs/R1-2600104?include=units,text");
    assert_eq!(before.body["content"]["status"], "not_retrieved");
    let fetched = fetch(&client, "R1-2600104");
    assert_eq!(fetched.status, 200, "{}", fetched.body);
    let record = &fetched.body;
    assert_eq!(record["content"]["status"], "complete");
    assert_eq!(record["content"]["unit_count"], 4);
    assert_eq!(record["fetch"]["was_there"], false);
    let file = "R1-2600104 Waiting times.docx";
    let unit = |kind: &str, label: &str, paragraph: u32| {
        (kind.to_owned(), label.to_owned(), format!("{file}#p{paragraph}"))
    };
    assert_eq!(
        units(record),
        [
            unit("observation", "Observation 1", 10),
            unit("proposal", "Proposal 1", 12),
            unit("proposal", "Proposal 2", 13),
            unit("proposal", "Proposal 3", 19),
        ]
    );
    let second = &record["units"][2];
    assert_eq!(second["last_anchor"], format!("{file}#p16"), "with its list");
    assert!(second["quote"].as_str().is_some_and(|quote| quote.lines().count() == 4), "{second}");
    assert_eq!(second["repeated_at"][0], format!("{file}#p24"));
    assert_eq!((&second["page"], &record["units"][3]["page"]), (&json!(1), &json!(2)));
    // The page of results beside it is read too, and anchored by page.
    let blocks = record["text"]["blocks"].as_array().expect("blocks");
    let on_page = |b: &&Value| b["anchor"] == "Annex results.pdf#page2-p1";
    assert_eq!(blocks.iter().find(on_page).expect("there")["text"], "Simulation assumptions");
    let again = fetch(&client, "R1-2600104");
    assert_eq!(again.body["fetch"]["was_there"], true);
    assert_eq!(again.body["units"], record["units"]);
    let found =
        client.post("/tdocs/search", &json!({"query": "doubled waiting time", "rerank_top_k": 3}));
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.body["results"][0]["tdoc_id"], "R1-2600104");
    assert_eq!(found.body["results"][0]["unit_labels"], json!(["Proposal 1"]));
    assert_eq!(found.body["results"][0]["last_anchor"], format!("{file}#p12"));
    assert_eq!(found.body["coverage"]["indexed_tdocs"], 1);
    assert_eq!(found.body["coverage"]["registered_tdocs"], 14);
    Ok(())
}

fn every_kind_of_file_is_read_with_its_own_anchors() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    let report = json(specbox(data.path()).args(["sync", "tdocs", "--meeting", "R1-190"]));
    assert_eq!((&report["taken"], &report["refused_count"]), (&json!(9), &json!(0)), "{report:#}");
    let again = json(specbox(data.path()).args(["sync", "tdocs", "--group", "RAN1"]));
    assert_eq!((&again["taken"], &again["known"]), (&json!(0), &json!(9)), "{again:#}");
    let get = |id: &str| {
        json(specbox(data.path()).args([
            "call",
            "get_tdoc",
            "--tdoc_id",
            id,
            "--include",
            "units,text",
        ]))
    };
    let slides = get("R1-2600106");
    assert_eq!(
        units(&slides),
        [
            (
                "proposal".into(),
                "Proposal 1".into(),
                "R1-2600106 Link states.pptx#slide2-p5".into()
            ),
            (
                "observation".into(),
                "Observation 1".into(),
                "R1-2600106 Link states.pptx#slide3-p2".into()
            ),
        ]
    );
    let anchors: Vec<&str> = slides["text"]["blocks"]
        .as_array()
        .expect("blocks")
        .iter()
        .filter_map(|block| block["anchor"].as_str())
        .filter(|anchor| anchor.contains(".xlsx#"))
        .collect();
    assert_eq!(
        anchors,
        ["R1-2600106 measurements.xlsx#Energy!r1", "R1-2600106 measurements.xlsx#Delay!r1"]
    );
    // Numbers that Word prints are labels, and the list it makes of captions repeats them.
    let automatic = get("R1-2600105");
    let labels: Vec<String> = units(&automatic).into_iter().map(|(_, label, _)| label).collect();
    assert_eq!(labels, ["Observation 1", "Proposal 1", "Proposal 2"]);
    assert_eq!(automatic["units"][1]["repeated_at"].as_array().map(Vec::len), Some(1));
    let change = get("R1-2600107");
    assert_eq!(change["cover"]["clauses"], "5.3.1.4a");
    let blocks = change["text"]["blocks"].as_array().expect("blocks");
    let changed = blocks.iter().find(|b| b["changed"] == true).expect("a change");
    let text = changed["text"].as_str().expect("text");
    assert!(text.contains("shall start timer T390, if T390 is not running."), "{text}");
    // What companies say in the table of a summary is not the summary's.
    let summary = get("R1-2600111");
    let labels: Vec<String> = units(&summary).into_iter().map(|(_, label, _)| label).collect();
    assert_eq!(labels, ["[FL1][H] Proposal 1-1", "[FL1][H] Proposal 1-1-rev1", "Proposal 2"]);
    let verified = json(specbox(data.path()).arg("verify"));
    assert_eq!((&verified["faults"], &verified["tdoc_texts"]), (&json!([]), &json!(9)));
    Ok(())
}

fn searches_follow_the_rules_of_evidence() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    json(specbox(data.path()).args(["sync", "tdocs", "--meeting", "R1-190"]));
    let (_server, client) = serve(data.path());
    let search = |body: Value| client.post("/tdocs/search", &body);
    // A company's position is not what a moderator wrote down.
    let of_company = search(
        json!({"query": "waiting time", "filters": {"source": "Example Radio"}, "rerank_top_k": 50, "max_per_tdoc": 50}),
    );
    let results = of_company.body["results"].as_array().expect("results");
    assert!(!results.is_empty());
    for result in results {
        let sources = result["sources"].as_array().expect("sources");
        let is_theirs =
            sources.iter().any(|s| s["org_id"] == "example-radio" && s["role"] != "editor");
        assert!(is_theirs, "{result}");
        for field in ["doc_kind", "status", "status_label", "official_url", "anchor"] {
            assert!(result[field].is_string(), "{field}: {result}");
        }
    }
    // Identifiers are matched literally, and their passages come first.
    let named = search(json!({"query": "T390 in R1-2600107"}));
    let first = &named.body["results"][0];
    assert_eq!(first["tdoc_id"], "R1-2600107", "{}", named.body);
    assert!(first["matched_by"].as_array().is_some_and(|by| by.contains(&json!("tdoc_id"))));
    assert!(first["identifier_hits"].as_array().is_some_and(|hits| hits.contains(&json!("T390"))));
    let quoted = search(json!({"query": "\"load indicator of two bits\"", "max_per_tdoc": 1}));
    let first = &quoted.body["results"][0];
    assert_eq!(first["identifier_hits"], json!(["load indicator of two bits"]));
    // The same passage in two revisions is one result, in the newest.
    let both = search(
        json!({"query": "Devices with high priority ignore the load indicator", "unit_types": ["proposal"]}),
    );
    let first = &both.body["results"][0];
    assert_eq!(
        (&first["tdoc_id"], &first["also_in"][0]["tdoc_id"]),
        (&json!("R1-2600110"), &json!("R1-2600105"))
    );
    let kinds: Vec<&str> = both.body["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|r| r["unit_type"].as_str())
        .collect();
    assert!(kinds.iter().all(|kind| *kind == "proposal"));
    let one_each = search(
        json!({"query": "beacon", "max_per_tdoc": 1, "rerank_top_k": 50, "include_text": false}),
    );
    let results = one_each.body["results"].as_array().expect("results");
    let ids: std::collections::BTreeSet<&str> =
        results.iter().filter_map(|r| r["tdoc_id"].as_str()).collect();
    assert_eq!(ids.len(), results.len());
    assert!(results.iter().all(|result| result["text"].is_null()));
    // A register that is imported later changes the facts of a document.
    for (filters, ids) in [
        (json!({"status": "agreed"}), &["R1-2600107"][..]),
        (json!({"doc_kind": "liaison statement"}), &["R1-2600103", "R1-2600113"]),
        (json!({"agenda_item": "8.2"}), &["R1-2600106"]),
        (json!({"release": "Rel-18"}), &["R1-2600107"]),
        (json!({"meeting": "RAN1#191"}), &[]),
        (json!({"group": "SA2"}), &[]),
        (json!({"group": "SA2,RAN1", "release": "Rel-18"}), &["R1-2600107"]),
    ] {
        let body = json!({"query": "beacon overload", "filters": filters, "max_per_tdoc": 1, "rerank_top_k": 50});
        let answer = search(body);
        let mut found: Vec<&str> = answer.body["results"]
            .as_array()
            .expect("results")
            .iter()
            .filter_map(|r| r["tdoc_id"].as_str())
            .collect();
        found.sort_unstable();
        assert_eq!(found, ids, "{filters}: {}", answer.body);
        assert!(answer.body["coverage"]["meetings"].is_array());
    }
    for (filters, status, code) in [
        (json!({"group": "R9"}), 400, "invalid_parameter"),
        (json!({"meeting": "R1-999"}), 400, "invalid_parameter"),
        (json!({"status": "asleep"}), 400, "invalid_parameter"),
        (json!({"release": "nineteen"}), 400, "invalid_parameter"),
    ] {
        let answer = search(json!({"query": "beacon", "filters": filters}));
        assert_eq!(
            (answer.status, &answer.body["detail"]["code"]),
            (status, &json!(code)),
            "{filters}"
        );
    }
    let misspelled = search(json!({"query": "beacon", "filters": {"meetings": "R1-190"}}));
    assert_eq!(misspelled.status, 422, "a filter that does not exist is not passed over");
    Ok(())
}

fn what_is_not_there_is_said_with_its_code() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    let (_server, client) = serve(data.path());
    for (path, status, code) in [
        ("/tdocs/R1-2600999", 404, "tdoc_not_indexed"),
        ("/tdocs/nonsense", 404, "tdoc_not_found"),
        ("/tdocs/R1-2600109", 410, "tdoc_withdrawn"),
    ] {
        let answer = client.get(path);
        assert_eq!(
            (answer.status, &answer.body["detail"]["code"]),
            (status, &json!(code)),
            "{path}"
        );
    }
    for (id, status, code) in [
        ("R1-2600999", 404, "tdoc_not_found"),
        ("nonsense", 404, "tdoc_not_found"),
        ("R1-2600109", 410, "tdoc_withdrawn"),
    ] {
        let answer = fetch(&client, id);
        assert_eq!((answer.status, &answer.body["detail"]["code"]), (status, &json!(code)), "{id}");
    }
    // Registered, and no file.
    let registered = fetch(&client, "R1-2600102");
    assert_eq!(
        (registered.status, &registered.body["content"]["status"]),
        (200, &json!("unavailable"))
    );
    assert!(registered.body["content"]["partial_reasons"][0].is_string());
    assert_eq!(client.get("/tdocs/R1-2600109").body["detail"]["tdoc"]["tdoc_id"], "R1-2600109");
    Ok(())
}

fn a_document_that_no_register_lists_tells_of_itself() -> TestResult {
    let data = data_with(&mirror().display().to_string())?;
    let copy = tempfile::tempdir().expect("temporary");
    let docs = copy.path().join("tsg_ran/WG1_RL1/TSGR1_190/Docs");
    fs::create_dir_all(&docs).expect("made");
    let from = mirror().join("tsg_ran/WG1_RL1/TSGR1_190/Docs/R1-2600104.zip");
    fs::copy(from, docs.join("R1-2600777.zip")).expect("copied");
    let path = data.path().join("specbox.toml");
    let text = fs::read_to_string(&path).expect("there");
    let text = text.replace(&mirror().display().to_string(), &copy.path().display().to_string());
    fs::write(&path, text).expect("written");
    // Capitals of folders differ between meetings.
    let inbox = copy.path().join("tsg_ran/WG1_RL1/TSGR1_190/INBOX/revisions");
    fs::create_dir_all(&inbox).expect("made");
    for name in ["R1-2600777r10.zip", "R1-2600777r02.zip", "R1-2600778r01.zip"] {
        fs::write(inbox.join(name), b"not read").expect("written");
    }
    let (_server, client) = serve(data.path());
    assert_eq!(client.get("/tdocs/R1-2600777").status, 404);
    let fetched = fetch(&client, "R1-2600777");
    assert_eq!(fetched.status, 200, "{}", fetched.body);
    assert_eq!(fetched.body["title"], "On waiting times after beacon overload");
    assert_eq!(fetched.body["meeting"]["meeting_id"], "R1-190");
    assert_eq!(fetched.body["sources"][0]["org_id"], "example-radio");
    assert_eq!(fetched.body["status"], "unknown");
    assert!(
        fetched.body["official_url"]
            .as_str()
            .is_some_and(|url| url.ends_with("/Docs/R1-2600777.zip"))
    );
    assert_eq!(client.get("/tdocs/R1-2600777").status, 200);
    let revisions: Vec<(&Value, &Value)> = fetched.body["revisions"]
        .as_array()
        .expect("revisions")
        .iter()
        .map(|revision| (&revision["tdoc_id"], &revision["relation"]))
        .collect();
    assert_eq!(
        revisions,
        [(&json!("R1-2600777r02"), &json!("inbox")), (&json!("R1-2600777r10"), &json!("inbox"))]
    );
    let list = client.get("/tdocs?meeting=R1-190");
    assert_eq!(
        (&list.body["total"], &list.body["coverage"]["registered_tdocs"]),
        (&json!(15), &json!(14))
    );
    Ok(())
}

fn the_meetings_of_a_mirror_are_noted_and_their_registers_taken_in() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary");
    let mut first = specbox(data.path());
    first.env("SPECBOX_MIRROR", mirror()).args(["sync", "meetings", "--group", "RAN1"]);
    assert_eq!(json(&mut first)["meetings"], 1);
    let mut sync = specbox(data.path());
    sync.env("SPECBOX_MIRROR", mirror()).args(["sync", "tdocs", "--meeting", "RAN1#190"]);
    let report = json(&mut sync);
    assert_eq!((&report["registers"], &report["taken"]), (&json!(1), &json!(9)), "{report:#}");
    let nothing = run(specbox(data.path()).args(["sync", "tdocs"]));
    assert_eq!(nothing.status.code(), Some(2), "a meeting or a group is to be named");
    Ok(())
}
