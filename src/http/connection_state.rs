//! What a connection is doing, and whether it has to be closed: clients that do not read, and silent ones.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
    time::{Duration, Instant},
};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

use super::response_budget::{ConnectionBudget, Pressure};

/// If the client reads nothing of a response for this long, its connection is closed.
const STALL_LIMIT: Duration = Duration::from_secs(30);
/// The same if many bytes wait: then clients that stall keep others from being answered.
const STALL_LIMIT_UNDER_PRESSURE: Duration = Duration::from_secs(4);
/// A connection without a request for this long is closed. Answers to pings do not count: a client that only answers
/// pings would keep its slot forever.
const IDLE_LIMIT: Duration = Duration::from_secs(180);
/// The most bytes that a protocol gets at a time: it keeps what it has until the client reads it.
const CHUNK_BYTES: usize = 8 << 10;
/// How a response is kept while it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResponseCost {
    /// Its bytes are kept once for all clients.
    pub(super) is_shared: bool,
    /// The connection copies it: HTTP/1 does, HTTP/2 keeps the bytes themselves.
    pub(super) is_copied: bool,
}

/// The most bytes that the buffers of HTTP/1 (16 KiB, as the head of a request) and TLS (16 KiB) and one chunk hold
/// of a response. While they were larger and not counted, 2,000 clients that read nothing held up to 370 MiB.
const HELD_BYTES: usize = 40 << 10;

/// Marks a response whose bytes are kept once for all clients: while they wait, only the bytes that the connection
/// has copied count.
#[derive(Debug, Clone, Copy)]
pub struct SharedBytes;

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct ConnectionState {
    budget: ConnectionBudget,
    next_response: AtomicU64,
    activity: Mutex<Activity>,
}

#[derive(Debug)]
struct Activity {
    /// Requests that are being answered, up to the last byte of the response.
    open: usize,
    /// When the last one ended.
    idle_since: Instant,
    /// Responses of which the next bytes are ready: since when.
    ready: HashMap<u64, Instant>,
}

impl ConnectionState {
    pub(super) fn new(budget: ConnectionBudget) -> Arc<Self> {
        let activity = Activity { open: 0, idle_since: Instant::now(), ready: HashMap::new() };
        Arc::new(Self { budget, next_response: AtomicU64::new(0), activity: activity.into() })
    }

    fn lock(&self) -> MutexGuard<'_, Activity> {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a request; `None` if too many bytes already wait.
    pub(super) fn begin_request(self: &Arc<Self>) -> Option<OpenRequest> {
        (!self.is_full()).then(|| self.open_regardless())
    }

    /// Whether too much waits already for one more response.
    pub(super) fn is_full(&self) -> bool {
        self.budget.pressure() == Pressure::Full
    }

    /// Counts bytes of a request that is not complete yet.
    pub(super) fn add_request_bytes(&self, bytes: usize) {
        self.budget.add(bytes);
    }

    /// Stops counting bytes of a request that is complete or was given up.
    pub(super) fn remove_request_bytes(&self, bytes: usize) {
        self.budget.remove(bytes);
    }

    /// Begins a request that is refused at once.
    pub(super) fn open_regardless(self: &Arc<Self>) -> OpenRequest {
        self.lock().open += 1;
        OpenRequest(self.clone())
    }

    /// Why the connection must be closed now; `None` if it may stay open.
    pub(super) fn reason_to_close(&self, now: Instant) -> Option<&'static str> {
        let limit = match self.budget.pressure() {
            Pressure::Low => STALL_LIMIT,
            Pressure::High | Pressure::Full => STALL_LIMIT_UNDER_PRESSURE,
        };
        let activity = self.lock();
        let waited = |since: &Instant| now.saturating_duration_since(*since);
        if activity.ready.values().any(|since| waited(since) >= limit) {
            return Some("the client does not read");
        }
        let is_idle = activity.open == 0 && waited(&activity.idle_since) >= IDLE_LIMIT;
        is_idle.then_some("the connection is idle")
    }
}

/// A request that is being answered, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenRequest(Arc<ConnectionState>);

impl Drop for OpenRequest {
    fn drop(&mut self) {
        let mut activity = self.0.lock();
        activity.open -= 1;
        activity.idle_since = Instant::now();
    }
}

/// The body of a response, passed on in chunks, with a note of what waits.
pub(super) struct WatchedBody {
    body: Body,
    request: OpenRequest,
    id: u64,
    /// Bytes that wait, as counted in the budget.
    counted: usize,
    /// Bytes that count to the end: the connection may still hold this many of those that were handed over.
    held: usize,
    /// The rest of a frame.
    rest: Bytes,
    /// Bytes of the chunk that was handed over last. They count until the protocol asks for more, or ends the
    /// response: it may hold them for a client that does not read.
    handed: usize,
}

impl WatchedBody {
    pub(super) fn new(body: Body, request: OpenRequest, cost: ResponseCost) -> Self {
        let state = &request.0;
        let id = state.next_response.fetch_add(1, Ordering::Relaxed);
        let size = body.size_hint().exact().unwrap_or_default();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let held = if cost.is_copied { size.min(HELD_BYTES) } else { 0 };
        let counted = if cost.is_shared { held } else { size };
        state.budget.add(counted);
        if !body.is_end_stream() {
            state.lock().ready.insert(id, Instant::now());
        }
        Self { body, request, id, counted, held, rest: Bytes::new(), handed: 0 }
    }

    fn uncount(&mut self, bytes: usize) {
        let bytes = bytes.min(self.counted);
        self.counted -= bytes;
        self.request.0.budget.remove(bytes);
    }

    /// Notes whether the next bytes are ready: only then does the response wait for the client.
    fn note_ready(&self, is_ready: bool) {
        let mut activity = self.request.0.lock();
        if is_ready {
            activity.ready.insert(self.id, Instant::now())
        } else {
            activity.ready.remove(&self.id)
        };
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        self.uncount(self.counted);
        self.note_ready(false);
    }
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let handed = std::mem::take(&mut self.handed).min(self.counted - self.held);
        self.uncount(handed);
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                Poll::Pending => {
                    self.note_ready(false);
                    return Poll::Pending;
                }
                ended => {
                    self.note_ready(false);
                    return ended;
                }
            }
        }
        let size = self.rest.len().min(CHUNK_BYTES);
        let chunk = self.rest.split_to(size);
        self.handed = chunk.len();
        self.note_ready(true);
        Poll::Ready(Some(Ok(Frame::data(chunk))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let mut hint = self.body.size_hint();
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::super::response_budget::{BudgetLimits, ResponseBudget};
    use super::*;

    const OWN: ResponseCost = ResponseCost { is_shared: false, is_copied: true };

    fn connection(total: usize) -> Arc<ConnectionState> {
        let limits = BudgetLimits { total, per_address: total, per_connection: total };
        let budget = Arc::new(ResponseBudget::new(limits));
        let address = "192.0.2.1".parse().expect("an address");
        ConnectionState::new(ConnectionBudget::new(budget, address, false))
    }

    fn watched(connection: &Arc<ConnectionState>, bytes: usize) -> WatchedBody {
        let request = connection.begin_request().expect("there is room");
        WatchedBody::new(Body::from(vec![7; bytes]), request, OWN)
    }

    #[tokio::test]
    async fn a_body_arrives_whole_in_chunks_and_leaves_nothing_behind() {
        let connection = connection(1 << 20);
        let mut body = watched(&connection, 40_000);
        assert_eq!(body.size_hint().exact(), Some(40_000));
        let mut sizes = Vec::new();
        while let Some(frame) = body.frame().await {
            sizes.push(frame.expect("bytes").into_data().expect("data").len());
        }
        assert_eq!(sizes, [[CHUNK_BYTES; 4].as_slice(), &[40_000 - 4 * CHUNK_BYTES]].concat());
        drop(body);
        assert!(connection.lock().ready.is_empty() && connection.lock().open == 0);
        assert_eq!(connection.budget.pressure(), Pressure::Low);
    }

    #[tokio::test]
    async fn what_http_1_copies_counts_to_the_end_and_shared_bytes_do_not() {
        const SHARED: ResponseCost = ResponseCost { is_shared: true, is_copied: true };
        const KEPT: ResponseCost = ResponseCost { is_shared: true, is_copied: false };
        for (cost, at_first, at_last) in [
            (OWN, 100_000, HELD_BYTES),
            (SHARED, HELD_BYTES, HELD_BYTES),
            (KEPT, 0, 0),
            (ResponseCost { is_copied: false, ..OWN }, 100_000, 100_000 % CHUNK_BYTES),
        ] {
            let connection = connection(1 << 20);
            let request = connection.begin_request().expect("there is room");
            let mut body = WatchedBody::new(Body::from(vec![7; 100_000]), request, cost);
            assert_eq!(body.counted, at_first, "{cost:?}");
            while !body.is_end_stream() {
                body.frame().await.expect("a chunk").expect("bytes");
            }
            assert_eq!(body.counted, at_last, "{cost:?}");
            drop(body);
            assert_eq!(connection.budget.pressure(), Pressure::Low);
        }
    }

    #[test]
    fn a_client_that_takes_nothing_is_cut_off_and_sooner_under_pressure() {
        for (total, limit) in [(1 << 20, STALL_LIMIT), (1_500, STALL_LIMIT_UNDER_PRESSURE)] {
            let connection = connection(total);
            let _body = watched(&connection, 1_000);
            let soon = Instant::now() + limit - Duration::from_secs(1);
            assert_eq!(connection.reason_to_close(soon), None);
            let late = Instant::now() + limit;
            assert_eq!(connection.reason_to_close(late), Some("the client does not read"));
        }
    }

    #[tokio::test]
    async fn a_response_that_waits_for_the_server_is_not_the_clients_fault() {
        let connection = connection(1 << 20);
        let request = connection.begin_request().expect("there is room");
        let body = Body::from_stream(futures_util::stream::pending::<Result<Bytes, axum::Error>>());
        let mut body = WatchedBody::new(body, request, OWN);
        let next = tokio::time::timeout(Duration::from_millis(10), body.frame()).await;
        assert!(next.is_err(), "it waits");
        assert_eq!(connection.reason_to_close(Instant::now() + 10 * IDLE_LIMIT), None);
    }

    #[tokio::test]
    async fn the_last_chunk_counts_until_the_response_ends() {
        let connection = connection(1 << 20);
        let mut body = watched(&connection, 1_000);
        let frame = body.frame().await.expect("a frame").expect("bytes");
        assert!(frame.data_ref().is_some() && body.is_end_stream());
        let late = Instant::now() + STALL_LIMIT;
        assert_eq!(connection.reason_to_close(late), Some("the client does not read"));
        assert!(body.frame().await.is_none());
        assert_eq!(connection.reason_to_close(late), None);
    }

    #[test]
    fn idle_connections_are_closed_and_full_ones_take_no_request() {
        let connection = connection(1_000);
        assert_eq!(connection.reason_to_close(Instant::now() + IDLE_LIMIT / 2), None);
        let late = Instant::now() + IDLE_LIMIT;
        assert_eq!(connection.reason_to_close(late), Some("the connection is idle"));
        let body = watched(&connection, 1_000);
        assert!(connection.begin_request().is_none());
        drop(body);
        assert!(connection.begin_request().is_some());
    }
}
