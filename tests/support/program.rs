//! The real program as tests drive it: commands, and a server in a folder of its own.

use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;

/// A server must say that it answers within this time.
const START_WITHIN: Duration = Duration::from_secs(60);

/// A specbox command over a data folder.
pub fn specbox(data_dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox"));
    command.arg("--data-dir").arg(data_dir);
    command
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the program starts")
}

/// The JSON that a command prints, when it ends well.
pub fn json(command: &mut Command) -> Value {
    let output = run(command);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// The folder of the sample corpus.
pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample/archive")
}

/// Whether the models are installed; says loudly when they are not, and fails in CI.
pub fn models_installed() -> bool {
    let folder = specbox::neural::default_models_dir().expect("a home folder");
    let installed = ["all-MiniLM-L6-v2", "ms-marco-MiniLM-L-12-v2"]
        .iter()
        .all(|name| folder.join(name).join("model.safetensors").exists());
    if !installed {
        assert!(std::env::var_os("CI").is_none(), "CI has no models; run scripts/fetch-models");
        eprintln!("!!! NOT RUN: no models under {}; run scripts/fetch-models", folder.display());
    }
    installed
}

/// A running server; it is killed when dropped.
pub struct RunningServer {
    child: Child,
    /// URL it answers at.
    pub base_url: String,
    /// The lab authority that signed its certificate, under TLS.
    pub authority: Option<PathBuf>,
}

impl RunningServer {
    /// Starts a server over a data folder on a free port.
    pub fn start(data_dir: &Path, tls: &str) -> Self {
        let mut child = specbox(data_dir)
            .args(["serve", "--listen", "127.0.0.1:0", "--tls", tls])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = child.stderr.take().expect("piped");
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(stderr);
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
                if let Some(url) = line.trim().strip_prefix("specbox answers at ") {
                    let _ = sender.send(url.to_owned());
                }
                line.clear();
            }
            // The pipe stays open to its end, so that the server can go on writing.
            let _ = reader.read_to_end(&mut Vec::new());
        });
        let base_url = receiver.recv_timeout(START_WITHIN).expect("the server answers in time");
        let authority = (tls == "auto").then(|| data_dir.join("tls").join("ca.pem"));
        Self { child, base_url, authority }
    }

    /// Ends the server as `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it was ours");
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
