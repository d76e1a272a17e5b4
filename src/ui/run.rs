//! Operations as pages run them: checked like any request, at the expense of who is signed in.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::person::Person;
use crate::{
    http::Edge,
    service::{declared, internal},
};
use wire::Failure;

/// The arguments of an operation; empty ones are left out, as a form sends them.
#[derive(Default)]
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        if value.as_str().is_none_or(|text| !text.trim().is_empty()) {
            self.0.insert(name.to_owned(), value);
        }
        self
    }
}

/// Runs an operation and reads its reply.
pub(super) async fn run<T: DeserializeOwned>(
    edge: &Arc<Edge>,
    person: &Person,
    name: &'static str,
    arguments: Arguments,
) -> Result<T, Failure> {
    let operation = declared(name).ok_or_else(|| internal(format!("no operation {name}")))?;
    let valid = operation.validator.validate_value(&Value::Object(arguments.0));
    let parameters = valid.map_err(Failure::Validation)?;
    let caller = person.caller(edge)?;
    let answer = edge.run(operation, caller, parameters).await;
    serde_json::from_slice(&answer.outcome?).map_err(internal)
}
