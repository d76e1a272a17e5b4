//! The declaration of an operation, the typed call of it, and its type-erased form for edges.
//!
//! Code of this program calls an operation by its parameters struct ([`Service::call`]) and gets its
//! reply struct; edges have [`DeclaredOperation`]s, whose parameters and replies are JSON. Both ways
//! check the parameters by the same validator, and charge the caller once.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::{
    OperationReply, Service,
    detail::{take_detail, to_low_detail},
    diagnosis::{DiagnosisContext, Reasons, reasons_meter},
    internal_failure,
    key_scope::keep_to_scope,
    on_demand::add_source,
    refusals::cost_failure,
    spelling::read_spellings,
};
use accounts::Caller;
use cost_meter::CostMeter;
use wire::{
    Failure, OperationDeclaration, OperationDescriptor, Validator, params,
    records::DiagnosisReason, values::Detail,
};

/// The field of a reply that says why it is empty or thin.
pub(crate) const DIAGNOSIS: &str = "diagnosis";

/// An operation of the service: what it does, beside its declaration in the contract.
pub trait Operation: OperationDeclaration + Clone {
    /// Whether it can answer at all with the models that are there; tools that cannot are not listed.
    fn is_available(_service: &Service) -> bool {
        true
    }

    /// Checks the values that only a lookup can validate; runs before anything is charged.
    fn check_parameters(&self, _service: &Service) -> Result<(), Failure> {
        Ok(())
    }

    /// For a reply in pages of `items`: the field that says where the next page begins, and its value if only the
    /// first `rows` of this page are shown, of which `last` is the last one.
    fn next_page(&self, _rows: usize, _last: &Value) -> Option<(&'static str, Value)> {
        None
    }

    /// Shortens a row of its list for `detail=low`: what another operation says in full, or what other fields say, may go.
    fn shorten_row(_row: &mut Map<String, Value>) {}

    /// Runs the operation. It blocks, so edges call it on a thread that may. It may be ended at each call of
    /// [`cost_meter::spend`].
    fn run(self, service: &Service, caller: &Caller) -> Result<Self::Reply, Failure>;

    /// Adds why its answer is empty or thin, if it is: from what the service knows, without guessing. Nobody is
    /// charged for it, and it may be ended at each call of [`cost_meter::spend`].
    fn diagnose(
        &self,
        _context: &DiagnosisContext<'_>,
        _reply: &Self::Reply,
        _reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        Ok(())
    }
}

/// An operation in the form for edges.
pub struct DeclaredOperation {
    /// What clients see.
    pub descriptor: OperationDescriptor,
    /// Checks its parameters.
    pub validator: Validator,
    /// The fields that a tool prints once for all rows of its list.
    pub row_constants: &'static [&'static str],
    is_available: fn(&Service) -> bool,
    next_page: fn(&Value, usize, &Value) -> Option<(&'static str, Value)>,
    run: fn(&Service, &Caller, Value, &CostMeter) -> OperationReply,
}

impl DeclaredOperation {
    fn for_operation<O: Operation>() -> Self {
        let descriptor = OperationDescriptor::of::<O>();
        let validator = Validator::of_operation::<O>()
            .expect("the schema of a declared operation compiles; a test walks all of them");
        Self {
            descriptor,
            validator,
            row_constants: O::ROW_CONSTANTS,
            is_available: O::is_available,
            next_page: |parameters, rows, last| {
                serde_json::from_value::<O>(parameters.clone()).ok()?.next_page(rows, last)
            },
            run: run_erased::<O>,
        }
    }

    /// Whether it can answer at all with the models that are there.
    pub fn is_available(&self, service: &Service) -> bool {
        (self.is_available)(service)
    }

    /// Where the next page begins if only the first `rows` of a page are shown (see [`Operation::next_page`]).
    pub fn next_page(
        &self,
        parameters: &Value,
        rows: usize,
        last: &Value,
    ) -> Option<(&'static str, Value)> {
        (self.next_page)(parameters, rows, last)
    }

    /// Runs the operation on validated parameters within the limits of a meter, and charges the caller if it is
    /// metered.
    pub fn run(
        &self,
        service: &Service,
        caller: &Caller,
        mut parameters: Value,
        meter: &CostMeter,
    ) -> OperationReply {
        read_spellings(&self.descriptor, &mut parameters);
        (self.run)(service, caller, parameters, meter)
    }
}

/// Parameters that the validator of their operation passed.
pub struct ValidParameters<O> {
    parameters: O,
    operation: &'static DeclaredOperation,
}

impl<O: Operation> ValidParameters<O> {
    /// Validates parameters as if they came in a request.
    pub fn from_parameters(parameters: O) -> Result<Self, Failure> {
        let operation = find_operation(O::NAME)
            .ok_or_else(|| internal_failure(format!("{} is not declared", O::NAME)))?;
        let mut arguments = serde_json::to_value(&parameters).map_err(internal_failure)?;
        operation.validator.validate_value(&arguments).map_err(Failure::Validation)?;
        let given = arguments.clone();
        read_spellings(&operation.descriptor, &mut arguments);
        let parameters = if arguments == given {
            parameters
        } else {
            serde_json::from_value(arguments).map_err(internal_failure)?
        };
        Ok(Self { parameters, operation })
    }

    /// The operation that they are for.
    pub fn operation(&self) -> &'static DeclaredOperation {
        self.operation
    }
}

impl Service {
    /// Runs an operation within the limits of a meter, and charges the caller if it is metered.
    pub fn call<O: Operation>(
        &self,
        caller: &Caller,
        parameters: ValidParameters<O>,
        meter: &CostMeter,
    ) -> OperationReply<O::Reply> {
        run_charged(self, caller, parameters.parameters, meter, |reply, _| Ok(reply))
    }
}

fn run_erased<O: Operation>(
    service: &Service,
    caller: &Caller,
    mut parameters: Value,
    meter: &CostMeter,
) -> OperationReply {
    let detail = take_detail(&mut parameters);
    match serde_json::from_value::<O>(parameters) {
        Ok(parameters) => run_charged(service, caller, parameters, meter, |reply, diagnosis| {
            print_reply::<O>(&reply, detail, diagnosis)
        }),
        Err(error) => internal_failure(error).into(),
    }
}

/// The reply as JSON. A record that is empty or thin says why; a list is the contract's, and stays as it is.
fn print_reply<O: Operation>(
    reply: &O::Reply,
    detail: Detail,
    diagnosis: &[DiagnosisReason],
) -> Result<Vec<u8>, Failure> {
    if detail == Detail::Full && diagnosis.is_empty() {
        return serde_json::to_vec(reply).map_err(internal_failure);
    }
    let mut reply = serde_json::to_value(reply).map_err(internal_failure)?;
    if detail == Detail::Low {
        reply = to_low_detail(reply, O::shorten_row);
    }
    if let Some(fields) = reply.as_object_mut()
        && !diagnosis.is_empty()
    {
        let diagnosis = serde_json::to_value(diagnosis).map_err(internal_failure)?;
        fields.insert(DIAGNOSIS.to_owned(), diagnosis);
    }
    serde_json::to_vec(&reply).map_err(internal_failure)
}

/// Runs an operation on validated parameters. `finish` belongs to the work that is charged: if it
/// fails, there is no answer and no charge.
fn run_charged<O: Operation, T>(
    service: &Service,
    caller: &Caller,
    parameters: O,
    meter: &CostMeter,
    finish: impl FnOnce(O::Reply, &[DiagnosisReason]) -> Result<T, Failure>,
) -> OperationReply<T> {
    service.recover_store();
    let parameters = match keep_to_scope(service, caller, parameters) {
        Ok(parameters) => parameters,
        Err(failure) => return failure.into(),
    };
    if let Err(failure) = run_within(meter, || parameters.check_parameters(service)) {
        return failure.into();
    }
    let asked = parameters.clone();
    let mut diagnosis = Vec::new();
    let run = || {
        let reply = run_within(meter, || parameters.run(service, caller))?;
        // Outside of the meter: the caller did not ask for it.
        diagnosis = collect_reasons(&asked, service, caller, &reply);
        run_within(meter, || finish(reply, &diagnosis))
    };
    let answer = if O::METERED {
        service.run_metered(caller, O::NAME, meter, run)
    } else {
        OperationReply::unmetered(run())
    };
    OperationReply { diagnosis, ..answer }
}

/// Why an answer is empty or thin. A search for reasons that fails or takes too long leaves those that it found: the
/// answer itself is good.
fn collect_reasons<O: Operation>(
    operation: &O,
    service: &Service,
    caller: &Caller,
    reply: &O::Reply,
) -> Vec<DiagnosisReason> {
    let mut reasons = Reasons::default();
    let looked = run_within(&reasons_meter(), || {
        let context = DiagnosisContext { service, snapshot: service.store.snapshot(), caller };
        operation.diagnose(&context, reply, &mut reasons)?;
        add_source(service, operation, &mut reasons);
        Ok(())
    });
    match looked {
        Ok(()) => {}
        Err(failure @ Failure::Internal { .. }) => {
            tracing::error!(operation = O::NAME, %failure, "an empty answer could not be explained");
        }
        Err(failure) => {
            tracing::debug!(operation = O::NAME, %failure, "an empty answer is explained in part");
        }
    }
    reasons.into_list()
}

/// Does work within the limits of a meter. Charges are written outside of it.
pub(crate) fn run_within<T>(
    meter: &CostMeter,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    meter.run(work).unwrap_or_else(|exceeded| Err(cost_failure(exceeded)))
}

/// All operations, in the order of the documentation.
pub fn operations() -> &'static [DeclaredOperation] {
    static OPERATIONS: LazyLock<Vec<DeclaredOperation>> = LazyLock::new(|| {
        macro_rules! declare {
            ($($operation:ident,)*) => {
                vec![$(DeclaredOperation::for_operation::<params::$operation>(),)*]
            };
        }
        wire::for_each_operation!(declare)
    });
    &OPERATIONS
}

/// An operation by its name.
pub fn find_operation(name: &str) -> Option<&'static DeclaredOperation> {
    operations().iter().find(|operation| operation.descriptor.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_compiles_and_has_its_own_name_and_route() {
        let mut names: Vec<&str> = operations().iter().map(|o| o.descriptor.name).collect();
        let mut paths: Vec<&str> = operations().iter().map(|o| o.descriptor.route.path).collect();
        names.sort_unstable();
        paths.sort_unstable();
        names.dedup();
        paths.dedup();
        assert_eq!((names.len(), paths.len()), (operations().len(), operations().len()));
        assert!(operations().iter().all(|o| !o.descriptor.summary.is_empty()));
    }
}
