//! How many bytes of responses wait for clients that do not read them: of one connection, of one address, in all.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Bytes of responses that may wait; at a bound, further requests are refused until clients read or are cut off.
/// One response may exceed a bound if nothing else waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BudgetLimits {
    pub(super) total: usize,
    pub(super) per_address: usize,
    pub(super) per_connection: usize,
}

impl Default for BudgetLimits {
    /// A connection can have half of the total and an address three quarters, so neither alone blocks the others.
    /// With these bounds, 2,000 clients that stall within a request use 74 MiB; without, they used up to 2 GiB.
    fn default() -> Self {
        Self { total: 32 << 20, per_address: 24 << 20, per_connection: 16 << 20 }
    }
}

/// A client for whom less than this part of the total (1 MiB) waits is light.
const LIGHT_SHARE: usize = 32;
/// This part of the total (8 MiB) is added for light clients alone, so that clients that do not read cannot have them
/// refused.
const LIGHT_RESERVE: usize = 4;

/// Counts the bytes of all connections.
#[derive(Debug, Default)]
pub(super) struct ResponseBudget {
    limits: BudgetLimits,
    waiting: Mutex<WaitingBytes>,
}

#[derive(Debug, Default)]
struct WaitingBytes {
    total: usize,
    per_address: HashMap<IpAddr, usize>,
}

/// How near a connection is to the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pressure {
    /// Below half of each.
    Low,
    /// Clients that do not read are cut off sooner.
    High,
    /// No further request is accepted.
    Full,
}

/// The part of one connection.
#[derive(Debug)]
pub(super) struct ConnectionBudget {
    budget: Arc<ResponseBudget>,
    address: IpAddr,
    /// The address is one of many clients, such as that of a proxy: its bound is the total.
    is_shared: bool,
    waiting: Mutex<usize>,
}

impl ResponseBudget {
    pub(super) fn new(limits: BudgetLimits) -> Self {
        Self { limits, waiting: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, WaitingBytes> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionBudget {
    pub(super) fn new(budget: Arc<ResponseBudget>, address: IpAddr, is_shared: bool) -> Self {
        Self { budget, address, is_shared, waiting: Mutex::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts bytes that wait for the client.
    pub(super) fn add(&self, bytes: usize) {
        *self.lock() += bytes;
        let mut all = self.budget.lock();
        all.total += bytes;
        if !self.is_shared && bytes > 0 {
            *all.per_address.entry(self.address).or_default() += bytes;
        }
    }

    /// Counts bytes that were passed on, or dropped.
    pub(super) fn remove(&self, bytes: usize) {
        *self.lock() -= bytes;
        let mut all = self.budget.lock();
        all.total -= bytes;
        if let Some(waiting) = all.per_address.get_mut(&self.address)
            && !self.is_shared
        {
            *waiting -= bytes;
            if *waiting == 0 {
                all.per_address.remove(&self.address);
            }
        }
    }

    /// How near the connection is to the nearest bound.
    pub(super) fn pressure(&self) -> Pressure {
        let limits = self.budget.limits;
        let own = *self.lock();
        let all = self.budget.lock();
        let of_address = all.per_address.get(&self.address).copied().unwrap_or_default();
        // Those for whom little waits are not refused because of others, up to a bound of its own.
        let is_light = own.max(of_address) < limits.total / LIGHT_SHARE;
        let reserve = if is_light { limits.total / LIGHT_RESERVE } else { 0 };
        let total = limits.total + reserve;
        let own_limit = if self.is_shared { total } else { limits.per_connection };
        let parts = [(own, own_limit), (of_address, limits.per_address), (all.total, total)];
        let pressure = |(bytes, limit): (usize, usize)| match bytes {
            bytes if bytes >= limit => Pressure::Full,
            bytes if bytes >= limit / 2 => Pressure::High,
            _ => Pressure::Low,
        };
        parts.map(pressure).into_iter().max().unwrap_or(Pressure::Low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_count_for_the_connection_its_address_and_all() {
        let limits = BudgetLimits { total: 100, per_address: 60, per_connection: 40 };
        let budget = Arc::new(ResponseBudget::new(limits));
        let [one, two]: [IpAddr; 2] = ["192.0.2.1", "192.0.2.2"].map(|a| a.parse().expect("one"));
        let connect = |address| ConnectionBudget::new(budget.clone(), address, false);
        let (first, second, other) = (connect(one), connect(one), connect(two));
        first.add(40);
        assert_eq!((first.pressure(), second.pressure()), (Pressure::Full, Pressure::High));
        second.add(20);
        // Nothing waits for the other address: it is not refused.
        assert_eq!((second.pressure(), other.pressure()), (Pressure::Full, Pressure::Low));
        first.remove(40);
        assert_eq!((second.pressure(), other.pressure()), (Pressure::High, Pressure::Low));
        second.remove(20);
        assert!(budget.lock().per_address.is_empty() && budget.lock().total == 0);
        let proxy = ConnectionBudget::new(budget, one, true);
        proxy.add(100);
        assert_eq!((proxy.pressure(), first.pressure()), (Pressure::Full, Pressure::High));
        proxy.add(25);
        assert_eq!(first.pressure(), Pressure::Full, "all have a bound");
    }
}
