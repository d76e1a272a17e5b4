//! Documents of meetings that many ask for at once, that are under way when the server is killed, and that a mirror
//! does not give. The mirror is a folder behind a small file server on loopback.

use std::{fs, thread, time::Duration};

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    fetch::{data_with, fetch, mirror, serve},
    file_server::file_server,
    own,
    program::{json, specbox},
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        many_callers_at_once_have_each_file_fetched_once_and_a_killed_server_goes_on,
        a_mirror_that_is_down_loses_nothing_of_what_was_asked_for,
        callers_of_unlisted_documents_wait_and_are_answered,
    ]
}

fn many_callers_at_once_have_each_file_fetched_once_and_a_killed_server_goes_on() -> TestResult {
    let (base, asked) = file_server(mirror(), Duration::from_millis(150));
    let data = data_with(&base)?;
    let ids = [
        "R1-2600103",
        "R1-2600104",
        "R1-2600105",
        "R1-2600106",
        "R1-2600107",
        "R1-2600110",
        "R1-2600111",
        "R1-2600112",
        "R1-2600113",
    ];
    {
        let (server, client) = serve(data.path());
        let client = &client;
        thread::scope(|scope| {
            for caller in 0..60 {
                scope.spawn(move || {
                    let id = ids[caller % ids.len()];
                    let answer = client.post(&format!("/tdocs/{id}/fetch"), &json!(null));
                    assert!(matches!(answer.status, 200 | 202 | 503), "{id}: {}", answer.body);
                });
            }
        });
        own::signal(&server, "KILL");
    }
    let (_server, client) = serve(data.path());
    for id in ids {
        let fetched = fetch(&client, id);
        assert_eq!(
            (fetched.status, &fetched.body["content"]["status"]),
            (200, &json!("complete")),
            "{id}"
        );
    }
    // What was being fetched when the process was killed is fetched once more, and nothing else.
    let asked = asked.lock().expect("not poisoned");
    let files: Vec<(&String, &usize)> =
        asked.iter().filter(|(path, _)| path.ends_with(".zip")).collect();
    assert_eq!(files.len(), ids.len(), "{files:?}");
    let again: usize = files.iter().map(|(_, count)| **count - 1).sum();
    assert!(files.iter().all(|(_, count)| **count <= 2) && again <= 2, "{files:?}");
    let verified = json(specbox(data.path()).args([
        "call",
        "search_tdocs",
        "--query",
        "beacon",
        "--rerank",
        "false",
    ]));
    assert_eq!(verified["coverage"]["indexed_tdocs"], 9);
    Ok(())
}

fn a_mirror_that_is_down_loses_nothing_of_what_was_asked_for() -> TestResult {
    let down = "http://127.0.0.1:9/";
    let data = data_with(down)?;
    {
        let (server, client) = serve(data.path());
        let failed = client.post("/tdocs/R1-2600103/fetch", &json!(null));
        assert_eq!(failed.status, 503, "{}", failed.body);
        own::signal(&server, "KILL");
    }
    let (base, _asked) = file_server(mirror(), Duration::ZERO);
    let path = data.path().join("specbox.toml");
    let settings = fs::read_to_string(&path).expect("there");
    fs::write(&path, settings.replace(down, &base)).expect("written");
    let (_server, client) = serve(data.path());
    wait_until("what was asked for is fetched", || {
        client.get("/tdocs/R1-2600103").body["content"]["status"] == "complete"
    });
    Ok(())
}

fn callers_of_unlisted_documents_wait_and_are_answered() -> TestResult {
    let copy = tempfile::tempdir().expect("temporary");
    let docs = copy.path().join("tsg_ran/WG1_RL1/TSGR1_190/Docs");
    fs::create_dir_all(&docs).expect("made");
    let from = mirror().join("tsg_ran/WG1_RL1/TSGR1_190/Docs/R1-2600104.zip");
    let ids: Vec<String> = (771..780).map(|number| format!("R1-2600{number}")).collect();
    for id in &ids {
        fs::copy(&from, docs.join(format!("{id}.zip"))).expect("copied");
    }
    let (base, _asked) = file_server(copy.path().to_owned(), Duration::from_millis(100));
    let data = data_with(&base)?;
    let (_server, client) = serve(data.path());
    let client = &client;
    thread::scope(|scope| {
        for caller in 0..30 {
            let id = &ids[caller % ids.len()];
            scope.spawn(move || {
                let answer = fetch(client, id);
                assert_eq!(answer.status, 200, "{id}: {}", answer.body);
            });
        }
    });
    Ok(())
}
