//! Stopping without cutting requests off, and certificates that change while the server runs.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::Duration,
};

use libtest_mimic::Trial;

use crate::{
    client::Client,
    own::{add_user, client, data, is_signal_pending, key, signal, stderr_text},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_request_in_flight_is_answered_after_a_stop_is_asked_for,
        a_certificate_that_was_renewed_is_served_without_a_restart,
        the_operators_listener_tells_of_life_readiness_and_requests,
        a_signal_to_reload_ends_no_server,
        many_searches_at_once_are_answered_or_refused_with_a_time_to_come_back,
    ]
}

fn a_request_in_flight_is_answered_after_a_stop_is_asked_for() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let key = key(data.path(), None);
    let address = server.base_url.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    let body = br#"{"query": "timer", "rerank": false, "match_count": 1}"#;
    let head = format!(
        "POST /search/text HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(&address).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    stream.write_all(head.as_bytes()).expect("sent");
    // The server says so when it begins to read the body.
    let mut interim = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    stream.read_exact(&mut interim).expect("the request is in flight");
    assert!(interim.starts_with(b"HTTP/1.1 100 "), "{}", String::from_utf8_lossy(&interim));
    stream.write_all(&body[..10]).expect("sent");
    signal(&server, "TERM");
    wait_until("new connections are refused", || TcpStream::connect(&address).is_err());
    stream.write_all(&body[10..]).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answered");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("\"results\""), "{answer}");
    Ok(())
}

fn a_certificate_that_was_renewed_is_served_without_a_restart() -> TestResult {
    let (data, first, second) = (data()?, data()?, data()?);
    for folder in [&first, &second] {
        drop(RunningServer::start(folder.path(), "auto"));
    }
    let (certificate, private) = (data.path().join("cert.pem"), data.path().join("key.pem"));
    let put = |from: &std::path::Path| {
        fs::copy(from.join("tls/server.pem"), &certificate).expect("copied");
        fs::copy(from.join("tls/server.key"), &private).expect("copied");
    };
    put(first.path());
    let files = [certificate.to_str().expect("a path"), private.to_str().expect("a path")];
    let arguments = ["--tls", "cert", "--certificate", files[0], "--certificate-key", files[1]];
    let server = RunningServer::start_with(data.path(), &arguments);
    let trusting = |folder: &tempfile::TempDir| {
        Client::new(&server.base_url, None, Some(&folder.path().join("tls/ca.pem")))
    };
    assert_eq!(trusting(&first).get("/health").status, 200);
    assert!(trusting(&second).try_get("/health").is_none());
    // One that is not usable changes nothing.
    fs::write(&certificate, "nonsense").expect("written");
    signal(&server, "HUP");
    wait_until("the server refuses it", || {
        stderr_text(&server).contains("the certificate was not renewed")
            || stderr_text(&server).contains("the new certificate cannot be used")
    });
    assert_eq!(trusting(&first).get("/health").status, 200);
    put(second.path());
    signal(&server, "HUP");
    wait_until("the new certificate is served", || trusting(&second).try_get("/health").is_some());
    assert!(trusting(&first).try_get("/health").is_none());
    Ok(())
}

fn the_operators_listener_tells_of_life_readiness_and_requests() -> TestResult {
    let data = data()?;
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("free");
    let operator = free.local_addr().expect("an address").to_string();
    drop(free);
    let arguments = ["--tls", "off-behind-proxy", "--operator-listen", &operator];
    let server = RunningServer::start_with(data.path(), &arguments);
    let watcher = Client::new(&format!("http://{operator}"), None, None);
    assert_eq!(watcher.get("/livez").status, 200);
    wait_until("the server is ready", || watcher.get("/readyz").status == 200);
    let client = client(&server, &key(data.path(), None));
    client.post("/search/text", &serde_json::json!({"query": "timer"}));
    client.get("/documents/abc");
    let metrics = String::from_utf8(watcher.get("/metrics").bytes).expect("text");
    for line in [
        "specbox_requests_total{operation=\"search_text\",status=\"200\"} 1",
        "specbox_requests_total{operation=\"get_document\",status=\"422\"} 1",
        "specbox_request_seconds_count{operation=\"search_text\"} 1",
        "specbox_search_stage_seconds_count{stage=\"rerank\"} 1",
        "specbox_index_items{kind=\"documents\"} 13",
        "specbox_queue_depth{queue=\"search\"} 0",
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    assert!(metrics.contains("process_resident_memory_bytes"));
    assert_eq!(client.get("/metrics").status, 404, "not on the listener of clients");
    Ok(())
}

fn a_signal_to_reload_ends_no_server() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = client(&server, "");
    signal(&server, "HUP");
    wait_until("the signal is delivered", || !is_signal_pending(&server));
    assert_eq!(client.get("/health").status, 200);
    Ok(())
}

fn many_searches_at_once_are_answered_or_refused_with_a_time_to_come_back() -> TestResult {
    let data = data()?;
    add_user(data.path(), "ann");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    // Each account has at most half of the places.
    let keys = [None, Some("ann")].map(|user| key(data.path(), user));
    client(&server, &keys[0]).post("/search/text", &serde_json::json!({"query": "warm"}));
    let answers: Vec<_> = thread::scope(|scope| {
        let searches: Vec<_> = (0..100)
            .map(|n| {
                let (server, key) = (&server, &keys[n % 2]);
                scope.spawn(move || {
                    let body = serde_json::json!({"query": format!("what starts timer T39{n}"), "match_count": 40});
                    client(server, key).post("/search/text", &body)
                })
            })
            .collect();
        searches.into_iter().map(|search| search.join().expect("answered")).collect()
    });
    let (done, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!(done.len() >= 64, "{} were answered", done.len());
    for answer in done {
        // Where the reranker had no time, the first stage answers and says so.
        let is_busy = answer.body["degraded"] == serde_json::json!(["busy"]);
        assert_eq!(answer.body["reranked"], !is_busy, "{}", answer.body);
    }
    let may_return = |answer: &crate::client::Answer| answer.header("retry-after").is_some();
    assert!(refused.iter().all(|answer| answer.status == 503 && may_return(answer)));
    let after =
        client(&server, &keys[1]).post("/search/text", &serde_json::json!({"query": "after"}));
    assert_eq!(after.status, 200);
    Ok(())
}
