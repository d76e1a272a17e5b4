//! Plans: how many requests an account may make in a month, and what more would cost.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::AccessError;
use wire::records::{Price, Upgrade};

/// The plan of accounts that register themselves, and of those made without naming one.
pub const FREE: &str = "free";
/// The plan of the operator's own accounts.
pub const OPERATOR: &str = "operator";

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Requests in a calendar month (UTC); none, in files `"unlimited"`, is no limit. A plan must say
    /// so: one that forgot its number is refused.
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

/// How a limit stands in a file: a number, or the word.
mod limit {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    const UNLIMITED: &str = "unlimited";

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Told {
        Requests(u64),
        Word(String),
    }

    pub(super) fn serialize<S: Serializer>(limit: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
        let told = match limit {
            Some(requests) => Told::Requests(*requests),
            None => Told::Word(UNLIMITED.to_owned()),
        };
        told.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        match Told::deserialize(from)? {
            Told::Requests(requests) => Ok(Some(requests)),
            Told::Word(word) if word == UNLIMITED => Ok(None),
            Told::Word(_) => Err(D::Error::custom("a number of requests, or \"unlimited\"")),
        }
    }
}

/// The plans of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plans {
    plans: Vec<Arc<Plan>>,
}

impl Default for Plans {
    /// The plans of the interface, and one without a limit for the operator's own accounts.
    fn default() -> Self {
        let plan = |name: &str, requests_per_month, monthly_price_cents| {
            let (name, currency) = (name.to_owned(), usd());
            Arc::new(Plan { name, requests_per_month, monthly_price_cents, currency })
        };
        let plans =
            vec![plan(FREE, Some(150), 0), plan("paid", Some(1000), 800), plan(OPERATOR, None, 0)];
        Self { plans }
    }
}

impl Plans {
    /// The shipped plans, with those of `configured` in place of the ones they name, or added.
    pub fn with(configured: Vec<Plan>) -> Self {
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
    pub fn all(&self) -> &[Arc<Plan>] {
        &self.plans
    }

    /// The plan of this name.
    pub fn named(&self, name: &str) -> Result<&Arc<Plan>, AccessError> {
        self.plans.iter().find(|plan| plan.name == name).ok_or_else(|| AccessError::UnknownPlan {
            name: name.to_owned(),
            known: self.plans.iter().map(|plan| plan.name.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// The plan that an account has: one that is no longer configured counts as the free one, for
    /// the account must not become unlimited by that.
    pub fn of_account(&self, name: &str) -> &Arc<Plan> {
        let free = || self.named(FREE).expect("the free plan is shipped");
        self.named(name).unwrap_or_else(|_| free())
    }

    /// What an account of `current` may change to: the plan with the next larger allowance that is
    /// sold, or the current one where there is none.
    pub fn upgrade(&self, current: &Plan, url: &str) -> Upgrade {
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
        let plans = Plans::default();
        let upgrade = |name| plans.upgrade(plans.of_account(name), "https://x/plan");
        let paid = upgrade(FREE);
        assert_eq!((paid.plan.as_str(), paid.monthly_price_cents), ("paid", 800));
        assert_eq!((paid.price.amount, paid.requests_per_month), (8.0, 1000));
        assert_eq!(upgrade("paid").plan, "paid");
        assert_eq!(upgrade(OPERATOR).plan, OPERATOR);
    }

    #[test]
    fn configured_plans_replace_and_add() {
        let lab = Plan {
            name: "lab".to_owned(),
            requests_per_month: Some(5000),
            monthly_price_cents: 2000,
            currency: "EUR".to_owned(),
        };
        let free = Plan { requests_per_month: Some(10), ..Plan::clone(&Plans::default().plans[0]) };
        let plans = Plans::with(vec![free, lab]);
        assert_eq!(plans.of_account(FREE).requests_per_month, Some(10));
        assert_eq!(plans.upgrade(plans.of_account("paid"), "").plan, "lab");
        assert_eq!(plans.all().len(), 4);
        assert!(plans.named("gone").is_err());
        assert_eq!(plans.of_account("gone").name, FREE);
    }
}
