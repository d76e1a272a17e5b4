//! What every answer carries, and who may call from a browser.

use serde_json::json;

use crate::{
    own::{client, configure, data, key},
    server::RunningServer,
};

#[test]
fn answers_are_shut_to_frames_scripts_and_caches() {
    let Some(data) = data() else { return };
    let server = RunningServer::start(data.path(), "auto");
    let client = client(&server, &key(data.path(), None));
    for target in ["/health", "/documents/4711", "/nope", "/sign-in", "/docs/start", "/swagger"] {
        let answer = client.get(target);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{target}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{target}");
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{target}");
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(policy.starts_with("default-src 'none'"), "{target}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{target}: {policy}");
        assert_eq!(answer.header("strict-transport-security"), None, "{target}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{target}");
    }
    assert_eq!(client.get("/documents/1").header("cache-control"), Some("no-store"));
    let image = client.get("/images/38.990/19.0.0/0");
    assert_eq!(image.header("cache-control"), Some("public, max-age=86400"));
}

#[test]
fn a_browser_is_told_to_stay_with_https_where_the_certificate_lasts() {
    let Some(data) = data() else { return };
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, &key(data.path(), None));
    let answer = client.get("/health");
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"));
}

#[test]
fn other_origins_may_call_when_the_operator_says_so_and_never_with_a_cookie() {
    let Some(data) = data() else { return };
    configure(data.path(), "");
    let path = data.path().join("specbox.toml");
    let text = std::fs::read_to_string(&path).expect("there");
    let cors = "[server]\ncors_origins = [\"https://tools.example\"]";
    std::fs::write(&path, text.replacen("[server]", cors, 1)).expect("written");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, &key(data.path(), None)).with_authorization(None);
    let asked = [
        ("origin", "https://tools.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type"),
    ];
    let allowed = client.send_with("OPTIONS", "/search/text", &asked, b"");
    assert_eq!(allowed.status, 200);
    let origin = allowed.header("access-control-allow-origin");
    assert_eq!(origin, Some("https://tools.example"));
    assert_eq!(allowed.header("access-control-allow-credentials"), None);
    let foreign = [("origin", "https://evil.example"), asked[1], asked[2]];
    let refused = client.send_with("OPTIONS", "/search/text", &foreign, b"");
    assert_eq!(refused.header("access-control-allow-origin"), None);
    let page = client.send_with("GET", "/sign-in", &[asked[0]], b"");
    assert_eq!(page.header("access-control-allow-origin"), None, "pages are nobody else's");
}

#[test]
fn odd_requests_have_their_own_refusals() {
    let Some(data) = data() else { return };
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, &key(data.path(), None));
    let encoded = [("content-type", "application/json"), ("content-encoding", "gzip")];
    let answer = client.send_with("POST", "/search/text", &encoded, b"\x1f\x8b");
    assert_eq!(
        (answer.status, &answer.body["detail"]["code"]),
        (415, &json!("unsupported_media_type"))
    );
    for (method, target, allow) in [
        ("DELETE", "/search/text", "POST"),
        ("POST", "/documents", "GET"),
        ("PUT", "/sign-in", "GET"),
    ] {
        let answer = client.send(method, target, None, b"");
        assert_eq!((answer.status, &answer.body), (405, &json!({"detail": "Method Not Allowed"})));
        assert!(answer.header("allow").is_some_and(|a| a.contains(allow)), "{method} {target}");
    }
    for target in [
        "/assets/../../etc/passwd",
        "/assets/x/..%2f..%2fetc%2fpasswd",
        "/read/..%2f..",
        "/docs/..%2fskill",
    ] {
        let status = client.with_authorization(None).get(target).status;
        assert!(matches!(status, 303 | 404 | 200), "{target}: {status}");
    }
}

#[test]
fn a_head_that_is_too_large_is_refused() {
    let Some(data) = data() else { return };
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, "sk-x");
    let large = "x".repeat(100 << 10);
    let answer = client.send_with("GET", "/health", &[("x-filler", &large)], b"");
    assert_eq!(answer.status, 431);
    assert_eq!(client.get("/health").status, 200);
}
