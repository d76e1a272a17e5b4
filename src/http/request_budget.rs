//! Bytes of requests that are not complete count like responses that wait: clients that send a body in part would otherwise
//! fill the memory.

use std::{
    io,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
};
use http_body::{Frame, SizeHint};

use super::connection_state::ConnectionState;

/// Where documents are uploaded. Their files go to the disk piece by piece, and have a limit of their own.
pub const UPLOAD_PATH: &str = "/dashboard/jobs/upload";

/// The connection that a request came over, as an extension of it.
#[derive(Clone)]
pub(super) struct RequestConnection(pub(super) Arc<ConnectionState>);

/// A body whose bytes count for its connection until it has been read to its end.
struct CountedBody {
    body: Body,
    connection: Arc<ConnectionState>,
    counted: usize,
}

/// Counts the body of a request for its connection.
pub(super) fn count_body(mut request: Request) -> Request {
    let connection = request.extensions_mut().remove::<RequestConnection>();
    let Some(RequestConnection(connection)) = connection else { return request };
    if request.uri().path() == UPLOAD_PATH {
        return request;
    }
    request.map(|body| match body.is_end_stream() {
        true => body,
        false => Body::new(CountedBody { body, connection, counted: 0 }),
    })
}

impl CountedBody {
    fn uncount(&mut self) {
        self.connection.remove_request_bytes(std::mem::take(&mut self.counted));
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = pin!(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                self.counted += bytes;
                self.connection.add_request_bytes(bytes);
                if self.connection.is_full() {
                    let error = io::Error::other("too much data of unfinished requests");
                    return Poll::Ready(Some(Err(axum::Error::new(error))));
                }
            }
            Poll::Ready(None | Some(Err(_))) => self.uncount(),
            Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for CountedBody {
    fn drop(&mut self) {
        self.uncount();
    }
}
