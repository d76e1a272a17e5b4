//! How much longer does a tool take over MCP than the same operation over REST?
//!
//! One client with a persistent connection calls each operation both ways in turn, over HTTPS, with the
//! same key, metered; medians of all calls. The index is that of `SPECBOX_BENCH_DATA`, or the sample corpus.

#[path = "support/bench_client.rs"]
mod bench_client;
#[path = "support/measure.rs"]
mod measure;
#[path = "../tests/support/program.rs"]
mod program;
#[path = "../tests/support/server.rs"]
mod server;
#[path = "support/statistics.rs"]
mod statistics;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use bench_client::BenchClient;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use statistics::median;

/// Calls of each operation, each way, that are measured.
const CALLS: usize = 300;
/// Calls before these, which warm caches up.
const WARM_UP_CALLS: usize = 20;

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().join("data"));
    if given.is_none() {
        command(specbox(&data).arg("ingest").arg(sample()));
    }
    let document = command(specbox(&data).args(["call", "list_documents"]))[0].clone();
    let _key_access = McpKeyAccess::enable(&data);
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let server = RunningServer::start(&data, "auto");
    let bench = Bench { client: BenchClient::new(&server, key) };
    let rows: Vec<Row> =
        operation_calls(&document).iter().map(|call| bench.measure_call(call)).collect();
    command(specbox(&data).args(["key", "deactivate", &id]));
    report(&rows);
}

/// The configuration accepts keys over MCP until this is dropped.
struct McpKeyAccess {
    configuration: PathBuf,
    original_text: String,
}

impl McpKeyAccess {
    fn enable(data: &Path) -> Self {
        let configuration = data.join("specbox.toml");
        let original_text = fs::read_to_string(&configuration).expect("there");
        let text = if original_text.contains("\n[mcp]\n") {
            original_text.replacen("\n[mcp]\n", "\n[mcp]\naccept_keys = true\n", 1)
        } else {
            format!("{original_text}\n[mcp]\naccept_keys = true\n")
        };
        fs::write(&configuration, text).expect("written");
        Self { configuration, original_text }
    }
}

impl Drop for McpKeyAccess {
    fn drop(&mut self) {
        let _ = fs::write(&self.configuration, &self.original_text);
    }
}

/// One operation as both protocols call it.
struct OperationCall {
    name: &'static str,
    /// The target of a GET; none for a search, which is a POST of the arguments.
    get_target: Option<String>,
    arguments: Value,
}

fn operation_calls(document: &Value) -> Vec<OperationCall> {
    let text = |name: &str| document[name].as_str().expect("text").to_owned();
    let (number, version) = (text("doc_number"), text("version"));
    let query =
        json!({"query": "how a session is set up", "rerank": false, "include_section_text": false});
    let call = |name, get_target, arguments| OperationCall { name, get_target, arguments };
    vec![
        call("resolve_term", Some("/terms/resolve?term=UE".to_owned()), json!({"term": "UE"})),
        call(
            "get_document",
            Some(format!("/documents/{}", document["id"])),
            json!({"document_id": document["id"]}),
        ),
        call(
            "get_sections",
            Some(format!("/sections?doc_number={number}&version={version}&section_number=1")),
            json!({"doc_number": number, "version": version, "section_number": "1"}),
        ),
        call(
            "list_documents",
            Some(format!("/documents?doc_number={number}")),
            json!({"doc_number": number}),
        ),
        call("search_text", None, query),
    ]
}

/// Medians of one operation, in milliseconds.
struct Row {
    name: &'static str,
    rest: f64,
    mcp: f64,
}

struct Bench {
    client: BenchClient,
}

impl Bench {
    fn measure_call(&self, call: &OperationCall) -> Row {
        let OperationCall { name, get_target, arguments } = call;
        let tool_call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        });
        let (mut rest, mut mcp) = (Vec::new(), Vec::new());
        for round in 0..WARM_UP_CALLS + CALLS {
            let sent = Instant::now();
            let body = match get_target {
                Some(target) => self.client.ask(target, None),
                None => self.client.ask("/search/text", Some(arguments)),
            };
            let rest_ms = sent.elapsed().as_secs_f64() * 1000.0;
            let sent = Instant::now();
            let result = self.client.ask("/mcp", Some(&tool_call));
            let mcp_ms = sent.elapsed().as_secs_f64() * 1000.0;
            assert!(!body.is_null() && result["result"]["isError"] == false, "{name} {result}");
            if round >= WARM_UP_CALLS {
                rest.push(rest_ms);
                mcp.push(mcp_ms);
            }
        }
        Row { name, rest: median(rest), mcp: median(mcp) }
    }
}

fn report(rows: &[Row]) {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|Row { name, rest, mcp }| {
            vec![
                (*name).to_owned(),
                format!("{rest:.2} ms"),
                format!("{mcp:.2} ms"),
                format!("{:+.2} ms", mcp - rest),
            ]
        })
        .collect();
    println!("{}", table(&["operation", "REST, p50", "MCP, p50", "difference"], &cells));
    let figures = rows.iter().map(|Row { name, rest, mcp }| {
        json!({"operation": name, "rest_p50_ms": rest, "mcp_p50_ms": mcp})
    });
    write_results("mcp", &json!({"calls": CALLS, "operations": figures.collect::<Vec<_>>()}));
}
