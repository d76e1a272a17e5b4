//! Charges: who may make one more request, and what was answered, durably.
//!
//! A request holds a place in its account's allowance while it runs, so that requests at the same
//! time never exceed it. When it is answered, the place becomes a charge: it is on the disk before
//! the answer leaves. Charges that come while others are being written wait and are written
//! together, by whichever request finds the file free: one commit for all of them.

use std::{
    collections::{BTreeMap, HashMap},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError},
};

use jiff::Timestamp;
use redb::{ReadableTable, Table};

use super::{
    AccessError, Via,
    calendar::{Month, day_number},
    database::{AccountsFile, DAYS, GRANT_USES, KEY_USES, MONTHS},
};

/// What an account has of its allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in a month; none is no limit.
    pub limit: Option<u64>,
    /// Requests of this month, those that run now included.
    pub used: u64,
    /// When the next month begins.
    pub reset_at: Timestamp,
}

impl Allowance {
    /// Requests left; none is no limit.
    pub fn remaining(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.used))
    }
}

/// Who asks, for the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payer {
    pub(super) account: u32,
    pub(super) via: Via,
    pub(super) limit: Option<u64>,
}

/// The books.
#[derive(Default)]
pub(super) struct Ledger {
    state: Mutex<State>,
    settled: Condvar,
}

#[derive(Default)]
struct State {
    months: HashMap<(u32, Month), Counted>,
    open: Batch,
    committing: bool,
}

/// Requests of an account in a month.
#[derive(Debug, Clone, Copy, Default)]
struct Counted {
    /// On the disk.
    charged: u64,
    /// Running, or being written.
    held: u64,
}

/// Charges that are written together.
#[derive(Default)]
struct Batch {
    charges: Vec<Charge>,
    outcome: Arc<OnceLock<bool>>,
}

struct Charge {
    payer: Payer,
    month: Month,
    operation: &'static str,
    time: Timestamp,
}

/// A place in an allowance; it is free again when dropped without a charge.
pub struct Held<'a> {
    ledger: &'a Ledger,
    file: &'a AccountsFile,
    payer: Payer,
    month: Month,
    time: Timestamp,
    allowance: Allowance,
    charged: bool,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if !self.charged {
            self.ledger.lock().counted(self.payer.account, self.month).held -= 1;
        }
    }
}

impl State {
    /// The entry of an account, which stands in the table.
    fn counted(&mut self, account: u32, month: Month) -> &mut Counted {
        self.months.entry((account, month)).or_default()
    }
}

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place in the allowance of `payer`; the outer error is a failure of the database, the
    /// inner one tells an allowance that is used up.
    pub(super) fn hold<'a>(
        &'a self,
        file: &'a AccountsFile,
        payer: Payer,
        time: Timestamp,
    ) -> Result<Result<Held<'a>, Allowance>, AccessError> {
        let month = Month::of(time);
        let mut state = self.lock();
        if !state.months.contains_key(&(payer.account, month)) {
            let charged = charged_in(file, payer.account, month)?;
            // Months that are over are forgotten, but for requests that run.
            state.months.retain(|(_, other), counted| *other == month || counted.held > 0);
            state.counted(payer.account, month).charged = charged;
        }
        let counted = state.counted(payer.account, month);
        let before = counted.charged + counted.held;
        let allowance = |used| Allowance { limit: payer.limit, used, reset_at: month.end() };
        if payer.limit.is_some_and(|limit| before >= limit) {
            return Ok(Err(allowance(before)));
        }
        counted.held += 1;
        let allowance = allowance(before + 1);
        Ok(Ok(Held { ledger: self, file, payer, month, time, allowance, charged: false }))
    }

    /// Adds a charge and waits until it is on the disk.
    fn charge(&self, file: &AccountsFile, charge: Charge) -> Result<(), AccessError> {
        let mut state = self.lock();
        let outcome = state.open.outcome.clone();
        state.open.charges.push(charge);
        loop {
            if let Some(written) = outcome.get() {
                return if *written { Ok(()) } else { Err(AccessError::ChargeLost) };
            }
            state = if state.committing {
                self.settled.wait(state).unwrap_or_else(PoisonError::into_inner)
            } else {
                self.commit_open(file, state)
            };
        }
    }

    /// Writes the open batch. A panic of the database must not leave the others waiting for ever.
    fn commit_open<'a>(
        &'a self,
        file: &AccountsFile,
        mut state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let batch = mem::take(&mut state.open);
        state.committing = true;
        drop(state);
        let written = catch_unwind(AssertUnwindSafe(|| write(file, &batch.charges)));
        let written = match written {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, charges = batch.charges.len(), "charges were not stored");
                false
            }
            Err(_) => false,
        };
        let mut state = self.lock();
        for charge in &batch.charges {
            let counted = state.counted(charge.payer.account, charge.month);
            counted.held -= 1;
            counted.charged += u64::from(written);
        }
        state.committing = false;
        // Nobody else has this batch: it was taken out above.
        let _ = batch.outcome.set(written);
        self.settled.notify_all();
        state
    }
}

impl Held<'_> {
    /// The allowance with this request counted.
    pub fn allowance(&self) -> Allowance {
        self.allowance
    }

    /// Charges the request; it is on the disk when this returns.
    pub fn charge(mut self, operation: &'static str) -> Result<(), AccessError> {
        // The place goes over to the charge, which frees it.
        self.charged = true;
        let Self { payer, month, time, .. } = self;
        self.ledger.charge(self.file, Charge { payer, month, operation, time })
    }
}

/// What an account was charged in a month.
pub(super) fn charged_in(
    file: &AccountsFile,
    account: u32,
    month: Month,
) -> Result<u64, AccessError> {
    let table = file.read()?.open_table(MONTHS)?;
    Ok(table.get((account, month.number()))?.map_or(0, |count| count.value()))
}

fn write(file: &AccountsFile, charges: &[Charge]) -> Result<(), AccessError> {
    let mut months: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut days: BTreeMap<(u32, u32, &str), u64> = BTreeMap::new();
    let mut key_uses: BTreeMap<u64, i64> = BTreeMap::new();
    let mut grant_uses: BTreeMap<u64, i64> = BTreeMap::new();
    for Charge { payer, month, operation, time } in charges {
        *months.entry((payer.account, month.number())).or_default() += 1;
        *days.entry((payer.account, day_number(*time), operation)).or_default() += 1;
        let last = match payer.via {
            Via::Browser => continue,
            Via::Key(id) => key_uses.entry(id).or_default(),
            Via::Client(id) => grant_uses.entry(id).or_default(),
        };
        *last = (*last).max(time.as_second());
    }
    file.change(|txn| {
        let mut table = txn.open_table(MONTHS)?;
        for (entry, count) in &months {
            let before = stored(&table, *entry)?;
            table.insert(*entry, before + count)?;
        }
        let mut table = txn.open_table(DAYS)?;
        for (entry, count) in &days {
            let before = table.get(*entry)?.map_or(0, |count| count.value());
            table.insert(*entry, before + count)?;
        }
        for (definition, uses) in [(KEY_USES, &key_uses), (GRANT_USES, &grant_uses)] {
            let mut table = txn.open_table(definition)?;
            for (id, last) in uses {
                table.insert(*id, *last)?;
            }
        }
        Ok(())
    })
}

fn stored(table: &Table<'_, (u32, u32), u64>, entry: (u32, u32)) -> Result<u64, AccessError> {
    Ok(table.get(entry)?.map_or(0, |count| count.value()))
}

#[cfg(test)]
mod tests;
