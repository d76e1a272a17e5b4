//! Plans: how many requests an account may make in a month, and what more would cost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::AccessError;
use wire::records::{Price, Upgrade};

/// The plan of accounts that register themselves.
pub const FREE: &str = "free";
/// The plan of accounts that an operator adds without naming one: the colleagues of a lab.
pub const UNLIMITED: &str = "unlimited";
/// The plan of the operator's own accounts.
pub const OPERATOR: &str = "operator";

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountPlan {
    /// Its name.
    pub name: String,
    /// Requests in a calendar month (UTC); `None`, in files `"unlimited"`, means no limit. A plan must say so: one
    /// without a number is rejected.
    #[serde(with = "limit")]
    pub requests_per_month: Option<u64>,
    /// What it costs in a month, in hundredths of the currency.
    #[serde(default)]
    pub monthly_price_cents: u64,
    /// The currency.
    #[serde(default = "usd")]
    pub currency: String,
}

fn usd() -> String {
    "USD".to_owned()
}

/// A limit as configured: a number, or the word `unlimited`.
mod limit {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    const UNLIMITED: &str = "unlimited";

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum PlanLimit {
        Requests(u64),
        Word(String),
    }

    pub(super) fn serialize<S: Serializer>(limit: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        let written = match limit {
            Some(requests) => PlanLimit::Requests(*requests),
            None => PlanLimit::Word(UNLIMITED.to_owned()),
        };
        written.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        match PlanLimit::deserialize(from)? {
            PlanLimit::Requests(requests) => Ok(Some(requests)),
            PlanLimit::Word(word) if word == UNLIMITED => Ok(None),
            PlanLimit::Word(_) => Err(D::Error::custom("a number of requests, or \"unlimited\"")),
        }
    }
}

/// The plans of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountPlans {
    plans: Vec<Arc<AccountPlan>>,
}

impl Default for AccountPlans {
    /// The plans of the interface, and those without a limit for accounts that an operator adds.
    fn default() -> Self {
        let plan = |name: &str, requests_per_month, monthly_price_cents| {
            let (name, currency) = (name.to_owned(), usd());
            Arc::new(AccountPlan { name, requests_per_month, monthly_price_cents, currency })
        };
        let plans = vec![
            plan(FREE, Some(150), 0),
            plan("paid", Some(1000), 800),
            plan(UNLIMITED, None, 0),
            plan(OPERATOR, None, 0),
        ];
        Self { plans }
    }
}

impl AccountPlans {
    /// The shipped plans, with those of `configured` added, or instead of the ones they name.
    pub fn with_configured(configured: Vec<AccountPlan>) -> Self {
        let mut plans = Self::default().plans;
        for plan in configured {
            match plans.iter_mut().find(|other| other.name == plan.name) {
                Some(other) => *other = Arc::new(plan),
                None => plans.push(Arc::new(plan)),
            }
        }
        Self { plans }
    }

    /// All of them.
    pub fn all_plans(&self) -> &[Arc<AccountPlan>] {
        &self.plans
    }

    /// The plan of this name.
    pub fn find_plan(&self, name: &str) -> Result<&Arc<AccountPlan>, AccessError> {
        self.plans.iter().find(|plan| plan.name == name).ok_or_else(|| AccessError::UnknownPlan {
            name: name.to_owned(),
            known: self.plans.iter().map(|plan| plan.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// The plan of an account: one that is no longer configured counts as the free one, because the account must not
    /// become unlimited by that.
    pub fn plan_of_account(&self, name: &str) -> &Arc<AccountPlan> {
        let free = || self.find_plan(FREE).expect("the free plan is shipped");
        self.find_plan(name).unwrap_or_else(|_| free())
    }

    /// What an account of `current` may change to: the plan with the next larger allowance that is sold, or the
    /// current one if there is none.
    pub fn find_upgrade(&self, current: &AccountPlan, url: &str) -> Upgrade {
        let allowance = current.requests_per_month.unwrap_or(u64::MAX);
        let sold = self.plans.iter().filter(|plan| {
            plan.monthly_price_cents > 0
                && plan.requests_per_month.is_some_and(|requests| requests > allowance)
        });
        let next = sold.min_by_key(|plan| plan.requests_per_month);
        let plan = next.map_or(current, |plan| plan);
        Upgrade {
            plan: plan.name.clone(),
            price: Price {
                amount: plan.monthly_price_cents as f64 / 100.0,
                currency: plan.currency.clone(),
                interval: "month".to_owned(),
            },
            monthly_price_cents: plan.monthly_price_cents,
            requests_per_month: plan.requests_per_month.unwrap_or(0),
            url: url.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upgrade_is_the_next_larger_plan_that_is_sold_or_the_own_one() {
        let plans = AccountPlans::default();
        let upgrade = |name| plans.find_upgrade(plans.plan_of_account(name), "https://x/plan");
        let paid = upgrade(FREE);
        assert_eq!((paid.plan.as_str(), paid.monthly_price_cents), ("paid", 800));
        assert_eq!((paid.price.amount, paid.requests_per_month), (8.0, 1000));
        assert_eq!(upgrade("paid").plan, "paid");
        assert_eq!(
            (upgrade(OPERATOR).plan, upgrade(UNLIMITED).plan),
            (OPERATOR.into(), UNLIMITED.into())
        );
    }

    #[test]
    fn configured_plans_replace_and_add() {
        let lab = AccountPlan {
            name: "lab".to_owned(),
            requests_per_month: Some(5000),
            monthly_price_cents: 2000,
            currency: "EUR".to_owned(),
        };
        let free = AccountPlan {
            requests_per_month: Some(10),
            ..AccountPlan::clone(&AccountPlans::default().plans[0])
        };
        let plans = AccountPlans::with_configured(vec![free, lab]);
        assert_eq!(plans.plan_of_account(FREE).requests_per_month, Some(10));
        assert_eq!(plans.find_upgrade(plans.plan_of_account("paid"), "").plan, "lab");
        assert_eq!(plans.all_plans().len(), 5);
        assert!(plans.find_plan("gone").is_err());
        assert_eq!(plans.plan_of_account("gone").name, FREE);
    }
}
