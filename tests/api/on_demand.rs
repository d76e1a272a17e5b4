//! Versions that are asked for, not indexed and listed by the source: fetched where the operator allows it, and named elsewhere.

use std::{fs, path::Path, time::Duration};

use libtest_mimic::Trial;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    client::{Answer, Client},
    file_server::{RequestCounts, file_server},
    own::{self, set},
    program::{json as run_json, run, sample, specbox},
    real_files::real_files,
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_for,
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_listed_version_is_fetched_where_the_operator_allows_it,
        what_is_listed_is_named_where_the_operator_does_not_allow_it,
        callers_of_one_version_share_its_fetch_and_hear_how_far_it_is,
        a_source_that_is_down_is_said_and_changes_no_answer,
        a_command_fetches_from_a_folder_and_lists_what_it_lacks,
        the_list_of_the_portal_gives_titles_groups_and_rapporteurs,
    ]
}

fn copy_version(root: &Path, file: &str) {
    let target = root.join("Specs/archive").join(file);
    fs::create_dir_all(target.parent().expect("a folder")).expect("made");
    fs::copy(sample().join(file), target).expect("copied");
}

/// A source with three versions of 38.990, the oldest damaged, and one of 23.990.
fn source_folder() -> TempDir {
    let root = tempfile::tempdir().expect("made");
    for file in ["38990-h20.zip", "38990-i00.zip", "38990-i10.zip"] {
        copy_version(root.path(), &format!("38_series/38.990/{file}"));
    }
    copy_version(root.path(), "23_series/23.990/23990-i00.zip");
    let damaged = root.path().join("Specs/archive/38_series/38.990/38990-h20.zip");
    fs::write(damaged, "no archive").expect("written");
    root
}

/// A data folder with 38.990 18.1.0, whose source is `source`.
fn data_with(source: &str, sync: &str) -> TempDir {
    let data = tempfile::tempdir().expect("made");
    let archive = sample().join("38_series/38.990/38990-i10.zip");
    run_json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(archive));
    set(data.path(), "mirror", &format!("source = {source:?}\nrequests_per_second = 200.0"));
    set(data.path(), "sync", sync);
    data
}

fn serve(data: &Path) -> (RunningServer, Client) {
    let key = own::key(data, None);
    let server = RunningServer::start(data, "auto");
    let client = own::client(&server, &key);
    (server, client)
}

/// Asks until nothing is being fetched.
fn ask(client: &Client, target: &str) -> Answer {
    wait_for("the fetch is over", || {
        let answer = client.get(target);
        (answer.status != 202).then_some(answer)
    })
}

fn sections(number: &str, version: &str) -> String {
    format!("/sections?doc_number={number}&version={version}&section_number=1")
}

/// Requests for files of a document.
fn file_requests(counts: &RequestCounts, number: &str) -> Vec<(String, usize)> {
    let counts = counts.lock().expect("not poisoned");
    let files = counts.iter().filter(|(path, _)| path.contains(number) && path.ends_with(".zip"));
    files
        .map(|(path, count)| (path.rsplit('/').next().unwrap_or_default().to_owned(), *count))
        .collect()
}

fn note(answer: &Answer) -> &str {
    answer.header("x-specbox-note").unwrap_or_default()
}

fn listed(client: &Client, filter: &str) -> Vec<Value> {
    let answer = client.get(&format!("/documents?indexed=false{filter}"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body.as_array().expect("a list").clone()
}

fn a_listed_version_is_fetched_where_the_operator_allows_it() {
    let root = source_folder();
    let (base, counts) = file_server(root.path().to_owned(), Duration::ZERO);
    let data = data_with(&base, "on_demand = true");
    let (_server, client) = serve(data.path());
    // Not listed: the answer is that of an index without a source.
    for (number, version) in [("38.990", "16.0.0"), ("38.777", "18.0.0"), ("38.777", "latest")] {
        let answer = ask(&client, &sections(number, version));
        assert_eq!((answer.status, &answer.body), (200, &json!([])), "{number} {version}");
        assert!(note(&answer).contains("does not list it"), "{number}: {}", note(&answer));
    }
    // Indexed: nothing is asked. Searches and pictures for strangers never fetch.
    assert_eq!(client.get(&sections("38.990", "latest")).body[0]["version"], "18.1.0");
    client.post("/search/text", &json!({"query": "beacon", "filter_doc_number": "23.990"}));
    let stranger = client.with_authorization(None);
    assert_eq!(stranger.get("/images/23.990/18.0.0/0").status, 404);
    assert!(file_requests(&counts, "990").is_empty());
    // Listed: the newest that is meant is fetched once, and stays.
    let toc = ask(&client, "/sections/toc?doc_number=23.990&version=Rel-18");
    assert_eq!((toc.status, &toc.body[0]["version"]), (200, &json!("18.0.0")), "{}", toc.body);
    for _ in 0..2 {
        let answer = ask(&client, &sections("23.990", "18.0.0"));
        assert_eq!(answer.body[0]["doc_number"], "23.990", "{}", answer.body);
    }
    assert_eq!(file_requests(&counts, "23.990"), [("23990-i00.zip".to_owned(), 1)]);
    // A record of what is listed leads to the version.
    let unindexed = listed(&client, "&doc_number=38.990&release=Rel-18");
    let id = unindexed[0]["id"].as_u64().expect("an ID");
    let record = ask(&client, &format!("/documents/{id}"));
    assert_eq!((&record.body["version"], record.status), (&json!("18.0.0"), 200));
    assert!(record.body["id"].as_u64().is_some_and(|id| id <= u64::from(u32::MAX)));
    // A fetch that fails says why, and is not tried again at once.
    for _ in 0..2 {
        let answer = ask(&client, &sections("38.990", "17.2.0"));
        assert_eq!(answer.status, 503, "{}", answer.body);
        let message = answer.body["detail"]["message"].as_str().unwrap_or_default();
        assert!(message.contains("not indexed") && message.contains("unknown type"), "{message}");
    }
    let damaged = file_requests(&counts, "38990-h20");
    assert_eq!(damaged, [("38990-h20.zip".to_owned(), 1)]);
    let inbox = data.path().join("inbox/specs/on-demand");
    assert_eq!(fs::read_dir(inbox).expect("there").count(), 0, "nothing is left");
}

fn what_is_listed_is_named_where_the_operator_does_not_allow_it() {
    let root = source_folder();
    let (base, counts) = file_server(root.path().to_owned(), Duration::ZERO);
    let data = data_with(&base, "on_demand = false");
    let (_server, client) = serve(data.path());
    // Nothing is known, and nobody but the operator makes the server ask.
    let before = client.get(&sections("38.990", "18.0.0"));
    assert_eq!((before.status, before.body), (200, json!([])));
    assert!(listed(&client, "").is_empty());
    assert!(counts.lock().expect("not poisoned").is_empty());
    let report = run_json(specbox(data.path()).args(["sync", "specs", "--list"]));
    assert_eq!((&report["listed"], &report["fetched"]), (&json!(3), &json!(0)), "{report:#}");
    let all: Vec<(String, String)> = listed(&client, "")
        .iter()
        .map(|row| {
            assert_eq!(
                (&row["status"], &row["title"]),
                (&json!("listed"), &Value::Null),
                "{row:#}"
            );
            assert_eq!(row["listing"]["group"], Value::Null);
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            (text("doc_number"), text("version"))
        })
        .collect();
    let expected = [("23.990", "18.0.0"), ("38.990", "18.0.0"), ("38.990", "17.2.0")];
    assert_eq!(all, expected.map(|(number, version)| (number.to_owned(), version.to_owned())));
    let page = listed(&client, "&limit=1&cursor=38.990/18.0.0");
    assert_eq!((page.len(), &page[0]["version"]), (1, &json!("17.2.0")));
    assert_eq!(page[0]["listing"]["file_date"], "2026-01-01");
    assert_eq!(page[0]["listing"]["doc_type_origin"], "indexed");
    assert_eq!(listed(&client, "&series=23&doc_type=TS").len(), 0, "by its number it is a report");
    // The list of what is indexed is as it was.
    let indexed = client.get("/documents").body;
    assert_eq!((indexed.as_array().map(Vec::len), indexed[0].get("listing")), (Some(1), None));
    let after = client.get(&sections("38.990", "18.0.0"));
    assert_eq!((after.status, &after.body), (200, &json!([])));
    assert!(note(&after).contains("lists version 18.0.0"), "{}", note(&after));
    assert!(note(&after).contains("on_demand"), "{}", note(&after));
    let id = page[0]["id"].as_u64().expect("an ID");
    let refused = client.get(&format!("/documents/{id}"));
    assert_eq!(refused.status, 404, "{}", refused.body);
    assert_eq!(refused.body["detail"]["code"], "document_not_indexed");
    assert!(file_requests(&counts, "990").is_empty());
}

fn callers_of_one_version_share_its_fetch_and_hear_how_far_it_is() {
    let root = source_folder();
    let (base, counts) = file_server(root.path().to_owned(), Duration::from_secs(2));
    let data = data_with(&base, "on_demand = true");
    let (_server, client) = serve(data.path());
    let target = sections("23.990", "18.0.0");
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let asked: Vec<_> = (0..5).map(|_| scope.spawn(|| client.get(&target))).collect();
        asked.into_iter().map(|asked| asked.join().expect("answered")).collect()
    });
    let in_progress: Vec<&Answer> = answers.iter().filter(|a| a.status == 202).collect();
    // Two may wait; the others come back.
    assert!(in_progress.len() >= 3, "{}", in_progress.len());
    for answer in in_progress {
        let detail = &answer.body["detail"];
        assert_eq!(detail["code"], "document_fetch_in_progress");
        assert!(detail["retry_after"].as_u64().is_some_and(|seconds| seconds > 0), "{detail}");
        let message = detail["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("23.990 18.0.0 is being fetched: "), "{message}");
        assert!(answer.header("retry-after").is_some());
    }
    assert_eq!(ask(&client, &target).body[0]["version"], "18.0.0");
    assert_eq!(file_requests(&counts, "23.990"), [("23990-i00.zip".to_owned(), 1)]);
}

fn a_source_that_is_down_is_said_and_changes_no_answer() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/ftp", port.local_addr().expect("bound"));
    drop(port);
    let data = data_with(&base, "on_demand = true");
    let (_server, client) = serve(data.path());
    let answer = ask(&client, &sections("38.990", "18.0.0"));
    assert_eq!((answer.status, &answer.body), (200, &json!([])));
    assert!(note(&answer).contains("is not known"), "{}", note(&answer));
    assert_eq!(client.get(&sections("38.990", "18.1.0")).body[0]["version"], "18.1.0");
}

fn a_command_fetches_from_a_folder_and_lists_what_it_lacks() {
    let root = source_folder();
    let data = data_with(&root.path().display().to_string(), "on_demand = true");
    let listed =
        run_json(specbox(data.path()).args(["call", "list_documents", "--indexed", "false"]));
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{listed:#}");
    let call = |version: &str| {
        let mut command = specbox(data.path());
        command.args(["call", "list_sections", "--doc_number", "38.990", "--version", version]);
        command
    };
    let contents = run_json(&mut call("18.0.0"));
    assert_eq!(contents[0]["version"], "18.0.0", "{contents:#}");
    let failed = run(&mut call("17.2.0"));
    assert!(!failed.status.success());
    let copied = root.path().join("Specs/archive/38_series/38.990/38990-i00.zip");
    assert!(copied.exists(), "files of the operator's folder stay");
}

fn the_list_of_the_portal_gives_titles_groups_and_rapporteurs() -> TestResult {
    let lists = real_files("registers/catalogue")?;
    let root = tempfile::tempdir().expect("made");
    let folder = root.path().join("Specs/archive/38_series/38.331");
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join("38331-i10.zip"), "not read").expect("written");
    for name in [
        "2023-03-07_1805_SpecificationList_2e6c4e.xlsx",
        "2023-05-19_0651_SpecificationList_3e62b3.xlsx",
    ] {
        fs::copy(lists.join(name), root.path().join("Specs").join(name)).expect("copied");
    }
    let data = data_with(&root.path().display().to_string(), "on_demand = false");
    let listed =
        run_json(specbox(data.path()).args(["call", "list_documents", "--indexed", "false"]));
    let [row] = listed.as_array().expect("a list").as_slice() else { panic!("{listed:#}") };
    let title = row["title"].as_str().unwrap_or_default();
    assert!(title.contains("Radio Resource Control"), "{row:#}");
    let listing = &row["listing"];
    assert_eq!((&listing["group"], &listing["doc_type_origin"]), (&json!("R2"), &json!("list")));
    assert!(listing["rapporteur"].as_str().is_some_and(|name| !name.is_empty()), "{row:#}");
    assert_eq!((&row["doc_type"], &listing["planned_release"]), (&json!("TS"), &json!("Rel-15")));
    Ok(())
}
