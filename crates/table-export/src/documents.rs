//! One row for each document version.

use arrow_array::RecordBatch;
use store::DocumentEntry;

use crate::{TableError, columns::Columns};

/// The row of `documents` for a document version.
pub(crate) fn row(entry: &DocumentEntry) -> Result<RecordBatch, TableError> {
    let row = &entry.row;
    Columns::default()
        .text("doc_number", vec![row.number.to_string()])
        .text("version", vec![row.version.to_string()])
        .text("release", vec![row.release.to_string()])
        .text("doc_type", vec![row.doc_type.to_string()])
        .optional_text("title", vec![row.title.clone()])
        .text("filename", vec![row.filename.clone()])
        .optional_text("published", vec![row.published.clone()])
        .text("indexed_at", vec![row.created_at.clone()])
        .number("sections", vec![row.section_count])
        .number("passages", vec![row.passage_count])
        .texts("warnings", vec![row.warnings.clone()])
        .finish()
}
