//! The other side of the control socket.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    thread,
    time::Duration,
};

use super::{Event, Request, listener::within_folder, protocol::MAX_LINE_BYTES};

/// A holder that just took the folder has this long to open its socket.
const ATTEMPTS: u32 = 20;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(100);

/// A command could not be handed to the process that holds the folder.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// Nobody answers.
    #[error("the data folder is held by a process that does not answer on its control socket")]
    NoAnswer(#[source] io::Error),
    /// The exchange broke off.
    #[error("the process that holds the data folder went away in the middle of the command")]
    CutOff(#[source] io::Error),
    /// The other side says something unknown.
    #[error("the process that holds the data folder runs another version of specbox")]
    Foreign(#[source] serde_json::Error),
}

/// Hands a command over and passes every event of its answer on; the last one ends the call.
pub fn submit(
    socket: &Path,
    request: &Request,
    sink: &mut dyn FnMut(Event),
) -> Result<(), ControlError> {
    let stream = connect(socket).map_err(ControlError::NoAnswer)?;
    let mut line = serde_json::to_vec(request).map_err(ControlError::Foreign)?;
    line.push(b'\n');
    (&stream).write_all(&line).map_err(ControlError::CutOff)?;
    let mut reader = BufReader::new(&stream);
    loop {
        let mut line = String::new();
        let read = reader.by_ref().take(MAX_LINE_BYTES).read_line(&mut line);
        if read.map_err(ControlError::CutOff)? == 0 {
            return Err(ControlError::CutOff(io::ErrorKind::UnexpectedEof.into()));
        }
        let event: Event = serde_json::from_str(&line).map_err(ControlError::Foreign)?;
        let last = event.is_last();
        sink(event);
        if last {
            return Ok(());
        }
    }
}

fn connect(socket: &Path) -> io::Result<UnixStream> {
    let mut attempt = 0;
    loop {
        match within_folder(socket, |short| UnixStream::connect(short)) {
            Err(_) if attempt < ATTEMPTS => {
                attempt += 1;
                thread::sleep(BETWEEN_ATTEMPTS);
            }
            result => return result,
        }
    }
}
