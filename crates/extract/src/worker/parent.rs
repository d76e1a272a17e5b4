//! The parent's side: starts a child, sends it requests, and kills it when it misbehaves.

use std::{
    ffi::OsString,
    io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use register::Register;

use crate::{
    contribution::Contribution,
    extraction::{ExtractOptions, Extraction},
};
use document::{ExtractError, Limits, one_line};

use super::child::request_file_name;
use super::protocol::{
    GREETING, MAX_REQUEST_BYTES, WorkerRequest, WorkerResponse, WorkerResult, WorkerSetup,
    read_frame, write_frame,
};

/// How long a child may take to greet; a loaded machine needs seconds to start a program.
const GREETING_WALL: Duration = Duration::from_secs(30);
/// How often, and at which interval, a child is given time to exit before it is killed.
const EXIT_POLLS: u32 = 20;
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

// Signals that end a child which crashes or exceeds its limits, numbered as on Linux: signal(7).
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

/// How a worker is started and limited.
#[derive(Debug, Clone)]
pub struct WorkerConfig {
    /// The program that calls [`serve_stdin`](super::serve_stdin).
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The limits of every request.
    pub limits: Limits,
    /// What may be used besides our own readers.
    pub options: ExtractOptions,
    /// Folders and files the child may read; empty for all.
    pub readable: Vec<PathBuf>,
}

impl WorkerConfig {
    /// The same, with leave to read the targets of those files that are symbolic links.
    #[must_use]
    pub fn with_readable_links<'a>(&self, files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let mut config = self.clone();
        if !config.readable.is_empty() {
            let links = files.filter(|path| path.is_symlink());
            config.readable.extend(links.filter_map(|path| path.canonicalize().ok()));
        }
        config
    }
}

/// A child process that reads files, replaced when it dies.
#[derive(Debug)]
pub struct Worker {
    config: WorkerConfig,
    process: Option<WorkerProcess>,
}

impl Worker {
    /// A worker; its process is started with the first request.
    pub fn new(config: WorkerConfig) -> Self {
        Self { config, process: None }
    }

    /// Reads files that belong together, as [`read_group`](crate::read_group) does.
    pub fn read_documents(&mut self, paths: &[PathBuf]) -> Result<Extraction, ExtractError> {
        match self.send_request(WorkerRequest::Documents(paths.to_vec()))? {
            WorkerResponse::Documents(extraction) => Ok(*extraction),
            _ => Err(mismatched_reply_error()),
        }
    }

    /// Reads a register of meeting documents.
    pub fn read_register(&mut self, path: &Path) -> Result<Register, ExtractError> {
        match self.send_request(WorkerRequest::Register(path.to_owned()))? {
            WorkerResponse::Register(register) => Ok(*register),
            _ => Err(mismatched_reply_error()),
        }
    }

    /// Reads the file of a meeting document.
    pub fn read_contribution(
        &mut self,
        path: &Path,
        id: &str,
    ) -> Result<Contribution, ExtractError> {
        match self.send_request(WorkerRequest::Contribution(path.to_owned(), id.to_owned()))? {
            WorkerResponse::Contribution(contribution) => Ok(*contribution),
            _ => Err(mismatched_reply_error()),
        }
    }

    fn send_request(&mut self, request: WorkerRequest) -> WorkerResult {
        let name = request_file_name(&request);
        let mut running = match self.process.take() {
            Some(running) => running,
            None => WorkerProcess::spawn_process(&self.config)?,
        };
        match running.exchange_request(request, self.config.limits.worker_wall) {
            Ok(reply) => {
                self.process = Some(running);
                reply
            }
            // The child is not used again, so that the next file meets a fresh one.
            Err(failure) => {
                let status = running.end_process();
                Err(failure.into_error(name, status, &self.config.limits))
            }
        }
    }

    /// Process id of the running child, if there is one.
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(|running| running.child.id())
    }
}

fn mismatched_reply_error() -> ExtractError {
    ExtractError::WorkerUnusable { reason: "it answered another question".to_owned() }
}

/// Why a child gave no reply.
#[derive(Debug)]
enum WorkerFailure {
    Timeout,
    /// The stream ended, or the bytes were not a reply.
    Stream(Option<io::Error>),
}

impl WorkerFailure {
    fn into_error(self, name: String, status: Option<ExitStatus>, limits: &Limits) -> ExtractError {
        let reason = match self {
            Self::Timeout => {
                return ExtractError::Timeout { name, limit_s: limits.worker_wall.as_secs() };
            }
            Self::Stream(Some(error)) if error.kind() == io::ErrorKind::InvalidData => {
                format!("it sent something else than a reply ({error})")
            }
            Self::Stream(_) => describe_exit(status),
        };
        ExtractError::WorkerDied { name, reason: one_line(&reason) }
    }
}

/// An exit status in words.
fn describe_exit(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.signal(), status.code())) {
        Some((Some(SIGXCPU), _)) => "it used up its processor time".to_owned(),
        Some((Some(signal @ (SIGABRT | SIGBUS | SIGSEGV)), _)) => {
            format!("it ran out of memory or crashed (signal {signal})")
        }
        Some((Some(signal), _)) => format!("it was ended by signal {signal}"),
        Some((None, Some(code))) => format!("it ended with status {code}"),
        Some((None, None)) | None => "it ended".to_owned(),
    }
}

/// A child with the thread that talks to it; the parent itself never blocks on a pipe.
#[derive(Debug)]
struct WorkerProcess {
    child: Child,
    requests: Sender<WorkerRequest>,
    replies: Receiver<io::Result<WorkerResult>>,
}

impl WorkerProcess {
    fn spawn_process(config: &WorkerConfig) -> Result<Self, ExtractError> {
        let unusable = |reason: String| ExtractError::WorkerUnusable { reason: one_line(&reason) };
        let mut child = Command::new(&config.program)
            .args(&config.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| unusable(format!("it cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(unusable("it has no pipes".to_owned()));
        };
        let setup = WorkerSetup {
            limits: config.limits.clone(),
            options: config.options.clone(),
            readable: config.readable.clone(),
        };
        let (requests, incoming) = channel();
        let (outgoing, replies) = channel();
        let (greeted, greeting) = channel();
        let talk = move || exchange_frames(input, output, &setup, &greeted, &incoming, &outgoing);
        let spawned = thread::Builder::new().name("extract-worker".to_owned()).spawn(talk);
        let mut running = Self { child, requests, replies };
        let greeting = match spawned {
            Ok(_) => greeting.recv_timeout(GREETING_WALL),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        if greeting.is_ok() {
            return Ok(running);
        }
        let status = running.end_process();
        let reason = format!("it did not greet as a worker does; {}", describe_exit(status));
        Err(unusable(reason))
    }

    fn exchange_request(
        &mut self,
        request: WorkerRequest,
        wall: Duration,
    ) -> Result<WorkerResult, WorkerFailure> {
        self.requests.send(request).map_err(|_| WorkerFailure::Stream(None))?;
        match self.replies.recv_timeout(wall) {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(error)) => Err(WorkerFailure::Stream(Some(error))),
            Err(RecvTimeoutError::Timeout) => Err(WorkerFailure::Timeout),
            Err(RecvTimeoutError::Disconnected) => Err(WorkerFailure::Stream(None)),
        }
    }

    /// Ends the child, if need be by killing it, and returns its exit status.
    fn end_process(&mut self) -> Option<ExitStatus> {
        // A child whose pipe has just closed exits by itself a moment later.
        for _ in 0..EXIT_POLLS {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(EXIT_POLL_INTERVAL),
                Ok(status) => return status,
                Err(_) => break,
            }
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs in a thread of its own until the child's pipes close or the worker is dropped.
fn exchange_frames(
    mut input: ChildStdin,
    mut output: ChildStdout,
    setup: &WorkerSetup,
    greeted: &Sender<()>,
    requests: &Receiver<WorkerRequest>,
    replies: &Sender<io::Result<WorkerResult>>,
) {
    let greeting = read_frame::<String>(&mut output, MAX_REQUEST_BYTES);
    if !matches!(greeting, Ok(Some(text)) if text == GREETING) {
        return;
    }
    if write_frame(&mut input, setup).is_err() || greeted.send(()).is_err() {
        return;
    }
    while let Ok(request) = requests.recv() {
        let reply = write_frame(&mut input, &request).and_then(|()| {
            read_frame(&mut output, setup.limits.reply_bytes)?
                .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        });
        let failed = reply.is_err();
        if replies.send(reply).is_err() || failed {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker whose child is a line of shell.
    fn fake(script: &str, wall_ms: u64) -> Worker {
        let limits = Limits {
            worker_wall: Duration::from_millis(wall_ms),
            reply_bytes: 10_000,
            ..Limits::default()
        };
        Worker::new(WorkerConfig {
            program: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            limits,
            options: ExtractOptions::default(),
            readable: Vec::new(),
        })
    }

    /// Prints the greeting frame, 17 bytes of which the first is the length of the text, and
    /// waits for the setup.
    const GREET: &str =
        "printf '\\021\\000\\000\\000\\020specbox worker 7'; head -c 8 > /dev/null;";

    fn outcome(script: &str, wall_ms: u64) -> ExtractError {
        fake(script, wall_ms).read_documents(&["x.docx".into()]).expect_err("a fake child")
    }

    #[test]
    fn programs_that_are_no_workers_are_unusable() {
        assert!(GREET.contains(GREETING), "the greeting of the fake child");
        for script in ["exit 3", "echo hello", "printf '\\377\\377\\377\\377'"] {
            assert!(
                matches!(outcome(script, 1_000), ExtractError::WorkerUnusable { .. }),
                "{script}"
            );
        }
        let mut missing = fake("", 1_000);
        missing.config.program = "/no/such/program".into();
        let error = missing.read_documents(&[]).expect_err("no program");
        assert!(matches!(error, ExtractError::WorkerUnusable { .. }));
    }

    #[test]
    fn a_child_that_hangs_is_ended() {
        let script = format!("{GREET} exec sleep 600");
        assert_eq!(
            outcome(&script, 200),
            ExtractError::Timeout { name: "x.docx".into(), limit_s: 0 }
        );
    }

    #[test]
    fn a_child_that_dies_or_lies_is_an_error() {
        for (script, words) in [
            ("exit 7", "status 7"),
            ("kill -SEGV $$", "signal 11"),
            ("kill -XCPU $$", "processor time"),
            ("printf '\\377\\377\\377\\177'; exec sleep 600", "something else"),
            ("printf '\\002\\000\\000\\000\\377\\377'; exec sleep 600", "something else"),
            ("printf '\\100\\000'", "it ended"),
        ] {
            let error = outcome(&format!("{GREET} {script}"), 5_000);
            let ExtractError::WorkerDied { reason, .. } = &error else {
                panic!("{script}: {error}")
            };
            assert!(reason.contains(words), "{script}: {reason}");
        }
    }

    #[test]
    fn a_dead_child_is_replaced() {
        let mut worker = fake(&format!("{GREET} exit 7"), 5_000);
        for _ in 0..3 {
            let error = worker.read_documents(&["x.docx".into()]).expect_err("dies");
            assert!(matches!(error, ExtractError::WorkerDied { .. }), "{error}");
            assert_eq!(worker.process_id(), None);
        }
    }
}
