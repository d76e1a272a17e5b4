//! The bytes of a connection, which ends when its client does not read, or says nothing for long.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Interval, MissedTickBehavior, Sleep, interval, sleep},
};

use super::connection_state::ConnectionState;

/// Interval of the checks whether the connection must be closed: half of the shortest limit of a stalled response.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);
/// A client that does not read a single byte for this long is cut off, even if what it should read belongs to no
/// response, such as a TLS handshake.
const WRITE_LIMIT: Duration = Duration::from_secs(30);

/// A stream that fails when its connection is to be closed.
pub(super) struct WatchedStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    checks: Interval,
    /// Set while the client reads nothing.
    write_deadline: Option<Pin<Box<Sleep>>>,
}

impl WatchedStream {
    pub(super) fn new(stream: TcpStream, state: Arc<ConnectionState>) -> Self {
        let mut checks = interval(CHECK_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { stream, state, checks, write_deadline: None }
    }

    /// Fails if the connection must be closed. Called whenever the protocol reads or writes, because a client can
    /// prevent either of them.
    fn check_connection(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        while self.checks.poll_tick(context).is_ready() {
            if let Some(reason) = self.state.reason_to_close(Instant::now()) {
                tracing::debug!(reason, "a connection is closed");
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    /// Passes on the outcome of a write, unless the client has taken nothing for too long.
    fn check_write(
        &mut self,
        written: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.write_deadline = None;
            return written;
        }
        let deadline = self.write_deadline.get_or_insert_with(|| Box::pin(sleep(WRITE_LIMIT)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.check_connection(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.check_connection(context)?;
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_write(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.check_connection(context)?;
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.check_write(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.check_connection(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
