//! Accounts at the command line, and the keys that belong to them.

use libtest_mimic::Trial;

use crate::{
    own::{client, data, key, stderr_text},
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
