//! How often someone may try to sign in.

use std::{
    collections::HashSet,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

/// Tries from one network: so many at once, then one in so many seconds.
const NETWORK_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(20).expect("not 0"), from_seconds(15));
/// Tries at one account from one network.
const PAIR_QUOTA: (NonZeroU32, Duration) = (NonZeroU32::new(10).expect("not 0"), from_seconds(20));
/// Tries at one account from all networks that never signed in to it: many, for whoever wants to shut
/// its owner out would only have to use them up; and too few to find a password of twelve characters.
const ACCOUNT_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(200).expect("not 0"), from_seconds(2));
/// Clients that register from one network; a program registers once, a test suite many times.
const CLIENT_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(100).expect("not 0"), from_seconds(10));
/// After so many tries those that count no more are forgotten.
const PRUNE_INTERVAL: u32 = 1000;
/// Networks that signed in to an account are remembered, so many of them.
const MAX_KNOWN_NETWORKS: usize = 10_000;

const fn from_seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Counts tries to sign in, right ones too, and clients that register.
pub(super) struct Throttle {
    networks: DefaultKeyedRateLimiter<IpAddr>,
    pairs: DefaultKeyedRateLimiter<(String, IpAddr)>,
    accounts: DefaultKeyedRateLimiter<String>,
    clients: DefaultKeyedRateLimiter<IpAddr>,
    known_networks: Mutex<HashSet<(String, IpAddr)>>,
    tries: AtomicU32,
}

impl Default for Throttle {
    fn default() -> Self {
        let quota = |(burst, each)| {
            Quota::with_period(each).expect("a period is not nothing").allow_burst(burst)
        };
        Self {
            networks: RateLimiter::keyed(quota(NETWORK_QUOTA)),
            pairs: RateLimiter::keyed(quota(PAIR_QUOTA)),
            accounts: RateLimiter::keyed(quota(ACCOUNT_QUOTA)),
            clients: RateLimiter::keyed(quota(CLIENT_QUOTA)),
            known_networks: Mutex::default(),
            tries: AtomicU32::new(0),
        }
    }
}

impl Throttle {
    /// Counts a try; where there were too many, the seconds until the next is let in. An account
    /// without a name is none: the network alone counts.
    pub(super) fn admit_attempt(&self, address: IpAddr, account: &str) -> Result<(), u64> {
        self.prune_limiters();
        let pair = (account.to_owned(), client_network(address));
        self.networks.check_key(&pair.1).map_err(retry_after_seconds)?;
        if account.is_empty() {
            return Ok(());
        }
        self.pairs.check_key(&pair).map_err(retry_after_seconds)?;
        if self.lock_known_networks().contains(&pair) {
            return Ok(());
        }
        self.accounts.check_key(&pair.0).map_err(retry_after_seconds)
    }

    /// Counts a client that registers; where there were too many, the seconds until the next.
    pub(super) fn admit_client(&self, address: IpAddr) -> Result<(), u64> {
        self.prune_limiters();
        self.clients.check_key(&client_network(address)).map_err(retry_after_seconds)
    }

    /// Now and then forgets tries that count no more.
    fn prune_limiters(&self) {
        if self.tries.fetch_add(1, Ordering::Relaxed) % PRUNE_INTERVAL == PRUNE_INTERVAL - 1 {
            self.networks.retain_recent();
            self.pairs.retain_recent();
            self.accounts.retain_recent();
            self.clients.retain_recent();
        }
    }

    /// Someone signed in to an account from here: others cannot use up their tries.
    pub(super) fn remember_network(&self, address: IpAddr, account: &str) {
        let mut known = self.lock_known_networks();
        if known.len() >= MAX_KNOWN_NETWORKS {
            known.clear();
        }
        known.insert((account.to_owned(), client_network(address)));
    }

    fn lock_known_networks(&self) -> MutexGuard<'_, HashSet<(String, IpAddr)>> {
        self.known_networks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Seconds until the next try is let in.
fn retry_after_seconds(refused: governor::NotUntil<<DefaultClock as Clock>::Instant>) -> u64 {
    refused.wait_time_from(DefaultClock::default().now()).as_secs() + 1
}

/// One client: a host of IPv6 has a whole /64 of addresses.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn one_network_tries_one_account_so_often() {
        let throttle = Throttle::default();
        let tries = (0..20).map(|_| throttle.admit_attempt(address("192.0.2.1"), "ann"));
        assert_eq!(tries.filter(Result::is_ok).count(), PAIR_QUOTA.0.get() as usize);
        let wait = throttle.admit_attempt(address("192.0.2.1"), "ann").expect_err("too many");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(throttle.admit_attempt(address("192.0.2.2"), "ann").is_ok());
    }

    #[test]
    fn many_networks_do_not_shut_out_the_one_that_signed_in_before() {
        let throttle = Throttle::default();
        throttle.remember_network(address("198.51.100.1"), "ann");
        let tries = (0..400).map(|n| {
            throttle.admit_attempt(address(&format!("192.0.{}.{}", n / 200, n % 200)), "ann")
        });
        assert_eq!(tries.filter(Result::is_ok).count(), ACCOUNT_QUOTA.0.get() as usize);
        assert!(throttle.admit_attempt(address("198.51.100.2"), "ann").is_err());
        assert!(throttle.admit_attempt(address("198.51.100.1"), "ann").is_ok());
    }

    #[test]
    fn one_network_tries_so_often_whatever_the_account() {
        let throttle = Throttle::default();
        let tries = (0..40).map(|n| {
            throttle.admit_attempt(address(&format!("2001:db8::{n}")), &format!("account{n}"))
        });
        assert_eq!(tries.filter(Result::is_ok).count(), NETWORK_QUOTA.0.get() as usize);
        assert!(throttle.admit_attempt(address("2001:db8:0:1::1"), "ann").is_ok());
    }
}
