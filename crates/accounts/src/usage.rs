//! What an account used, by day and by operation.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    Access, AccessError, Account, Allowance, calendar::Month, database::DAYS, ledger::charged_in,
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

impl Access {
    /// What an account used this month.
    pub fn usage(&self, account: &Account) -> Result<Usage, AccessError> {
        let month = Month::of(self.clock.now());
        let (first, last) = month.days();
        let used = charged_in(&self.file, account.id, month)?;
        let limit = self.plans.of_account(&account.plan).requests_per_month;
        let mut days = vec![0; (last - first + 1) as usize];
        let mut operations = BTreeMap::new();
        let table = self.file.read()?.open_table(DAYS)?;
        for entry in table.range((account.id, first, "")..(account.id, last + 1, ""))? {
            let (place, count) = entry?;
            let (_, day, operation) = place.value();
            if let Some(of_day) = days.get_mut((day - first) as usize) {
                *of_day += count.value();
            }
            *operations.entry(operation.to_owned()).or_default() += count.value();
        }
        let allowance = Allowance { limit, used, reset_at: month.end() };
        Ok(Usage { allowance, days, operations })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Hold, Role, tests::access_at};

    #[test]
    fn usage_is_that_of_this_month_by_day_and_operation() {
        let (_dir, access, clock) = access_at("2026-01-31T10:00:00Z");
        let ann = access.add_account("ann", Role::Member, None).expect("made");
        let caller = access.caller_of(&ann, crate::Via::Browser).expect("active");
        let charge = |operation| match access.hold(&caller).expect("readable") {
            Hold::Held(held) => held.charge(operation).expect("stored"),
            Hold::Free | Hold::UsedUp(_) => panic!("it is metered and allowed"),
        };
        charge("search_text");
        clock.set("2026-02-01T10:00:00Z");
        charge("search_text");
        clock.set("2026-02-28T10:00:00Z");
        charge("search_text");
        charge("get_sections");
        let usage = access.usage(&ann).expect("readable");
        assert_eq!((usage.allowance.used, usage.allowance.limit), (3, Some(150)));
        assert_eq!((usage.days.len(), usage.days[0], usage.days[27]), (28, 1, 2));
        assert_eq!(usage.days.iter().sum::<u64>(), 3);
        let of = |name: &str, count| (name.to_owned(), count);
        let counted: Vec<_> = usage.operations.into_iter().collect();
        assert_eq!(counted, [of("get_sections", 1), of("search_text", 2)]);
    }
}
