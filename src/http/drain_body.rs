//! Request bodies are read to their end, even when the answer does not need them.
//!
//! Many refusals need no body: a missing key, an unknown path, a form from another site. If the server
//! answers and drops the rest, the client often never sees the answer: over HTTP/1 the connection breaks
//! while the client is still sending, over HTTP/2 the stream is reset. So the rest of a body that a
//! handler drops is read and discarded in the background, up to the limits below.

use std::{
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::{runtime::Handle, time::timeout};

/// Limits on the time and size of what is drained; beyond them the rest of a body is dropped, as a client could send
/// without end. A body of many times the accepted size (`MAX_BODY_BYTES`) is still read, so its client sees the 413.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_DRAINED_BYTES: usize = 16 << 20;

/// A body whose rest is read when it is dropped.
struct DrainedBody(Option<Body>);

/// Wraps a body so that what is left of it is read and discarded when it is dropped.
pub(super) fn drain_on_drop(body: Body) -> Body {
    if body.is_end_stream() { body } else { Body::new(DrainedBody(Some(body))) }
}

impl HttpBody for DrainedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.0 else { return Poll::Ready(None) };
        let polled = pin!(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            // It has ended: nothing is left to read.
            self.0 = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for DrainedBody {
    fn drop(&mut self) {
        let rest = self.0.take().filter(|body| !body.is_end_stream());
        if let (Some(rest), Ok(runtime)) = (rest, Handle::try_current()) {
            runtime.spawn(timeout(DRAIN_TIMEOUT, discard_rest(rest)));
        }
    }
}

async fn discard_rest(mut body: Body) {
    let mut read_bytes = 0;
    while let Some(Ok(frame)) = body.frame().await {
        read_bytes += frame.data_ref().map_or(0, Bytes::len);
        if read_bytes > MAX_DRAINED_BYTES {
            return;
        }
    }
}
