//! Charging: one metered request that passes validation and is answered is one charge.
//!
//! A place in the allowance is held while the operation runs, so that requests at the same time
//! never exceed it, and becomes a charge before the answer leaves. What the service itself could
//! not do (5xx) is not charged.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Service, internal};
use crate::{
    access::{Allowance, Caller, Hold, printed},
    wire::{Failure, records::QuotaDetail},
};

/// What an operation answered, and what its caller has left.
#[derive(Debug)]
pub struct Answer {
    /// The reply as JSON, or the refusal.
    pub outcome: Result<Vec<u8>, Failure>,
    /// The caller's allowance after this request; none where the request was not metered or never
    /// came so far.
    pub allowance: Option<Allowance>,
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        Self { outcome: Err(failure), allowance: None }
    }
}

impl Service {
    /// Runs an operation at the expense of its caller. `given_up` says that the caller was told
    /// meanwhile that it took too long; that is not charged either.
    pub(super) fn metered(
        &self,
        caller: &Caller,
        operation: &'static str,
        given_up: &AtomicBool,
        run: impl FnOnce() -> Result<Vec<u8>, Failure>,
    ) -> Answer {
        let held = match self.access.hold(caller) {
            Err(error) => return internal(error).into(),
            Ok(Hold::Free) => return Answer { outcome: run(), allowance: None },
            Ok(Hold::Held(held)) => held,
            Ok(Hold::UsedUp(used_up)) => {
                let refusal = Failure::QuotaExhausted(Box::new(self.quota_detail(caller, used_up)));
                return Answer { outcome: Err(refusal), allowance: Some(used_up) };
            }
        };
        let allowance = held.allowance();
        let outcome = run();
        let failed = outcome.as_ref().is_err_and(|failure| failure.status() >= 500);
        if failed || given_up.load(Ordering::Acquire) {
            return Answer { outcome, allowance: None };
        }
        match held.charge(operation) {
            Ok(()) => Answer { outcome, allowance: Some(allowance) },
            // Who has no limit needs no room on the disk to be answered.
            Err(_) if allowance.limit.is_none() => Answer { outcome, allowance: Some(allowance) },
            // An answer that is not paid for is not given.
            Err(_) => uncharged().into(),
        }
    }

    fn quota_detail(&self, caller: &Caller, used_up: Allowance) -> QuotaDetail {
        let plan = match caller {
            Caller::Account { plan, .. } => plan.clone(),
            // They have no allowance that could be used up.
            Caller::Machine | Caller::Anyone => self.access.plans().of_account("").clone(),
        };
        let limit = used_up.limit.unwrap_or_default();
        let reset_at = printed(used_up.reset_at);
        let own_page = || format!("{}/dashboard/plan", self.base_url());
        let url = self.access.upgrade_url().map_or_else(own_page, str::to_owned);
        QuotaDetail {
            code: QuotaDetail::CODE.to_owned(),
            message: format!(
                "All {limit} requests of this month are used. The next month begins at {reset_at}."
            ),
            current_plan: plan.name.clone(),
            used: used_up.used,
            limit,
            remaining: used_up.remaining().unwrap_or_default(),
            reset_at,
            upgrade: self.access.plans().upgrade(&plan, &url),
        }
    }
}

/// The disk has no room for the charge; the log has the cause.
fn uncharged() -> Failure {
    Failure::Unavailable {
        message: "The request could not be counted, so it is not answered; try again later."
            .to_owned(),
    }
}
