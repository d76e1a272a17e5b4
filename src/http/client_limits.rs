//! Who a client is, and how much of the open routes each may use.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use ipnet::IpNet;

use accounts::client_network;
use wire::Failure;

/// Seconds after which a client that has too many requests under way may try again.
const RETRY_AFTER_S: u64 = 1;
/// After this many requests, the addresses that have been quiet for a while are forgotten: otherwise every address
/// that ever requested a picture would stay in memory.
const SWEEP_INTERVAL: u32 = 10_000;

/// Limits on the picture requests of one address; 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageLimits {
    /// Requests per second, on average.
    pub per_second: u32,
    /// Requests in a burst after a pause.
    pub burst: u32,
    /// Answers in flight at the same time.
    pub at_once: u32,
}

impl Default for ImageLimits {
    /// A page with a hundred figures opens at once; a crawler is slowed down.
    fn default() -> Self {
        Self { per_second: 50, burst: 300, at_once: 32 }
    }
}

/// The address of the client: that of the connection, or behind a trusted proxy the last one of
/// `X-Forwarded-For` that is not itself a trusted proxy.
pub(super) fn client_address(
    headers: &HeaderMap,
    extensions: &Extensions,
    trusted: &[IpNet],
) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |info| info.0.ip().to_canonical());
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    if !is_trusted(&peer) {
        return peer;
    }
    let lines = headers.get_all("x-forwarded-for").iter();
    let entries: Vec<&[u8]> =
        lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b',')).collect();
    let mut client = peer;
    for entry in entries.into_iter().rev() {
        // None of our proxies writes an unreadable entry: neither it nor what precedes it is trusted.
        let entry = str::from_utf8(entry).unwrap_or_default().trim();
        let Some(address) = parse_address(entry) else { break };
        client = address;
        if !is_trusted(&address) {
            break;
        }
    }
    client
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

/// Limits how often each address requests pictures, and how many answers it has in flight.
pub(super) struct ImageRateLimiter {
    rate: Option<DefaultKeyedRateLimiter<IpAddr>>,
    max_in_flight: u32,
    in_flight: Arc<Mutex<InFlightCounts>>,
}

#[derive(Default)]
struct InFlightCounts {
    answers: HashMap<IpAddr, u32>,
    requests_since_sweep: u32,
}

/// Permission for one answer; it counts as in flight until dropped.
pub struct ImagePermit {
    client: IpAddr,
    in_flight: Option<Arc<Mutex<InFlightCounts>>>,
}

impl Drop for ImagePermit {
    fn drop(&mut self) {
        let Some(counts) = &self.in_flight else { return };
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.answers.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.answers.remove(&self.client);
            }
        }
    }
}

impl ImageRateLimiter {
    pub(super) fn new(limits: ImageLimits) -> Self {
        let rate = NonZeroU32::new(limits.per_second).map(|per_second| {
            let burst = NonZeroU32::new(limits.burst).unwrap_or(per_second);
            RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst))
        });
        Self { rate, max_in_flight: limits.at_once, in_flight: Arc::default() }
    }

    /// Admits a request, or refuses it and says when the client may try again.
    pub(super) fn admit_request(&self, address: IpAddr) -> Result<ImagePermit, Failure> {
        let client = client_network(address);
        if let Some(rate) = &self.rate {
            rate.check_key(&client).map_err(|refused| {
                let wait = refused.wait_time_from(DefaultClock::default().now());
                // A part of a second counts as a whole one.
                Failure::TooManyRequests { retry_after_s: wait.as_secs() + 1 }
            })?;
        }
        let mut counts = self.in_flight.lock().unwrap_or_else(PoisonError::into_inner);
        counts.requests_since_sweep += 1;
        if counts.requests_since_sweep >= SWEEP_INTERVAL {
            counts.requests_since_sweep = 0;
            self.rate.iter().for_each(|rate| rate.retain_recent());
        }
        if self.max_in_flight == 0 {
            return Ok(ImagePermit { client, in_flight: None });
        }
        let count = counts.answers.entry(client).or_default();
        if *count >= self.max_in_flight {
            return Err(Failure::TooManyRequests { retry_after_s: RETRY_AFTER_S });
        }
        *count += 1;
        Ok(ImagePermit { client, in_flight: Some(self.in_flight.clone()) })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn address(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            let value = HeaderValue::from_bytes(value.as_bytes()).expect("a value");
            headers.append("x-forwarded-for", value);
        }
        let mut extensions = Extensions::new();
        let peer: IpAddr = peer.parse().expect("an address");
        extensions.insert(ConnectInfo(SocketAddr::new(peer, 1)));
        let trusted: Vec<IpNet> = trusted.iter().map(|net| net.parse().expect("a net")).collect();
        client_address(&headers, &extensions, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_say_who_the_client_is() {
        let proxies = ["10.0.0.0/8", "::1/128"];
        for (peer, forwarded, client) in [
            ("192.0.2.7", &["198.51.100.1"][..], "192.0.2.7"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["203.0.113.9, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", &["203.0.113.9", "198.51.100.1:8080"], "198.51.100.1"),
            ("10.0.0.1", &["203.0.113.9, nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["\u{fc}, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::5]:443"], "2001:db8::5"),
            ("::1", &["::ffff:198.51.100.1"], "198.51.100.1"),
            ("::ffff:10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("10.0.0.1", &["10.0.0.3"], "10.0.0.3"),
        ] {
            assert_eq!(address(peer, forwarded, &proxies), client, "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn each_address_has_its_own_rate_and_a_refusal_says_when_to_retry() {
        let clients = ImageRateLimiter::new(ImageLimits { per_second: 1, burst: 2, at_once: 0 });
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|a| a.parse().expect("one"));
        assert!(clients.admit_request(one).is_ok() && clients.admit_request(one).is_ok());
        let refused = clients.admit_request(one).err().expect("too many");
        assert!(matches!(refused, Failure::TooManyRequests { retry_after_s: 1..=2 }), "{refused}");
        assert!(clients.admit_request(other).is_ok());
    }

    #[test]
    fn answers_in_flight_are_counted_until_they_end() {
        let clients = ImageRateLimiter::new(ImageLimits { per_second: 0, burst: 0, at_once: 2 });
        let [one, near, far]: [IpAddr; 3] =
            ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(|a| a.parse().expect("one"));
        let first = clients.admit_request(one).expect("free");
        let _second = clients.admit_request(near).expect("free");
        assert!(clients.admit_request(one).is_err(), "one network is one client");
        assert!(clients.admit_request(far).is_ok());
        drop(first);
        assert!(clients.admit_request(near).is_ok());
    }

    #[test]
    fn without_limits_every_request_is_admitted() {
        let clients = ImageRateLimiter::new(ImageLimits { per_second: 0, burst: 0, at_once: 0 });
        let one = "192.0.2.1".parse().expect("an address");
        let all: Vec<_> = (0..SWEEP_INTERVAL + 1).map(|_| clients.admit_request(one)).collect();
        assert!(all.iter().all(Result::is_ok));
    }
}
