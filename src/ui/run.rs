//! Runs operations for pages: validated like any request, and charged to the person who is signed in.

use std::sync::Arc;

use super::person::Person;
use crate::{
    http::Edge,
    service::{Operation, OperationReply, ValidParameters},
};
use wire::{Failure, records::DiagnosisReason};

/// A reply, and why it is empty or thin.
pub(super) struct ExplainedReply<R> {
    pub(super) reply: R,
    pub(super) diagnosis: Vec<DiagnosisReason>,
}

/// Runs an operation for a person.
pub(super) async fn run_operation<O: Operation>(
    edge: &Arc<Edge>,
    person: &Person,
    parameters: O,
) -> Result<O::Reply, Failure> {
    run_explained(edge, person, parameters).await.map(|explained| explained.reply)
}

/// The same, with why the reply is empty or thin.
pub(super) async fn run_explained<O: Operation>(
    edge: &Arc<Edge>,
    person: &Person,
    parameters: O,
) -> Result<ExplainedReply<O::Reply>, Failure> {
    let parameters = ValidParameters::from_parameters(parameters)?;
    let caller = person.to_caller(edge)?;
    let OperationReply { outcome, diagnosis, .. } = edge.call(caller, parameters).await;
    Ok(ExplainedReply { reply: outcome?, diagnosis })
}

/// The text of a form field without blanks around it; `None` if nothing was entered.
pub(super) fn entered_text(field: &str) -> Option<String> {
    Some(field.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}
