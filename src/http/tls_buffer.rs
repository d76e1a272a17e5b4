//! Keeps the buffer of TLS small for clients that do not read: by default, it holds 64 KiB of a response.

use std::{io, pin::Pin};

use axum_server::accept::Accept;
use tokio_rustls::server::TlsStream;

/// Bytes that TLS buffers ahead of the client: one record of the largest size.
const BUFFER_BYTES: usize = 16 << 10;

/// Wraps an acceptor of TLS.
#[derive(Clone)]
pub(super) struct SmallBufferAcceptor<A>(pub(super) A);

impl<A, I, S, T> Accept<I, S> for SmallBufferAcceptor<A>
where
    A: Accept<I, S, Stream = TlsStream<T>, Future: Send + 'static>,
{
    type Stream = A::Stream;
    type Service = A::Service;
    type Future =
        Pin<Box<dyn Future<Output = io::Result<(Self::Stream, Self::Service)>> + Send + 'static>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let accepted = self.0.accept(stream, service);
        Box::pin(async move {
            let (mut stream, service) = accepted.await?;
            stream.get_mut().1.set_buffer_limit(Some(BUFFER_BYTES));
            Ok((stream, service))
        })
    }
}
