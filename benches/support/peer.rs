//! A peer that runs beside a bench: a child process that answers one line for each line it reads.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

/// onnxruntime, by `scripts/peer-neural`.
pub(crate) struct Peer {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts it; what it installs stays in `folder` between runs.
    pub(crate) fn start(folder: &Path, models: &Path) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/peer-neural");
        let mut command = Command::new(script);
        command.arg(folder).arg(models).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the peer starts");
        let input = child.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Self { child, input, output }
    }

    /// Prepares a case of texts or of pairs.
    pub(crate) fn prepare(&mut self, name: &str, model: &str, texts: &[Vec<String>], sort: bool) {
        const BATCH: usize = 8;
        let texts = json!(texts);
        self.ask(&json!({
            "case": name, "model": model, "texts": texts, "batch": BATCH, "sort": sort,
        }));
    }

    /// Runs a case once and returns the seconds it took, on the clock and of processor time.
    pub(crate) fn run(&mut self, name: &str) -> [f64; 2] {
        let answer = self.ask(&json!({ "run": name }));
        ["wall", "cpu"].map(|clock| answer[clock].as_f64().expect("the peer gives seconds"))
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.input, "{request}").expect("the peer reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the peer answers");
        serde_json::from_str(&line).expect("the peer answers JSON; its error is above")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
