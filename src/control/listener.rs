//! The server side of the control socket, in the process that holds the data folder.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::Shutdown,
    os::{
        fd::AsRawFd,
        unix::{
            fs::PermissionsExt,
            net::{UnixListener, UnixStream},
        },
    },
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use rustix::process::geteuid;

use super::{
    CommandHost, ControlEvent, ControlRequest,
    protocol::{ControlLine, MAX_LINE_BYTES},
    token::{create_token, is_same_token, remove_file, token_path},
};

/// Commands executed at once; further ones wait in the socket's queue.
const MAX_COMMANDS: usize = 16;
/// A client has this long to send its command.
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// A client that does not read for this long (a suspended one, say) counts as disconnected, so that its
/// run does not keep others waiting.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// A listening control socket; on drop it takes no more commands, and its file is removed.
pub struct ControlListener {
    path: PathBuf,
    active: Arc<AtomicUsize>,
    is_closing: Arc<AtomicBool>,
    accepting: Option<thread::JoinHandle<()>>,
}

impl ControlListener {
    /// Binds the socket and answers on threads of its own.
    pub fn start_listening(path: &Path, host: CommandHost) -> io::Result<Self> {
        // The folder's lock is held, so a socket that is there belongs to a process that ended.
        remove_file(path)?;
        let token: Arc<str> = create_token(path)?.into();
        let listener = within_folder(path, |short| UnixListener::bind(short))?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
        let active = Arc::new(AtomicUsize::new(0));
        let counter = active.clone();
        let is_closing = Arc::new(AtomicBool::new(false));
        let closing = is_closing.clone();
        let accepting = thread::Builder::new().name("control".to_owned()).spawn(move || {
            for stream in listener.incoming().flatten() {
                if closing.load(Ordering::Acquire) {
                    break;
                }
                answer_on_thread(stream, host.clone(), token.clone(), &counter, &closing);
            }
        })?;
        Ok(Self { path: path.to_owned(), active, is_closing, accepting: Some(accepting) })
    }

    /// Waits until no command is running, so that the end of the process cuts none off.
    pub fn wait_for_commands(&self) {
        while self.active.load(Ordering::Acquire) > 0 {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for ControlListener {
    fn drop(&mut self) {
        self.is_closing.store(true, Ordering::Release);
        // The thread waits for a connection: this one ends it, and with it its hold on the service.
        let is_woken = within_folder(&self.path, |short| UnixStream::connect(short)).is_ok();
        // While the folder is still locked: afterwards these names may be those of another process. A socket left behind is
        // removed at the next start.
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(token_path(&self.path));
        if is_woken && let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// Calls `act` with a path to the socket that is short enough for the system (`sun_path` has 108 bytes),
/// however long the path of the data folder is.
pub(super) fn within_folder<T>(
    path: &Path,
    act: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::other("the control socket has no folder"));
    };
    let folder = fs::File::open(folder)?;
    act(&Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name))
}

fn answer_on_thread(
    stream: UnixStream,
    host: CommandHost,
    token: Arc<str>,
    active: &Arc<AtomicUsize>,
    is_closing: &AtomicBool,
) {
    while active.load(Ordering::Acquire) >= MAX_COMMANDS {
        if is_closing.load(Ordering::Acquire) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    active.fetch_add(1, Ordering::AcqRel);
    let active_command = ActiveCommand(active.clone());
    let spawned = thread::Builder::new().name("command".to_owned()).spawn(move || {
        let _active_command = active_command;
        if let Err(error) = answer_command(stream, &host, &token) {
            tracing::warn!(%error, "a command on the control socket was interrupted");
        }
    });
    if let Err(error) = spawned {
        tracing::error!(%error, "cannot start a thread for a command");
    }
}

/// Counts a running command until it is dropped, also on a panic.
struct ActiveCommand(Arc<AtomicUsize>);

impl Drop for ActiveCommand {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn answer_command(stream: UnixStream, host: &CommandHost, token: &str) -> io::Result<()> {
    check_peer(&stream)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    let mut line = String::new();
    BufReader::new((&stream).take(MAX_LINE_BYTES)).read_line(&mut line)?;
    let cancel = Arc::new(AtomicBool::new(false));
    cancel_at_end_of_input(&stream, cancel.clone())?;
    let mut send = |event: ControlEvent| {
        // A client that disconnected (Ctrl-C) stops its command.
        if write_line(&stream, &event).is_err() {
            cancel.store(true, Ordering::Release);
        }
    };
    match serde_json::from_str::<ControlLine<ControlRequest>>(&line) {
        Ok(line) if is_same_token(&line.token, token) => {
            host.execute_for_client(line.request, &cancel, &mut send);
        }
        Ok(_) => send(ControlEvent::Failed {
            message: "the control token is missing or wrong".to_owned(),
        }),
        Err(_) => send(ControlEvent::Failed { message: "unknown command".to_owned() }),
    }
    // Ends the thread that waits for more input.
    stream.shutdown(Shutdown::Both)
}

/// Refuses processes of other users, whatever the permissions of the socket's file have become.
fn check_peer(stream: &UnixStream) -> io::Result<()> {
    let peer = getsockopt(stream, PeerCredentials)?.uid();
    if peer == geteuid().as_raw() || peer == 0 {
        Ok(())
    } else {
        Err(io::Error::other(format!("user {peer} is not allowed to send commands")))
    }
}

/// A client sends nothing after its command; when it closes its side (Ctrl-C) or disconnects, the
/// command is cancelled, and its last event is still sent.
fn cancel_at_end_of_input(stream: &UnixStream, cancel: Arc<AtomicBool>) -> io::Result<()> {
    let mut input = stream.try_clone()?;
    input.set_read_timeout(None)?;
    thread::Builder::new().name("command-input".to_owned()).spawn(move || {
        let _ = input.read(&mut [0]);
        cancel.store(true, Ordering::Release);
    })?;
    Ok(())
}

fn write_line(mut stream: &UnixStream, event: &ControlEvent) -> io::Result<()> {
    let mut line = serde_json::to_vec(event)?;
    line.push(b'\n');
    stream.write_all(&line)
}
