//! One row for each section, with its whole text.

use arrow_array::RecordBatch;
use store::SectionHead;

use crate::{TableError, document_text::DocumentText};

/// The rows of `sections` for a document version.
pub(crate) fn rows(text: &DocumentText<'_>) -> Result<RecordBatch, TableError> {
    let heads = &text.heads;
    let each = |value: fn(&SectionHead) -> String| heads.iter().map(value).collect::<Vec<_>>();
    let number = |value: fn(&SectionHead) -> u32| heads.iter().map(value).collect::<Vec<_>>();
    text.document_columns(heads.len())
        .number("ordinal", (0u32..).take(heads.len()).collect())
        .text("section_number", each(|head| head.number.clone()))
        .text("section_title", each(|head| head.title.clone()))
        .number("heading_level", number(|head| head.level.into()))
        .optional_text(
            "parent_section_number",
            heads.iter().map(|head| head.parent.clone()).collect(),
        )
        .number("token_count", number(|head| head.token_count))
        .text("text", text.texts.clone())
        .finish()
}
