//! Charges: whether a caller may make one more request, and a durable count of those that were answered.
//!
//! A request has a reservation in its account's allowance while it runs, so that concurrent requests never exceed it.
//! When it is answered, the reservation becomes a charge, which is on the disk before the answer leaves. Charges that
//! come while others are being written wait and are written together, by the first request that finds the database
//! free: one commit for all of them. If several programs share the accounts, reservations are on their server too
//! (`shared`).

mod shared;

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    AccessError, Via,
    calendar::{Month, day_number},
    database::{AccountsChange, AccountsDatabase, GRANT_USES, KEY_USES, USAGE_DAYS, USAGE_MONTHS},
};
use jiff::Timestamp;
use shared::SharedHolds;

/// How much of its allowance an account has used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in a month; `None` means no limit.
    pub limit: Option<u64>,
    /// Requests of this month, including those that run now.
    pub used: u64,
    /// When the next month begins.
    pub reset_at: Timestamp,
}

impl Allowance {
    /// Requests left; `None` means no limit.
    pub fn remaining_requests(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.used))
    }
}

/// A caller whose requests are counted, and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MeteredCaller {
    pub(super) account: u32,
    pub(super) via: Via,
    pub(super) limit: Option<u64>,
}

/// The requests of all accounts this month, and the charges that wait to be written.
#[derive(Default)]
pub(super) struct Ledger {
    state: Mutex<LedgerState>,
    settled: Condvar,
    shared: SharedHolds,
    /// Whether the last charges could not be stored.
    has_failed: AtomicBool,
}

#[derive(Default)]
struct LedgerState {
    months: HashMap<(u32, Month), MonthlyCount>,
    open: ChargeBatch,
    committing: bool,
}

/// Requests of an account in a month.
#[derive(Debug, Clone, Copy, Default)]
struct MonthlyCount {
    /// On the disk.
    charged: u64,
    /// Running, or being written.
    reserved: u64,
}

/// Charges that are written together.
#[derive(Default)]
struct ChargeBatch {
    charges: Vec<Charge>,
    outcome: Arc<OnceLock<bool>>,
}

struct Charge {
    payer: MeteredCaller,
    month: Month,
    operation: &'static str,
    time: Timestamp,
}

/// A reservation in an allowance; released when dropped without a charge.
pub struct AllowanceReservation<'a> {
    ledger: &'a Ledger,
    database: &'a AccountsDatabase,
    payer: MeteredCaller,
    month: Month,
    time: Timestamp,
    allowance: Allowance,
    charged: bool,
}

impl Drop for AllowanceReservation<'_> {
    fn drop(&mut self) {
        let Self { ledger, database, payer, month, time, charged, .. } = self;
        if *charged {
            return;
        }
        if database.is_shared() {
            ledger.shared.release(database, *payer, *month, time.as_second());
        } else {
            ledger.lock_state().monthly_count(payer.account, *month).reserved -= 1;
        }
    }
}

impl LedgerState {
    /// The count of an account in a month; a new one starts at 0.
    fn monthly_count(&mut self, account: u32, month: Month) -> &mut MonthlyCount {
        self.months.entry((account, month)).or_default()
    }
}

impl Ledger {
    /// Whether the last charges could not be stored.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    fn lock_state(&self) -> MutexGuard<'_, LedgerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a request in the allowance of `payer`. The outer error is a failure of the database; the
    /// inner one is an allowance that is used up.
    pub(super) fn reserve_request<'a>(
        &'a self,
        database: &'a AccountsDatabase,
        payer: MeteredCaller,
        time: Timestamp,
    ) -> Result<Result<AllowanceReservation<'a>, Allowance>, AccessError> {
        let month = Month::from_timestamp(time);
        let reserved = if database.is_shared() {
            self.shared.reserve_request(database, payer, month, time.as_second())?
        } else {
            self.reserve_here(database, payer, month)?
        };
        let allowance = |used| Allowance { limit: payer.limit, used, reset_at: month.end_time() };
        Ok(reserved.map_err(allowance).map(|used| AllowanceReservation {
            ledger: self,
            database,
            payer,
            month,
            time,
            allowance: allowance(used),
            charged: false,
        }))
    }

    /// Reserves a request if no other program counts: the requests of the month with it, or without it if the
    /// allowance is used up.
    fn reserve_here(
        &self,
        database: &AccountsDatabase,
        payer: MeteredCaller,
        month: Month,
    ) -> Result<Result<u64, u64>, AccessError> {
        let mut state = self.lock_state();
        if !state.months.contains_key(&(payer.account, month)) {
            let charged = charged_requests(database, payer.account, month)?;
            // Months that are over are removed, unless requests of them are still running.
            state.months.retain(|(_, other), counted| *other == month || counted.reserved > 0);
            state.monthly_count(payer.account, month).charged = charged;
        }
        let counted = state.monthly_count(payer.account, month);
        let before = counted.charged + counted.reserved;
        if payer.limit.is_some_and(|limit| before >= limit) {
            return Ok(Err(before));
        }
        counted.reserved += 1;
        Ok(Ok(before + 1))
    }

    /// Adds a charge and waits until it is on the disk.
    fn append_charge(
        &self,
        database: &AccountsDatabase,
        charge: Charge,
    ) -> Result<(), AccessError> {
        let mut state = self.lock_state();
        let outcome = state.open.outcome.clone();
        state.open.charges.push(charge);
        loop {
            if let Some(written) = outcome.get() {
                return if *written { Ok(()) } else { Err(AccessError::ChargeLost) };
            }
            state = if state.committing {
                self.settled.wait(state).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.commit_open_batch(database, state)
            };
        }
    }

    /// Writes the open batch. A panic in the database must not leave the other requests waiting forever.
    fn commit_open_batch<'a>(
        &'a self,
        database: &AccountsDatabase,
        mut state: MutexGuard<'a, LedgerState>,
    ) -> MutexGuard<'a, LedgerState> {
        let batch = mem::take(&mut state.open);
        state.committing = true;
        drop(state);
        let written = catch_unwind(AssertUnwindSafe(|| {
            if database.is_shared() {
                self.shared.write_charges(database, &batch.charges)
            } else {
                database.write_transaction(|change| insert_charges(change, &batch.charges))
            }
        }));
        let written = match written {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, charges = batch.charges.len(), "charges were not stored");
                false
            }
            Err(_) => false,
        };
        self.has_failed.store(!written, Ordering::Relaxed);
        let mut state = self.lock_state();
        let counted_here = if database.is_shared() { &[] } else { batch.charges.as_slice() };
        for charge in counted_here {
            let counted = state.monthly_count(charge.payer.account, charge.month);
            counted.reserved -= 1;
            counted.charged += u64::from(written);
        }
        state.committing = false;
        // Nobody else has this batch: it was taken out above.
        let _ = batch.outcome.set(written);
        self.settled.notify_all();
        state
    }
}

impl AllowanceReservation<'_> {
    /// The allowance with this request counted.
    pub fn allowance(&self) -> Allowance {
        self.allowance
    }

    /// Charges the request; it is on the disk when this returns.
    pub fn charge_request(mut self, operation: &'static str) -> Result<(), AccessError> {
        // From here on the charge releases the reservation, not its drop.
        self.charged = true;
        let Self { payer, month, time, .. } = self;
        self.ledger.append_charge(self.database, Charge { payer, month, operation, time })
    }
}

/// What an account was charged in a month.
pub(super) fn charged_requests(
    database: &AccountsDatabase,
    account: u32,
    month: Month,
) -> Result<u64, AccessError> {
    let count =
        database.begin_read()?.open_table(USAGE_MONTHS)?.get((account, month.month_number()))?;
    Ok(count.map_or(0, |count| count.value()))
}

/// What an account was charged in a month, within a change.
fn charged_in(change: &AccountsChange<'_>, account: u32, month: Month) -> Result<u64, AccessError> {
    let count = change.open_table(USAGE_MONTHS)?.get((account, month.month_number()))?;
    Ok(count.map_or(0, |count| count.value()))
}

/// Adds charges to those that are stored.
fn insert_charges(change: &AccountsChange<'_>, charges: &[Charge]) -> Result<(), AccessError> {
    let mut months: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut days: BTreeMap<(u32, u32, &str), u64> = BTreeMap::new();
    let mut key_uses: BTreeMap<u64, i64> = BTreeMap::new();
    let mut grant_uses: BTreeMap<u64, i64> = BTreeMap::new();
    for Charge { payer, month, operation, time } in charges {
        *months.entry((payer.account, month.month_number())).or_default() += 1;
        *days.entry((payer.account, day_number(*time), operation)).or_default() += 1;
        let last = match payer.via {
            Via::Browser => continue,
            Via::Key(id) => key_uses.entry(id).or_default(),
            Via::Client(id) => grant_uses.entry(id).or_default(),
        };
        *last = (*last).max(time.as_second());
    }
    let mut table = change.open_table(USAGE_MONTHS)?;
    for (entry, count) in &months {
        let before = table.get(*entry)?.map_or(0, |count| count.value());
        table.insert(*entry, before + count)?;
    }
    let mut table = change.open_table(USAGE_DAYS)?;
    for (entry, count) in &days {
        let before = table.get(*entry)?.map_or(0, |count| count.value());
        table.insert(*entry, before + count)?;
    }
    for (definition, uses) in [(KEY_USES, &key_uses), (GRANT_USES, &grant_uses)] {
        let mut table = change.open_table(definition)?;
        for (id, last) in uses {
            table.insert(*id, *last)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
