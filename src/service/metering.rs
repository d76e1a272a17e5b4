//! Charging: one metered request that passes validation and gets an answer is one charge.
//!
//! A request of the allowance is reserved while the operation runs, so that simultaneous requests never exceed it,
//! and becomes a charge before the answer leaves. Failures of the service itself (5xx) are not charged, nor are
//! parameters that mean nothing or several things, nor is work that exceeds the limits of a request (`cost_meter`),
//! because it has no answer.

use super::{Service, internal_failure};
use accounts::{Allowance, Caller, ReservationOutcome, format_timestamp};
use cost_meter::CostMeter;
use wire::{
    Failure,
    records::{DiagnosisReason, QuotaDetail},
};

/// The outcome of an operation and the caller's allowance. Edges get the reply as JSON text, typed
/// calls get the reply struct.
#[derive(Debug)]
pub struct OperationReply<T = Vec<u8>> {
    /// The reply, or the refusal.
    pub outcome: Result<T, Failure>,
    /// The caller's allowance after this request; `None` if the request was not metered, or was refused
    /// before it was.
    pub allowance: Option<Allowance>,
    /// Why the reply is empty or thin; the reply has it too if it is a record.
    pub diagnosis: Vec<DiagnosisReason>,
}

impl<T> OperationReply<T> {
    /// The outcome of work that was not metered.
    pub(super) fn unmetered(outcome: Result<T, Failure>) -> Self {
        Self { outcome, allowance: None, diagnosis: Vec::new() }
    }

    fn metered(outcome: Result<T, Failure>, allowance: Allowance) -> Self {
        Self { allowance: Some(allowance), ..Self::unmetered(outcome) }
    }
}

impl<T> From<Failure> for OperationReply<T> {
    fn from(failure: Failure) -> Self {
        Self::unmetered(Err(failure))
    }
}

/// Whether a refused request is not charged: the service failed, or nothing was looked up.
fn is_never_charged(failure: &Failure) -> bool {
    failure.status() >= 500
        || matches!(
            failure,
            Failure::InvalidParameter { .. } | Failure::OrganizationAmbiguous { .. }
        )
}

impl Service {
    /// Runs an operation and charges its caller, unless the work was cancelled because it took too long. A request
    /// whose client is gone is charged: otherwise it would be free to request a lot and not to wait for it.
    pub(super) fn run_metered<T>(
        &self,
        caller: &Caller,
        operation: &'static str,
        meter: &CostMeter,
        run: impl FnOnce() -> Result<T, Failure>,
    ) -> OperationReply<T> {
        let reservation = match self.access.charges().reserve_request(caller) {
            Err(error) => return internal_failure(error).into(),
            Ok(ReservationOutcome::Unmetered) => {
                return OperationReply::unmetered(run());
            }
            Ok(ReservationOutcome::Reserved(reservation)) => reservation,
            Ok(ReservationOutcome::Exhausted(used_up)) => {
                let refusal = Failure::QuotaExhausted(Box::new(self.quota_detail(caller, used_up)));
                return OperationReply::metered(Err(refusal), used_up);
            }
        };
        let allowance = reservation.allowance();
        let outcome = run();
        // A client that closes the connection has had the work done.
        let is_free = if meter.is_abandoned() {
            false
        } else {
            meter.is_cancelled() || outcome.as_ref().is_err_and(is_never_charged)
        };
        if is_free {
            return OperationReply::unmetered(outcome);
        }
        match reservation.charge_request(operation) {
            Ok(()) => OperationReply::metered(outcome, allowance),
            // A caller without a limit is answered even when the charge cannot be written.
            Err(_) if allowance.limit.is_none() => OperationReply::metered(outcome, allowance),
            // An answer that cannot be charged is not given.
            Err(_) => charge_failure().into(),
        }
    }

    fn quota_detail(&self, caller: &Caller, used_up: Allowance) -> QuotaDetail {
        let plan = match caller {
            Caller::Account { plan, .. } => plan.clone(),
            // They have no allowance that could be used up.
            Caller::Machine | Caller::Anyone => self.access.plans().plan_of_account("").clone(),
        };
        let limit = used_up.limit.unwrap_or_default();
        let reset_at = format_timestamp(used_up.reset_at);
        let own_page = || format!("{}/dashboard/plan", self.address.base_url());
        let url = self.access.upgrade_url().map_or_else(own_page, str::to_owned);
        QuotaDetail {
            code: QuotaDetail::CODE.to_owned(),
            message: format!(
                "All {limit} requests for this month are used up. The allowance resets at {reset_at}."
            ),
            current_plan: plan.name.clone(),
            used: used_up.used,
            limit,
            remaining: used_up.remaining_requests().unwrap_or_default(),
            reset_at,
            upgrade: self.access.plans().find_upgrade(&plan, &url),
        }
    }
}

/// The disk has no room for the charge; the log has the cause.
fn charge_failure() -> Failure {
    Failure::Unavailable {
        message: "The request could not be counted and was rejected; try again later.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tempfile::TempDir;

    use super::*;
    use crate::{
        jobs::JobSettings,
        service::{ValidParameters, find_operation},
    };
    use accounts::{Access, AccessSettings, Account, AccountRole, AccountsLocation, FREE, Via};
    use database_file::DISK_IS_FULL;
    use neural::{LoadOptions, ModelRegistry};
    use retrieval::{
        ModelSettings, Models, QueryExpander, Retriever, SearchSettings, SynonymVocabulary,
    };
    use store::{DataFolder, Store};
    use wire::params::{ListMeetings, SearchText};

    /// A service over an empty folder, and an account on the free plan.
    fn service() -> (TempDir, Service, Account) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = DataFolder::new(dir.path());
        folder.create_folders().expect("created");
        let access = Access::open(
            &AccountsLocation::File(folder.accounts_path()),
            AccessSettings::default(),
        )
        .expect("opened");
        let store = Store::open(folder).expect("opened").into();
        let models = std::sync::Arc::new(Models::new(ModelSettings {
            registry: ModelRegistry::shipped().clone(),
            folder: dir.path().join("models"),
            text_embedding: None,
            image_embedding: None,
            reranker: "none".to_owned(),
            embedding: LoadOptions::default(),
            reranking: LoadOptions::default(),
        }));
        let expander = QueryExpander::new(SynonymVocabulary::default());
        let retriever = Retriever::new(models, expander, SearchSettings::default());
        let ann =
            access.accounts().add_account("ann", AccountRole::Member, Some(FREE)).expect("made");
        (dir, Service::new(store, access, retriever, JobSettings::default()), ann)
    }

    /// One request of an account: its status, and what is charged to it afterwards.
    fn ask(service: &Service, account: &Account, given_up: bool, status: u16) -> (u16, u64) {
        let caller = service.access.caller_of(account, Via::Browser).expect("active");
        let meter = CostMeter::unlimited();
        if given_up {
            meter.cancel();
        }
        let answer = service.run_metered(&caller, "search_text", &meter, || match status {
            200 => Ok(()),
            404 => Err(Failure::NotFound),
            400 => Err(Failure::InvalidParameter { parameter: "x", message: String::new() }),
            _ => Err(Failure::Overloaded { retry_after_s: 1 }),
        });
        let used =
            service.access.charges().monthly_usage(account).expect("readable").allowance.used;
        (answer.outcome.map_or_else(|failure| failure.status(), |_| 200), used)
    }

    #[test]
    fn what_was_answered_is_charged_and_what_the_service_could_not_do_is_not() {
        let (_dir, service, ann) = service();
        assert_eq!(ask(&service, &ann, false, 200), (200, 1));
        assert_eq!(ask(&service, &ann, false, 404), (404, 2), "it was looked for");
        assert_eq!(ask(&service, &ann, false, 400), (400, 2), "nothing was looked for");
        assert_eq!(ask(&service, &ann, false, 503), (503, 2));
        assert_eq!(ask(&service, &ann, true, 200), (200, 2), "nobody waited for it");
        assert_eq!(ask(&service, &ann, false, 200), (200, 3));
    }

    #[test]
    fn a_request_whose_client_has_gone_is_charged_and_one_that_took_too_long_is_not() {
        let (_dir, service, ann) = service();
        let caller = service.access.caller_of(&ann, Via::Browser).expect("active");
        let charged_after = |end: fn(&CostMeter)| {
            let meter = CostMeter::unlimited();
            let late = || Err::<(), _>(Failure::Overloaded { retry_after_s: 1 });
            let run = || {
                end(&meter);
                late()
            };
            drop(service.run_metered(&caller, "search_text", &meter, run));
            service.access.charges().monthly_usage(&ann).expect("readable").allowance.used
        };
        assert_eq!(charged_after(CostMeter::cancel), 0);
        assert_eq!(charged_after(CostMeter::abandon), 1);
    }

    #[test]
    fn on_a_full_disk_those_without_a_limit_are_answered_and_others_come_again_later() {
        let (_dir, service, ann) = service();
        let operator = service.access.accounts().first_operator().expect("there");
        for account in [&ann, &operator] {
            assert_eq!(ask(&service, account, false, 200), (200, 1));
        }
        let full = |account: &Account| {
            let caller = service.access.caller_of(account, Via::Browser).expect("active");
            DISK_IS_FULL.set(true);
            let answer = service.run_metered(&caller, "x", &CostMeter::unlimited(), || Ok(()));
            DISK_IS_FULL.set(false);
            answer.outcome.map_or_else(|failure| failure.status(), |_| 200)
        };
        assert_eq!((full(&operator), full(&ann)), (200, 503));
        assert_eq!(ask(&service, &ann, false, 200), (200, 2), "there is room again");
    }

    #[test]
    fn a_typed_call_gives_the_same_answer_as_a_request_and_charges_once() {
        let (_dir, service, ann) = service();
        let caller = service.access.caller_of(&ann, Via::Browser).expect("active");
        let waiting = CostMeter::unlimited();
        let used =
            || service.access.charges().monthly_usage(&ann).expect("readable").allowance.used;
        let parameters = ListMeetings { limit: 5, ..ListMeetings::default() };
        let parameters = ValidParameters::from_parameters(parameters).expect("within bounds");
        let typed = service.call(&caller, parameters, &waiting);
        assert_eq!((used(), typed.allowance.expect("metered").used), (1, 1));
        let declared = find_operation("list_meetings").expect("declared");
        let arguments = declared.validator.validate_value(&json!({"limit": 5}));
        let erased = declared.run(&service, &caller, arguments.expect("valid"), &waiting);
        assert_eq!((used(), erased.allowance.expect("metered").used), (2, 2));
        assert!(!typed.diagnosis.is_empty(), "no meeting is known");
        assert_eq!(typed.diagnosis, erased.diagnosis);
        let mut reply: Value =
            serde_json::from_slice(&erased.outcome.expect("answered")).expect("JSON");
        let diagnosis = reply.as_object_mut().and_then(|fields| fields.shift_remove("diagnosis"));
        assert_eq!(diagnosis, Some(json!(typed.diagnosis)), "only JSON has it in the reply");
        assert_eq!(json!(typed.outcome.expect("answered")), reply);
    }

    #[test]
    fn parameters_of_a_typed_call_have_the_bounds_of_a_request() {
        let parameters =
            SearchText { rerank_top_k: 51, match_threshold: f64::NAN, ..SearchText::default() };
        let Err(Failure::Validation(faults)) = ValidParameters::from_parameters(parameters) else {
            panic!("a query is empty, and two numbers are out of bounds");
        };
        let locations: Vec<String> =
            faults.iter().map(|fault| format!("{:?}", fault.loc)).collect();
        for field in ["query", "match_threshold", "rerank_top_k"] {
            assert!(locations.iter().any(|loc| loc.contains(field)), "{field}: {locations:?}");
        }
        assert_eq!(faults.len(), 3);
    }
}
