//! Engines that are reached from Python: `peers.py` builds and searches, and measures itself.
//!
//! `SPECBOX_PEER` names the folder of a virtual environment, which `peers.py` makes where it does not
//! exist; without it these engines are left out.

use std::fs;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::process::ChildStdin;
use std::process::ChildStdout;
use std::process::Command;
use std::process::Stdio;

use serde_json::Value;
use serde_json::json;

use crate::data::Data;
use crate::engine::Asked;
use crate::engine::Built;
use crate::engine::Engine;
use crate::engine::Reply;

struct Python {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

pub(super) fn faiss(
    data: &Data,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn Engine>, Built)> {
    start("faiss", data, folder, threads)
}

pub(super) fn hnswlib(
    data: &Data,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn Engine>, Built)> {
    start("hnswlib", data, folder, threads)
}

fn start(
    engine: &str,
    data: &Data,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn Engine>, Built)> {
    let environment = std::env::var_os("SPECBOX_PEER")?;
    let bytes: Vec<u8> = data.rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    fs::write(folder.join("rows.f32"), bytes).expect("written");
    let order: Vec<u8> =
        data.shuffled().iter().flat_map(|row| (*row as u64).to_le_bytes()).collect();
    fs::write(folder.join("order.u64"), order).expect("written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
    let mut child = Command::new("python3")
        .arg(script)
        .arg(environment)
        .args([engine, &data.dimension.to_string(), &threads.to_string()])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    let asks = child.stdin.take().expect("piped");
    let answers = BufReader::new(child.stdout.take().expect("piped"));
    let mut python = Python { child, asks, answers };
    let built = python.answer();
    let seconds = |name: &str| built[name].as_f64().expect("seconds");
    let bytes = built["bytes"].as_u64().expect("bytes");
    let built = Built { cpu_s: seconds("cpu_s"), wall_s: seconds("wall_s"), bytes };
    Some((Box::new(python), built))
}

impl Python {
    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }
}

impl Engine for Python {
    fn run(&mut self, queries: &[&[f32]], asked: Asked<'_>) -> Option<Vec<Reply>> {
        if asked.filter.is_some() {
            return None;
        }
        let effort = asked.effort.max(asked.k);
        let line = json!({"queries": queries, "k": asked.k, "effort": effort});
        writeln!(self.asks, "{line}").expect("it listens");
        let answer = self.answer();
        let rows = |rows: &Value| {
            let rows = rows.as_array().into_iter().flatten().filter_map(Value::as_u64);
            rows.map(|row| row as u32).collect()
        };
        let replies = answer["rows"].as_array()?.iter().zip(answer["micros"].as_array()?);
        let reply = |(found, micros): (&Value, &Value)| {
            Some(Reply { rows: rows(found), micros: micros.as_f64()? })
        };
        replies.map(reply).collect()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends with its input; one that does not is no concern of the figures.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
