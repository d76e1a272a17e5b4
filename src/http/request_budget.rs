//! Bytes of requests that are not complete, or wait for their answers, count like responses that wait: clients that
//! send a part of a body, or long headers on many streams, would otherwise fill the memory.

use std::{
    error::Error,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    middleware::Next,
    response::Response,
};
use http_body::{Frame, SizeHint};

use super::{connection_state::ConnectionState, respond::failure_response};
use wire::Failure;

/// Seconds after which a client may retry whose request found too much waiting.
pub(super) const RETRY_AFTER_S: u64 = 5;

/// Where documents are uploaded. Their files go to the disk piece by piece, and have a limit of their own.
pub const UPLOAD_PATH: &str = "/dashboard/jobs/upload";

/// The connection that a request came over, as an extension of it.
#[derive(Clone)]
pub(super) struct RequestConnection(pub(super) Arc<ConnectionState>);

/// Too many bytes of unfinished requests, or of responses, wait already.
#[derive(Debug, thiserror::Error)]
#[error("unfinished requests contain too much data")]
struct TooMuchUnfinished;

/// Whether a body ended with this error because of the others that wait.
pub(super) fn is_overload(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<TooMuchUnfinished>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// A body whose bytes count for its connection until it has been read to its end.
struct CountedBody {
    body: Body,
    connection: Arc<ConnectionState>,
    counted: usize,
}

/// What an entry of the headers takes beside its bytes: many short ones would otherwise count for less than they use.
const BYTES_PER_HEADER: usize = 64;

/// The bytes of the head of a request; they count for its connection until this is dropped.
struct CountedHead {
    connection: Arc<ConnectionState>,
    bytes: usize,
}

impl CountedHead {
    fn count(connection: &Arc<ConnectionState>, request: &Request) -> Arc<Self> {
        let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
        let headers = request.headers().iter();
        let headers =
            headers.map(|(name, value)| BYTES_PER_HEADER + name.as_str().len() + value.len());
        let bytes = target + headers.sum::<usize>();
        connection.add_request_bytes(bytes);
        Arc::new(Self { connection: connection.clone(), bytes })
    }
}

impl Drop for CountedHead {
    fn drop(&mut self) {
        self.connection.remove_request_bytes(self.bytes);
    }
}

/// Refuses a request if its head and everything that waits exceed the bounds. The head counts until the answer
/// begins: long headers on many streams would otherwise fill the memory while requests wait for workers.
pub(super) async fn refuse_when_full(request: Request, next: Next) -> Response {
    let head = request.extensions().get::<Arc<CountedHead>>().cloned();
    if head.as_ref().is_some_and(|head| head.connection.is_full()) {
        return failure_response(&Failure::Overloaded { retry_after_s: RETRY_AFTER_S });
    }
    let response = next.run(request).await;
    drop(head);
    response
}

/// Counts the head and the body of a request for its connection.
pub(super) fn count_request(mut request: Request) -> Request {
    let connection = request.extensions_mut().remove::<RequestConnection>();
    let Some(RequestConnection(connection)) = connection else { return request };
    let head = CountedHead::count(&connection, &request);
    request.extensions_mut().insert(head);
    if request.uri().path() == UPLOAD_PATH {
        return request;
    }
    request.map(|body| {
        if body.is_end_stream() {
            body
        } else {
            Body::new(CountedBody { body, connection, counted: 0 })
        }
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
                    return Poll::Ready(Some(Err(axum::Error::new(TooMuchUnfinished))));
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

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, task::Waker};

    use super::{
        super::response_budget::{BudgetLimits, ConnectionBudget, ResponseBudget},
        *,
    };

    fn counted(connection: &Arc<ConnectionState>, path: &str, bytes: usize) -> Body {
        let request = Request::post(path).extension(RequestConnection(connection.clone()));
        count_request(request.body(vec![0; bytes].into()).expect("a request")).into_body()
    }

    fn poll(body: &mut Body) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(body).poll_frame(&mut Context::from_waker(Waker::noop()))
    }

    fn is_read(body: &mut Body) -> bool {
        matches!(poll(body), Poll::Ready(Some(Ok(_))))
    }

    #[test]
    fn bodies_count_until_they_are_read_or_given_up_and_too_many_are_refused() {
        let limits = BudgetLimits { total: 100, per_address: 100, per_connection: 100 };
        let budget = Arc::new(ResponseBudget::new(limits));
        let address = Ipv4Addr::LOCALHOST.into();
        let connection = ConnectionState::new(ConnectionBudget::new(budget, address, false));
        let mut first = counted(&connection, "/search/text", 60);
        let mut second = counted(&connection, "/search/text", 60);
        assert!(is_read(&mut first), "it has room");
        let refused =
            |body| matches!(poll(body), Poll::Ready(Some(Err(error))) if is_overload(&error));
        assert!(refused(&mut second) && connection.is_full(), "it has not");
        drop(second);
        assert!(!connection.is_full(), "given up");
        assert!(is_read(&mut counted(&connection, UPLOAD_PATH, 1_000)), "files go to the disk");
        let mut third = counted(&connection, "/search/text", 30);
        assert!(is_read(&mut third));
        // The end of the first: only the third counts.
        assert!(!is_read(&mut first));
        assert!(is_read(&mut counted(&connection, "/search/text", 60)));
    }

    #[test]
    fn heads_count_until_their_requests_are_answered() {
        let limits = BudgetLimits { total: 10_000, per_address: 10_000, per_connection: 10_000 };
        let budget = Arc::new(ResponseBudget::new(limits));
        let connection =
            ConnectionState::new(ConnectionBudget::new(budget, Ipv4Addr::LOCALHOST.into(), false));
        let request = || {
            let request = Request::get("/health").header("x-long", "x".repeat(6_000));
            let request = request.extension(RequestConnection(connection.clone()));
            count_request(request.body(Body::empty()).expect("a request"))
        };
        let first = request();
        assert!(!connection.is_full());
        let second = request();
        assert!(connection.is_full());
        drop(second);
        assert!(!connection.is_full());
        drop(first);
        let _third = request();
        assert!(!connection.is_full());
    }
}
