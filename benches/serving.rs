//! How many look-ups does a server answer in a second, over HTTPS, metered? And how does it answer when
//! more searches come than the machine can do?
//!
//! 64 clients with persistent connections on the same machine, first on the look-ups, in several rounds with
//! the memory after each; then searches with reranking, many more than fit, and look-ups again. The
//! index is that of `SPECBOX_BENCH_DATA`, or the sample corpus. `SPECBOX_BENCH_SECONDS` is the length of
//! a round (10).

#[path = "support/measure.rs"]
mod measure;
#[path = "../tests/support/program.rs"]
mod program;
#[path = "../tests/support/server.rs"]
mod server;

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use measure::{table, write_results};
use program::{json as command, sample, specbox};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, ServerName, pem::PemObject},
};
use serde_json::{Value, json};
use server::RunningServer;

const CLIENTS: usize = 64;
const ROUNDS: usize = 6;
/// Clients of the overload round, each of which searches.
const SEARCHERS: usize = 200;

/// The answers of one round of requests.
#[derive(Default)]
struct Round {
    /// Status and latency in seconds of each answer.
    latencies: Vec<(u16, f64)>,
    /// Length of the round.
    seconds: f64,
}

impl Round {
    fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.seconds
    }

    fn sorted_latencies(&self, status: u16) -> Vec<f64> {
        let with_status = self.latencies.iter().filter(|(other, _)| *other == status);
        let mut seconds: Vec<f64> = with_status.map(|(_, seconds)| *seconds).collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    }

    fn error_count(&self) -> usize {
        self.latencies.iter().filter(|(status, _)| *status != 200).count()
    }
}

/// A percentile of sorted seconds, in milliseconds.
fn percentile_ms(sorted: &[f64], share: f64) -> f64 {
    let index = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(index).map_or(f64::NAN, |seconds| seconds * 1000.0)
}

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().join("data"));
    if given.is_none() {
        command(specbox(&data).arg("ingest").arg(sample()));
    }
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let documents = command(specbox(&data).args(["call", "list_documents"]));
    let server = RunningServer::start(&data, "auto");
    let bench = Bench { config: client_config(&server), server: &server, key };
    let lookups = lookup_targets(&documents);
    let seconds = std::env::var("SPECBOX_BENCH_SECONDS")
        .map_or(10, |text| text.parse().expect("a whole number"));
    let length = Duration::from_secs(seconds);
    bench.run(CLIENTS, Duration::from_secs(2), &lookups);
    let (mut rounds, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        rounds.push(bench.run(CLIENTS, length, &lookups));
        memory.push(bench.resident_mib());
    }
    let searches: Vec<String> = (0..50).map(search_request).collect();
    let overload = bench.run(SEARCHERS, length, &searches);
    let after = bench.run(CLIENTS, Duration::from_secs(2), &lookups);
    command(specbox(&data).args(["key", "deactivate", &id]));
    report(&mut rounds, &memory, &overload, &after);
}

fn report(rounds: &mut [Round], memory: &[f64], overload: &Round, after: &Round) {
    rounds.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    let median_round = &rounds[rounds.len() / 2];
    let times = median_round.sorted_latencies(200);
    let errors: usize = rounds.iter().map(Round::error_count).sum();
    let (done, refused) = (overload.sorted_latencies(200), overload.sorted_latencies(503));
    let later = after.sorted_latencies(200);
    let rows = [
        vec!["look-ups in a second, 64 clients".into(), format!("{:.0}", median_round.rate())],
        vec![
            "p50, p99".into(),
            format!("{:.1} ms, {:.1} ms", percentile_ms(&times, 0.5), percentile_ms(&times, 0.99)),
        ],
        vec!["answers other than 200".into(), errors.to_string()],
        vec!["resident memory after each round".into(), format!("{memory:.0?} MiB")],
        vec![
            format!("{SEARCHERS} searchers: answered, refused with 503"),
            format!("{}, {}", done.len(), refused.len()),
        ],
        vec![
            "a refusal takes, p50, p99".into(),
            format!(
                "{:.1} ms, {:.1} ms",
                percentile_ms(&refused, 0.5),
                percentile_ms(&refused, 0.99)
            ),
        ],
        vec![
            "look-ups in a second right after".into(),
            format!("{:.0}, {} not 200", after.rate(), after.error_count()),
        ],
    ];
    println!("{}", table(&["question", "answer"], &rows));
    write_results(
        "serving",
        &json!({
            "clients": CLIENTS,
            "lookups_per_second": median_round.rate(),
            "p50_ms": percentile_ms(&times, 0.5),
            "p99_ms": percentile_ms(&times, 0.99),
            "errors": errors,
            "resident_mib": memory,
            "searchers": SEARCHERS,
            "searches_answered": done.len(),
            "searches_refused": refused.len(),
            "refusal_p99_ms": percentile_ms(&refused, 0.99),
            "after_per_second": after.rate(),
            "after_p99_ms": percentile_ms(&later, 0.99),
        }),
    );
}

/// Look-ups of up to 50 documents and of three sections in each.
fn lookup_targets(documents: &Value) -> Vec<String> {
    let mut targets = Vec::new();
    for document in documents.as_array().expect("a list").iter().take(50) {
        let text = |name: &str| document[name].as_str().expect("text");
        let (number, version) = (text("doc_number"), text("version"));
        targets.push(format!("GET /documents?doc_number={number}"));
        for section in ["1", "3.2", "5.1"] {
            let path = "/sections?doc_number=";
            targets.push(format!("GET {path}{number}&version={version}&section_number={section}"));
        }
    }
    targets
}

/// A search that reranks: the request line's beginning, and the body.
fn search_request(n: usize) -> String {
    let body = json!({"query": format!("timer T3{n:02} and what the terminal does then"), "match_count": 50});
    format!("POST /search/text\n{body}")
}

/// A client's configuration that trusts the lab authority of a server.
fn client_config(server: &RunningServer) -> Arc<ClientConfig> {
    let authority = server.authority.as_ref().expect("TLS");
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_file(authority).expect("PEM");
    roots.add(certificate).expect("an authority");
    let _ = rustls::crypto::ring::default_provider().install_default();
    Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth())
}

struct Bench<'a> {
    config: Arc<ClientConfig>,
    server: &'a RunningServer,
    key: &'a str,
}

impl Bench<'_> {
    /// Runs clients that send the targets in turn, each waiting for its answer.
    fn run(&self, clients: usize, length: Duration, targets: &[String]) -> Round {
        let started = Instant::now();
        let client = |first: usize| {
            let mut connection = self.connect();
            let mut latencies = Vec::new();
            let mut buffer = Vec::new();
            for target in targets.iter().cycle().skip(first) {
                if started.elapsed() >= length {
                    break;
                }
                let sent = Instant::now();
                let status = self.ask(&mut connection, target, &mut buffer);
                latencies.push((status, sent.elapsed().as_secs_f64()));
            }
            latencies
        };
        let latencies = thread::scope(|scope| {
            let running: Vec<_> =
                (0..clients).map(|n| scope.spawn(move || client(n * 7))).collect();
            running.into_iter().flat_map(|client| client.join().expect("ran")).collect()
        });
        Round { latencies, seconds: started.elapsed().as_secs_f64() }
    }

    fn connect(&self) -> StreamOwned<ClientConnection, TcpStream> {
        let address = self.server.base_url.trim_start_matches("https://localhost");
        let stream = TcpStream::connect(format!("127.0.0.1{address}")).expect("connected");
        stream.set_nodelay(true).expect("set");
        let name = ServerName::try_from("localhost").expect("a name");
        let connection = ClientConnection::new(self.config.clone(), name).expect("a client");
        StreamOwned::new(connection, stream)
    }

    /// One request and its answer, whose status is returned.
    fn ask(
        &self,
        stream: &mut StreamOwned<ClientConnection, TcpStream>,
        target: &str,
        buffer: &mut Vec<u8>,
    ) -> u16 {
        let (line, body) = target.split_once('\n').unwrap_or((target, ""));
        let request = format!(
            "{line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.key,
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("sent");
        buffer.clear();
        let mut chunk = [0; 16 << 10];
        loop {
            let read = stream.read(&mut chunk).expect("answered");
            assert!(read > 0, "the server closed the connection");
            buffer.extend_from_slice(&chunk[..read]);
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&buffer[..end]).to_lowercase();
                let length =
                    head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
                let length: usize =
                    length.and_then(|text| text.trim().parse().ok()).expect("a length");
                if buffer.len() >= end + 4 + length {
                    return head[9..12].parse().expect("a status");
                }
            }
        }
    }

    /// Resident memory of the server, in MiB.
    fn resident_mib(&self) -> f64 {
        let children = format!("/proc/{0}/task/{0}/children", self.server.child.id());
        let children = std::fs::read_to_string(children).expect("readable");
        let status = children.split_whitespace().find_map(|pid| {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            status.starts_with("Name:\tspecbox").then_some(status)
        });
        let status = status.expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
        let kib: f64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
        kib / 1024.0
    }
}
