//! How often someone may try to sign in.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

/// Tries from one address: so many at once, then one in so many seconds.
const OF_ADDRESS: (NonZeroU32, Duration) = (NonZeroU32::new(20).expect("not 0"), seconds(15));
/// Tries at one account, from wherever.
const OF_ACCOUNT: (NonZeroU32, Duration) = (NonZeroU32::new(10).expect("not 0"), seconds(20));
/// After so many tries those that count no more are forgotten.
const FORGET_EVERY: u32 = 1000;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Counts tries to sign in, right ones too.
pub(super) struct Throttle {
    addresses: DefaultKeyedRateLimiter<IpAddr>,
    accounts: DefaultKeyedRateLimiter<String>,
    tries: AtomicU32,
}

impl Default for Throttle {
    fn default() -> Self {
        let quota = |(burst, each)| {
            Quota::with_period(each).expect("a period is not nothing").allow_burst(burst)
        };
        Self {
            addresses: RateLimiter::keyed(quota(OF_ADDRESS)),
            accounts: RateLimiter::keyed(quota(OF_ACCOUNT)),
            tries: AtomicU32::new(0),
        }
    }
}

impl Throttle {
    /// Counts a try; where there were too many, the seconds until the next is let in.
    pub(super) fn admit(&self, address: IpAddr, account: &str) -> Result<(), u64> {
        if self.tries.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.addresses.retain_recent();
            self.accounts.retain_recent();
        }
        let wait = |refused: governor::NotUntil<_>| {
            refused.wait_time_from(DefaultClock::default().now()).as_secs() + 1
        };
        self.addresses.check_key(&network_of(address)).map_err(wait)?;
        self.accounts.check_key(&account.to_owned()).map_err(wait)
    }
}

/// One client: a host of IPv6 has a whole /64 of addresses.
pub fn network_of(address: IpAddr) -> IpAddr {
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
    fn one_account_is_tried_so_often_from_wherever() {
        let throttle = Throttle::default();
        let tries = (0..20).map(|host| throttle.admit(address(&format!("192.0.2.{host}")), "ann"));
        assert_eq!(tries.filter(Result::is_ok).count(), OF_ACCOUNT.0.get() as usize);
        let wait = throttle.admit(address("192.0.2.99"), "ann").expect_err("too many");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(throttle.admit(address("192.0.2.99"), "bob").is_ok());
    }

    #[test]
    fn one_network_tries_so_often_whatever_the_account() {
        let throttle = Throttle::default();
        let tries = (0..40)
            .map(|n| throttle.admit(address(&format!("2001:db8::{n}")), &format!("account{n}")));
        assert_eq!(tries.filter(Result::is_ok).count(), OF_ADDRESS.0.get() as usize);
        assert!(throttle.admit(address("2001:db8:0:1::1"), "ann").is_ok());
    }
}
