//! Watches: what is taken in becomes events, once each, whatever happens to the process.

use std::{path::Path, time::Duration};

use libtest_mimic::Trial;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    client::Client,
    installed_models::models_installed,
    own,
    person::Person,
    program::{json, sample, specbox},
    server::RunningServer,
    trials::{Missing, TestResult, trials},
    wait::wait_for,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        versions_become_events_that_say_what_a_comparison_says,
        registers_and_reports_become_events_of_companies_agendas_and_words,
        what_becomes_of_a_document_that_its_words_found_is_told,
        a_killed_server_loses_no_event_and_makes_none_twice,
        a_new_index_under_old_accounts_silences_no_watch,
        the_address_of_a_feed_is_secret_and_can_be_renewed,
    ]
}

/// A data folder without documents.
fn empty_data() -> Result<TempDir, Missing> {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    json(specbox(data.path()).args(["key", "list", "--json"]));
    Ok(data)
}

fn watch(person: &Person, kind: &str, subject: &str) {
    let fields: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("kind", kind)
        .append_pair("subject", subject)
        .finish();
    let added = person.post("/dashboard/watches", &fields);
    assert_eq!(added.status, 303, "{kind} {subject}: {}", String::from_utf8_lossy(&added.bytes));
}

/// Takes a version of 38.990 in, beside a server or without one.
fn ingest(data: &Path, file: &str) {
    let archive = sample().join("38_series/38.990").join(file);
    let report = json(specbox(data).args(["ingest", "--no-vectors"]).arg(archive));
    assert_eq!(report["taken"].as_array().map(Vec::len), Some(1), "{report:#}");
}

/// The secret of a new feed.
fn feed_path(person: &Person) -> String {
    let page = String::from_utf8(person.post("/dashboard/watches/feed", "").bytes).expect("text");
    let (_, rest) = page.split_once("/feeds/").expect("an address");
    format!("/feeds/{}", rest.split('.').next().expect("a secret"))
}

/// Titles and texts of the events in a feed, the oldest first.
fn events(client: &Client, feed: &str) -> Vec<(String, String)> {
    let answer = client.get(&format!("{feed}.json"));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
    let items = answer.body["items"].as_array().expect("items").iter().rev();
    items.map(|item| (text(item, "title"), text(item, "content_text"))).collect()
}

fn wait_for_events(client: &Client, feed: &str, count: usize) -> Vec<(String, String)> {
    wait_for("the events", || Some(events(client, feed)).filter(|events| events.len() >= count))
}

const VERSIONS: [&str; 4] = ["38990-h20.zip", "38990-i00.zip", "38990-i10.zip", "38990-j00.zip"];

fn versions_become_events_that_say_what_a_comparison_says() -> TestResult {
    let data = empty_data()?;
    let key = own::key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = own::client(&server, &key);
    let person = Person::new(&server, data.path(), "ann");
    let feed = feed_path(&person);
    for (kind, subject) in [
        ("document", "TS 38.990"),
        ("clause", "38.990 7.1"),
        ("clause", "38.990 5.3.4"),
        ("name", "t393"),
        ("query", "shadow beacon"),
    ] {
        watch(&person, kind, subject);
    }
    for file in VERSIONS {
        ingest(data.path(), file);
    }
    // What is taken in again is no news.
    let again = sample().join("38_series/38.990").join(VERSIONS[3]);
    json(specbox(data.path()).args(["ingest", "--no-vectors", "--force"]).arg(again));
    let found = wait_for_events(&client, &feed, 8);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(events(&client, &feed), found, "none comes twice");
    let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
    let expected = [
        "38.990 17.2.0",
        "38.990 18.0.0",
        "38.990 18.0.0, 7.1",
        "t393 in 38.990 18.0.0",
        "shadow beacon in 38.990 18.0.0",
        "38.990 18.1.0",
        "38.990 19.0.0",
        "t393 in 38.990 19.0.0",
    ];
    for title in expected {
        assert!(titles.contains(&title), "{title}: {titles:?}");
    }
    assert!(!titles.iter().any(|title| title.contains("5.3.4")), "{titles:?}");
    // Each says what an independent comparison says.
    for (title, text) in found.iter().filter(|(title, _)| title.starts_with("38.990")) {
        let (_, version) = title.split_once(' ').expect("a version");
        if version == "17.2.0" || version.contains(',') {
            continue;
        }
        let body = client.get(&format!("/documents/compare?doc_number=38.990&to={version}")).body;
        let counts = &body["section_counts"];
        let changed = format!("{} section", counts["changed"]);
        let since = format!("Since {}: ", body["from"].as_str().expect("a version"));
        assert!(text.starts_with(&format!("{since}{changed}")), "{text}: {counts}");
        let added = counts["added"].as_u64().expect("a number");
        assert_eq!(text.contains(&format!("{added} added")), added > 0, "{text}: {counts}");
    }
    let within = found.iter().find(|(title, _)| title == "38.990 18.0.0, 7.1").expect("there");
    assert!(within.1.contains("7.1.1 Timers of the UE: 1 word inserted"), "{}", within.1);
    Ok(())
}

fn registers_and_reports_become_events_of_companies_agendas_and_words() -> TestResult {
    let data = empty_data()?;
    ingest(data.path(), VERSIONS[2]);
    let key = own::key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = own::client(&server, &key);
    let person = Person::new(&server, data.path(), "ann");
    let feed = feed_path(&person);
    watch(&person, "clause", "38.990 5.3.1");
    watch(&person, "agenda_item", "RAN1 7");
    watch(&person, "query", "waiting time refusal");
    own::import_meetings(data.path());
    let report = sample().with_file_name("mirror/tsg_ran/WG1_RL1/TSGR1_190/Report");
    json(
        specbox(data.path())
            .args(["meetings", "import"])
            .arg(report.join("Final_Minutes_report_RAN1#190_v100.zip")),
    );
    let found = wait_for("events of the report", || {
        let found = events(&client, &feed);
        found.iter().any(|(title, _)| title.starts_with("RAN1#190: ")).then_some(found)
    });
    let of_request: Vec<_> =
        found.iter().filter(|(title, _)| title.starts_with("R1-2600107")).collect();
    // By its clause and by its place on the agenda.
    assert_eq!(of_request.len(), 2, "{found:?}");
    assert!(of_request[0].1.contains("changes 38.990, 5.3.1.4a"), "{of_request:?}");
    let company = person.post("/dashboard/watches", "kind=company&subject=Example+Radio");
    assert_eq!(company.status, 303);
    let page = String::from_utf8(person.get("/dashboard/watches").bytes).expect("text");
    assert!(page.contains("example-radio"), "a company is found by any of its names");
    let refused = person.post("/dashboard/watches", "kind=clause&subject=38.990");
    assert_eq!(refused.status, 422);
    let page = String::from_utf8(refused.bytes).expect("text");
    assert!(page.contains("is not a clause. Example: 38.331 5.3.5"), "{page}");
    Ok(())
}

fn what_becomes_of_a_document_that_its_words_found_is_told() -> TestResult {
    let data = empty_data()?;
    ingest(data.path(), VERSIONS[2]);
    let mirror = sample().with_file_name("mirror");
    own::set(data.path(), "mirror", &format!("source = {:?}", mirror.display().to_string()));
    let key = own::key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = own::client(&server, &key);
    let person = Person::new(&server, data.path(), "ann");
    let feed = feed_path(&person);
    // Its register entry has neither these words nor a clause.
    watch(&person, "query", "register before BeaconWaitTime");
    watch(&person, "clause", "38.990 7");
    let page = data.path().join("TdocsByAgenda RAN1-190.htm");
    let text = "<html><table><tr><td>TDoc<td>Type<td>Title<td>Source\
        <tr><td>R1-2600107<td>CR<td>Correction of a timer<td>Example Radio</table>";
    std::fs::write(&page, text).expect("written");
    json(specbox(data.path()).args(["tdocs", "import"]).arg(&page));
    let fetched =
        json(specbox(data.path()).args(["call", "fetch_tdoc", "--tdoc_id", "R1-2600107"]));
    assert_eq!(fetched["content"]["status"], "complete", "{fetched:#}");
    wait_for_events(&client, &feed, 2);
    own::import_meetings(data.path());
    let found = wait_for_events(&client, &feed, 6);
    for outcome in ["Change request: agreed at RAN1#190", "TSG: approved"] {
        let told = found
            .iter()
            .filter(|(title, text)| title.starts_with("R1-2600107 ") && text.starts_with(outcome));
        assert_eq!(told.count(), 2, "{outcome}: {found:#?}");
    }
    // What the report decides on it is a decision on the clauses that it changes.
    let report = mirror.join("tsg_ran/WG1_RL1/TSGR1_190/Report");
    let report = report.join("Final_Minutes_report_RAN1#190_v100.zip");
    json(specbox(data.path()).args(["meetings", "import"]).arg(report));
    wait_for("the decision", || {
        let found = events(&client, &feed);
        found.iter().any(|(title, _)| title.ends_with(" on R1-2600107")).then_some(())
    });
    Ok(())
}

fn a_new_index_under_old_accounts_silences_no_watch() -> TestResult {
    let data = empty_data()?;
    for file in &VERSIONS[..3] {
        ingest(data.path(), file);
    }
    let key = own::key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let person = Person::new(&server, data.path(), "ann");
    let feed = feed_path(&person);
    watch(&person, "document", "38.990");
    own::signal(&server, "KILL");
    drop(server);
    for entry in std::fs::read_dir(data.path()).expect("readable").flatten() {
        let name = entry.file_name();
        let path = entry.path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).expect("removed");
        } else if name == "meta.redb" {
            std::fs::remove_file(path).expect("removed");
        }
    }
    ingest(data.path(), VERSIONS[0]);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = own::client(&server, &key);
    std::thread::sleep(Duration::from_secs(2));
    ingest(data.path(), VERSIONS[1]);
    let found = wait_for_events(&client, &feed, 1);
    assert_eq!(found[0].0, "38.990 18.0.0", "{found:?}");
    Ok(())
}

fn a_killed_server_loses_no_event_and_makes_none_twice() -> TestResult {
    let data = empty_data()?;
    let key = own::key(data.path(), None);
    let mut server = RunningServer::start(data.path(), "off-behind-proxy");
    let person = Person::new(&server, data.path(), "ann");
    let feed = feed_path(&person);
    for index in 0..200 {
        watch(&person, "query", &format!("38.990 lantern {index}"));
    }
    watch(&person, "document", "38.990");
    watch(&person, "name", "T393");
    for (index, file) in VERSIONS.into_iter().enumerate() {
        // The journal grows while no one looks; then servers are killed at different instants.
        own::signal(&server, "KILL");
        drop(server);
        ingest(data.path(), file);
        server = RunningServer::start(data.path(), "off-behind-proxy");
        std::thread::sleep(Duration::from_millis(40 * index as u64));
        own::signal(&server, "KILL");
        drop(server);
        server = RunningServer::start(data.path(), "off-behind-proxy");
    }
    let client = own::client(&server, &key);
    let found = wait_for_events(&client, &feed, 6);
    std::thread::sleep(Duration::from_secs(2));
    let mut titles: Vec<String> =
        events(&client, &feed).into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles.len(), found.len());
    titles.sort();
    let expected = [
        "38.990 17.2.0",
        "38.990 18.0.0",
        "38.990 18.1.0",
        "38.990 19.0.0",
        "T393 in 38.990 18.0.0",
        "T393 in 38.990 19.0.0",
    ];
    assert_eq!(titles, expected);
    Ok(())
}

fn the_address_of_a_feed_is_secret_and_can_be_renewed() -> TestResult {
    let data = empty_data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let person = Person::new(&server, data.path(), "ann");
    let stranger = own::client(&server, "sk-none");
    let first = feed_path(&person);
    let atom = stranger.get(&format!("{first}.atom"));
    assert_eq!(atom.status, 200);
    assert_eq!(atom.header("content-type"), Some("application/atom+xml; charset=utf-8"));
    let tag = atom.header("etag").expect("a tag").to_owned();
    let known =
        stranger.send_with("GET", &format!("{first}.json"), &[("if-none-match", &tag)], b"");
    assert_eq!(known.status, 304);
    let second = feed_path(&person);
    assert_eq!(stranger.get(&format!("{first}.atom")).status, 404);
    assert_eq!(stranger.get(&format!("{second}.atom")).status, 200);
    for path in [second.clone(), format!("{second}x.json"), "/feeds/feed-.atom".to_owned()] {
        assert_eq!(stranger.get(&path).status, 404, "{path}");
    }
    person.post("/dashboard/watches/feed/delete", "");
    assert_eq!(stranger.get(&format!("{second}.json")).status, 404);
    let logged = own::stderr_text(&server);
    assert!(!logged.contains("feed-"), "{logged}");
    Ok(())
}
