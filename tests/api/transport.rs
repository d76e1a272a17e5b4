//! HTTPS, sizes, and what every answer carries.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    process::Command,
    time::Duration,
};

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    client::Client,
    fixture::fixture,
    own::{add_user, data, key},
    quota::used,
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        the_certificate_is_trusted_through_the_lab_authority_alone,
        a_body_over_the_limit_is_413,
        a_refusal_that_needs_no_body_is_heard_while_the_body_is_still_sent,
        a_query_over_its_limit_is_422,
        every_answer_carries_a_request_id,
        a_body_that_breaks_off_is_400_and_neither_run_nor_charged,
        a_request_names_one_host,
        an_unknown_path_is_a_page_in_a_browser,
    ]
}

fn the_certificate_is_trusted_through_the_lab_authority_alone() -> TestResult {
    let fixture = fixture()?;
    assert!(fixture.server.base_url.starts_with("https://"));
    assert_eq!(fixture.client().get("/health").status, 200);
    let stranger = Client::new(&fixture.server.base_url, None, None);
    assert_eq!(stranger.try_get("/health"), None);
    Ok(())
}

fn a_body_over_the_limit_is_413() -> TestResult {
    let fixture = fixture()?;
    let body = json!({"query": "x".repeat(2 << 20)});
    let answer = fixture.client().post("/search/text", &body);
    assert_eq!(answer.status, 413);
    assert_eq!(answer.body["detail"]["code"], "payload_too_large");
    Ok(())
}

fn a_refusal_that_needs_no_body_is_heard_while_the_body_is_still_sent() -> TestResult {
    let fixture = fixture()?;
    let authority = fixture.server.authority.as_ref().expect("TLS");
    let body = fixture.data.join("refused.json");
    fs::write(&body, "x".repeat(700_000)).expect("it is written");
    for (path, protocol) in
        [("/mcp", "--http2"), ("/search/text", "--http2"), ("/search/text", "--http1.1")]
    {
        let address = format!("{}{path}", fixture.server.base_url);
        for round in 0..10 {
            let output = Command::new("curl")
                .args(["-sS", protocol, "-o", "/dev/null", "-w", "%{http_code}", "--cacert"])
                .arg(authority)
                .args(["-H", "Content-Type: application/json", "--data-binary"])
                .arg(format!("@{}", body.display()))
                .arg(&address)
                .output()
                .expect("curl starts");
            let status = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            let outcome = (status.as_ref(), errors.as_ref());
            assert_eq!(outcome, ("401", ""), "{path} {protocol}, round {round}");
        }
    }
    Ok(())
}

fn a_query_over_its_limit_is_422() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let longest =
        client.post("/search/text", &json!({"query": "a ".repeat(2000), "rerank": false}));
    assert_eq!(longest.status, 200);
    let longer = client.post("/search/text", &json!({"query": "a".repeat(4001)}));
    assert_eq!(longer.status, 422);
    assert_eq!(longer.body["detail"][0]["type"], "string_too_long");
    Ok(())
}

fn every_answer_carries_a_request_id() -> TestResult {
    let fixture = fixture()?;
    let client: Client = fixture.client();
    for target in ["/health", "/documents", "/nope", "/documents/abc"] {
        let answer = client.get(target);
        assert!(answer.header("x-request-id").is_some_and(|id| id.len() >= 32), "{target}");
    }
    Ok(())
}

/// An answer comes within this time.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// The status of what a server answers to bytes over a connection of their own.
fn status_of(server: &RunningServer, bytes: &str) -> String {
    let address = server.base_url.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(bytes.as_bytes()).expect("sent");
    stream.set_read_timeout(Some(ANSWER_WITHIN)).expect("set");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

fn a_body_that_breaks_off_is_400_and_neither_run_nor_charged() -> TestResult {
    let data = data()?;
    add_user(data.path(), "ann");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let key = key(data.path(), Some("ann"));
    let body = r#"{"query":"beams","rerank":false}"#;
    let head = format!(
        "POST /search/text HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    );
    let chunk = format!("{:x}\r\n{body}\r\n", body.len());
    for broken in ["zz\r\n", "5\r\nabcdeXX", "-1\r\n\r\n"] {
        assert_eq!(status_of(&server, &format!("{head}{chunk}{broken}")), "400", "{broken:?}");
    }
    assert_eq!(used(data.path(), "ann"), 0);
    assert_eq!(status_of(&server, &format!("{head}{chunk}0\r\n\r\n")), "200");
    assert_eq!(used(data.path(), "ann"), 1);
    Ok(())
}

fn a_request_names_one_host() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    for (hosts, status) in [("", "400"), ("Host: x\r\n", "200"), ("Host: x\r\nHost: y\r\n", "400")]
    {
        let request = format!("GET /health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        assert_eq!(status_of(&server, &request), status, "{hosts:?}");
    }
    Ok(())
}

fn an_unknown_path_is_a_page_in_a_browser() -> TestResult {
    let fixture = fixture()?;
    let client = fixture.client();
    let page = client.send_with("GET", "/nowhere", &[("accept", "text/html,*/*")], b"");
    assert_eq!(page.status, 404);
    assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")));
    assert_eq!(client.get("/nowhere").body, json!({"detail": "Not Found"}));
    for path in ["/docs", "/docs/"] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    Ok(())
}
