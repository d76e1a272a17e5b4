//! Values for the arguments of prompts and resource templates, while somebody types them. Free of charge, like typing help in a
//! search box.

use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Extensions, Reference},
};
use serde_json::json;

use super::{
    argument_kind::ArgumentKind,
    call_origin::{AdmittedCall, CallOrigin},
    prompts::argument_of_prompt,
    protocol_refusal::refuse_request,
    resources::argument_of_template,
};
use crate::service::{
    Service, complete_document_numbers, complete_meetings, complete_releases, complete_sections,
    complete_versions, find_operation, internal_failure, may_call,
};
use domain::DocNumber;
use wire::{
    Failure, Media, OperationDeclaration,
    params::{ListDocuments, ListMeetings, ListSections, Suggest},
    records::SuggestReply,
    values::SuggestionKind,
};

/// Names that are asked for: the most that `suggest` gives.
const MAX_NAMES: u32 = 50;
/// Longer texts are completed by nothing.
const MAX_TYPED_CHARS: usize = 200;

/// Completes an argument.
pub(super) async fn complete_argument(
    origin: &CallOrigin,
    extensions: &Extensions,
    request: CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let argument = &request.argument;
    let kind = match &request.r#ref {
        Reference::Prompt(prompt) => argument_of_prompt(&prompt.name, &argument.name),
        Reference::Resource(template) => argument_of_template(&template.uri, &argument.name),
        _ => None,
    };
    let Some(kind) = kind else {
        let message = "there is no such prompt or resource template with this argument";
        return Err(ErrorData::invalid_params(message, None));
    };
    if argument.value.chars().count() > MAX_TYPED_CHARS {
        return Ok(CompleteResult::default());
    }
    let values = complete_value(origin, extensions, kind, &request).await;
    let mut values = values.map_err(|failure| refuse_request(&failure))?;
    let total = values.len();
    values.truncate(CompletionInfo::MAX_VALUES);
    let has_more = values.len() < total;
    let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), has_more);
    info.map(CompleteResult::new).map_err(|message| ErrorData::internal_error(message, None))
}

async fn complete_value(
    origin: &CallOrigin,
    extensions: &Extensions,
    kind: ArgumentKind,
    request: &CompleteRequestParams,
) -> Result<Vec<String>, Failure> {
    let call = origin.admit_call(extensions, Media::Json)?;
    let typed = request.argument.value.clone();
    let other = |name: &str| {
        let value = request.context.as_ref()?.get_argument(name)?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    let spell = |text: String| text.parse::<DocNumber>().map_or(text, |number| number.to_string());
    let (document, version) = (other("document").map(spell), other("version"));
    let scope = call.caller().key_scope().cloned().unwrap_or_default();
    let covers = move |document: &String| {
        scope.covers_series(document.split('.').next().unwrap_or_default())
    };
    let is_elsewhere = match &document {
        Some(document) => !covers(document),
        // Of all documents together, also of those that the key does not cover.
        None => kind != ArgumentKind::Document && !covers(&String::new()),
    };
    if is_elsewhere || !may_call(call.caller(), operation_behind(kind)) {
        return Ok(Vec::new());
    }
    match kind {
        ArgumentKind::FreeText => Ok(Vec::new()),
        ArgumentKind::Name => complete_names(&call, &typed).await,
        ArgumentKind::Document => {
            let complete = move |service: &Service| {
                let mut numbers = complete_document_numbers(service, &typed);
                numbers.retain(covers);
                Ok(numbers)
            };
            call.run_blocking(complete).await
        }
        ArgumentKind::Section => {
            let Some(document) = document else { return Ok(Vec::new()) };
            let complete = move |service: &Service| {
                complete_sections(service, &document, version.as_deref(), &typed)
            };
            call.run_blocking(complete).await
        }
        ArgumentKind::Version => {
            let complete = move |service: &Service| {
                Ok(complete_versions(service, document.as_deref(), &typed))
            };
            call.run_blocking(complete).await
        }
        ArgumentKind::Release => {
            let complete = move |service: &Service| {
                Ok(complete_releases(service, document.as_deref(), &typed))
            };
            call.run_blocking(complete).await
        }
        ArgumentKind::Meeting => {
            call.run_blocking(move |service| complete_meetings(service, &typed)).await
        }
    }
}

/// The operation that shows the same: a key that may not call it gets no completions.
fn operation_behind(kind: ArgumentKind) -> &'static str {
    match kind {
        ArgumentKind::Document | ArgumentKind::Version | ArgumentKind::Release => {
            ListDocuments::NAME
        }
        ArgumentKind::Section => ListSections::NAME,
        ArgumentKind::Meeting => ListMeetings::NAME,
        ArgumentKind::Name | ArgumentKind::FreeText => Suggest::NAME,
    }
}

/// Names in the text, as `suggest` completes them, which is not charged.
async fn complete_names(call: &AdmittedCall<'_>, typed: &str) -> Result<Vec<String>, Failure> {
    if typed.trim().is_empty() {
        return Ok(Vec::new());
    }
    let operation =
        find_operation(Suggest::NAME).ok_or_else(|| internal_failure("suggest is not declared"))?;
    let parameters = json!({ "text": typed, "limit": MAX_NAMES });
    let valid = operation.validator.validate_value(&parameters).map_err(Failure::Validation)?;
    let reply = call.run_operation(operation, valid).await.outcome?;
    let reply: SuggestReply = serde_json::from_slice(&reply).map_err(internal_failure)?;
    let is_name = |kind: &SuggestionKind| {
        matches!(kind, SuggestionKind::Identifier | SuggestionKind::Abbreviation)
    };
    let names = reply.suggestions.into_iter().filter(|suggested| is_name(&suggested.kind));
    Ok(names.map(|suggested| suggested.text).collect())
}
