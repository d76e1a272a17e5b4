//! A server that misbehaves, on loopback.

use std::{
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use super::*;

/// Serves the raw bytes that `answer` returns for the path, the headers and the number of each request; no bytes
/// keep the client waiting. Returns the URL and the number of requests.
fn serve(
    answer: impl Fn(&str, &str, usize) -> Vec<u8> + Send + Sync + 'static,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/ftp", listener.local_addr().expect("bound"));
    let request_count = Arc::new(AtomicUsize::new(0));
    let count = request_count.clone();
    thread::spawn(move || {
        let answer = Arc::new(answer);
        for stream in listener.incoming().flatten() {
            let (answer, count) = (answer.clone(), count.clone());
            thread::spawn(move || handle(stream, &*answer, &count));
        }
    });
    (base, request_count)
}

fn handle(
    mut stream: TcpStream,
    answer: &dyn Fn(&str, &str, usize) -> Vec<u8>,
    count: &AtomicUsize,
) {
    let mut request = Vec::new();
    let mut byte = [0; 1];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).to_lowercase();
    let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
    let number = count.fetch_add(1, Ordering::SeqCst);
    let answer = answer(&path, &request, number);
    let _ = stream.write_all(&answer);
    if answer.is_empty() {
        // Until the client disconnects.
        let _ = stream.read(&mut byte);
    }
}

fn reply(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn settings() -> FileServerSettings {
    FileServerSettings {
        hosts: Vec::new(),
        networks: Vec::new(),
        requests_per_second: 1000.0,
        max_bytes: 1000,
        timeout: Duration::from_secs(2),
        authorities: PathBuf::new(),
    }
}

fn server(base: &str) -> FileServer {
    FileServer::new(base, settings()).expect("a server")
}

#[test]
fn folders_are_listed_and_requested_once() {
    let (base, request_count) = serve(|path, _, _| match path {
        "/ftp/tsg_ran/" => {
            reply("200 OK", "", b"<a href=\"WG1_RL1/\">WG1_RL1/</a><a href=\"x.zip\">x</a>")
        }
        _ => reply("404 Not Found", "", b""),
    });
    let server = server(&base);
    for _ in 0..3 {
        assert_eq!(server.list_folder("tsg_ran").expect("listed").len(), 2);
    }
    assert_eq!(request_count.load(Ordering::SeqCst), 1);
    assert!(matches!(server.list_folder("tsg_sa"), Err(MirrorError::NotFound { .. })));
}

#[test]
fn an_interrupted_download_resumes_where_it_ended() {
    let (base, request_count) = serve(|_, request, number| {
        let body = b"0123456789";
        let tag = "ETag: \"one\"\r\n";
        if number == 0 {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n{tag}\r\n");
            return [head.as_bytes(), &body[..4]].concat();
        }
        assert!(
            request.contains("range: bytes=4-") && request.contains("if-range: \"one\""),
            "{request}"
        );
        reply("206 Partial Content", "Content-Range: bytes 4-9/10\r\n", &body[4..])
    });
    let folder = tempfile::tempdir().expect("temporary");
    let obtained =
        server(&base).fetch_file("a/R1-1.zip", folder.path()).expect("came in two parts");
    assert_eq!(fs::read(&obtained.path).expect("there"), b"0123456789");
    assert_eq!((request_count.load(Ordering::SeqCst), obtained.is_copy), (2, true));
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1, "nothing else stays");
}

#[test]
fn a_part_with_another_offset_is_not_appended() {
    let (base, _) = serve(|_, _, number| {
        let (body, tag) = (b"0123456789", "ETag: \"one\"\r\n");
        match number {
            0 => {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n{tag}\r\n");
                [head.as_bytes(), &body[..4]].concat()
            }
            1 => reply("206 Partial Content", "Content-Range: bytes 0-5/10\r\n", &body[..6]),
            _ => reply("200 OK", tag, body),
        }
    });
    let folder = tempfile::tempdir().expect("temporary");
    let obtained = server(&base).fetch_file("a/R1-1.zip", folder.path()).expect("came whole");
    assert_eq!(fs::read(&obtained.path).expect("there"), b"0123456789");
}

#[test]
fn misbehaving_servers_are_refused_and_leave_no_file() {
    type Reply = Box<dyn Fn() -> Vec<u8> + Send + Sync>;
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
    let cases: Vec<(&str, Reply)> = vec![
        ("too large by its word", Box::new(|| huge.as_bytes().to_vec())),
        (
            "larger than it says",
            Box::new(|| {
                let mut all = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec();
                all.extend_from_slice(&[b'x'; 5000]);
                all
            }),
        ),
        (
            "leads elsewhere",
            Box::new(|| reply("302 Found", "Location: http://169.254.169.254/latest\r\n", b"")),
        ),
        (
            "leads to another scheme",
            Box::new(|| reply("302 Found", "Location: file:///etc/passwd\r\n", b"")),
        ),
        ("leads to itself", Box::new(|| reply("302 Found", "Location: ?\r\n", b""))),
        ("fails", Box::new(|| reply("500 Internal Server Error", "", b""))),
        ("is no HTTP", Box::new(|| b"nonsense\r\n\r\n".to_vec())),
        (
            "never comes whole",
            Box::new(|| b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123".to_vec()),
        ),
    ];
    for (what, answer) in cases {
        let (base, _) = serve(move |_, _, _| answer());
        let folder = tempfile::tempdir().expect("temporary");
        let refused = server(&base).fetch_file("a/R1-1.zip", folder.path());
        assert!(refused.is_err(), "{what}");
        let whole = folder.path().join("R1-1.zip");
        assert!(!whole.exists(), "{what}");
    }
}

#[test]
fn a_silent_server_times_out() {
    let (base, _) = serve(|_, _, _| Vec::new());
    let quick = FileServerSettings { timeout: Duration::from_millis(200), ..settings() };
    let server = FileServer::new(&base, quick).expect("a server");
    assert!(server.list_folder("x").is_err());
}

#[test]
fn special_characters_are_escaped_in_urls_and_paths_never_lead_out() {
    let server = server("http://127.0.0.1:9/ftp");
    let url = |path: &str| server.build_url(path, false).map(|url| url.to_string()).ok();
    assert_eq!(
        url("tsg/TSGR1_#118/R1 1.zip").as_deref(),
        Some("http://127.0.0.1:9/ftp/tsg/TSGR1_%23118/R1%201.zip")
    );
    assert_eq!(url("a/../../etc"), None);
    assert!(FileServer::new("ftp://x/", settings()).is_err());
    assert!(FileServer::new("not a url", settings()).is_err());
}

#[test]
fn requests_are_spaced() {
    let slow = FileServerSettings { requests_per_second: 20.0, ..settings() };
    let server = FileServer::new("http://127.0.0.1:9/ftp", slow).expect("a server");
    let now = Instant::now();
    let waits = [0, 0, 0, 400].map(|ms| {
        let request_time = now + Duration::from_millis(ms);
        server.reserve_turn(request_time).saturating_duration_since(request_time).as_millis()
    });
    assert_eq!(waits, [0, 50, 100, 0], "a request after its turn does not wait");
}
