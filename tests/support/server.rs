//! A real server in a data folder of its own.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use crate::program::specbox;

/// A server must print its URL within this time.
const START_WITHIN: Duration = Duration::from_secs(60);

/// Runs a command and kills it when standard input closes: also when the test process ends
/// without dropping anything, as it does with what is kept in statics.
const RUN_UNTIL_STDIN_CLOSES: &str = "\"$@\" & server=$!; cat >/dev/null; kill -9 $server; wait";

/// A running server; it is killed when dropped.
pub(crate) struct RunningServer {
    /// The shell that the server is a child of.
    pub(crate) child: Child,
    /// URL it answers at.
    pub(crate) base_url: String,
    /// The lab authority that signed its certificate, under TLS.
    pub(crate) authority: Option<PathBuf>,
    /// Its standard error so far.
    pub(crate) stderr_text: Arc<Mutex<String>>,
}

impl RunningServer {
    /// Starts a server over a data folder on a free port.
    pub(crate) fn start(data_dir: &Path, tls: &str) -> Self {
        Self::start_with(data_dir, &["--tls", tls])
    }

    /// The same with any arguments.
    pub(crate) fn start_with(data_dir: &Path, arguments: &[&str]) -> Self {
        let serve = specbox(data_dir);
        let mut child = Command::new("sh")
            .args(["-c", RUN_UNTIL_STDIN_CLOSES, "sh"])
            .arg(serve.get_program())
            .args(serve.get_args())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = child.stderr.take().expect("piped");
        let stderr_text = Arc::new(Mutex::new(String::new()));
        let (sender, receiver) = mpsc::channel();
        let all = stderr_text.clone();
        thread::spawn(move || {
            for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).into_owned();
                if let Some(url) = line.strip_prefix("specbox is running at ") {
                    let _ = sender.send(url.trim().to_owned());
                }
                let mut all = all.lock().expect("not poisoned");
                all.push_str(&line);
                all.push('\n');
            }
        });
        let base_url = receiver.recv_timeout(START_WITHIN).expect("the server answers in time");
        let plain = arguments.contains(&"off-behind-proxy");
        let authority = (!plain).then(|| data_dir.join("tls").join("ca.pem"));
        Self { child, base_url, authority, stderr_text }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
        if thread::panicking() {
            eprintln!("the server said:\n{}", self.stderr_text.lock().expect("not poisoned"));
        }
    }
}
