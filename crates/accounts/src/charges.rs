//! What an account may still use, and what it used by day and by operation.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    AccessError, Account, Caller, Clock,
    calendar::Month,
    database::{AccountsDatabase, USAGE_DAYS},
    ledger::{Allowance, AllowanceReservation, Ledger, MeteredCaller, charged_requests},
    plans::AccountPlans,
};

/// The requests of an account in this month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// What is left of the allowance.
    #[serde(skip)]
    pub allowance: Allowance,
    /// Requests by day of the month, the first of which is day 1; days to come are 0.
    pub days: Vec<u64>,
    /// Requests by operation.
    pub operations: BTreeMap<String, u64>,
}

/// The outcome of one more request against an allowance.
pub enum ReservationOutcome<'a> {
    /// The caller is not charged.
    Unmetered,
    /// The request is reserved in the allowance.
    Reserved(AllowanceReservation<'a>),
    /// The request is rejected: the allowance is used up.
    Exhausted(Allowance),
}

/// What accounts may still use and what they used.
#[derive(Clone, Copy)]
pub struct AccountCharges<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) plans: &'a AccountPlans,
    pub(super) ledger: &'a Ledger,
    pub(super) clock: &'a Clock,
}

impl<'a> AccountCharges<'a> {
    /// Reserves a request in the allowance of a caller.
    pub fn reserve_request(self, caller: &Caller) -> Result<ReservationOutcome<'a>, AccessError> {
        let Caller::Account { account, via, plan, .. } = caller else {
            return Ok(ReservationOutcome::Unmetered);
        };
        let payer = MeteredCaller { account: *account, via: *via, limit: plan.requests_per_month };
        let reservation = self.ledger.reserve_request(self.database, payer, self.clock.now())?;
        Ok(reservation.map_or_else(ReservationOutcome::Exhausted, ReservationOutcome::Reserved))
    }

    /// Whether the accounts could not be read, or charges not be stored, at the last attempt: requests that need an
    /// account fail.
    pub fn has_failed(&self) -> bool {
        self.ledger.has_failed() || self.database.has_failed()
    }

    /// What an account used this month.
    pub fn monthly_usage(&self, account: &Account) -> Result<Usage, AccessError> {
        let month = Month::from_timestamp(self.clock.now());
        let (first, last) = month.day_range();
        let used = charged_requests(self.database, account.id, month)?;
        let limit = self.plans.plan_of_account(&account.plan).requests_per_month;
        let mut days = vec![0; (last - first + 1) as usize];
        let mut operations = BTreeMap::new();
        let range = (account.id, first, "")..(account.id, last + 1, "");
        let rows = self.database.begin_read()?.open_table(USAGE_DAYS)?.range(range)?;
        for (key, count) in rows {
            let (_, day, operation) = key.value();
            if let Some(day_count) = days.get_mut((day - first) as usize) {
                *day_count += count.value();
            }
            *operations.entry(operation.to_owned()).or_default() += count.value();
        }
        let allowance = Allowance { limit, used, reset_at: month.end_time() };
        Ok(Usage { allowance, days, operations })
    }
}

#[cfg(test)]
mod tests {
    use crate::{AccountRole, ReservationOutcome, tests::access_at};

    #[test]
    fn usage_is_that_of_this_month_by_day_and_operation() {
        let (_dir, access, clock) = access_at("2026-01-31T10:00:00Z");
        let ann = access
            .accounts()
            .add_account("ann", AccountRole::Member, Some(crate::FREE))
            .expect("made");
        let caller = access.caller_of(&ann, crate::Via::Browser).expect("active");
        let charge = |operation| match access.charges().reserve_request(&caller).expect("readable")
        {
            ReservationOutcome::Reserved(held) => held.charge_request(operation).expect("stored"),
            ReservationOutcome::Unmetered | ReservationOutcome::Exhausted(_) => {
                panic!("it is metered and allowed")
            }
        };
        charge("search_text");
        clock.set("2026-02-01T10:00:00Z");
        charge("search_text");
        clock.set("2026-02-28T10:00:00Z");
        charge("search_text");
        charge("get_sections");
        let usage = access.charges().monthly_usage(&ann).expect("readable");
        assert_eq!((usage.allowance.used, usage.allowance.limit), (3, Some(150)));
        assert_eq!((usage.days.len(), usage.days[0], usage.days[27]), (28, 1, 2));
        assert_eq!(usage.days.iter().sum::<u64>(), 3);
        let of = |name: &str, count| (name.to_owned(), count);
        let counted: Vec<_> = usage.operations.into_iter().collect();
        assert_eq!(counted, [of("get_sections", 1), of("search_text", 2)]);
    }
}
