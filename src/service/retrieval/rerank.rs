//! The reranker reads the most promising candidates, until its deadline.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Instant,
};

use super::{PassageCandidate, PassageQuery, RetrievalResult, candidate::sort_candidates, scoring};
use crate::service::{Service, internal_failure, models::model_failure};
use store::{DocumentRow, Snapshot, StoreError, build_context_header};
use wire::Failure;

/// Candidates read between two looks at the clock: enough to keep every core busy.
const RERANK_BATCH: usize = 8;

/// Gives the candidates the score of the last stage and orders them by it. Those that were not
/// read before the deadline keep the score of the first stage.
pub(super) fn rerank_candidates(
    service: &Service,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    found: &mut RetrievalResult,
    deadline: Instant,
) -> Result<(), Failure> {
    if found.candidates.is_empty() {
        return Ok(());
    }
    let reranker = service.models.reranker().map_err(model_failure)?;
    let texts = read_texts_with_headers(snapshot, &found.candidates).map_err(internal_failure)?;
    let batches = found.candidates.chunks_mut(RERANK_BATCH).zip(texts.chunks(RERANK_BATCH));
    for (candidates, texts) in batches {
        if Instant::now() >= deadline {
            break;
        }
        let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
        let logits = reranker.score_passages(question.text, &passages).map_err(internal_failure)?;
        for (candidate, logit) in candidates.iter_mut().zip(logits) {
            candidate.features.logit = Some(f64::from(logit));
            found.scored += 1;
        }
    }
    if found.scored > 0 {
        for candidate in &mut found.candidates {
            candidate.score = scoring::reranked_score(&candidate.features);
        }
        sort_candidates(snapshot, &mut found.candidates);
    }
    Ok(())
}

/// The passages as they were embedded: context header, then text.
fn read_texts_with_headers(
    snapshot: &Snapshot,
    candidates: &[PassageCandidate],
) -> Result<Vec<String>, StoreError> {
    let mut sections_of = HashMap::new();
    let mut texts = Vec::with_capacity(candidates.len());
    for PassageCandidate { row, .. } in candidates {
        let text = row.extract_text(&snapshot.section_text(row.section_key())?)?;
        let Some(entry) = snapshot.catalog().get(row.document) else {
            texts.push(text);
            continue;
        };
        let sections = match sections_of.entry(row.document) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(snapshot.section_heads(row.document)?),
        };
        let DocumentRow { doc_type, number, .. } = &entry.row;
        texts.push(format!(
            "{}\n{text}",
            build_context_header(*doc_type, number, sections, row.section)
        ));
    }
    Ok(texts)
}
