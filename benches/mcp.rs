//! How much longer does a tool take over MCP than the same operation over REST?
//!
//! One client with a kept connection asks each operation both ways in turn, over HTTPS, with the same
//! key, metered; medians of all calls. The index is that of `SPECBOX_BENCH_DATA`, or the sample corpus.

#[path = "support/ask.rs"]
mod ask;
#[path = "support/measure.rs"]
mod measure;
#[path = "../tests/support/program.rs"]
mod program;
#[path = "../tests/support/server.rs"]
mod server;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use ask::{Asker, median};
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;

/// Calls of each operation, each way.
const CALLS: usize = 300;

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().join("data"));
    if given.is_none() {
        command(specbox(&data).arg("ingest").arg(sample()));
    }
    let document = command(specbox(&data).args(["call", "list_documents"]))[0].clone();
    let _open = LetIn::keys(&data);
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let server = RunningServer::start(&data, "auto");
    let bench = Bench { client: Asker::new(&server, key) };
    let rows: Vec<Row> = asked(&document)
        .iter()
        .map(|(name, get, arguments)| bench.row(name, get, arguments))
        .collect();
    command(specbox(&data).args(["key", "deactivate", &id]));
    report(&rows);
}

/// Keys are let in over MCP until this is dropped.
struct LetIn {
    settings: PathBuf,
    before: String,
}

impl LetIn {
    fn keys(data: &Path) -> Self {
        let settings = data.join("specbox.toml");
        let before = fs::read_to_string(&settings).expect("there");
        let open = match before.contains("\n[mcp]\n") {
            true => before.replacen("\n[mcp]\n", "\n[mcp]\naccept_keys = true\n", 1),
            false => format!("{before}\n[mcp]\naccept_keys = true\n"),
        };
        fs::write(&settings, open).expect("written");
        Self { settings, before }
    }
}

impl Drop for LetIn {
    fn drop(&mut self) {
        let _ = fs::write(&self.settings, &self.before);
    }
}

/// Name, GET target or none for a search, arguments.
fn asked(document: &Value) -> Vec<(&'static str, Option<String>, Value)> {
    let text = |name: &str| document[name].as_str().expect("text").to_owned();
    let (number, version) = (text("doc_number"), text("version"));
    let query =
        json!({"query": "how a session is set up", "rerank": false, "include_section_text": false});
    vec![
        ("resolve_term", Some("/terms/resolve?term=UE".to_owned()), json!({"term": "UE"})),
        (
            "get_document",
            Some(format!("/documents/{}", document["id"])),
            json!({"document_id": document["id"]}),
        ),
        (
            "get_sections",
            Some(format!("/sections?doc_number={number}&version={version}&section_number=1")),
            json!({"doc_number": number, "version": version, "section_number": "1"}),
        ),
        (
            "list_documents",
            Some(format!("/documents?doc_number={number}")),
            json!({"doc_number": number}),
        ),
        ("search_text", None, query),
    ]
}

/// Medians of one operation, in milliseconds.
struct Row {
    name: &'static str,
    rest: f64,
    mcp: f64,
}

struct Bench {
    client: Asker,
}

impl Bench {
    fn row(&self, name: &'static str, get: &Option<String>, arguments: &Value) -> Row {
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        });
        let (mut rest, mut mcp) = (Vec::new(), Vec::new());
        for round in 0..CALLS + 20 {
            let sent = Instant::now();
            let body = match get {
                Some(target) => self.client.ask(target, None),
                None => self.client.ask("/search/text", Some(arguments)),
            };
            let took = sent.elapsed().as_secs_f64() * 1000.0;
            let sent = Instant::now();
            let result = self.client.ask("/mcp", Some(&call));
            let took_mcp = sent.elapsed().as_secs_f64() * 1000.0;
            assert!(!body.is_null() && result["result"]["isError"] == false, "{name} {result}");
            // The first ones warm caches up.
            if round >= 20 {
                rest.push(took);
                mcp.push(took_mcp);
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
