//! One row for each figure, without its picture.

use arrow_array::RecordBatch;
use store::{FigureKey, Snapshot};

use crate::{TableError, document_text::DocumentText};

/// The rows of `figures` for a document version.
pub(crate) fn rows(
    snapshot: &Snapshot,
    text: &DocumentText<'_>,
) -> Result<RecordBatch, TableError> {
    let mut found = Vec::new();
    for index in 0.. {
        let key = FigureKey { document: text.entry.id, index };
        let Some(row) = snapshot.figures().figure_row(key)? else { break };
        found.push((row, snapshot.figures().figure_words(key)?.labels));
    }
    let (rows, labels): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let pictures = || rows.iter().map(|row| row.picture);
    let hash = |hash: &[u8; 32]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    text.document_columns(rows.len())
        .number("figure_index", (0u32..).take(rows.len()).collect())
        .text("section_number", rows.iter().map(|row| text.section_number(row.section)).collect())
        .optional_text("caption", rows.iter().map(|row| row.caption.clone()).collect())
        .texts("labels", labels)
        .optional_number("width", pictures().map(|picture| Some(picture?.width)).collect())
        .optional_number("height", pictures().map(|picture| Some(picture?.height)).collect())
        .optional_text(
            "picture_hash",
            pictures().map(|picture| picture.map(|picture| hash(&picture.hash))).collect(),
        )
        .finish()
}
