//! The client side of the control socket.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};

use super::{
    ControlEvent, ControlRequest,
    listener::within_folder,
    protocol::{ControlLine, MAX_LINE_BYTES},
    token::read_token,
};

/// Attempts to connect: a process that has just locked the folder may not have opened its socket yet.
const MAX_ATTEMPTS: u32 = 100;
const ATTEMPT_INTERVAL: Duration = Duration::from_millis(100);

/// How often a wait for the next event checks whether a stop was requested.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// A command could not be handed to the process that holds the folder.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// No process listens on the socket.
    #[error("the data folder is in use by a process that does not answer on its control socket")]
    NoAnswer(#[source] io::Error),
    /// The file with the socket's token cannot be read.
    #[error("cannot read the control token of the process that uses the data folder")]
    NoToken(#[source] io::Error),
    /// The connection ended before the last event.
    #[error("the process that uses the data folder exited while the command was running")]
    CutOff(#[source] io::Error),
    /// The process keeps the folder.
    #[error("{0}")]
    Refused(String),
    /// The other side sent an event that this version does not know.
    #[error("the process that uses the data folder runs a different version of specbox")]
    Foreign(#[source] serde_json::Error),
}

/// Waits until a process listens on the socket, for so long at most.
pub fn wait_for_process(socket: &Path, time: Duration, stop: &AtomicBool) -> bool {
    let end = Instant::now() + time;
    while !stop.load(Ordering::Acquire) && Instant::now() < end {
        // A connection without a command is closed by the other side, and not logged as an error.
        if within_folder(socket, |short| UnixStream::connect(short)).is_ok() {
            return true;
        }
        thread::sleep(STOP_CHECK_INTERVAL);
    }
    false
}

/// Sends a command and passes every event of its answer to `sink`; the last one ends the call.
/// `stop` requests an early end.
pub fn submit_request(
    socket: &Path,
    request: &ControlRequest,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(ControlEvent),
) -> Result<(), ControlError> {
    let stream = connect_with_retries(socket, stop).map_err(ControlError::NoAnswer)?;
    let token = read_token(socket).map_err(|error| match error.kind() {
        // A process removes its token when it ends: the connection was among the last it accepted, and nothing was sent on it.
        io::ErrorKind::NotFound => ControlError::NoAnswer(error),
        _ => ControlError::NoToken(error),
    })?;
    let mut line =
        serde_json::to_vec(&ControlLine { token, request }).map_err(ControlError::Foreign)?;
    line.push(b'\n');
    (&stream).write_all(&line).map_err(ControlError::CutOff)?;
    stream.set_read_timeout(Some(STOP_CHECK_INTERVAL)).map_err(ControlError::CutOff)?;
    let mut reader = BufReader::new((&stream).take(MAX_LINE_BYTES));
    loop {
        reader.get_mut().set_limit(MAX_LINE_BYTES);
        let line = next_line(&mut reader, &stream, stop).map_err(ControlError::CutOff)?;
        let event: ControlEvent = serde_json::from_slice(&line).map_err(ControlError::Foreign)?;
        let last = event.is_last();
        sink(event);
        if last {
            return Ok(());
        }
    }
}

/// Reads a line, closing our side of the stream when a stop is requested meanwhile.
fn next_line(
    reader: &mut impl BufRead,
    stream: &UnixStream,
    stop: &AtomicBool,
) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        // Before each wait: a busy run sends its events faster than any wait times out.
        if stop.load(Ordering::Acquire) {
            stream.shutdown(Shutdown::Write)?;
            // Otherwise it ends the command, and says so; a suspended process does neither.
            if is_suspended(stream) {
                let reason = "it is suspended by a signal; resume it with kill -CONT";
                return Err(io::Error::other(reason));
            }
        }
        match reader.read_until(b'\n', &mut line) {
            Ok(_) if line.ends_with(b"\n") => return Ok(line),
            Ok(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
            // What was read so far stays in `line`.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether the process at the other end was stopped by a signal (proc(5), the third field of `/proc/PID/stat`).
fn is_suspended(stream: &UnixStream) -> bool {
    // 0 is a process that is not seen from here, and has no such file.
    let Ok(peer) = getsockopt(stream, PeerCredentials) else { return false };
    let stat = fs::read_to_string(format!("/proc/{}/stat", peer.pid()));
    let state = stat.as_deref().ok().and_then(|stat| stat.rsplit_once(") ")?.1.chars().next());
    matches!(state, Some('T' | 't'))
}

fn connect_with_retries(socket: &Path, stop: &AtomicBool) -> io::Result<UnixStream> {
    let mut attempt = 0;
    loop {
        match within_folder(socket, |short| UnixStream::connect(short)) {
            Err(_) if attempt < MAX_ATTEMPTS && !stop.load(Ordering::Acquire) => {
                attempt += 1;
                thread::sleep(ATTEMPT_INTERVAL);
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_process_that_has_removed_its_token_counts_as_one_that_does_not_answer() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let socket = folder.path().join("control.sock");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        let never = AtomicBool::new(false);
        let outcome = submit_request(&socket, &ControlRequest::HandOver, &never, &mut |_| {});
        assert!(matches!(outcome, Err(ControlError::NoAnswer(_))), "{outcome:?}");
    }
}
