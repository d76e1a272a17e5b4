//! Reranks the most promising candidates until a deadline.

use std::time::Instant;

use neural::Reranker;

use super::RetrievalError;

/// Candidates read between two checks of the deadline: enough to keep every core busy, and no more, because a batch
/// that has begun is completed after the deadline.
const RERANK_BATCH: usize = 4;

/// Scores candidates in order with the reranker: `text_of` gives the text of one, `apply` takes its
/// logit. Returns how many were scored before the deadline.
pub(crate) fn rerank_until<C>(
    reranker: &dyn Reranker,
    query: &str,
    candidates: &mut [C],
    deadline: Instant,
    mut text_of: impl FnMut(&C) -> Result<String, RetrievalError>,
    mut apply: impl FnMut(&mut C, f64),
) -> Result<usize, RetrievalError> {
    let mut read = 0;
    for batch in candidates.chunks_mut(RERANK_BATCH) {
        if Instant::now() >= deadline {
            break;
        }
        // The models do not count their steps, so the limits of the request are checked between batches.
        cost_meter::check();
        let texts = batch.iter().map(&mut text_of).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let logits = reranker.score_passages(query, &texts)?;
        for (candidate, logit) in batch.iter_mut().zip(logits) {
            apply(candidate, f64::from(logit));
            read += 1;
        }
    }
    Ok(read)
}
