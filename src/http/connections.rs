//! Limits the number of open connections, in total and from one address, and what waits for their clients.

use std::{
    collections::HashMap,
    future::{Ready, ready},
    io,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use axum::{http, response::Response};
use axum_server::accept::Accept;
use ipnet::IpNet;
use metrics::counter;
use tokio::net::TcpStream;
use tower::Service;

use accounts::client_network;

use super::{
    connection_state::{ConnectionState, ResponseCost, SharedBytes, WatchedBody},
    request_budget::RequestConnection,
    respond::overloaded_response,
    response_budget::{BudgetLimits, ConnectionBudget, ResponseBudget},
    router::with_security_headers,
    watched_stream::WatchedStream,
};

/// How many connections may be open; further ones are closed on arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In all.
    pub total: usize,
    /// From one address; trusted proxies are exempt.
    pub per_address: usize,
}

impl Default for ConnectionLimits {
    /// 2,000 idle connections over TLS use 20 MiB (docs/security.md), so all of them about 82 MiB. One address can
    /// open an eighth of them.
    fn default() -> Self {
        Self { total: 8192, per_address: 1024 }
    }
}

/// Accepts connections up to the limits.
#[derive(Clone)]
pub(super) struct ConnectionLimiter {
    limits: ConnectionLimits,
    exempt: Arc<[IpNet]>,
    open: Arc<Mutex<OpenConnections>>,
    budget: Arc<ResponseBudget>,
}

#[derive(Default)]
struct OpenConnections {
    total: usize,
    per_address: HashMap<IpAddr, usize>,
}

/// The slot of a connection; released when dropped.
struct ConnectionSlot {
    address: IpAddr,
    open: Arc<Mutex<OpenConnections>>,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(count) = open.per_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.per_address.remove(&self.address);
            }
        }
    }
}

impl ConnectionLimiter {
    pub(super) fn new(limits: ConnectionLimits, trusted_proxies: &[IpNet]) -> Self {
        let budget = Arc::new(ResponseBudget::new(BudgetLimits::default()));
        Self { limits, exempt: trusted_proxies.into(), open: Arc::default(), budget }
    }

    /// Whether many clients share the address.
    fn is_exempt(&self, address: IpAddr) -> bool {
        self.exempt.iter().any(|net| net.contains(&address))
    }

    fn acquire_slot(&self, address: IpAddr) -> Option<ConnectionSlot> {
        let exempt = self.is_exempt(address);
        let address = client_network(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let open_from_address = open.per_address.get(&address).copied().unwrap_or_default();
        if open.total >= self.limits.total
            || (!exempt && open_from_address >= self.limits.per_address)
        {
            return None;
        }
        open.total += 1;
        *open.per_address.entry(address).or_default() += 1;
        Some(ConnectionSlot { address, open: self.open.clone() })
    }
}

impl<S> Accept<TcpStream, S> for ConnectionLimiter {
    type Stream = WatchedStream;
    type Service = ConnectionService<S>;
    type Future = Ready<io::Result<(WatchedStream, ConnectionService<S>)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(stream.peer_addr().and_then(|peer| {
            let address = peer.ip().to_canonical();
            let slot = self.acquire_slot(address).ok_or_else(|| {
                counter!("specbox_connections_refused_total").increment(1);
                io::Error::other("too many connections")
            })?;
            // Nagle's algorithm would delay a small answer until earlier ones are acknowledged.
            stream.set_nodelay(true)?;
            let budget =
                ConnectionBudget::new(self.budget.clone(), slot.address, self.is_exempt(address));
            let state = ConnectionState::new(budget);
            let stream = WatchedStream::new(stream, state.clone());
            Ok((stream, ConnectionService { service, state, _slot: Arc::new(slot) }))
        }))
    }
}

/// The service of one connection, which keeps the connection's slot and notes what waits for its client.
#[derive(Clone)]
pub(super) struct ConnectionService<S> {
    service: S,
    state: Arc<ConnectionState>,
    _slot: Arc<ConnectionSlot>,
}

impl<S, B> Service<http::Request<B>> for ConnectionService<S>
where
    S: Service<http::Request<B>, Response = Response, Future: Send + 'static>,
    S::Error: Send + 'static,
{
    type Response = http::Response<WatchedBody>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        let is_copied = request.version() != http::Version::HTTP_2;
        let Some(open) = self.state.begin_request() else {
            counter!("specbox_requests_shed_total").increment(1);
            let open = self.state.open_regardless();
            return Box::pin(ready(Ok(with_security_headers(overloaded_response(), None).map(
                |body| WatchedBody::new(body, open, ResponseCost { is_shared: false, is_copied }),
            ))));
        };
        request.extensions_mut().insert(RequestConnection(self.state.clone()));
        let answer = self.service.call(request);
        let state = self.state.clone();
        Box::pin(async move {
            let mut response = answer.await?;
            // Many requests may have begun while nothing waited, so the bound is checked again.
            if state.is_full() {
                counter!("specbox_requests_shed_total").increment(1);
                response = with_security_headers(overloaded_response(), None);
            }
            let is_shared = response.extensions().get::<SharedBytes>().is_some();
            let cost = ResponseCost { is_shared, is_copied };
            Ok(response.map(|body| WatchedBody::new(body, open, cost)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn connections_are_limited_per_address_and_in_total() {
        let limits = ConnectionLimits { total: 3, per_address: 2 };
        let limiter = ConnectionLimiter::new(limits, &[]);
        let one = address("192.0.2.1");
        let slots = [limiter.acquire_slot(one), limiter.acquire_slot(one)];
        assert!(slots.iter().all(Option::is_some) && limiter.acquire_slot(one).is_none());
        let other = limiter.acquire_slot(address("192.0.2.2"));
        assert!(other.is_some() && limiter.acquire_slot(address("192.0.2.3")).is_none());
        drop(slots);
        assert!(limiter.acquire_slot(one).is_some());
    }

    #[test]
    fn trusted_proxies_are_exempt_from_the_limit_per_address() {
        let limits = ConnectionLimits { total: 10, per_address: 1 };
        let proxies = ["192.0.2.0/24", "2001:db8::5/128"].map(|net| net.parse().expect("a net"));
        let limiter = ConnectionLimiter::new(limits, &proxies);
        for proxy in ["192.0.2.1", "2001:db8::5"] {
            let slots: Vec<_> = (0..3).map(|_| limiter.acquire_slot(address(proxy))).collect();
            assert!(slots.iter().all(Option::is_some), "{proxy}");
        }
    }
}
