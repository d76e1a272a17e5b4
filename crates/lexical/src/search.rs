//! The search: the best contents for a plan, skipping passages that cannot be among them.
//!
//! MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995): units are
//! ordered by their score bounds. Those at the low end, whose bounds together do not reach the
//! threshold, are non-essential: they are only consulted for passages that an essential unit holds.

use std::{collections::HashSet, sync::Arc};

use tantivy::{
    DocId, Searcher, SegmentReader, TERMINATED, columnar::ColumnValues, fieldnorm::FieldNormReader,
};

use super::{
    LexicalHit, LexicalQuery,
    dictionary::TermDictionary,
    index::{CONTENT, DOCUMENT, PASSAGE},
    plan::{LexicalPlan, ScoredUnit, Scoring},
    postings::UnitPostings,
    top_hits::TopHits,
    unit::QueryUnit,
};
use crate::analyzer::{WordForms, fold_text};
use crate::{ContentSet, LexicalError};

/// Bounds are summed in another order than scores, so they may differ in the last bits. Without the slack, a passage
/// that ties with the threshold could be skipped.
const BOUND_SLACK: f32 = 1.0 + 1e-5;
/// Parts of a name that are counted separately, at most. Each is a search, and the text comes from a request.
const MAX_PARTS: usize = 8;

/// Restrictions of a search.
pub struct LexicalScope<'a> {
    /// Ids of the documents to look in, ascending; all if `None`.
    pub documents: Option<&'a [u32]>,
    /// Contents to look in; all if `None`.
    pub contents: Option<&'a ContentSet>,
    /// Whether a document (first argument) still has a passage (second argument).
    pub live: &'a dyn Fn(u32, u64) -> bool,
}

/// The best `limit` contents, by score and then by passage id.
pub fn search_index(
    searcher: &Searcher,
    query: &LexicalQuery,
    scope: &LexicalScope<'_>,
    limit: usize,
) -> Result<Vec<LexicalHit>, LexicalError> {
    let mut best = TopHits::new(limit);
    if limit > 0 {
        let dictionary = TermDictionary::open(searcher)?;
        let plan = LexicalPlan::from_query(&dictionary, query)?;
        for (index, reader) in searcher.segment_readers().iter().enumerate() {
            let passages = SegmentColumns::open(reader, scope, &dictionary)?;
            if let Some(mut scan) = MaxScoreScan::open(&dictionary, index, &plan)? {
                scan.collect_hits(&passages, &mut best);
            }
        }
    }
    Ok(best.into_hits())
}

/// The highest score that a passage can have for the words of a query.
pub fn max_score(searcher: &Searcher, query: &LexicalQuery) -> Result<f32, LexicalError> {
    Ok(LexicalPlan::from_query(&TermDictionary::open(searcher)?, query)?.max_score())
}

/// The number of contents in which a word, name or phrase occurs in any spelling, up to `at_most`.
///
/// If `N1/N3` does not occur as a whole, it counts as often as the rarer of its parts.
pub fn count_occurrences(
    searcher: &Searcher,
    text: &str,
    scope: &LexicalScope<'_>,
    at_most: usize,
) -> Result<usize, LexicalError> {
    let dictionary = TermDictionary::open(searcher)?;
    let text = fold_text(text);
    let count = |text: &str| -> Result<usize, LexicalError> {
        Ok(list_contents(searcher, &dictionary, text, scope, at_most)?.len())
    };
    let whole = count(&text)?;
    if whole > 0 || !text.contains('/') {
        return Ok(whole);
    }
    let parts = text.split('/').filter(|part| !part.trim().is_empty()).take(MAX_PARTS);
    let counts = parts.map(count);
    Ok(counts.collect::<Result<Vec<_>, _>>()?.into_iter().min().unwrap_or(0))
}

/// The contents in which a word, name or phrase occurs in any spelling, in the order of the index, up to `at_most`.
/// Only the first words of a long phrase are compared.
pub fn find_phrase(
    searcher: &Searcher,
    text: &str,
    scope: &LexicalScope<'_>,
    at_most: usize,
) -> Result<Vec<LexicalHit>, LexicalError> {
    let dictionary = TermDictionary::open(searcher)?;
    list_contents(searcher, &dictionary, &fold_text(text), scope, at_most)
}

fn list_contents(
    searcher: &Searcher,
    dictionary: &TermDictionary,
    text: &str,
    scope: &LexicalScope<'_>,
    at_most: usize,
) -> Result<Vec<LexicalHit>, LexicalError> {
    let unit = QueryUnit::from_text(dictionary, &mut WordForms::default(), text)?;
    let Some(unit) = unit else { return Ok(Vec::new()) };
    let mut hits = Vec::new();
    let mut contents = HashSet::new();
    for (index, reader) in searcher.segment_readers().iter().enumerate() {
        let passages = SegmentColumns::open(reader, scope, dictionary)?;
        let Some(mut postings) = UnitPostings::open(dictionary, index, &unit)? else { continue };
        while postings.current_passage() != TERMINATED && hits.len() < at_most {
            let ordinal = postings.current_passage();
            if passages.passes_filters(ordinal) {
                let hit = passages.build_hit(ordinal, 0.0);
                if (scope.live)(passages.document_id(ordinal), hit.passage)
                    && contents.insert(hit.content)
                {
                    hits.push(hit);
                }
            }
            postings.seek_passage(ordinal + 1);
        }
    }
    Ok(hits)
}

/// The columns of one segment, and the restrictions of the search.
struct SegmentColumns<'a> {
    reader: &'a SegmentReader,
    scope: &'a LexicalScope<'a>,
    passage: Arc<dyn ColumnValues<u64>>,
    content: Arc<dyn ColumnValues<u64>>,
    document: Arc<dyn ColumnValues<u64>>,
    lengths: FieldNormReader,
    mean_length: f32,
}

impl<'a> SegmentColumns<'a> {
    fn open(
        reader: &'a SegmentReader,
        scope: &'a LexicalScope<'a>,
        dictionary: &TermDictionary,
    ) -> Result<Self, LexicalError> {
        let column = |name| -> Result<_, LexicalError> {
            Ok(reader.fast_fields().u64(name)?.first_or_default_col(u64::MAX))
        };
        Ok(Self {
            reader,
            scope,
            passage: column(PASSAGE)?,
            content: column(CONTENT)?,
            document: column(DOCUMENT)?,
            lengths: reader.get_fieldnorms_reader(dictionary.fields.words)?,
            mean_length: dictionary.mean_length().max(1.0),
        })
    }

    /// The document of a passage, by the ordinal of the passage in the segment.
    fn document_id(&self, ordinal: DocId) -> u32 {
        u32::try_from(self.document.get_val(ordinal)).unwrap_or(u32::MAX)
    }

    /// Whether a passage matches the filters. Whether it is live is checked later, because that costs more.
    fn passes_filters(&self, ordinal: DocId) -> bool {
        let in_documents = |ids: &[u32]| ids.binary_search(&self.document_id(ordinal)).is_ok();
        let in_contents = |set: &ContentSet| set.contains(self.content.get_val(ordinal));
        self.scope.documents.is_none_or(in_documents)
            && self.scope.contents.is_none_or(in_contents)
            && !self.reader.is_deleted(ordinal)
    }

    /// Length of a passage, relative to the mean.
    fn relative_length(&self, ordinal: DocId) -> f32 {
        self.lengths.fieldnorm(ordinal) as f32 / self.mean_length
    }

    fn build_hit(&self, ordinal: DocId, score: f32) -> LexicalHit {
        let (passage, content) = (self.passage.get_val(ordinal), self.content.get_val(ordinal));
        LexicalHit { passage, content, score }
    }
}

/// A MaxScore scan over one segment.
struct MaxScoreScan<'a> {
    plan: &'a LexicalPlan,
    /// Units by ascending score bound: index in the plan, postings.
    units: Vec<(usize, UnitPostings)>,
    /// For each of these, the sum of its score bound and those before it.
    bounds: Vec<f32>,
    /// Scores of the units in the current passage, in the plan's order.
    scores: Vec<f32>,
}

impl<'a> MaxScoreScan<'a> {
    fn open(
        dictionary: &TermDictionary,
        segment: usize,
        plan: &'a LexicalPlan,
    ) -> Result<Option<Self>, LexicalError> {
        let mut units = Vec::with_capacity(plan.units.len());
        for (index, scored) in plan.units.iter().enumerate() {
            let postings = UnitPostings::open(dictionary, segment, &scored.unit)?;
            units.extend(postings.map(|postings| (index, postings)));
        }
        units.sort_by(|(a, _), (b, _)| {
            plan.units[*a].score_bound().total_cmp(&plan.units[*b].score_bound())
        });
        let mut sum = 0.0;
        let bound = |(index, _): &(usize, UnitPostings)| {
            sum += plan.units[*index].score_bound();
            sum
        };
        let bounds = units.iter().map(bound).collect();
        let scores = vec![0.0; plan.units.len()];
        Ok((!units.is_empty()).then_some(Self { plan, units, bounds, scores }))
    }

    fn collect_hits(&mut self, passages: &SegmentColumns<'_>, best: &mut TopHits) {
        // The units before this one are non-essential.
        let mut first_essential = 0;
        loop {
            let threshold = best.threshold();
            while first_essential < self.units.len()
                && self.bounds[first_essential] * BOUND_SLACK < threshold
            {
                first_essential += 1;
            }
            let candidates = self.units[first_essential..]
                .iter()
                .map(|(_, postings)| postings.current_passage());
            let ordinal = candidates.min().unwrap_or(TERMINATED);
            if ordinal == TERMINATED {
                return;
            }
            if passages.passes_filters(ordinal)
                && let Some(score) =
                    self.score_passage(passages, ordinal, first_essential, threshold)
            {
                let hit = passages.build_hit(ordinal, score);
                let live = passages.scope.live;
                if score > 0.0
                    && score >= threshold
                    && live(passages.document_id(ordinal), hit.passage)
                {
                    best.offer_hit(hit);
                }
            }
            for (_, postings) in &mut self.units[first_essential..] {
                if postings.current_passage() == ordinal {
                    postings.seek_passage(ordinal + 1);
                }
            }
        }
    }

    /// The score of a passage; `None` as soon as it cannot reach the threshold.
    fn score_passage(
        &mut self,
        passages: &SegmentColumns<'_>,
        ordinal: DocId,
        first_essential: usize,
        threshold: f32,
    ) -> Option<f32> {
        let document = passages.document_id(ordinal);
        let length = passages.relative_length(ordinal);
        self.scores.fill(0.0);
        let mut sum = 0.0;
        for position in (0..self.units.len()).rev() {
            let (index, postings) = &mut self.units[position];
            if position < first_essential {
                if (sum + self.bounds[position]) * BOUND_SLACK < threshold {
                    return None;
                }
                postings.seek_passage(ordinal);
            }
            if postings.current_passage() == ordinal {
                let scored = &self.plan.units[*index];
                self.scores[*index] = score_unit(scored, postings, document, length);
                sum += self.scores[*index];
            }
        }
        Some(self.plan.combine_scores(&self.scores))
    }
}

fn score_unit(scored: &ScoredUnit, postings: &UnitPostings, document: u32, length: f32) -> f32 {
    if scored.documents.as_ref().is_some_and(|ids| ids.binary_search(&document).is_err()) {
        return 0.0;
    }
    match scored.scoring {
        Scoring::Constant => scored.worth,
        Scoring::QueryWord | Scoring::Expansion => {
            scored.worth * postings.unit_frequencies().saturate_frequency(length)
        }
    }
}
