//! Engines that are Python packages: the program of `peers` builds and searches, and measures itself.
//!
//! `SPECBOX_PEER` names a folder for virtual environments, which `peers` makes where they do not exist;
//! without it these engines are left out. None of them is searched with a filter.

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

/// An engine of the folder `peers`.
pub(super) trait PythonPeer {
    /// Its name there.
    const NAME: &'static str;
}

pub(super) struct Faiss;
pub(super) struct Hnswlib;
pub(super) struct Scann;
pub(super) struct Svs;
pub(super) struct DiskAnn;

impl PythonPeer for Faiss {
    const NAME: &'static str = "faiss";
}

impl PythonPeer for Hnswlib {
    const NAME: &'static str = "hnswlib";
}

impl PythonPeer for Scann {
    const NAME: &'static str = "scann";
}

impl PythonPeer for Svs {
    const NAME: &'static str = "svs";
}

impl PythonPeer for DiskAnn {
    const NAME: &'static str = "diskann";
}

pub(super) fn build_index<Peer: PythonPeer>(
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
    let mut python =
        PythonEngine::spawn(&environment, Peer::NAME, (data.dimension, threads), folder);
    let built = python.read_answer();
    let seconds = |name: &str| built[name].as_f64().expect("seconds");
    let bytes = built["bytes"].as_u64().expect("bytes");
    let built = BuildCost { cpu_s: seconds("cpu_s"), wall_s: seconds("wall_s"), bytes };
    Some((Box::new(python), built))
}

pub(super) fn open_index<Peer: PythonPeer>(folder: &Path, dimension: usize) -> OpenedIndex {
    let environment = std::env::var_os("SPECBOX_PEER").expect("it was there for building");
    // With no threads to build with, `peers` opens the index that is there.
    let mut python = PythonEngine::spawn(&environment, Peer::NAME, (dimension, 0), folder);
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
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers"))
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
        let line = json!({"queries": queries, "k": request.k, "effort": request.ef});
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
