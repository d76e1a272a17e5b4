//! Clients that ask and do not read: what they cost, and that others are served.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use libtest_mimic::Trial;
use serde_json::json as value;

use crate::{
    client::Client,
    own::{data, key, process_id, signal},
    program::{json, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
    while_serving::socket_reply,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        two_thousand_streams_that_never_read_cost_little_and_stop_nobody,
        clients_of_http_1_that_read_nothing_cost_little_and_stop_nobody,
        commands_without_the_token_of_the_process_are_refused,
        a_command_beside_a_suspended_server_ends_at_the_first_signal,
    ]
}

/// What the memory of the server may grow by for all clients of a test.
const MAX_GROWTH_KIB: u64 = 100 << 10;

// Frames of HTTP/2 (RFC 9113, sections 4 and 6).
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const END_STREAM_AND_HEADERS: u8 = 5;
/// SETTINGS_INITIAL_WINDOW_SIZE, 0: the server may send no byte of a body.
const CLOSED_WINDOW: [u8; 6] = [0, 4, 0, 0, 0, 0];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("short").to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Fields in the form that refers to no table (RFC 7541, section 6.2.2).
fn header_block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block
                .push(u8::try_from(text.len()).ok().filter(|length| *length < 127).expect("short"));
            block.extend(text.as_bytes());
        }
    }
    block
}

/// A connection with so many requests of which nothing is read.
fn stalled_connection(address: &str, key: &str, path: &str, streams: u32) -> TcpStream {
    let mut stream = TcpStream::connect(address).expect("connected");
    let mut sent = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    sent.extend(frame(SETTINGS, 0, 0, &CLOSED_WINDOW));
    let block = header_block(&[
        (":method", "GET"),
        (":scheme", "http"),
        (":authority", "localhost"),
        (":path", path),
        ("authorization", &format!("Bearer {key}")),
        ("accept-encoding", "gzip"),
    ]);
    for index in 0..streams {
        sent.extend(frame(HEADERS, END_STREAM_AND_HEADERS, 2 * index + 1, &block));
    }
    stream.write_all(&sent).expect("sent");
    stream
}

fn resident_kib(process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("there");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn two_thousand_streams_that_never_read_cost_little_and_stop_nobody() -> TestResult {
    let data = data()?;
    let key = key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(&key), None);
    let address = server.base_url.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    let process = process_id(&server);
    // What is loaded with the first answers, models among it, is not counted.
    assert_eq!(client.post("/search/text", &value!({"query": "timer"})).status, 200);
    for path in ["/documents", "/openapi.json", "/docs/start"] {
        assert_eq!(client.get(path).status, 200, "{path}");
    }
    for path in ["/documents", "/openapi.json", "/docs/start"] {
        let before = resident_kib(&process);
        let stalled: Vec<TcpStream> =
            (0..40).map(|_| stalled_connection(&address, &key, path, 50)).collect();
        for mut stream in &stalled {
            // The first bytes of the answers: settings and heads.
            stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
            stream.read_exact(&mut [0; 64]).expect("answered");
        }
        assert_eq!(client.get("/health").status, 200);
        let grown = resident_kib(&process).saturating_sub(before);
        assert!(grown < MAX_GROWTH_KIB, "{path}: {grown} KiB for 2,000 requests");
    }
    Ok(())
}

fn clients_of_http_1_that_read_nothing_cost_little_and_stop_nobody() -> TestResult {
    let data = data()?;
    let key = key(data.path(), None);
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(&key), None);
    let address = server.base_url.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    let process = process_id(&server);
    // What is loaded with the first answers, models among it, is not counted.
    assert_eq!(client.post("/search/text", &value!({"query": "timer"})).status, 200);
    for path in ["/openapi.json", "/sections?doc_number=38.990&section_number=5&prefix=true"] {
        assert_eq!(client.get(path).status, 200, "{path}");
        let before = resident_kib(&process);
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n\r\n"
        );
        let stalled: Vec<TcpStream> = (0..400)
            .map(|_| {
                let mut stream = TcpStream::connect(&address).expect("connected");
                stream.write_all(head.repeat(20).as_bytes()).expect("sent");
                stream
            })
            .collect();
        for mut stream in &stalled {
            stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
            stream.read_exact(&mut [0; 12]).expect("answered");
        }
        assert_eq!(client.get("/health").status, 200);
        let growth = || resident_kib(&process).saturating_sub(before);
        // The allocator returns freed memory in the course of half a minute; the clients are still there.
        let end = Instant::now() + Duration::from_secs(20);
        while growth() >= MAX_GROWTH_KIB && Instant::now() < end {
            thread::sleep(Duration::from_millis(500));
        }
        let grown = growth();
        assert!(grown < MAX_GROWTH_KIB, "{path}: {grown} KiB for 400 clients");
    }
    Ok(())
}

fn commands_without_the_token_of_the_process_are_refused() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let socket = data.path().join("control.sock");
    let command = r#"{"command":"accounts","do":"add_user","name":"eve","role":"operator"}"#;
    let with_token = |token: &str| format!("{{\"token\":{token:?},\"request\":{command}}}\n");
    for line in [format!("{command}\n"), with_token(""), with_token(&"0".repeat(64))] {
        let reply = socket_reply(&socket, &line);
        assert!(reply.contains("failed") && !reply.contains("eve"), "{reply}");
    }
    let token = fs::read_to_string(data.path().join("control.token")).expect("the owner's");
    let reply = socket_reply(&socket, &with_token(&token));
    assert!(reply.contains("eve"), "{reply}");
    refuses_other_users(&socket);
    signal(&server, "TERM");
    let token = data.path().join("control.token");
    wait_until("the token of a stopped server is removed", || !token.exists());
    Ok(())
}

fn a_command_beside_a_suspended_server_ends_at_the_first_signal() -> TestResult {
    let data = data()?;
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    signal(&server, "STOP");
    let mut command = specbox(data.path()).arg("verify").spawn().expect("started");
    // It has connected and waits; nothing tells when.
    thread::sleep(Duration::from_millis(500));
    assert!(command.try_wait().expect("ours").is_none(), "it waits for the server");
    let ended = Command::new("kill").args(["-TERM", &command.id().to_string()]).status();
    assert!(ended.expect("there").success());
    wait_until("the command ends", || command.try_wait().expect("ours").is_some());
    signal(&server, "CONT");
    assert_eq!(json(specbox(data.path()).arg("verify"))["faults"], value!([]));
    Ok(())
}

/// Opens the socket to all users, and has one of them connect; only root can act as one.
fn refuses_other_users(socket: &Path) {
    use std::os::unix::fs::PermissionsExt;

    use rustix::process::geteuid;
    let folder = socket.parent().expect("a folder");
    for (path, mode) in [(folder, 0o711), (socket, 0o666)] {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    }
    // Perl is part of every Debian, and open to all users.
    let script = r#"$SIG{PIPE} = "IGNORE"; my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or exit 3;
        print "connected\n"; $s->print("{}\n"); $s->flush; sysread($s, my $said, 1000); print length($said // "");"#;
    let stranger = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "perl"];
    let mut command = Command::new("setpriv");
    command.args(stranger).args(["-MIO::Socket::UNIX", "-e", script]).arg(socket);
    let output = command.output().expect("util-linux");
    let said = String::from_utf8_lossy(&output.stdout);
    // Where the folders above are closed to others, as a private TMPDIR is, nothing connects at all.
    let is_reachable = folder.ancestors().skip(1).all(|above| {
        fs::metadata(above).is_ok_and(|found| found.permissions().mode() & 0o001 != 0)
    });
    if is_reachable && geteuid().is_root() {
        assert_eq!(said.trim(), "connected\n0")
    } else {
        assert!(!said.contains("failed"), "{said}")
    }
}
