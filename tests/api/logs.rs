//! Queries and secrets never appear in the log.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    client::Client,
    own::{add_user, client, data, key, set},
    person::Person,
    program_client::{CALLBACK, MCP, Program, VERIFIER, rpc},
    random::Random,
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_session_full_of_odd_requests_leaves_no_trace_of_what_was_asked,]
}

/// A text that is sent wherever a client can send text.
const MARK: &str = "zanzibar";

/// A request with the mark somewhere in it, as a fuzzer would make it.
fn odd_request(client: &Client, random: &mut Random) {
    const PIECES: [&str; 12] = [
        "zanzibar",
        "%2f",
        "..",
        "'",
        "\"",
        "\\",
        "{",
        "null",
        "-1",
        "%ff",
        "sk-zanzibar",
        "\u{fc}",
    ];
    const ROUTES: [&str; 8] = [
        "/search/text",
        "/search/images",
        "/documents/",
        "/sections",
        "/sections/toc",
        "/images/38.990/",
        "/terms/resolve",
        "/search",
    ];
    let mut word = String::from(MARK);
    for _ in 0..random.below(5) {
        word.push_str(PIECES[random.below(PIECES.len() as u64) as usize]);
    }
    let route = ROUTES[random.below(ROUTES.len() as u64) as usize];
    let plain: String =
        word.chars().filter(|c| c.is_ascii_alphanumeric() || "-.%".contains(*c)).collect();
    match random.below(3) {
        0 => drop(client.get(&format!("{route}?{plain}={plain}&term={plain}&q={plain}"))),
        1 => drop(
            client.get(&format!("{route}{}{plain}", if route.ends_with('/') { "" } else { "/" })),
        ),
        _ => drop(client.send(
            "POST",
            route,
            Some("application/json"),
            format!("{{\"query\": \"{word}\", \"{word}\": [{word}").as_bytes(),
        )),
    }
}

/// Acts as an OAuth client that puts the mark wherever it can; returns its secrets.
fn use_program(server: &RunningServer, data: &Path, with_key: &Client) -> Vec<String> {
    let person = Person::new(server, data, "bob");
    let program = Program::register(server, &[CALLBACK, "http://127.0.0.1/zanzibar"]);
    let code = program.code(&person, &[("state", Some(MARK))]);
    let granted = program.redeem(&code, &[]).body;
    let text = |name: &str| granted[name].as_str().expect("a token").to_owned();
    let (access, refresh) = (text("access_token"), text("refresh_token"));
    for odd in [MARK, &code, &refresh] {
        program.redeem(odd, &[]);
        program.refresh(odd);
        person
            .get(&format!("/oauth/authorize?{}", program.authorize_query(&[("scope", Some(odd))])));
        person.get(&format!(
            "/oauth/authorize?{}",
            program.authorize_query(&[("client_id", Some(odd))])
        ));
        program.http.post("/oauth/register", &json!({"client_name": odd, MARK: [odd]}));
    }
    let with_token = program.http.with_authorization(Some(&format!("Bearer {access}")));
    for http in [with_key, &with_token] {
        rpc(http, "tools/call", &json!({"name": "search_text", "arguments": {"query": MARK}}));
        rpc(http, "tools/call", &json!({"name": "search_text", "arguments": {MARK: MARK}}));
        rpc(http, "tools/call", &json!({"name": MARK, "arguments": {}}));
        rpc(http, "resources/read", &json!({"uri": MARK}));
        rpc(http, MARK, &json!({MARK: MARK}));
        http.send_with("POST", "/mcp", &MCP, MARK.as_bytes());
    }
    // Behind the handle, which opens nothing.
    vec![code, access[35..].to_owned(), refresh[35..].to_owned(), VERIFIER.to_lowercase()]
}

fn a_session_full_of_odd_requests_leaves_no_trace_of_what_was_asked() -> TestResult {
    let data = data()?;
    let data = data.path();
    let made = add_user(data, "ann");
    let token =
        made["setup_url"].as_str().and_then(|url| url.split_once("token=")).expect("a link").1;
    let operator = key(data, None);
    set(data, "mcp", "accept_keys = true");
    let arguments = ["--tls", "off-behind-proxy", "--log", "trace"];
    let server = RunningServer::start_with(data, &arguments);
    let client = client(&server, &operator);
    let stranger = client.with_authorization(Some(&format!("Bearer sk-{MARK}")));
    for client in [&client, &stranger] {
        client.post("/search/text", &json!({"query": MARK, "rerank_top_k": 2}));
        client.post("/search/text", &json!({"query": [MARK], "match_count": MARK}));
        client.post("/search/combined", &json!({"query": MARK, "filter_release": MARK}));
        client.post("/search/images", &json!({MARK: MARK}));
        client.send("POST", "/search/text", Some("application/json"), b"{\"query\": \"zanzibar");
        client.send("POST", "/search/text", Some("text/zanzibar"), MARK.as_bytes());
        for target in [
            "/sections?section_number=zanzibar",
            "/documents?doc_number=zanzibar&zanzibar=1",
            "/documents/zanzibar",
            "/images/zanzibar/1.0.0/0",
            "/terms/resolve?term=zanzibar",
            "/zanzibar/%00/%ff?zanzibar",
            "/search?q=zanzibar",
            "/read/zanzibar/zanzibar?section=zanzibar",
            "/setup?token=zanzibar",
            "/sign-in?next=/zanzibar",
            "/docs/zanzibar",
        ] {
            client.get(target);
        }
        client.send_with(
            "ZANZIBAR",
            "/health",
            &[("x-request-id", MARK), ("cookie", "__Host-sid=zanzibar")],
            b"",
        );
    }
    let forms =
        [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "same-origin")];
    for (target, body) in [
        ("/sign-in", "name=zanzibar&password=zanzibar+zanzibar".to_owned()),
        ("/setup", format!("token={token}&password=zanzibar&again=zanzibar")),
        ("/setup", format!("token={token}&password=zanzibar+zanzibar&again=zanzibar+zanzibar")),
        ("/sign-in", "name=ann&password=zanzibar+zanzibar".to_owned()),
        ("/dashboard/keys", "name=zanzibar".to_owned()),
    ] {
        client.send_with("POST", target, &forms, body.as_bytes());
    }
    let secrets = use_program(&server, data, &client);
    let mut random = Random(20_261_122);
    for _ in 0..200 {
        odd_request(&client, &mut random);
    }
    let log = server.stderr_text.clone();
    drop(server);
    let log_text = log.lock().expect("not poisoned").clone();
    assert!(log_text.lines().count() > 40, "the log is on: {log_text}");
    assert!(!log_text.contains("request failed"), "{log_text}");
    let mut searched =
        vec![("what was asked", MARK), ("the key", &operator[3..]), ("the link", token)];
    searched.extend(secrets.iter().map(|secret| ("a secret of a program", secret.as_str())));
    for (what, text) in searched {
        let lines: Vec<&str> =
            log_text.lines().filter(|line| line.to_lowercase().contains(text)).collect();
        assert!(lines.is_empty(), "{what} is in the log: {lines:#?}");
    }
    Ok(())
}
