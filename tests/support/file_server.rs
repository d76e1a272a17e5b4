//! A copy of the 3GPP file server, on loopback: folders as pages, files as they are.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// The number of requests for each path.
pub(crate) type RequestCounts = Arc<Mutex<BTreeMap<String, usize>>>;

/// Serves a folder on a free port, each file after a delay. Gives the URL of the root and the counts of
/// requests.
pub(crate) fn file_server(root: PathBuf, delay: Duration) -> (String, RequestCounts) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}/ftp", listener.local_addr().expect("bound"));
    let request_counts = RequestCounts::default();
    let counts = request_counts.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (root, counts) = (root.clone(), counts.clone());
            thread::spawn(move || answer(stream, &root, &counts, delay));
        }
    });
    (base, request_counts)
}

fn answer(
    mut stream: TcpStream,
    root: &Path,
    counts: &Mutex<BTreeMap<String, usize>>,
    delay: Duration,
) {
    let mut request = Vec::new();
    let mut byte = [0; 1];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path =
        request.split(' ').nth(1).unwrap_or_default().replace("%23", "#").replace("%20", " ");
    *counts.lock().expect("not poisoned").entry(path.clone()).or_default() += 1;
    let file = root.join(path.trim_start_matches("/ftp").trim_matches('/'));
    let (status, body) = if file.is_dir() {
        let mut page = "<html><body><pre>".to_owned();
        for entry in fs::read_dir(&file).expect("readable").flatten() {
            let name = entry.file_name().to_string_lossy().replace('#', "%23");
            let (mark, slash) =
                if entry.path().is_dir() { ("&lt;dir&gt;", "/") } else { ("1234", "") };
            page.push_str(&format!(
                "1/1/2026 1:00 PM {mark} <A HREF=\"{path}{name}{slash}\">{name}</A><br>"
            ));
        }
        ("200 OK", page.into_bytes())
    } else if let Ok(bytes) = fs::read(&file) {
        // Imitates a slow line; the test does not wait for another event here.
        thread::sleep(delay);
        ("200 OK", bytes)
    } else {
        ("404 Not Found", Vec::new())
    };
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}
