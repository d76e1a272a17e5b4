//! One row for each passage, with the vector of the index's text model.

use arrow_array::{
    RecordBatch,
    builder::{FixedSizeListBuilder, Float32Builder},
};
use document_model::build_context_header;
use store::Snapshot;

use crate::{TableError, document_text::DocumentText};

/// The rows of `passages` for a document version. A text that is longer than the model's window has the vector of its
/// beginning.
pub(crate) fn rows(
    snapshot: &Snapshot,
    text: &DocumentText<'_>,
    dimension: u32,
) -> Result<RecordBatch, TableError> {
    let row = &text.entry.row;
    let (mut ids, mut sections, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut contexts, mut texts) = (Vec::new(), Vec::new());
    let width = i32::try_from(dimension).unwrap_or(1);
    let mut vectors = FixedSizeListBuilder::new(Float32Builder::new(), width);
    for id in row.first_passage..row.first_passage + u64::from(row.passage_count) {
        let Some(passage) = snapshot.documents().passage_row(id)? else { continue };
        let section_text = text.texts.get(passage.section as usize).map_or("", String::as_str);
        texts.push(passage.extract_text(section_text)?);
        ids.push(id);
        sections.push(text.section_number(passage.section));
        kinds.push(passage.content_type.as_str().to_owned());
        contexts.push(build_context_header(
            row.doc_type,
            &row.number,
            &text.heads,
            passage.section,
        ));
        let stored = snapshot.contents().content_vectors(passage.content);
        let vector = stored.first().filter(|vector| vector.len() == dimension as usize);
        match vector {
            Some(vector) => vectors.values().append_slice(vector),
            None => vectors.values().append_nulls(dimension as usize),
        }
        vectors.append(vector.is_some());
    }
    text.document_columns(ids.len())
        .id("passage_id", ids)
        .text("section_number", sections)
        .text("content_type", kinds)
        .text("context", contexts)
        .text("text", texts)
        .add("vector", true, vectors.finish())
        .finish()
}
