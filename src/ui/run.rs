//! Runs operations for pages: validated like any request, and charged to the person who is signed in.

use std::sync::Arc;

use super::person::Person;
use crate::{
    http::Edge,
    service::{Operation, ValidParameters},
};
use wire::Failure;

/// Runs an operation for a person.
pub(super) async fn run_operation<O: Operation>(
    edge: &Arc<Edge>,
    person: &Person,
    parameters: O,
) -> Result<O::Reply, Failure> {
    let parameters = ValidParameters::from_parameters(parameters)?;
    let caller = person.to_caller(edge)?;
    edge.call(caller, parameters).await.outcome
}

/// The text of a form field without blanks around it; `None` if nothing was entered.
pub(super) fn entered_text(field: &str) -> Option<String> {
    Some(field.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}
