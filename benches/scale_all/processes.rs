//! Processes that are measured: a server and its requests, and commands that run to their end.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::fs::{Advice, fadvise};
use serde_json::{Value, json};
use ureq::Agent;

use crate::{cgroup::MemoryCgroup, settings::ScaleSettings};

/// What is asked for at most at once; nothing that works takes this long.
const ANSWER_WITHIN: Duration = Duration::from_secs(600);
/// The unit of `/proc/PID/stat`, USER_HZ.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server over a data folder.
pub(crate) struct ScaleServer {
    child: Child,
    /// When the process was started.
    pub(crate) started: Instant,
    base_url: String,
    agent: Agent,
    authorization: String,
}

/// An answer and what it took.
#[derive(Debug, Clone)]
pub(crate) struct TimedAnswer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) bytes: usize,
    pub(crate) wall_ms: f64,
}

impl ScaleServer {
    /// Starts one and waits until it has said where it answers.
    pub(crate) fn start(
        settings: &ScaleSettings,
        cgroup: Option<&MemoryCgroup>,
        key: &str,
    ) -> Self {
        let started = Instant::now();
        let mut child = MemoryCgroup::command(cgroup, &settings.program)
            .arg("--data-dir")
            .arg(settings.data_folder())
            .args(["--create", "serve", "--listen", "127.0.0.1:0", "--tls", "off-behind-proxy"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let mut said = String::new();
        let base_url = loop {
            let line = lines.next().unwrap_or_else(|| panic!("no server: {said}"));
            let line = line.expect("readable");
            if let Some(url) = line.strip_prefix("specbox is running at ") {
                break url.trim().to_owned();
            }
            said.push_str(&line);
        };
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if line.contains("ERROR") || line.contains("WARN") {
                    eprintln!("server: {line}");
                }
            }
        });
        let config =
            Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWER_WITHIN));
        let agent: Agent = config.build().into();
        Self { child, started, base_url, agent, authorization: format!("Bearer {key}") }
    }

    /// GET, or POST where there is a body.
    pub(crate) fn ask(&self, target: &str, body: Option<&Value>) -> TimedAnswer {
        let url = format!("{}{target}", self.base_url);
        let begun = Instant::now();
        let sent = match body {
            None => self.agent.get(url).header("authorization", &self.authorization).call(),
            Some(body) => {
                self.agent.post(url).header("authorization", &self.authorization).send_json(body)
            }
        };
        let mut answer = sent.unwrap_or_else(|error| panic!("{target}: {error}"));
        let status = answer.status().as_u16();
        let bytes = answer.body_mut().with_config().limit(1 << 30).read_to_vec().expect("a body");
        let wall_ms = begun.elapsed().as_secs_f64() * 1000.0;
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        TimedAnswer { status, body, bytes: bytes.len(), wall_ms }
    }

    /// Asks again until the answer is 200, as a client that is told to come again; the time is that of all attempts.
    pub(crate) fn ask_until_ok(&self, target: &str, body: Option<&Value>) -> TimedAnswer {
        let begun = Instant::now();
        loop {
            let mut answer = self.ask(target, body);
            answer.wall_ms = begun.elapsed().as_secs_f64() * 1000.0;
            if answer.status == 200 {
                return answer;
            }
            assert!(begun.elapsed() < ANSWER_WITHIN, "{target}: {}", answer.body);
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Processor time of the server so far, in milliseconds: that of its threads.
    pub(crate) fn cpu_ms(&self) -> f64 {
        let threads = fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs");
        let nanoseconds = threads.flatten().filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            text.split_whitespace().next()?.parse::<f64>().ok()
        });
        nanoseconds.sum::<f64>() / 1e6
    }

    /// Memory of the server.
    pub(crate) fn memory(&self) -> Value {
        let field = |name| status_mib(self.child.id(), name);
        json!({
            "resident_mib": field("VmRSS:"),
            "anonymous_mib": field("RssAnon:"),
            "peak_resident_mib": field("VmHWM:"),
        })
    }

    /// Asks it to end, and gives the seconds until it has.
    pub(crate) fn stop(mut self) -> f64 {
        let begun = Instant::now();
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it runs");
        self.child.wait().expect("it ends");
        begun.elapsed().as_secs_f64()
    }
}

impl Drop for ScaleServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status_mib(pid: u32, name: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.map(|line| line.trim().trim_end_matches(" kB"));
    kib.and_then(|kib| kib.parse::<f64>().ok()).map_or(0.0, |kib| kib / 1024.0)
}

/// Runs a command of the program to its end; gives its output and what it took.
pub(crate) fn run_measured(
    settings: &ScaleSettings,
    cgroup: Option<&MemoryCgroup>,
    arguments: &[&str],
) -> (Value, Value) {
    let mut command = MemoryCgroup::command(cgroup, &settings.program);
    command.arg("--data-dir").arg(settings.data_folder()).arg("--create").args(arguments);
    measure_command(&mut command)
}

/// Runs any command to its end; gives the JSON on its standard output, and time and memory.
pub(crate) fn measure_command(command: &mut Command) -> (Value, Value) {
    let (begun, cpu_before) = (Instant::now(), children_cpu_s());
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let pid = child.id();
    let watcher = thread::spawn(move || {
        let (mut resident, mut anonymous) = (0.0f64, 0.0f64);
        while Path::new(&format!("/proc/{pid}/status")).exists() {
            let (now_resident, now_anonymous) =
                (status_mib(pid, "VmHWM:"), status_mib(pid, "RssAnon:"));
            if now_resident == 0.0 && resident > 0.0 {
                break;
            }
            (resident, anonymous) = (resident.max(now_resident), anonymous.max(now_anonymous));
            thread::sleep(Duration::from_millis(50));
        }
        (resident, anonymous)
    });
    let stdout = child.stdout.take().expect("piped");
    let output = std::io::read_to_string(stdout).expect("readable");
    let status = child.wait().expect("it ends");
    let wall_s = begun.elapsed().as_secs_f64();
    let (resident, anonymous) = watcher.join().expect("it watched");
    let taken = json!({
        "succeeded": status.success(),
        "wall_s": wall_s,
        "cpu_s": children_cpu_s() - cpu_before,
        "peak_resident_mib": resident,
        "peak_anonymous_mib": anonymous,
    });
    (serde_json::from_str(&output).unwrap_or(Value::Null), taken)
}

/// Processor time of the children of this process that have ended.
fn children_cpu_s() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("/proc/self/stat");
    let (_, rest) = stat.rsplit_once(')').expect("a command's name");
    // Fields 16 (`cutime`) and 17 (`cstime`), counted from the third.
    let fields: Vec<f64> =
        rest.split_whitespace().skip(13).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    fields.iter().sum::<f64>() / TICKS_PER_SECOND
}

/// Takes the files of a folder out of the page cache.
pub(crate) fn evict_folder(folder: &Path) {
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => evict_folder(&path),
            Ok(kind) if kind.is_file() => {
                let Ok(file) = File::open(&path) else { continue };
                // What is not written yet cannot be evicted.
                let _ = file.sync_data();
                let _ = fadvise(&file, 0, None, Advice::DontNeed);
            }
            _ => {}
        }
    }
}

/// Bytes that the files of a folder take, and how many files there are.
pub(crate) fn folder_size(path: &Path) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(metadata) = fs::symlink_metadata(path) else { return (0, 0) };
    if !metadata.is_dir() {
        return (metadata.blocks() * 512, 1);
    }
    let entries = fs::read_dir(path).expect("readable").flatten();
    entries.map(|entry| folder_size(&entry.path())).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}
