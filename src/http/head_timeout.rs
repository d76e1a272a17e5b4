//! Closes connections on which the client sends nothing.
//!
//! Before the first bytes of a connection it is not known whether it speaks HTTP/1 or HTTP/2, and
//! the time limits of neither apply: without this one, a few hosts could occupy all connections.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum_server::accept::Accept;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// A client has this long to send the head of a request, the first or the next.
pub(super) const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// Bytes after which the version is known: the length of the HTTP/2 preface (RFC 9113, 3.4).
const PREFACE_BYTES: usize = 24;

/// Wraps another acceptor, and closes connections that stay silent.
#[derive(Clone)]
pub(super) struct HeadTimeoutAcceptor<A>(pub(super) A);

impl<A, I, S> Accept<I, S> for HeadTimeoutAcceptor<A>
where
    A: Accept<I, S, Future: Send + 'static>,
{
    type Stream = HeadTimeoutStream<A::Stream>;
    type Service = A::Service;
    type Future =
        Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send + 'static>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (stream, service) = accepted.await?;
            Ok((HeadTimeoutStream::new(stream, HEAD_TIMEOUT), service))
        })
    }
}

/// A stream whose peer must send its first bytes in time.
pub(super) struct HeadTimeoutStream<I> {
    stream: I,
    read_bytes: usize,
    /// `None` once the peer has sent enough, or was answered.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<I> HeadTimeoutStream<I> {
    fn new(stream: I, timeout: Duration) -> Self {
        Self { stream, read_bytes: 0, deadline: Some(Box::pin(sleep(timeout))) }
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for HeadTimeoutStream<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.read_bytes = self.read_bytes.saturating_add(buffer.filled().len() - before);
        if self.read_bytes >= PREFACE_BYTES {
            self.deadline = None;
        }
        if polled.is_pending()
            && let Some(deadline) = &mut self.deadline
            && deadline.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        polled
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for HeadTimeoutStream<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        // The server answers a request that is shorter than the preface.
        self.deadline = None;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.deadline = None;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn silence_and_a_part_of_a_preface_end_a_connection() {
        for begun in ["", "P", "PRI * HTTP/2.0\r\n"] {
            let (mut client, server) = duplex(64);
            client.write_all(begun.as_bytes()).await.expect("sent");
            let mut bytes = Vec::new();
            let ended = HeadTimeoutStream::new(server, SOON).read_to_end(&mut bytes).await;
            let ended = ended.expect_err("it says nothing more");
            assert_eq!((ended.kind(), bytes.len()), (io::ErrorKind::TimedOut, begun.len()));
        }
    }

    #[tokio::test]
    async fn a_connection_that_sent_a_request_may_stay_idle() {
        let (mut client, server) = duplex(64);
        let mut server = HeadTimeoutStream::new(server, SOON);
        client.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
        server.read_exact(&mut [0; 27]).await.expect("read");
        let rest = tokio::time::timeout(SOON * 5, server.read_u8()).await;
        assert!(rest.is_err(), "it waits");
    }
}
