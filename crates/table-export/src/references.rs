//! One row for each citation.

use arrow_array::RecordBatch;
use store::{SectionKey, Snapshot};

use crate::{TableError, document_text::DocumentText};

/// The rows of `references` for a document version.
pub(crate) fn rows(
    snapshot: &Snapshot,
    text: &DocumentText<'_>,
) -> Result<RecordBatch, TableError> {
    let own = text.entry.row.number.to_string();
    let (mut sections, mut kinds) = (Vec::new(), Vec::new());
    let (mut documents, mut targets, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for ordinal in (0u32..).take(text.heads.len()) {
        let key = SectionKey { document: text.entry.id, ordinal };
        for row in snapshot.documents().citations(key)? {
            let citation = row.citation;
            sections.push(text.section_number(ordinal));
            kinds.push(citation.kind.as_str().to_owned());
            documents.push(citation.document.unwrap_or_else(|| own.clone()));
            targets.push(Some(citation.target).filter(|target| !target.is_empty()));
            ends.push(citation.target_end);
        }
    }
    text.document_columns(sections.len())
        .text("section_number", sections)
        .text("kind", kinds)
        .text("cited_document", documents)
        .optional_text("cited_number", targets)
        .optional_text("cited_number_end", ends)
        .finish()
}
