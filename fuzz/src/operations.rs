//! The parameters of every operation with their validator, as the contract declares them.

use std::sync::LazyLock;

use serde_json::{Value, json};
use wire::{OperationDeclaration, ParameterCarrier, RawRequest, Route, Validator};

/// The parameters of one operation.
pub struct OperationParameters {
    route: Route,
    validator: Validator,
    /// Whether the operation's own type can be read from clean parameters.
    is_readable: fn(Value) -> bool,
}

/// The parameters of all operations.
pub static OPERATIONS: LazyLock<Vec<OperationParameters>> = LazyLock::new(|| {
    macro_rules! collect {
        ($($operation:ident,)*) => { vec![$(parameters_of::<wire::params::$operation>(),)*] };
    }
    wire::for_each_operation!(collect)
});

fn parameters_of<T: OperationDeclaration>() -> OperationParameters {
    let validator = Validator::from_route::<T>(&T::ROUTE).expect("a schema that is supported");
    OperationParameters {
        route: T::ROUTE,
        validator,
        is_readable: |clean| serde_json::from_value::<T>(clean).is_ok(),
    }
}

impl OperationParameters {
    /// Whether the parameters come as a JSON body.
    pub fn has_body(&self) -> bool {
        self.route.carrier == ParameterCarrier::Body
    }

    /// Validates a request: clean parameters are readable and validate again; faults can be serialized.
    pub fn validate_request(&self, request: &RawRequest<'_>) {
        match self.validator.validate_request(request) {
            Ok(clean) => {
                assert!((self.is_readable)(clean.clone()), "{} {clean}", self.route.path);
                let again = self.validator.validate_value(&clean);
                assert!(again.as_ref() == Ok(&clean), "{} {clean} {again:?}", self.route.path);
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                let _serialized = json!(faults);
            }
        }
    }
}
