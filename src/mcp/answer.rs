//! The replies and failures of operations as results of tools.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{
    economy::{drop_repeated_texts, hoist_row_constants, name_arguments},
    shorten::{ReadOffsets, shorten_to_fit},
};
use crate::{
    http::log_failure,
    service::{DIAGNOSIS, DeclaredOperation, internal_failure, join_messages},
};
use wire::{Failure, Media, ToolFacts, records::DiagnosisReason};

/// Estimated bytes of JSON for one token. Texts of specifications have 3 to 4; with the lower number, an answer is
/// rather too short than rejected by the client.
const BYTES_PER_TOKEN: usize = 3;
/// Bytes reserved for the sentences that say what was left out.
const NOTE_BYTES: usize = 1000;
/// Statuses below this one are not errors (RFC 9110, section 15).
const FIRST_ERROR_STATUS: u16 = 400;

/// The validated arguments of a tool: the parameters of its operation, and what the tool adds to them.
pub(super) struct ToolArguments {
    pub(super) parameters: Value,
    pub(super) shape: Shape,
    pub(super) offsets: ReadOffsets,
}

/// What a tool takes beside the parameters of its operation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct Shape {
    /// Maximum length of the answer in tokens (estimated at 3 bytes each). A longer answer is shortened, and says what was left
    /// out. The default suits common clients.
    #[serde(default = "default_tokens")]
    #[schemars(range(min = 1000, max = 200_000))]
    max_tokens: u32,
}

/// The same for a tool that answers with lists.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(super) struct ListShape {
    /// Number of results to skip at the beginning of each list. Use it to continue a list that was cut.
    #[serde(default)]
    result_offset: u32,
}

/// The same for a tool whose results hold long texts.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub(super) struct TextShape {
    /// The character at which texts begin. Use it to continue a text that was cut.
    #[serde(default)]
    char_offset: u32,
}

/// A third of the 25,000 tokens near which clients truncate or reject an answer, so that several fit in a
/// conversation.
fn default_tokens() -> u32 {
    8_000
}

impl Shape {
    fn payload_budget(&self) -> usize {
        (self.max_tokens as usize * BYTES_PER_TOKEN).saturating_sub(NOTE_BYTES)
    }
}

/// The offsets at which the lists and texts of an answer are to begin.
pub(super) fn read_offsets(facts: &ToolFacts, list: &ListShape, text: &TextShape) -> ReadOffsets {
    ReadOffsets {
        result_offset: list.result_offset as usize,
        char_offset: facts.continuable_field.map(|key| (key, text.char_offset as usize)),
    }
}

/// What a result says beside the reply of its operation.
pub(super) struct ToolNotes {
    /// Arguments that the tool does not have.
    pub(super) unknown: Option<String>,
    /// Why the reply is empty or thin.
    pub(super) diagnosis: Vec<DiagnosisReason>,
}

/// Builds the result of a tool from the reply of its operation.
pub(super) fn build_tool_result(
    operation: &DeclaredOperation,
    facts: &ToolFacts,
    reply: &[u8],
    arguments: &ToolArguments,
    ToolNotes { unknown, diagnosis }: ToolNotes,
) -> Result<CallToolResult, Failure> {
    let ToolArguments { parameters, shape, offsets } = arguments;
    let mut payload: Value = serde_json::from_slice(reply).map_err(internal_failure)?;
    let image = match operation.descriptor.media {
        Media::Png => Some(extract_image(&mut payload)?),
        Media::Json => None,
    };
    let mut notes = collect_warnings(&payload, &diagnosis);
    // It is no list of results that a client continues.
    let reasons = payload.as_object_mut().and_then(|fields| fields.shift_remove(DIAGNOSIS));
    hoist_row_constants(&mut payload, operation.row_constants);
    drop_repeated_texts(&mut payload);
    warn_of_unknown_terms(&mut payload);
    let next_page = |rows: usize, last: &Value| operation.next_page(parameters, rows, last);
    let omissions = shorten_to_fit(&mut payload, shape.payload_budget(), *offsets, &next_page);
    if let Some(reasons) = reasons
        && let Some(fields) = payload.as_object_mut()
    {
        fields.insert(DIAGNOSIS.to_owned(), reasons);
    }
    let mut content: Vec<ContentBlock> = image.into_iter().collect();
    content.push(ContentBlock::text(payload.to_string()));
    if let Some((key, characters @ 1..)) = offsets.char_offset {
        notes.push(format!("{key} begins at character {characters} because of char_offset."));
    }
    if offsets.result_offset > 0 {
        notes.push(format!(
            "Lists omit the first {} entries because of result_offset.",
            offsets.result_offset
        ));
    }
    notes.extend(unknown.map(|unknown| format!("WARNING: {unknown}")));
    let is_whole = omissions.sentences().is_empty();
    if !is_whole {
        let (what, Shape { max_tokens }) = (omissions.sentences().join(" "), shape);
        let rest = facts.rest;
        notes.push(format!(
            "Shortened to fit max_tokens={max_tokens}. {what} To get the rest: {rest}"
        ));
    }
    if !notes.is_empty() {
        content.push(ContentBlock::text(notes.join(" ")));
    }
    let mut result = CallToolResult::success(content);
    if facts.is_record && is_whole {
        result.structured_content = Some(payload);
    }
    Ok(result)
}

/// Puts a warning before everything else in the payload of a search with terms that no document contains: a model
/// would answer from passages about something else.
fn warn_of_unknown_terms(payload: &mut Value) {
    let list = |name: &str| {
        let listed = payload.get(name).and_then(Value::as_array);
        listed.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>()
    };
    let missing = list("missing_documents");
    let unknown: Vec<&str> =
        list("unknown_terms").into_iter().filter(|term| !missing.contains(term)).collect();
    let mut warnings = Vec::new();
    if !missing.is_empty() {
        warnings.push(format!(
            "Not indexed: {}. The passages are from other documents, which may only cite it: do not answer as if from it.",
            missing.join(", ")
        ));
    }
    if !unknown.is_empty() {
        warnings.push(format!(
            "Not in any indexed document: {}. If that is what you asked about, say so. Do not answer from the passages: \
             they are probably about something else.",
            unknown.join(", ")
        ));
    }
    if warnings.is_empty() {
        return;
    }
    let warning = warnings.join(" ");
    if let Some(fields) = payload.as_object_mut() {
        fields.shift_insert(0, "WARNING".to_owned(), warning.into());
    }
}

/// What a model must not overlook if nothing was found.
fn collect_warnings(payload: &Value, diagnosis: &[DiagnosisReason]) -> Vec<String> {
    let list = |name: &str| payload.get(name).and_then(Value::as_array);
    let mut warnings = Vec::new();
    let is_empty = |list: Option<&Vec<Value>>| list.is_some_and(Vec::is_empty);
    let found_nothing = is_empty(payload.as_array())
        || is_empty(list("results"))
        || is_empty(list("text_results")) && is_empty(list("image_results"));
    // In a record, `diagnosis` has the words.
    let reasons = if payload.is_array() { join_messages(diagnosis) } else { None };
    if let Some(reasons) = reasons {
        warnings.push(format!("No matches. {reasons}"));
    } else if found_nothing && diagnosis.is_empty() {
        warnings.push(
            "No matches. The specification may still contain what you are looking for: the document, version or \
             release may not be indexed here (check with list_documents and doc_number), or may not have this clause \
             (check with list_sections)."
                .to_owned(),
        );
    }
    warnings
}

/// The result of a tool that failed: the body of the REST error without words of HTTP, and the note on unknown
/// arguments. As text only, because clients validate structured content, even that of errors, against the schema of
/// replies. What it repeats of a request may be long, and is cut.
pub(super) fn build_tool_error(failure: &Failure, unknown: Option<String>) -> CallToolResult {
    log_failure(failure);
    let mut body = failure.body();
    name_arguments(&mut body);
    shorten_to_fit(
        &mut body,
        Shape { max_tokens: default_tokens() }.payload_budget(),
        ReadOffsets::default(),
        &|_, _| None,
    );
    let mut content = vec![ContentBlock::text(body.to_string())];
    content.extend(unknown.map(ContentBlock::text));
    // Work in progress (202) is not an error: the model should call again later.
    if failure.status() < FIRST_ERROR_STATUS {
        CallToolResult::success(content)
    } else {
        CallToolResult::error(content)
    }
}

/// Removes the picture from its record, and returns it as a content block.
fn extract_image(payload: &mut Value) -> Result<ContentBlock, Failure> {
    let mut take = |name| match payload.as_object_mut().and_then(|map| map.shift_remove(name)) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(internal_failure(format!("a picture without {name}"))),
    };
    let data = take("data")?;
    Ok(ContentBlock::image(data, take("mime_type")?))
}
