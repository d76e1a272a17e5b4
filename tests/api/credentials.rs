//! Authentication, and the order in which a request is refused.

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    fixture::fixture,
    program::{json as command, specbox},
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        without_a_key_every_secured_operation_is_401,
        malformed_and_unknown_keys_are_401,
        a_request_without_a_key_is_refused_before_it_is_validated,
        a_deactivated_key_is_refused_at_once,
        health_and_the_description_are_open,
    ]
}

const SECURED: [(&str, &str); 5] = [
    ("POST", "/search/text"),
    ("GET", "/documents"),
    ("GET", "/documents/1"),
    ("GET", "/sections?section_number=5"),
    ("GET", "/sections/toc?doc_number=38.990"),
];

fn without_a_key_every_secured_operation_is_401() -> TestResult {
    let fixture = fixture()?;
    let stranger = fixture.client().with_authorization(None);
    for (method, target) in SECURED {
        let answer = stranger.send(method, target, None, b"");
        assert_eq!(answer.status, 401, "{target}");
        assert_eq!(answer.body, json!({"detail": "Not authenticated"}), "{target}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{target}");
    }
    Ok(())
}

fn malformed_and_unknown_keys_are_401() -> TestResult {
    let fixture = fixture()?;
    let unknown = format!("Bearer sk-{}", "0".repeat(64));
    for authorization in ["Bearer", "Bearer ", "Basic abc", "sk-1", &unknown] {
        let client = fixture.client().with_authorization(Some(authorization));
        assert_eq!(client.get("/documents").status, 401, "{authorization:?}");
    }
    Ok(())
}

fn a_request_without_a_key_is_refused_before_it_is_validated() -> TestResult {
    let fixture = fixture()?;
    let stranger = fixture.client().with_authorization(None);
    assert_eq!(stranger.post("/search/text", &json!({"query": 5})).status, 401);
    assert_eq!(stranger.get("/documents/abc").status, 401);
    assert_eq!(stranger.get("/no/such/route").status, 404);
    Ok(())
}

fn a_deactivated_key_is_refused_at_once() -> TestResult {
    let fixture = fixture()?;
    let made = command(specbox(&fixture.data).args(["key", "create", "--name", "short"]));
    let key = made["key"].as_str().expect("a key");
    let client = fixture.client().with_authorization(Some(&format!("Bearer {key}")));
    assert_eq!(client.get("/documents").status, 200);
    let id = made["record"]["id"].to_string();
    command(specbox(&fixture.data).args(["key", "deactivate", &id]));
    assert_eq!(client.get("/documents").status, 401);
    Ok(())
}

fn health_and_the_description_are_open() -> TestResult {
    let fixture = fixture()?;
    let stranger = fixture.client().with_authorization(None);
    let health = stranger.get("/health");
    assert_eq!(health.status, 200);
    assert_eq!(health.body["version"], "0.2.0");
    for key in ["text_embedding", "image_embedding", "reranker"] {
        assert!(health.body["models"][key].is_string(), "{key}");
    }
    let description = stranger.get("/openapi.json");
    assert_eq!((description.status, &description.body["openapi"]), (200, &json!("3.1.0")));
    Ok(())
}
