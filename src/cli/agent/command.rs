//! `specbox mcp`: reads requests until standard input ends, and writes answers.

use std::{
    io::{self, IsTerminal},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use serde_json::Value;

use super::{
    arguments::McpArgs,
    folder_session::FolderSession,
    lines::{AgentLine, failed_request},
    workers::AgentWorkers,
};
use crate::{
    cli::{arguments::GlobalArgs, session::STOP_REQUESTED},
    control::AgentRequest,
};

/// Lines that were read and not yet looked at.
const MAX_LINES: usize = 16;
/// Time between two checks whether a signal has come.
const STOP_POLL: Duration = Duration::from_millis(200);
/// After a signal, requests that are being answered have this long.
const GRACE: Duration = Duration::from_millis(800);

/// Answers an agent until it closes standard input, stops reading, or sends a signal.
pub(in crate::cli) fn serve_agent(global: &GlobalArgs, args: &McpArgs) -> Result<()> {
    if io::stdin().is_terminal() {
        eprintln!("specbox mcp waits for an agent on standard input; see specbox mcp --help");
    }
    let session = FolderSession::open(global)?;
    let tools = args.tools.clone();
    let relay = AgentRelay { session: session.clone(), revision: Mutex::default(), tools };
    let workers = AgentWorkers::start(io::stdout(), move |request| relay.answer(request))
        .context("cannot start threads")?;
    pass_requests(&read_lines()?, &workers);
    if wait_for_answers(&workers.finish()) {
        session.close();
    }
    Ok(())
}

/// Passes requests on and remembers what they need to be understood.
struct AgentRelay {
    session: Arc<FolderSession>,
    /// The revision that `initialize` agreed upon.
    revision: Mutex<Option<String>>,
    /// The tools that the agent chose.
    tools: String,
}

impl AgentRelay {
    fn answer(&self, request: &Value) -> Value {
        let revision = self.revision.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let passed = AgentRequest { message: request.clone(), revision, tools: self.tools.clone() };
        let answer = self.session.answer(passed).unwrap_or_else(|error| {
            tracing::error!("a request was not answered: {error:#}");
            failed_request(request, &format!("{error:#}"))
        });
        if is_initialize(request)
            && let Some(agreed) = answer.pointer("/result/protocolVersion").and_then(Value::as_str)
        {
            let mut revision = self.revision.lock().unwrap_or_else(PoisonError::into_inner);
            *revision = Some(agreed.to_owned());
        }
        answer
    }
}

fn is_initialize(request: &Value) -> bool {
    request.get("method").and_then(Value::as_str) == Some("initialize")
}

/// Reads lines on a thread of its own, which nothing has to end: the process ends while it waits.
fn read_lines() -> Result<Receiver<AgentLine>> {
    let (sender, lines) = mpsc::sync_channel(MAX_LINES);
    let read = move || {
        let mut input = io::stdin().lock();
        loop {
            let line = match AgentLine::read(&mut input) {
                Ok(Some(line)) => line,
                Ok(None) => return,
                Err(error) => {
                    tracing::error!(%error, "standard input cannot be read");
                    return;
                }
            };
            if sender.send(line).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("stdin".to_owned()).spawn(read).context("cannot start a thread")?;
    Ok(lines)
}

fn pass_requests(lines: &Receiver<AgentLine>, workers: &AgentWorkers) {
    while !STOP_REQUESTED.load(Ordering::Acquire) && !workers.is_closed() {
        match lines.recv_timeout(STOP_POLL) {
            // What comes after it depends on it.
            Ok(AgentLine::Request(request)) if is_initialize(&request) => {
                workers.answer_now(&request);
            }
            Ok(AgentLine::Request(request)) => workers.add_request(request),
            Ok(AgentLine::Cancelled(id)) => workers.cancel_request(&id),
            Ok(AgentLine::Invalid(error)) => workers.write_message(&error),
            Ok(AgentLine::Silent) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Waits until the requests that came are answered, after a signal not for long. Returns whether they are.
fn wait_for_answers(threads: &[JoinHandle<()>]) -> bool {
    let mut end = None;
    while threads.iter().any(|thread| !thread.is_finished()) {
        if STOP_REQUESTED.load(Ordering::Acquire) {
            let end = *end.get_or_insert_with(|| Instant::now() + GRACE);
            if Instant::now() > end {
                return false;
            }
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}
