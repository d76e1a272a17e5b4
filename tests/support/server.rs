//! A real server in a data folder of its own.

use std::{
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::program::specbox;

/// A server must say that it answers within this time.
const START_WITHIN: Duration = Duration::from_secs(60);

/// Runs a command and kills it when standard input closes: also when the test process ends
/// without dropping anything, as it does with what is kept in statics.
const ENDS_WITH_ITS_INPUT: &str = "\"$@\" & server=$!; cat >/dev/null; kill -9 $server; wait";

/// A running server; it is killed when dropped.
pub(crate) struct RunningServer {
    child: Child,
    /// URL it answers at.
    pub(crate) base_url: String,
    /// The lab authority that signed its certificate, under TLS.
    pub(crate) authority: Option<PathBuf>,
}

impl RunningServer {
    /// Starts a server over a data folder on a free port.
    pub(crate) fn start(data_dir: &Path, tls: &str) -> Self {
        let serve = specbox(data_dir);
        let mut child = Command::new("sh")
            .args(["-c", ENDS_WITH_ITS_INPUT, "sh"])
            .arg(serve.get_program())
            .args(serve.get_args())
            .args(["serve", "--listen", "127.0.0.1:0", "--tls", tls])
            .stdin(Stdio::piped())
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
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
