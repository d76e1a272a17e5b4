//! The order of TDoc passages, and which of several documents with the same passage is returned.

use std::collections::{HashMap, HashSet};

use super::{
    RankingFeatures,
    queries::{TdocHit, TdocQuery},
    tdoc_identifiers::Identifier,
};
use document_model::TdocPassageRow;
use domain::TdocId;
use store::{Snapshot, TdocPassageKey};

/// A passage that may be returned.
pub(crate) struct TdocPassageCandidate {
    pub(crate) hit: TdocHit,
    pub(crate) features: RankingFeatures,
    /// How many leading identifiers occur in it.
    pub(crate) leads: usize,
    /// The same for all occurrences of a proposal, under other headings or in other versions of its document.
    pub(crate) unit_key: Option<String>,
}

impl TdocPassageCandidate {
    /// Those with more leading identifiers first, then by score.
    pub(crate) fn compare_rank(a: &Self, b: &Self) -> std::cmp::Ordering {
        let by_score = || b.hit.score.total_cmp(&a.hit.score);
        b.leads.cmp(&a.leads).then_with(by_score).then(a.hit.passage_key.cmp(&b.hit.passage_key))
    }
}

/// Which of several documents with the same passage is returned.
pub(crate) struct OccurrenceOrder<'a> {
    snapshot: &'a Snapshot,
    /// Keys of the documents of companies that the question names, ascending.
    preferred: &'a [u32],
    /// Keys of the documents that the question names.
    named: Vec<u32>,
}

impl<'a> OccurrenceOrder<'a> {
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        preferred: &'a [u32],
        identifiers: &[Identifier],
    ) -> Self {
        let catalog = snapshot.catalog();
        let ids = identifiers.iter().filter_map(|one| one.text.parse::<TdocId>().ok());
        let named = ids.filter_map(|id| Some(catalog.tdoc_by_id(&id)?.key)).collect();
        Self { snapshot, preferred, named }
    }

    /// Sorts named documents first, then those of named companies, then newest first; keeps the first
    /// passage of each document.
    pub(crate) fn sort_occurrences(&self, passage_keys: &mut Vec<TdocPassageKey>) {
        let id = |key| self.snapshot.catalog().tdoc_by_key(key).map(|entry| &entry.row.id);
        let is_other = |key| self.preferred.binary_search(&key).is_err();
        passage_keys.sort_by(|a, b| {
            let by_name = self.named.contains(&b.key).cmp(&self.named.contains(&a.key));
            let by_company = || is_other(a.key).cmp(&is_other(b.key));
            let by_number = || id(a.key).cmp(&id(b.key));
            by_name.then_with(by_company).then_with(by_number).then(a.passage.cmp(&b.passage))
        });
        let mut keys = HashSet::new();
        passage_keys.retain(|passage_key| keys.insert(passage_key.key));
    }

    /// The passages, the best first, each proposal once: those of versions of one document become one.
    pub(crate) fn merge_same_units(
        &self,
        passages: Vec<TdocPassageCandidate>,
    ) -> Vec<TdocPassageCandidate> {
        let mut indices: HashMap<String, usize> = HashMap::new();
        let mut merged: Vec<TdocPassageCandidate> = Vec::with_capacity(passages.len());
        for mut passage in passages {
            let Some(unit_key) = passage.unit_key.take() else {
                merged.push(passage);
                continue;
            };
            match indices.get(&unit_key).and_then(|index| merged.get_mut(*index)) {
                Some(known) => {
                    let mut passage_keys = vec![known.hit.passage_key, passage.hit.passage_key];
                    passage_keys.append(&mut known.hit.also_in);
                    passage_keys.append(&mut passage.hit.also_in);
                    self.sort_occurrences(&mut passage_keys);
                    known.hit.also_in = passage_keys.split_off(1);
                    known.hit.passage_key = passage_keys[0];
                }
                None => {
                    indices.insert(unit_key, merged.len());
                    merged.push(passage);
                }
            }
        }
        merged
    }
}

/// The identity of a proposal or observation: the title of its document, and its words without the label, which
/// summaries change. `None` for other text.
pub(crate) fn unit_key(row: &TdocPassageRow) -> Option<String> {
    let label = row.labels.first()?;
    let title = row.header.split(" > ").next().filter(|title| !title.is_empty())?;
    let quote = row.text.strip_prefix(label.as_str()).unwrap_or(&row.text);
    let words = quote.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
    Some(format!("{title}\n{}", words.collect::<String>()))
}

/// The best passages, with at most `max_per_tdoc` of one document.
pub(crate) fn limit_per_tdoc(
    passages: Vec<TdocPassageCandidate>,
    question: &TdocQuery<'_>,
) -> Vec<TdocHit> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    let mut chosen = Vec::with_capacity(question.limit);
    for passage in passages {
        let count = counts.entry(passage.hit.passage_key.key).or_default();
        if *count >= question.max_per_tdoc {
            continue;
        }
        *count += 1;
        chosen.push(passage.hit);
        if chosen.len() >= question.limit {
            break;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_is_the_same_under_other_labels_and_headings() {
        let row = |header: &str, label: &str, text: &str| TdocPassageRow {
            header: header.to_owned(),
            labels: vec![label.to_owned()],
            text: format!("{label}: {text}"),
            ..TdocPassageRow::default()
        };
        let one = row("Summary of beams > Closed", "[FL1] Proposal 1-1", "Study beams.");
        for (other, is_same) in [
            (row("Summary of beams > Tuesday", "[Closed] Proposal 1-1", "Study  beams"), true),
            (row("Summary of beams > Closed", "[FL1] Proposal 1-1", "Study narrow beams."), false),
            (row("On beams > Closed", "[FL1] Proposal 1-1", "Study beams."), false),
        ] {
            assert_eq!(unit_key(&one) == unit_key(&other), is_same, "{other:?}");
        }
        let body = TdocPassageRow { labels: Vec::new(), ..one };
        assert_eq!(unit_key(&body), None);
    }
}
