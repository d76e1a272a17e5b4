//! The vectors of decisions of meetings.
//!
//! Decisions can be searched by their words as soon as their notes are stored; their vectors follow.

use std::sync::atomic::{AtomicBool, Ordering};

use neural::TextEmbedder;
use store::{DecisionRow, DecisionVector, ModelRow, Store};

use super::IngestError;

/// Decisions embedded between two checks for cancellation.
const EMBED_BATCH: usize = 32;

/// Embeds the decisions of all notes that have no vectors of the model yet, and stores them, notes by notes. Returns
/// how many decisions were embedded. `cancel` ends the run early; the next one continues.
pub fn embed_decisions(
    store: &Store,
    embedder: &dyn TextEmbedder,
    model: &ModelRow,
    cancel: &AtomicBool,
) -> Result<usize, IngestError> {
    store.recover()?;
    let mut embedded = 0;
    for notes in store.snapshot().meetings().all_notes()? {
        let snapshot = store.snapshot();
        if snapshot.meetings().decision_vector_model(&notes)? == Some(model.identity) {
            continue;
        }
        let rows = snapshot.meetings().notes_decisions(&notes)?;
        let Some(vectors) = embed_rows(&rows, embedder, cancel)? else { break };
        store.lock_writer().store_decision_vectors(&notes, model.identity, &vectors)?;
        embedded += rows.iter().filter(|row| row.kind.is_text()).count();
    }
    Ok(embedded)
}

/// None where the run was cancelled.
fn embed_rows(
    rows: &[DecisionRow],
    embedder: &dyn TextEmbedder,
    cancel: &AtomicBool,
) -> Result<Option<Vec<DecisionVector>>, IngestError> {
    // What happened to a document says nothing about a topic.
    let is_text = |(_, row): &(u32, &DecisionRow)| row.kind.is_text();
    let decisions: Vec<(u32, String)> = (0u32..)
        .zip(rows)
        .filter(is_text)
        .map(|(index, row)| (index, text_to_embed(row)))
        .collect();
    let mut vectors = Vec::with_capacity(decisions.len());
    for batch in decisions.chunks(EMBED_BATCH) {
        if cancel.load(Ordering::Acquire) {
            return Ok(None);
        }
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        let windows = embedder.embed_documents(&texts)?;
        for ((index, _), windows) in batch.iter().zip(windows) {
            let encode = |vector: &Vec<f32>| DecisionVector::from_vector(*index, vector);
            vectors.extend(windows.iter().map(encode));
        }
    }
    Ok(Some(vectors))
}

/// A decision with the heading it stands under, which says what it is about.
fn text_to_embed(row: &DecisionRow) -> String {
    match row.heading.as_deref() {
        Some(heading) => format!("{heading}\n{}", row.quote),
        None => row.quote.clone(),
    }
}
