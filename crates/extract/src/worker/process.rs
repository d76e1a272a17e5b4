//! A child process with the pipes to it.

use std::{
    ffi::OsString,
    io,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use document::{ExtractError, Limits, one_line};

use super::{
    child::{CONVERTER_ROLE, FOLDER_VARIABLE, request_file_name},
    config::WorkerConfig,
    protocol::{
        GREETING, MAX_REQUEST_BYTES, READY, WorkerAnswer, WorkerMessage, WorkerReply,
        WorkerRequest, WorkerSetup, decode_value, read_bytes, read_frame, write_frame,
    },
    sandbox::{used_cpu_s, whole_cpu_s},
    watch::ReadingWatch,
};

/// Maximum time until a child sends its greeting; a loaded machine needs seconds to start a program. A wrong program
/// never sends one.
const GREETING_WALL: Duration = Duration::from_secs(30);
/// Number and interval of polls for a child's exit before it is killed. Its own exit status says more than a kill:
/// that it exceeded its processor time, or crashed.
const EXIT_POLLS: u32 = 20;
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(5);

// Signals that end a child which crashes or exceeds its limits, numbered as on Linux: signal(7).
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;
const SIGXCPU: i32 = 24;

/// Interval at which a wait for a child checks whether it was stopped: a person who presses Ctrl-C waits so long.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// Why a child did not reply.
#[derive(Debug)]
enum WorkerFailure {
    Timeout,
    /// Nobody waits for it any longer.
    Stopped,
    /// The stream ended, or the bytes were not a reply.
    Stream(Option<io::Error>),
}

/// The reason for a file that was being read when the run was stopped.
const STOPPED: &str = "the run was stopped";

impl WorkerFailure {
    fn into_error(self, name: String, status: Option<ExitStatus>, limits: &Limits) -> ExtractError {
        let reason = match self {
            Self::Stopped => return ExtractError::WorkerDied { name, reason: STOPPED.to_owned() },
            Self::Timeout => {
                return ExtractError::Timeout { name, limit_s: limits.worker_wall.as_secs() };
            }
            Self::Stream(Some(error)) if error.kind() == io::ErrorKind::InvalidData => {
                format!("it sent an invalid reply ({error})")
            }
            Self::Stream(_) => describe_exit(status),
        };
        ExtractError::WorkerDied { name, reason: one_line(&reason) }
    }
}

/// An exit status in words.
fn describe_exit(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.signal(), status.code())) {
        Some((Some(SIGXCPU), _)) => "it exceeded its CPU time limit".to_owned(),
        Some((Some(signal @ (SIGABRT | SIGBUS | SIGSEGV)), _)) => {
            format!("it ran out of memory or crashed (signal {signal})")
        }
        Some((Some(signal), _)) => format!("it was terminated by signal {signal}"),
        Some((None, Some(code))) => format!("it exited with status {code}"),
        Some((None, None)) | None => "it exited".to_owned(),
    }
}

/// What the thread that communicates with a child hears from it.
#[derive(Debug)]
enum WorkerEvent {
    /// The share of the file that is read.
    Share(f64),
    /// The bytes of the reply.
    Reply(Vec<u8>),
}

/// A child with the thread that communicates with it; the parent itself never blocks on a pipe.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    child: Child,
    requests: Sender<WorkerRequest>,
    events: Receiver<io::Result<WorkerEvent>>,
    is_usable: bool,
}

/// The environment variables of this process that a child inherits: those for finding programs and libraries, and for
/// texts and times. Every other one may be a secret.
const PASSED_VARIABLES: [&str; 6] =
    ["PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ", "RUST_BACKTRACE"];

fn passed_variables() -> impl Iterator<Item = (&'static str, OsString)> {
    PASSED_VARIABLES.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))
}

impl WorkerProcess {
    /// Starts a child: one that reads, or with a folder for temporary files one that may convert too.
    ///
    /// The thread that communicates with the child starts it too: the kernel ends the child with that thread, which
    /// lives as long as the worker.
    pub(super) fn spawn_process(
        config: &WorkerConfig,
        temporary: Option<&Path>,
    ) -> Result<Self, ExtractError> {
        let unusable = |reason: String| ExtractError::WorkerUnusable { reason: one_line(&reason) };
        let mut command = Command::new(&config.program);
        command.args(&config.arguments);
        // Secrets of the server, such as those of object storage and databases, are in its environment.
        command.env_clear().envs(passed_variables());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut options = config.options.clone();
        match temporary {
            Some(folder) => {
                command.arg(CONVERTER_ROLE).env(FOLDER_VARIABLE, folder).current_dir(folder);
            }
            None => options.converter = None,
        }
        let setup = WorkerSetup {
            limits: config.limits.clone(),
            options,
            readable: config.readable.clone(),
            passages: config.passages.clone(),
        };
        let (requests, incoming) = channel();
        let (outgoing, events) = channel();
        let (greeted, greeting) = channel();
        let (started, starting) = channel();
        let talk = move || {
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(error) => {
                    let _ = started.send(Err(error));
                    return;
                }
            };
            let pipes = child.stdin.take().zip(child.stdout.take());
            if started.send(Ok(child)).is_err() {
                return;
            }
            if let Some((input, output)) = pipes {
                exchange_frames(input, output, &setup, &greeted, &incoming, &outgoing);
            }
        };
        let spawned = thread::Builder::new().name("extract-worker".to_owned()).spawn(talk);
        let started = spawned
            .and_then(|_| starting.recv().unwrap_or_else(|error| Err(io::Error::other(error))));
        let child = started.map_err(|error| unusable(format!("it cannot be started: {error}")))?;
        let mut running = Self { child, requests, events, is_usable: true };
        if greeting.recv_timeout(GREETING_WALL).is_ok() {
            return Ok(running);
        }
        let status = running.end_process();
        let reason = format!("it did not start as a worker process; {}", describe_exit(status));
        Err(unusable(reason))
    }

    /// Has a request answered; a child that fails, or that was stopped, is ended.
    pub(super) fn ask<Answer: WorkerAnswer>(
        &mut self,
        request: WorkerRequest,
        limits: &Limits,
        watch: &ReadingWatch<'_>,
    ) -> WorkerReply<Answer> {
        let name = request_file_name(&request);
        let bytes = self.exchange_request(request, limits.worker_wall, watch);
        let invalid = |error| WorkerFailure::Stream(Some(error));
        let reply = bytes.and_then(|bytes| decode_value(&bytes).map_err(invalid));
        reply.unwrap_or_else(|failure| {
            self.is_usable = false;
            let is_stopped = matches!(failure, WorkerFailure::Stopped);
            let status = if is_stopped { self.kill_process() } else { self.end_process() };
            Err(failure.into_error(name, status, limits))
        })
    }

    /// Whether the child has used half of its total processor time: earlier files must not use up the time of a later
    /// one.
    pub(super) fn is_worn(&self, config: &WorkerConfig) -> bool {
        used_cpu_s(Some(self.child.id())).is_some_and(|used| used > whole_cpu_s(&config.limits) / 2)
    }

    /// Its process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has answered all requests.
    pub(super) fn is_usable(&self) -> bool {
        self.is_usable
    }

    fn exchange_request(
        &mut self,
        request: WorkerRequest,
        wall: Duration,
        watch: &ReadingWatch<'_>,
    ) -> Result<Vec<u8>, WorkerFailure> {
        self.requests.send(request).map_err(|_| WorkerFailure::Stream(None))?;
        let until = Instant::now() + wall;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left.min(STOP_CHECK_INTERVAL)) {
                Ok(Ok(WorkerEvent::Reply(bytes))) => return Ok(bytes),
                Ok(Ok(WorkerEvent::Share(share))) => watch.hear(share),
                Ok(Err(error)) => return Err(WorkerFailure::Stream(Some(error))),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(WorkerFailure::Stream(None)),
            }
            if watch.is_stopped() {
                return Err(WorkerFailure::Stopped);
            }
            // A child that only reports, and never answers, ends too.
            if Instant::now() >= until {
                return Err(WorkerFailure::Timeout);
            }
        }
    }

    /// Ends the child, if need be by killing it, and returns its exit status.
    fn end_process(&mut self) -> Option<ExitStatus> {
        // A child whose pipe has just closed exits by itself shortly after.
        for _ in 0..EXIT_POLLS {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(EXIT_POLL_INTERVAL),
                Ok(status) => return status,
                Err(_) => break,
            }
        }
        self.kill_process()
    }

    fn kill_process(&mut self) -> Option<ExitStatus> {
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

/// Runs in its own thread until the child's pipes close or the worker is dropped.
fn exchange_frames(
    mut input: ChildStdin,
    mut output: ChildStdout,
    setup: &WorkerSetup,
    greeted: &Sender<()>,
    requests: &Receiver<WorkerRequest>,
    events: &Sender<io::Result<WorkerEvent>>,
) {
    let greeting = read_frame::<String>(&mut output, MAX_REQUEST_BYTES);
    if !matches!(greeting, Ok(Some(text)) if text == GREETING) {
        return;
    }
    if write_frame(&mut input, setup).is_err() {
        return;
    }
    let ready = read_frame::<String>(&mut output, MAX_REQUEST_BYTES);
    if !matches!(ready, Ok(Some(text)) if text == READY) || greeted.send(()).is_err() {
        return;
    }
    while let Ok(request) = requests.recv() {
        let mut event =
            write_frame(&mut input, &request).and_then(|()| read_event(&mut output, &setup.limits));
        while matches!(event, Ok(WorkerEvent::Share(_))) {
            if events.send(event).is_err() {
                return;
            }
            event = read_event(&mut output, &setup.limits);
        }
        let failed = event.is_err();
        if events.send(event).is_err() {
            return;
        }
        if failed {
            // The child ends with this thread, but its own exit status must say why it failed.
            let _ = requests.recv();
            return;
        }
    }
}

fn read_event(output: &mut ChildStdout, limits: &Limits) -> io::Result<WorkerEvent> {
    let ended = || io::Error::from(io::ErrorKind::UnexpectedEof);
    match read_frame(output, limits.reply_bytes)?.ok_or_else(ended)? {
        WorkerMessage::Share(share) => Ok(WorkerEvent::Share(share)),
        WorkerMessage::Reply => {
            read_bytes(output, limits.reply_bytes)?.map(WorkerEvent::Reply).ok_or_else(ended)
        }
    }
}
