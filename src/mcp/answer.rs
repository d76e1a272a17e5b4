//! What an operation answered, as the result of a tool.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::shorten::{ReadOn, fit};
use crate::{
    http::log,
    service::internal,
    wire::{Failure, Media, OperationDescriptor, ToolFacts},
};

/// Bytes of JSON that are taken for one token. Texts of specifications have 3 to 4.
const BYTES_PER_TOKEN: usize = 3;
/// Room for the sentences that say what was left out.
const NOTE_BYTES: usize = 1000;

/// What a tool takes beside the parameters of its operation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct Shape {
    /// How long the answer may be, in tokens (estimated at 3 bytes each). What is longer is shortened,
    /// and the answer says what was left out. The default fits common clients.
    #[serde(default = "default_tokens")]
    #[schemars(range(min = 1000, max = 200_000))]
    max_tokens: u32,
}

/// The same for a tool whose results hold long texts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct LongShape {
    /// How many characters of each text to leave out: where it was cut before, to read on.
    #[serde(default)]
    text_offset: u32,
}

fn default_tokens() -> u32 {
    20_000
}

impl Shape {
    fn room(&self) -> usize {
        (self.max_tokens as usize * BYTES_PER_TOKEN).saturating_sub(NOTE_BYTES)
    }
}

impl LongShape {
    /// Where reading goes on, in the texts of a tool.
    pub(super) fn read_on(&self, facts: &ToolFacts) -> Option<ReadOn> {
        facts.reads_on.map(|key| ReadOn { key, offset: self.text_offset as usize })
    }
}

/// A reply.
pub(super) fn replied(
    operation: &OperationDescriptor,
    facts: &ToolFacts,
    reply: &[u8],
    shape: &Shape,
    read_on: Option<ReadOn>,
) -> Result<CallToolResult, Failure> {
    let mut payload: Value = serde_json::from_slice(reply).map_err(internal)?;
    let image = match operation.media {
        Media::Png => Some(image_of(&mut payload)?),
        Media::Json => None,
    };
    let left_out = fit(&mut payload, shape.room(), read_on);
    let mut content: Vec<ContentBlock> = image.into_iter().collect();
    content.push(ContentBlock::text(payload.to_string()));
    if !left_out.sentences().is_empty() {
        let what = left_out.sentences().join(" ");
        let Shape { max_tokens } = shape;
        content.push(ContentBlock::text(format!(
            "Shortened to fit max_tokens={max_tokens}. {what} To get the rest: {}",
            facts.rest
        )));
    }
    let mut result = CallToolResult::success(content);
    if facts.is_record && left_out.sentences().is_empty() {
        result.structured_content = Some(payload);
    }
    Ok(result)
}

/// A refusal: the body that REST has for it, as text alone, for clients check structured content of
/// errors against the schema of replies.
pub(super) fn refused(failure: &Failure) -> CallToolResult {
    log(failure);
    CallToolResult::error(vec![ContentBlock::text(failure.body().to_string())])
}

/// Takes the picture out of its record.
fn image_of(payload: &mut Value) -> Result<ContentBlock, Failure> {
    let mut take = |name| match payload.as_object_mut().and_then(|map| map.shift_remove(name)) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(internal(format!("a picture without {name}"))),
    };
    let data = take("data")?;
    Ok(ContentBlock::image(data, take("mime_type")?))
}
