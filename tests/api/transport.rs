//! HTTPS, sizes, and what every answer carries.

use std::{fs, process::Command};

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    client::Client,
    fixture::fixture,
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
