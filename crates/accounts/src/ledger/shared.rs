//! Reservations of several programs in the same allowances.
//!
//! Each program has a row for each account and month: how many of its requests are running. A reservation counts what
//! is charged and what all programs have reserved, in one serializable transaction, so that together they never
//! exceed an allowance. Reservations of a program that was killed are released after a while.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::{Charge, MeteredCaller, charged_in, insert_charges};
use crate::{
    AccessError,
    calendar::Month,
    clock::has_ended,
    database::{AccountsChange, AccountsDatabase, HELD_REQUESTS},
};

/// Reservations of a program count for this long after its last one. No request runs as long: operations end after a
/// minute.
const HOLD_LIFETIME_S: i64 = 15 * 60;

/// The reservations of this program.
pub(super) struct SharedHolds(Mutex<Holds>);

#[derive(Default)]
struct Holds {
    /// Identifies this program; drawn at its start.
    program: u64,
    held: HashMap<(u32, Month), u64>,
}

impl Default for SharedHolds {
    fn default() -> Self {
        Self(Mutex::new(Holds { program: rand::random(), ..Holds::default() }))
    }
}

impl Holds {
    fn count(&self, account: u32, month: Month) -> u64 {
        self.held.get(&(account, month)).copied().unwrap_or_default()
    }

    fn set_count(&mut self, account: u32, month: Month, count: u64) {
        match count {
            0 => self.held.remove(&(account, month)),
            _ => self.held.insert((account, month), count),
        };
    }

    /// Stores how many requests this program has reserved.
    fn store_count(
        &self,
        change: &AccountsChange<'_>,
        (account, month): (u32, Month),
        count: u64,
        now: i64,
    ) -> Result<(), AccessError> {
        let mut table = change.open_table(HELD_REQUESTS)?;
        let key = (account, month.month_number(), self.program);
        if count == 0 {
            table.remove(key)?;
            return Ok(());
        }
        table.insert(key, (count, now))
    }

    /// What other programs have reserved, without those that have stopped reporting.
    fn held_by_others(
        &self,
        change: &AccountsChange<'_>,
        (account, month): (u32, Month),
        now: i64,
    ) -> Result<u64, AccessError> {
        let mut table = change.open_table(HELD_REQUESTS)?;
        let number = month.month_number();
        let mut held = 0;
        for (key, value) in table.range((account, number, 0)..=(account, number, u64::MAX))? {
            let (count, said_at) = value.value();
            if key.value().2 == self.program {
                continue;
            }
            if has_ended(said_at, HOLD_LIFETIME_S, now) {
                table.remove(key.value())?;
                continue;
            }
            held += count;
        }
        Ok(held)
    }
}

impl SharedHolds {
    fn lock(&self) -> MutexGuard<'_, Holds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a request if the allowance permits: the requests of the month with this one, or without it if the
    /// allowance is used up. Nothing is reserved for an account without a limit.
    pub(super) fn reserve_request(
        &self,
        database: &AccountsDatabase,
        payer: MeteredCaller,
        month: Month,
        now: i64,
    ) -> Result<Result<u64, u64>, AccessError> {
        let Some(limit) = payer.limit else {
            return Ok(Ok(super::charged_requests(database, payer.account, month)? + 1));
        };
        // One at a time, and not beside charges: otherwise the row of this program could differ from what it has
        // reserved.
        let mut holds = self.lock();
        let whose = (payer.account, month);
        let own = holds.count(payer.account, month);
        let outcome = database.write_transaction(|change| {
            let others = holds.held_by_others(change, whose, now)?;
            let before = charged_in(change, payer.account, month)? + others + own;
            if before >= limit {
                return Ok(Err(before));
            }
            holds.store_count(change, whose, own + 1, now)?;
            Ok(Ok(before + 1))
        })?;
        if outcome.is_ok() {
            holds.set_count(payer.account, month, own + 1);
        }
        Ok(outcome)
    }

    /// Writes charges, and releases what was reserved for them, even if writing fails.
    pub(super) fn write_charges(
        &self,
        database: &AccountsDatabase,
        charges: &[Charge],
    ) -> Result<(), AccessError> {
        let mut released: BTreeMap<(u32, Month), (u64, i64)> = BTreeMap::new();
        for charge in charges.iter().filter(|charge| charge.payer.limit.is_some()) {
            let (count, now) = released.entry((charge.payer.account, charge.month)).or_default();
            *count += 1;
            *now = (*now).max(charge.time.as_second());
        }
        let mut holds = self.lock();
        let left = |holds: &Holds, (account, month): (u32, Month), count: u64| {
            holds.count(account, month).saturating_sub(count)
        };
        let written = database.write_transaction(|change| {
            insert_charges(change, charges)?;
            for (whose, (count, now)) in &released {
                holds.store_count(change, *whose, left(&holds, *whose, *count), *now)?;
            }
            Ok(())
        });
        for (whose, (count, _)) in released {
            let left = left(&holds, whose, count);
            holds.set_count(whose.0, whose.1, left);
        }
        written
    }

    /// Releases a reservation without a charge. If that fails, the next reservation corrects the row.
    pub(super) fn release(
        &self,
        database: &AccountsDatabase,
        payer: MeteredCaller,
        month: Month,
        now: i64,
    ) {
        if payer.limit.is_none() {
            return;
        }
        let mut holds = self.lock();
        let left = holds.count(payer.account, month).saturating_sub(1);
        holds.set_count(payer.account, month, left);
        let stored = database.write_transaction(|change| {
            holds.store_count(change, (payer.account, month), left, now)
        });
        if let Err(error) = stored {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "an uncharged request is still reserved");
        }
    }
}
