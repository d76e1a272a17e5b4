//! Charging: one metered request that passes validation and is answered is one charge.
//!
//! A place in the allowance is held while the operation runs, so that requests at the same time
//! never exceed it, and becomes a charge before the answer leaves. What the service itself could
//! not do (5xx) is not charged.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Service, internal};
use accounts::{Allowance, Caller, Hold, printed};
use wire::{Failure, records::QuotaDetail};

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

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::service::{ModelSettings, Models, Settings, Vocabulary, Wording};
    use accounts::{Access, AccessSettings, Account, Role, Via};
    use database_file::DISK_IS_FULL;
    use neural::{LoadOptions, Registry};
    use store::{DataFolder, Store};

    /// A service over an empty folder, and an account on the free plan.
    fn service() -> (TempDir, Service, Account) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = DataFolder::new(dir.path());
        folder.create().expect("created");
        let access = Access::open(&folder.accounts(), AccessSettings::default()).expect("opened");
        let store = Store::open(folder).expect("opened").into();
        let models = Models::new(ModelSettings {
            registry: Registry::shipped().clone(),
            folder: dir.path().join("models"),
            text_embedding: None,
            image_embedding: None,
            reranker: "none".to_owned(),
            embedding: LoadOptions::default(),
            reranking: LoadOptions::default(),
        });
        let wording = Wording::new(Vocabulary::default());
        let ann = access.add_account("ann", Role::Member, None).expect("made");
        (dir, Service::new(store, access, models, wording, Settings::default()), ann)
    }

    /// One request of an account: its status, and what is charged to it afterwards.
    fn ask(service: &Service, account: &Account, given_up: bool, status: u16) -> (u16, u64) {
        let caller = service.access.caller_of(account, Via::Browser).expect("active");
        let answer =
            service.metered(&caller, "search_text", &AtomicBool::new(given_up), || match status {
                200 => Ok(Vec::new()),
                404 => Err(Failure::NotFound),
                _ => Err(Failure::Overloaded { retry_after_s: 1 }),
            });
        let used = service.access.usage(account).expect("readable").allowance.used;
        (answer.outcome.map_or_else(|failure| failure.status(), |_| 200), used)
    }

    #[test]
    fn what_was_answered_is_charged_and_what_the_service_could_not_do_is_not() {
        let (_dir, service, ann) = service();
        assert_eq!(ask(&service, &ann, false, 200), (200, 1));
        assert_eq!(ask(&service, &ann, false, 404), (404, 2), "it was looked for");
        assert_eq!(ask(&service, &ann, false, 503), (503, 2));
        assert_eq!(ask(&service, &ann, true, 200), (200, 2), "nobody waited for it");
        assert_eq!(ask(&service, &ann, false, 200), (200, 3));
    }

    #[test]
    fn on_a_full_disk_those_without_a_limit_are_answered_and_others_come_again_later() {
        let (_dir, service, ann) = service();
        let operator = service.access.first_operator().expect("there");
        for account in [&ann, &operator] {
            assert_eq!(ask(&service, account, false, 200), (200, 1));
        }
        let full = |account: &Account| {
            let caller = service.access.caller_of(account, Via::Browser).expect("active");
            DISK_IS_FULL.set(true);
            let answer = service.metered(&caller, "x", &AtomicBool::new(false), || Ok(Vec::new()));
            DISK_IS_FULL.set(false);
            answer.outcome.map_or_else(|failure| failure.status(), |_| 200)
        };
        assert_eq!((full(&operator), full(&ann)), (200, 503));
        assert_eq!(ask(&service, &ann, false, 200), (200, 2), "there is room again");
    }
}
