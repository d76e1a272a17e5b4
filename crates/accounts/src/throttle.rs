//! Rate limits for attempts to sign in and for registrations of accounts.

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

/// Attempts from one network: the burst, then the interval between further ones, 240 an hour for an office behind one
/// address.
const NETWORK_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(20).expect("not 0"), from_seconds(15));
/// Attempts at one account from one network. Fewer than those of the network, so that one account cannot use them all
/// up.
const PAIR_QUOTA: (NonZeroU32, Duration) = (NonZeroU32::new(10).expect("not 0"), from_seconds(20));
/// Attempts at one account from all networks that never signed in to it. Many, because an attacker could
/// lock the owner out by using them up; and still too few to guess a password of twelve characters.
const ACCOUNT_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(200).expect("not 0"), from_seconds(2));
/// Registrations from one network: an office behind one address may come in a morning.
const REGISTRATION_QUOTA: (NonZeroU32, Duration) =
    (NonZeroU32::new(100).expect("not 0"), from_seconds(5));
/// After this many attempts, those that no longer count are forgotten, so that a flood from many addresses does not
/// fill the memory. More often, each attempt would cost a pass over all of them.
const PRUNE_INTERVAL: u32 = 1000;
/// Networks remembered as having signed in to an account. With more, all are forgotten; their users then count with
/// strangers until they sign in again.
const MAX_KNOWN_NETWORKS: usize = 10_000;

const fn from_seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Counts attempts to sign in, successful ones too, and registrations.
pub(super) struct Throttle {
    networks: DefaultKeyedRateLimiter<IpAddr>,
    pairs: DefaultKeyedRateLimiter<(String, IpAddr)>,
    accounts: DefaultKeyedRateLimiter<String>,
    registrations: DefaultKeyedRateLimiter<IpAddr>,
    known_networks: Mutex<HashSet<(String, IpAddr)>>,
    attempts: AtomicU32,
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
            registrations: RateLimiter::keyed(quota(REGISTRATION_QUOTA)),
            known_networks: Mutex::default(),
            attempts: AtomicU32::new(0),
        }
    }
}

impl Throttle {
    /// Counts an attempt; if there were too many, returns the seconds until the next one is allowed. With an empty
    /// account name only the network is counted. People who have signed in to the account from the network before do
    /// not depend on what others there do: an office shares an address.
    pub(super) fn admit_attempt(&self, address: IpAddr, account: &str) -> Result<(), u64> {
        self.prune_limiters();
        let pair = (account.to_owned(), client_network(address));
        if self.lock_known_networks().contains(&pair) {
            return self.pairs.check_key(&pair).map_err(retry_after_seconds);
        }
        self.networks.check_key(&pair.1).map_err(retry_after_seconds)?;
        if account.is_empty() {
            return Ok(());
        }
        self.pairs.check_key(&pair).map_err(retry_after_seconds)?;
        self.accounts.check_key(&pair.0).map_err(retry_after_seconds)
    }

    /// Counts a registration; if there were too many, returns the seconds until the next one is allowed.
    pub(super) fn admit_registration(&self, address: IpAddr) -> Result<(), u64> {
        self.prune_limiters();
        self.registrations.check_key(&client_network(address)).map_err(retry_after_seconds)
    }

    /// Every [`PRUNE_INTERVAL`] attempts, forgets those that no longer count.
    fn prune_limiters(&self) {
        if self.attempts.fetch_add(1, Ordering::Relaxed) % PRUNE_INTERVAL == PRUNE_INTERVAL - 1 {
            self.networks.retain_recent();
            self.pairs.retain_recent();
            self.accounts.retain_recent();
            self.registrations.retain_recent();
        }
    }

    /// Remembers that someone signed in to an account from a network, so that attempts from other networks
    /// cannot lock them out.
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

/// Seconds until the next attempt is allowed.
fn retry_after_seconds(refused: governor::NotUntil<<DefaultClock as Clock>::Instant>) -> u64 {
    refused.wait_time_from(DefaultClock::default().now()).as_secs() + 1
}

/// The network of a client: an IPv4 address, or the /64 of an IPv6 address, all of which one host may use.
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
    fn attempts_of_one_network_at_one_account_are_limited() {
        let throttle = Throttle::default();
        let tries = (0..20).map(|_| throttle.admit_attempt(address("192.0.2.1"), "ann"));
        assert_eq!(tries.filter(Result::is_ok).count(), PAIR_QUOTA.0.get() as usize);
        let wait = throttle.admit_attempt(address("192.0.2.1"), "ann").expect_err("too many");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(throttle.admit_attempt(address("192.0.2.2"), "ann").is_ok());
    }

    #[test]
    fn many_networks_cannot_lock_out_one_that_signed_in_before() {
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
    fn one_guest_of_an_office_locks_nobody_else_out() {
        let throttle = Throttle::default();
        let office = address("192.0.2.1");
        throttle.remember_network(office, "ann");
        let flood = (0..400).filter(|n| throttle.admit_attempt(office, &format!("x{n}")).is_ok());
        assert_eq!(flood.count(), NETWORK_QUOTA.0.get() as usize);
        assert!(throttle.admit_attempt(office, "ann").is_ok(), "she was here before");
        assert!(throttle.admit_registration(office).is_ok(), "sign-ins are not registrations");
        while throttle.admit_registration(office).is_ok() {}
        let wait = throttle.admit_registration(office).expect_err("too many");
        assert!((1..=6).contains(&wait), "{wait}");
    }

    #[test]
    fn attempts_of_one_network_are_limited_across_accounts() {
        let throttle = Throttle::default();
        let tries = (0..40).map(|n| {
            throttle.admit_attempt(address(&format!("2001:db8::{n}")), &format!("account{n}"))
        });
        assert_eq!(tries.filter(Result::is_ok).count(), NETWORK_QUOTA.0.get() as usize);
        assert!(throttle.admit_attempt(address("2001:db8:0:1::1"), "ann").is_ok());
    }
}
