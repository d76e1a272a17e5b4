//! How many connections there may be: in all, and from one address.

use std::{
    collections::HashMap,
    future::{Ready, ready},
    io,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use axum_server::accept::Accept;
use ipnet::IpNet;
use metrics::counter;
use tokio::net::TcpStream;
use tower::Service;

use accounts::network_of;

/// How many connections may be open; more are closed as soon as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// In all.
    pub total: usize,
    /// From one address, but for trusted proxies.
    pub of_address: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self { total: 8192, of_address: 1024 }
    }
}

/// Lets connections in while there is room.
#[derive(Clone)]
pub(super) struct Bounded {
    limits: ConnectionLimits,
    exempt: Arc<[IpNet]>,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    total: usize,
    of_address: HashMap<IpAddr, usize>,
}

/// The place of a connection; free again when dropped.
struct Place {
    address: IpAddr,
    open: Arc<Mutex<Open>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(count) = open.of_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.of_address.remove(&self.address);
            }
        }
    }
}

impl Bounded {
    pub(super) fn new(limits: ConnectionLimits, trusted_proxies: &[IpNet]) -> Self {
        Self { limits, exempt: trusted_proxies.into(), open: Arc::default() }
    }

    fn admit(&self, address: IpAddr) -> Option<Place> {
        let exempt = self.exempt.iter().any(|net| net.contains(&address));
        let address = network_of(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let of_address = open.of_address.get(&address).copied().unwrap_or_default();
        if open.total >= self.limits.total || (!exempt && of_address >= self.limits.of_address) {
            return None;
        }
        open.total += 1;
        *open.of_address.entry(address).or_default() += 1;
        Some(Place { address, open: self.open.clone() })
    }
}

impl<S> Accept<TcpStream, S> for Bounded {
    type Stream = TcpStream;
    type Service = Connected<S>;
    type Future = Ready<io::Result<(TcpStream, Connected<S>)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        ready(stream.peer_addr().and_then(|peer| {
            let place = self.admit(peer.ip().to_canonical());
            let place = place.ok_or_else(|| {
                counter!("specbox_connections_refused_total").increment(1);
                io::Error::other("too many connections")
            })?;
            // Answers leave at once; small ones would wait for the acknowledgement of earlier ones.
            stream.set_nodelay(true)?;
            Ok((stream, Connected { service, _place: Arc::new(place) }))
        }))
    }
}

/// What answers the requests of one connection, and holds its place.
#[derive(Clone)]
pub(super) struct Connected<S> {
    service: S,
    _place: Arc<Place>,
}

impl<S: Service<R>, R> Service<R> for Connected<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        self.service.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_has_its_places_and_all_together_have_theirs() {
        let limits = ConnectionLimits { total: 3, of_address: 2 };
        let bounded = Bounded::new(limits, &[]);
        let one = address("192.0.2.1");
        let places = [bounded.admit(one), bounded.admit(one)];
        assert!(places.iter().all(Option::is_some) && bounded.admit(one).is_none());
        let other = bounded.admit(address("192.0.2.2"));
        assert!(other.is_some() && bounded.admit(address("192.0.2.3")).is_none());
        drop(places);
        assert!(bounded.admit(one).is_some());
    }

    #[test]
    fn a_trusted_proxy_speaks_for_many() {
        let limits = ConnectionLimits { total: 10, of_address: 1 };
        let proxies = ["192.0.2.0/24", "2001:db8::5/128"].map(|net| net.parse().expect("a net"));
        let bounded = Bounded::new(limits, &proxies);
        for proxy in ["192.0.2.1", "2001:db8::5"] {
            let places: Vec<_> = (0..3).map(|_| bounded.admit(address(proxy))).collect();
            assert!(places.iter().all(Option::is_some), "{proxy}");
        }
    }
}
