//! How many pictures are served in a second? Over HTTP/1.1 with persistent connections, the client on the
//! same machine, beside nginx with the same files in the same run.
//!
//! `SPECBOX_BENCH_DATA` names a data folder whose `specbox.toml` has `per_second = 0` and `at_once = 0`
//! under `[images]`; without it the sample corpus is ingested first. nginx is left out where it is not
//! installed (`apt-get install nginx-light`). Rounds are interleaved; the median counts.

#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/client.rs"]
mod client;
#[path = "support/measure.rs"]
mod measure;
#[path = "../tests/support/program.rs"]
mod program;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/server.rs"]
mod server;
#[path = "support/statistics.rs"]
mod statistics;

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use client::Client;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::json;
use server::RunningServer;
use statistics::median;

/// Pictures that are requested in turn, and the size they are chosen by.
const PICTURES: usize = 16;
const TARGET_BYTES: usize = 50_000;
const CONNECTIONS: usize = 8;
const ROUNDS: usize = 5;
const ROUND_DURATION: Duration = Duration::from_secs(2);

/// A picture by its path.
struct Picture {
    path: String,
    bytes: Vec<u8>,
}

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().join("data"));
    if given.is_none() {
        fs::create_dir(&data).expect("created");
        let limits = "[images]\nper_second = 0\nat_once = 0\n";
        fs::write(data.join("specbox.toml"), limits).expect("written");
        command(specbox(&data).args(["ingest", "--no-vectors"]).arg(sample()));
    }
    let server = RunningServer::start(&data, "off-behind-proxy");
    let pictures = choose_pictures(&Client::new(&server.base_url, None, None), &data);
    let mean = pictures.iter().map(|picture| picture.bytes.len()).sum::<usize>() / pictures.len();
    let ours: SocketAddr = socket_address(&server.base_url);
    let nginx = Nginx::start(&temporary.path().join("nginx"), &pictures);
    let (mut own, mut peer, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let own_rate = measure_request_rate(ours, &pictures);
        let nginx_rate = nginx.as_ref().map(|nginx| measure_request_rate(nginx.address, &pictures));
        // The first one fills caches.
        if round > 0 {
            own.push(own_rate);
            peer.extend(nginx_rate);
            memory.push(resident_mib(&data));
        }
    }
    let own = median(own);
    let peer = if peer.is_empty() { 0.0 } else { median(peer) };
    let ratio = if peer > 0.0 { format!("{:.2}", own / peer) } else { "not measured".to_owned() };
    let rows = [
        vec!["pictures in a second".into(), format!("{own:.0}")],
        vec!["nginx".into(), format!("{peer:.0}")],
        vec!["specbox over nginx".into(), ratio],
        vec!["mean size of a picture".into(), format!("{} kB", mean / 1000)],
        vec!["resident memory after each round".into(), format!("{memory:.0?} MiB")],
    ];
    println!("{}", table(&["question", "answer"], &rows));
    write_results(
        "images",
        &json!({
            "pictures_per_second": own,
            "nginx_per_second": peer,
            "mean_bytes": mean,
            "connections": CONNECTIONS,
            "resident_mib": memory,
        }),
    );
}

/// The pictures of the index whose size is nearest to `TARGET_BYTES`.
fn choose_pictures(client: &Client, data: &Path) -> Vec<Picture> {
    let key = command(specbox(data).args(["key", "create", "--name", "bench"]));
    let authorization = format!("Bearer {}", key["key"].as_str().expect("a key"));
    let documents = client.with_authorization(Some(&authorization)).get("/documents").body;
    command(specbox(data).args(["key", "deactivate", &key["record"]["id"].to_string()]));
    let mut found = Vec::new();
    for document in documents.as_array().expect("a list") {
        let count = document["total_image_chunks"].as_u64().unwrap_or(0);
        let text = |name: &str| document[name].as_str().expect("text").to_owned();
        for index in 0..count.min(100) {
            let path = format!("/images/{}/{}/{index}", text("doc_number"), text("version"));
            let answer = client.get(&path);
            assert_ne!(answer.status, 429, "set per_second and at_once to 0 in specbox.toml");
            if answer.status == 200 {
                found.push(Picture { path, bytes: answer.bytes });
            }
        }
    }
    found.sort_by_key(|picture| picture.bytes.len().abs_diff(TARGET_BYTES));
    found.truncate(PICTURES);
    assert!(!found.is_empty(), "the index has no figures");
    found
}

/// Requests answered per second over all connections, each of which waits for its answer.
fn measure_request_rate(address: SocketAddr, pictures: &[Picture]) -> f64 {
    let started = Instant::now();
    let run_connection = |first: usize| {
        let mut stream = TcpStream::connect(address).expect("connected");
        stream.set_nodelay(true).expect("set");
        let mut buffer = vec![0; 1 << 20];
        let mut answered = 0;
        for picture in pictures.iter().cycle().skip(first) {
            if started.elapsed() >= ROUND_DURATION {
                break;
            }
            let request = format!("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", picture.path);
            stream.write_all(request.as_bytes()).expect("sent");
            read_answer(&mut stream, &mut buffer, picture);
            answered += 1;
        }
        answered
    };
    let answered: usize = thread::scope(|scope| {
        let connections: Vec<_> =
            (0..CONNECTIONS).map(|first| scope.spawn(move || run_connection(first))).collect();
        connections.into_iter().map(|connection| connection.join().expect("answered")).sum()
    });
    answered as f64 / started.elapsed().as_secs_f64()
}

/// Reads one answer and checks that it is the picture.
fn read_answer(stream: &mut TcpStream, buffer: &mut [u8], picture: &Picture) {
    let mut filled = 0;
    loop {
        let read = stream.read(&mut buffer[filled..]).expect("an answer");
        assert!(read > 0, "the connection was closed");
        filled += read;
        let head_end = buffer[..filled].windows(4).position(|end| end == b"\r\n\r\n");
        let Some(body_start) = head_end.map(|end| end + 4) else { continue };
        if filled >= body_start + picture.bytes.len() {
            assert!(buffer.starts_with(b"HTTP/1.1 200"), "no picture");
            assert_eq!(filled, body_start + picture.bytes.len());
            assert_eq!(buffer[body_start..filled][..64], picture.bytes[..64]);
            return;
        }
    }
}

/// nginx with the same files.
struct Nginx {
    child: Child,
    address: SocketAddr,
}

impl Nginx {
    fn start(folder: &Path, pictures: &[Picture]) -> Option<Self> {
        for picture in pictures {
            let path = folder.join(picture.path.trim_start_matches('/'));
            fs::create_dir_all(path.parent()?).ok()?;
            fs::write(path, &picture.bytes).ok()?;
        }
        let address = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?;
        let root = folder.display();
        let configuration = format!(
            "worker_processes auto; daemon off; pid {root}/pid; error_log {root}/errors;\n\
             events {{ worker_connections 1024; }}\n\
             http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000;\n\
             default_type image/png; client_body_temp_path {root}/body;\n\
             server {{ listen {address}; root {root}; }} }}\n"
        );
        let path = folder.join("nginx.conf");
        fs::write(&path, configuration).ok()?;
        // As another user it could not read the folder.
        let child =
            Command::new("nginx").arg("-c").arg(&path).args(["-g", "user root;"]).spawn().ok()?;
        let nginx = Self { child, address };
        let until = Instant::now() + Duration::from_secs(5);
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < until, "nginx does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        Some(nginx)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The master process ends its workers when it gets a signal to quit, not when it is killed.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-QUIT", &pid]).status();
        let _ = self.child.wait();
    }
}

fn socket_address(url: &str) -> SocketAddr {
    let authority = url.rsplit('/').next().unwrap_or_default();
    authority.replace("localhost", "127.0.0.1").parse().expect("an address")
}

/// Resident memory of the server over a data folder.
fn resident_mib(data: &Path) -> f64 {
    let name = data.display().to_string();
    let processes = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let resident_kib = processes.filter_map(|process| {
        let line = fs::read_to_string(process.path().join("cmdline")).ok()?;
        let mut words = line.split('\0');
        let is_server = words.next().is_some_and(|program| program.ends_with("specbox"))
            && line.contains(&name)
            && line.contains("\0serve\0");
        let status =
            fs::read_to_string(process.path().join("status")).ok().filter(|_| is_server)?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        resident.trim().trim_end_matches(" kB").parse::<f64>().ok()
    });
    resident_kib.fold(0.0, f64::max) / 1024.0
}
