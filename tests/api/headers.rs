//! What every answer carries, and who may call from a browser.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use libtest_mimic::Trial;
use serde_json::json;

use crate::{
    own::{client, data, key, set},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        answers_are_shut_to_frames_scripts_and_caches,
        hsts_is_sent_where_the_certificate_lasts,
        other_origins_may_call_when_the_operator_says_so_and_never_with_a_cookie,
        odd_requests_have_their_own_refusals,
        a_request_that_is_two_at_once_is_refused,
        a_head_that_is_too_large_is_refused,
    ]
}

fn answers_are_shut_to_frames_scripts_and_caches() -> TestResult {
    let data = data()?;
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
    Ok(())
}

fn hsts_is_sent_where_the_certificate_lasts() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, &key(data.path(), None));
    let answer = client.get("/health");
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"));
    Ok(())
}

fn other_origins_may_call_when_the_operator_says_so_and_never_with_a_cookie() -> TestResult {
    let data = data()?;
    set(data.path(), "server", "cors_origins = [\"https://tools.example\"]");
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
    Ok(())
}

fn odd_requests_have_their_own_refusals() -> TestResult {
    let data = data()?;
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
    // As they stand: a client would tidy them up before it sends them.
    for target in [
        "/assets/../../etc/passwd",
        "/assets/x/..%2f..%2fetc%2fpasswd",
        "/assets/x/%2e%2e",
        "//etc/passwd",
        "/docs/..%2f..%2fetc%2fpasswd",
        "/docs/%00",
        "/images/..%2f../18.1.0/0",
    ] {
        let answer =
            raw(&server, &format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
        let status = answer.get(9..12).unwrap_or_default();
        assert!(matches!(status, "404" | "400"), "{target}: {answer}");
        assert!(!answer.contains("root:"), "{target}");
    }
    Ok(())
}

/// Sends bytes as they are; the answer as it comes.
fn raw(server: &RunningServer, request: &str) -> String {
    let address = server.base_url.trim_start_matches("http://localhost");
    let mut stream = TcpStream::connect(format!("127.0.0.1{address}")).expect("connected");
    stream.write_all(request.as_bytes()).expect("sent");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("answered");
    String::from_utf8_lossy(&answer).into_owned()
}

fn a_request_that_is_two_at_once_is_refused() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let smuggled = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n";
    let request = format!(
        "POST /search/text HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n{smuggled}",
        smuggled.len() + 5
    );
    let answer = raw(&server, &request);
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    Ok(())
}

fn a_head_that_is_too_large_is_refused() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, "sk-x");
    let large = "x".repeat(100 << 10);
    let answer = client.send_with("GET", "/health", &[("x-filler", &large)], b"");
    assert_eq!(answer.status, 431);
    assert_eq!(client.get("/health").status, 200);
    Ok(())
}
