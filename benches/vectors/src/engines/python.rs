//! Engines that are reached from Python: `peers.py` builds and searches, and measures itself.
//!
//! `SPECBOX_PEER` names the folder of a virtual environment, which `peers.py` makes where it does not
//! exist; without it these engines are left out.

use std::ffi::OsStr;
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

use crate::clock::BuildCost;
use crate::data::VectorSet;
use crate::engine::KnnReply;
use crate::engine::KnnRequest;
use crate::engine::OpenedIndex;
use crate::engine::VectorEngine;

struct PythonEngine {
    child: Child,
    input: ChildStdin,
    answers: BufReader<ChildStdout>,
}

pub(super) fn build_faiss(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    start_engine("faiss", data, folder, threads)
}

pub(super) fn build_hnswlib(
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    start_engine("hnswlib", data, folder, threads)
}

fn start_engine(
    engine: &str,
    data: &VectorSet,
    folder: &Path,
    threads: usize,
) -> Option<(Box<dyn VectorEngine>, BuildCost)> {
    let environment = std::env::var_os("SPECBOX_PEER")?;
    let bytes: Vec<u8> = data.rows.iter().flat_map(|number| number.to_le_bytes()).collect();
    fs::write(folder.join("rows.f32"), bytes).expect("written");
    let order: Vec<u8> =
        data.shuffled_rows().iter().flat_map(|row| (*row as u64).to_le_bytes()).collect();
    fs::write(folder.join("order.u64"), order).expect("written");
    let mut python = PythonEngine::spawn(&environment, engine, (data.dimension, threads), folder);
    let built = python.read_answer();
    let seconds = |name: &str| built[name].as_f64().expect("seconds");
    let bytes = built["bytes"].as_u64().expect("bytes");
    let built = BuildCost { cpu_s: seconds("cpu_s"), wall_s: seconds("wall_s"), bytes };
    Some((Box::new(python), built))
}

pub(super) fn open_faiss(folder: &Path, dimension: usize) -> OpenedIndex {
    open_engine("faiss", folder, dimension)
}

pub(super) fn open_hnswlib(folder: &Path, dimension: usize) -> OpenedIndex {
    open_engine("hnswlib", folder, dimension)
}

fn open_engine(engine: &str, folder: &Path, dimension: usize) -> OpenedIndex {
    let environment = std::env::var_os("SPECBOX_PEER").expect("it was there for building");
    // With no threads to build with, `peers.py` opens the index that is there.
    let mut python = PythonEngine::spawn(&environment, engine, (dimension, 0), folder);
    let opened = python.read_answer();
    let bytes = |name: &str| opened[name].as_u64().expect("bytes");
    OpenedIndex::Measured {
        seconds: opened["seconds"].as_f64().expect("seconds"),
        anonymous_bytes: bytes("anonymous"),
        resident_bytes: bytes("resident"),
    }
}

impl PythonEngine {
    fn spawn(
        environment: &OsStr,
        engine: &str,
        (dimension, threads): (usize, usize),
        folder: &Path,
    ) -> PythonEngine {
        let mut child = Command::new("python3")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py"))
            .arg(environment)
            .args([engine, &dimension.to_string(), &threads.to_string()])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3 starts");
        let input = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        PythonEngine { child, input, answers }
    }

    fn read_answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).expect("JSON")
    }
}

impl VectorEngine for PythonEngine {
    fn answer_queries(
        &mut self,
        queries: &[&[f32]],
        request: KnnRequest<'_>,
    ) -> Option<Vec<KnnReply>> {
        if request.filter.is_some() {
            return None;
        }
        let ef = request.ef.max(request.k);
        let line = json!({"queries": queries, "k": request.k, "effort": ef});
        writeln!(self.input, "{line}").expect("it listens");
        let answer = self.read_answer();
        let rows = |rows: &Value| {
            let rows = rows.as_array().into_iter().flatten().filter_map(Value::as_u64);
            rows.map(|row| row as u32).collect()
        };
        let replies = answer["rows"].as_array()?.iter().zip(answer["micros"].as_array()?);
        let reply = |(found, micros): (&Value, &Value)| {
            Some(KnnReply { rows: rows(found), micros: micros.as_f64()? })
        };
        replies.map(reply).collect()
    }
}

impl Drop for PythonEngine {
    fn drop(&mut self) {
        // It ends with its input; one that does not is no concern of the figures.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
