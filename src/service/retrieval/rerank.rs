//! The reranker reads the most promising candidates, until its deadline.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::Instant,
};

use super::{Candidate, Found, Question, blend, candidate::order};
use crate::service::{Service, internal, models::model_failure};
use store::{DocumentRow, Snapshot, StoreError, context_header};
use wire::Failure;

/// Candidates read between two looks at the clock: enough to keep every core busy.
const READ_AT_ONCE: usize = 8;

/// Gives the candidates the score of the last stage and orders them by it. Those that were not
/// read before the deadline keep the score of the first stage.
pub(super) fn rerank(
    service: &Service,
    snapshot: &Snapshot,
    question: &Question<'_>,
    found: &mut Found,
    deadline: Instant,
) -> Result<(), Failure> {
    if found.candidates.is_empty() {
        return Ok(());
    }
    let reranker = service.models.reranker().map_err(model_failure)?;
    let texts = with_headers(snapshot, &found.candidates).map_err(internal)?;
    let batches = found.candidates.chunks_mut(READ_AT_ONCE).zip(texts.chunks(READ_AT_ONCE));
    for (candidates, texts) in batches {
        if Instant::now() >= deadline {
            break;
        }
        let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
        let logits = reranker.score(question.text, &passages).map_err(internal)?;
        for (candidate, logit) in candidates.iter_mut().zip(logits) {
            candidate.evidence.logit = Some(f64::from(logit));
            found.scored += 1;
        }
    }
    if found.scored > 0 {
        for candidate in &mut found.candidates {
            candidate.score = blend::reranked(&candidate.evidence);
        }
        order(snapshot, &mut found.candidates);
    }
    Ok(())
}

/// The passages as they were embedded: context header, then text.
fn with_headers(snapshot: &Snapshot, candidates: &[Candidate]) -> Result<Vec<String>, StoreError> {
    let mut sections_of = HashMap::new();
    let mut texts = Vec::with_capacity(candidates.len());
    for Candidate { row, .. } in candidates {
        let text = row.text(&snapshot.section_text(row.section_key())?)?;
        let Some(entry) = snapshot.catalog().get(row.document) else {
            texts.push(text);
            continue;
        };
        let sections = match sections_of.entry(row.document) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(snapshot.sections(row.document)?),
        };
        let DocumentRow { doc_type, number, .. } = &entry.row;
        texts.push(format!("{}\n{text}", context_header(*doc_type, number, sections, row.section)));
    }
    Ok(texts)
}
