//! The texts that vectors are made of, for contents that have none yet.

use crate::{Snapshot, StoreError};
use document_model::{build_context_header, build_heading_path};
use lexical::ContentSet;

/// Contents of a document that are not in `known` yet, with their texts; adds them to `known`.
pub(super) fn take_document_texts(
    snapshot: &Snapshot,
    document: u32,
    known: &mut ContentSet,
) -> Result<Vec<(u64, String)>, StoreError> {
    let Some(entry) = snapshot.catalog().get(document) else { return Ok(Vec::new()) };
    let documents = snapshot.documents();
    let sections = documents.section_heads(document)?;
    let first = entry.row.first_passage;
    let mut texts = Vec::new();
    for (id, (content, _)) in (first..).zip(&entry.contents.passages) {
        if known.contains(*content) {
            continue;
        }
        known.insert(*content);
        let row = documents.passage_row(id)?.ok_or(StoreError::Decode { what: "passage" })?;
        let (doc_type, number) = (entry.row.doc_type, &entry.row.number);
        let header = build_context_header(doc_type, number, &sections, row.section);
        let text = row.extract_text(&documents.section_text(row.section_key())?)?;
        texts.push((*content, format!("{header}\n{text}")));
    }
    for (ordinal, content) in (0u32..).zip(&entry.contents.headings) {
        let Some(content) = content.filter(|content| !known.contains(*content)) else { continue };
        known.insert(content);
        texts.push((content, build_heading_path(&sections, ordinal)));
    }
    snapshot.figures().for_each_figure(entry, |_, row, _, text| {
        if !known.contains(row.content) {
            known.insert(row.content);
            texts.push((row.content, text.to_owned()));
        }
        Ok(())
    })?;
    Ok(texts)
}

/// The same for a TDoc, by its key.
pub(super) fn take_tdoc_texts(
    snapshot: &Snapshot,
    key: u32,
    known: &mut ContentSet,
) -> Result<Vec<(u64, String)>, StoreError> {
    let Some(entry) = snapshot.catalog().tdoc_by_key(key) else { return Ok(Vec::new()) };
    if entry.row.passages.iter().all(|(content, _)| known.contains(*content)) {
        return Ok(Vec::new());
    }
    let text = snapshot.tdocs().tdoc_text(key)?;
    let mut texts = Vec::new();
    for ((content, _), passage) in entry.row.passages.iter().zip(&text.passages) {
        if !known.contains(*content) {
            known.insert(*content);
            texts.push((*content, passage.text_with_header()));
        }
    }
    Ok(texts)
}
