//! The refusal of a caller whose allowance is used up.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of an exhausted allowance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuotaDetail {
    /// Always `api_quota_exhausted`.
    #[schemars(example = QuotaDetail::CODE)]
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// The plan of the account.
    #[schemars(example = &"free")]
    pub current_plan: String,
    /// Requests used this month.
    #[schemars(example = 150)]
    pub used: u64,
    /// Requests per month that the plan includes.
    #[schemars(example = 150)]
    pub limit: u64,
    /// Requests left this month.
    #[schemars(example = 0)]
    pub remaining: u64,
    /// When the next month begins (ISO 8601, UTC).
    #[schemars(example = &"2026-02-01T00:00:00Z")]
    pub reset_at: String,
    /// A plan with a larger allowance.
    pub upgrade: Upgrade,
}

impl QuotaDetail {
    /// The value of `code`.
    pub const CODE: &'static str = "api_quota_exhausted";

    /// One to show.
    pub fn sample() -> Self {
        Self {
            code: Self::CODE.to_owned(),
            message: "All 150 requests for this month are used up. The allowance resets at 2026-02-01T00:00:00Z."
                .to_owned(),
            current_plan: "free".to_owned(),
            used: 150,
            limit: 150,
            remaining: 0,
            reset_at: "2026-02-01T00:00:00Z".to_owned(),
            upgrade: Upgrade {
                plan: "paid".to_owned(),
                price: Price {
                    amount: 8.0,
                    currency: "USD".to_owned(),
                    interval: "month".to_owned(),
                },
                monthly_price_cents: 800,
                requests_per_month: 1000,
                url: "https://specbox.example/dashboard/plan".to_owned(),
            },
        }
    }
}

/// A plan that an account could change to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Upgrade {
    /// The name of the plan.
    pub plan: String,
    /// The price of the plan.
    pub price: Price,
    /// The price per month, in cents.
    pub monthly_price_cents: u64,
    /// Requests per month that the plan includes.
    pub requests_per_month: u64,
    /// The address for changing to it.
    pub url: String,
}

/// The price of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The amount, in whole units of the currency.
    pub amount: f64,
    /// The currency, such as `USD`.
    pub currency: String,
    /// The billing period, such as `month`.
    pub interval: String,
}
