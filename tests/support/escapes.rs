//! Ways in which a program that a file took over could reach others, and the ground on which they are tried.

use std::{
    fs, io,
    net::{TcpListener, TcpStream, UdpSocket},
    os::{
        linux::net::SocketAddrExt,
        unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream},
    },
    path::Path,
    process::Command,
};

use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

/// The number of ways.
pub(crate) const COUNT: usize = 11;

/// What there is to reach: a file, sockets, a process, a folder.
pub(crate) struct Ground {
    folder: TempDir,
    _listeners: (UnixListener, UnixDatagram, UnixListener, TcpListener),
}

impl Ground {
    pub(crate) fn prepare(folder: TempDir) -> Self {
        let path = folder.path();
        fs::create_dir(path.join("readable")).expect("writable");
        fs::write(path.join("secret"), "a key").expect("writable");
        let stream = UnixListener::bind(path.join("control.sock")).expect("bound");
        let datagram = UnixDatagram::bind(path.join("log.sock")).expect("bound");
        let unnamed = SocketAddr::from_abstract_name(path.as_os_str().as_encoded_bytes());
        let unnamed = UnixListener::bind_addr(&unnamed.expect("a name")).expect("bound");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("bound");
        let port = tcp.local_addr().expect("bound").port().to_string();
        fs::write(path.join("readable/port"), port).expect("writable");
        fs::write(path.join("readable/process"), std::process::id().to_string()).expect("writable");
        Self { folder, _listeners: (stream, datagram, unnamed, tcp) }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Tries every way, and names those that are open.
pub(crate) fn try_all(ground: &Path) -> Vec<String> {
    let note = |name: &str| fs::read_to_string(ground.join("readable").join(name)).expect("a note");
    let process: i32 = note("process").parse().expect("a number");
    let unnamed = || SocketAddr::from_abstract_name(ground.as_os_str().as_encoded_bytes());
    let ways: [(&str, &dyn Fn() -> io::Result<()>); COUNT] = [
        ("read a file outside", &|| fs::read(ground.join("secret")).map(drop)),
        ("wrote a file outside", &|| fs::write(ground.join("made"), "")),
        ("wrote what it may read", &|| fs::write(ground.join("readable/made"), "")),
        ("connected to a socket", &|| UnixStream::connect(ground.join("control.sock")).map(drop)),
        ("sent to a socket", &|| {
            UnixDatagram::unbound()?.send_to(b"x", ground.join("log.sock")).map(drop)
        }),
        ("sent to a socket from a pair", &|| {
            UnixDatagram::pair()?.0.send_to(b"x", ground.join("log.sock")).map(drop)
        }),
        ("connected to an abstract socket", &|| UnixStream::connect_addr(&unnamed()?).map(drop)),
        ("connected over TCP", &|| {
            TcpStream::connect(format!("127.0.0.1:{}", note("port"))).map(drop)
        }),
        ("sent over UDP", &|| {
            UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", "127.0.0.1:9").map(drop)
        }),
        ("signalled a process", &|| {
            let process = Pid::from_raw(process).ok_or(io::ErrorKind::NotFound)?;
            test_kill_process(process).map_err(io::Error::from)
        }),
        ("started a program", &|| Command::new("/bin/true").status().map(drop)),
    ];
    let open = ways.into_iter().filter(|(_, attempt)| attempt().is_ok());
    open.map(|(name, _)| name.to_owned()).collect()
}
