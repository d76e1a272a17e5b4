//! Accounts at the command line, and the keys that belong to them.

use std::fs;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::{
    own::{client, data, key, stderr_text},
    person::Person,
    program::{json, run, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_for,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        an_account_is_created_disabled_and_enabled_beside_the_server,
        a_deleted_key_is_refused_and_its_use_was_noted,
        each_start_prints_a_link_until_the_operator_has_a_password,
        each_address_of_a_list_is_invited_or_told_why_not,
        an_operator_invites_a_list_on_the_page_and_a_member_does_not,
    ]
}

fn an_account_is_created_disabled_and_enabled_beside_the_server() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let made = json(specbox(data).args(["user", "add", "Ann"]));
    assert_eq!(
        (&made["name"], &made["role"], &made["plan"]),
        (&"ann".into(), &"member".into(), &"unlimited".into())
    );
    let url = made["setup_url"].as_str().expect("a link");
    assert!(url.starts_with(&format!("{}/setup?token=", server.base_url)), "{url}");
    let client = client(&server, &key(data, Some("ann")));
    assert_eq!(client.get("/documents/1").status, 200);
    json(specbox(data).args(["user", "disable", "ann"]));
    assert_eq!(client.get("/documents/1").status, 401);
    json(specbox(data).args(["user", "enable", "ann"]));
    assert_eq!(client.get("/documents/1").status, 200);
    let users = json(specbox(data).args(["user", "list", "--json"])).to_string();
    assert!(users.contains("\"ann\"") && !users.contains("argon2"), "{users}");
    for arguments in [
        &["user", "add", "ann"][..],
        &["user", "disable", "operator"],
        &["user", "add", "a b"],
        &["user", "plan", "ann", "gold"],
    ] {
        let refused = run(specbox(data).args(arguments));
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        assert!(refused.stderr.starts_with(b"specbox: "), "{arguments:?}");
    }
    Ok(())
}

fn a_deleted_key_is_refused_and_its_use_was_noted() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let made = json(specbox(data).args(["key", "create", "--name", "short"]));
    let client = client(&server, made["key"].as_str().expect("a key"));
    let listed = || json(specbox(data).args(["key", "list", "--json"]))[0].clone();
    assert!(listed()["last_used_at"].is_null());
    assert_eq!(client.get("/documents/1").status, 200);
    assert!(listed()["last_used_at"].is_string());
    json(specbox(data).args(["key", "delete", &made["record"]["id"].to_string()]));
    assert_eq!(client.get("/documents/1").status, 401);
    assert_eq!(json(specbox(data).args(["key", "list", "--json"])), serde_json::json!([]));
    Ok(())
}

fn each_start_prints_a_link_until_the_operator_has_a_password() -> TestResult {
    let data = data()?;
    let link = |server: &RunningServer| {
        // The server prints it after the line that the start waits for.
        let output = wait_for("the server prints how to sign in", || {
            let has_instructions =
                |text: &String| ["/setup?token=", "key create"].iter().any(|w| text.contains(w));
            Some(stderr_text(server)).filter(has_instructions)
        });
        let link = output.split_once("/setup?token=").map(|(_, rest)| rest[..64].to_owned());
        (output.clone(), link)
    };
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let stranger = client(&server, "").with_authorization(None);
    let (output, token) = link(&server);
    let token = token.unwrap_or_else(|| panic!("{output}"));
    let forms =
        [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin")];
    let body = format!("token={token}&password=a+long+password&again=a+long+password");
    let set = stranger.send_with("POST", "/setup", &forms, body.as_bytes());
    assert!(set.status == 303 || set.status == 200, "{}", set.status);
    drop(server);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let (output, token) = link(&server);
    assert!(token.is_none() && output.contains("key create"), "{output}");
    Ok(())
}

fn each_address_of_a_list_is_invited_or_told_why_not() -> TestResult {
    let data = data()?;
    let data = data.path();
    json(specbox(data).args(["user", "add", "eve@lab.example"]));
    let list = data.join("team.txt");
    let text = "Ann <ann@lab.example>; Bob\nANN@lab.example\neve@lab.example, x/y@lab.example\n";
    fs::write(&list, text).expect("written");
    let output =
        run(specbox(data).args(["user", "invite", "carl@lab.example", "--list"]).arg(&list));
    assert_eq!(output.status.code(), Some(1), "some were not invited");
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let refusal = |index: usize| results[index]["refusal"].as_str().unwrap_or_default().to_owned();
    let expected = [
        ("carl@lab.example", ""),
        ("ann@lab.example", ""),
        ("Bob", "not an address"),
        ("ANN@lab.example", "in the list twice"),
        ("eve@lab.example", "already exists"),
        ("x/y@lab.example", "an account's name must have"),
    ];
    assert_eq!(results.as_array().map(Vec::len), Some(expected.len()), "{results:#}");
    for (index, (address, reason)) in expected.into_iter().enumerate() {
        assert_eq!(results[index]["address"], address);
        assert!(refusal(index).contains(reason), "{address}: {}", refusal(index));
        assert_eq!(results[index]["setup_url"].is_string(), reason.is_empty(), "{address}");
    }
    let users = json(specbox(data).args(["user", "list", "--json"]));
    let names: Vec<&str> = users
        .as_array()
        .expect("accounts")
        .iter()
        .filter_map(|user| user["name"].as_str())
        .collect();
    assert_eq!(names, ["operator", "eve@lab.example", "carl@lab.example", "ann@lab.example"]);
    let unknown = ["user", "invite", "dora@lab.example", "fred@lab.example", "--plan", "gold"];
    let refused = run(specbox(data).args(unknown));
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0));
    assert_eq!(json(specbox(data).args(["user", "list", "--json"])), users, "none was created");
    Ok(())
}

fn an_operator_invites_a_list_on_the_page_and_a_member_does_not() -> TestResult {
    let data = data()?;
    let data = data.path();
    let server = RunningServer::start(data, "off-behind-proxy");
    let operator = Person::operator(&server, data);
    let fields =
        "role=member&plan=free&addresses=ann%40lab.example%0ABob+%3Cbob%40lab.example%3E%0Anobody";
    let page = operator.post("/dashboard/users/invite", fields);
    assert_eq!(page.status, 200);
    let page = String::from_utf8(page.bytes).expect("text");
    assert!(page.contains("2 of 3 addresses") && page.contains("not an address"), "{page}");
    let links = page.split("/setup?token=").skip(1).map(|rest| &rest[..64]);
    let links: Vec<&str> = links.collect();
    assert_eq!(links.len(), 2, "{page}");
    for token in links {
        let link = format!("{}/setup?token={token}", server.base_url);
        let member = Person::of(&server, &link);
        assert_eq!(member.post("/dashboard/users/invite", fields).status, 403);
    }
    assert_eq!(operator.post("/dashboard/users/invite", "addresses=+").status, 422);
    Ok(())
}
