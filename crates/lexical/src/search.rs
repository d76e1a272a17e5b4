//! The search: the best contents for a plan, without looking at what cannot be among them.
//!
//! MaxScore (Turtle and Flood, "Query evaluation: strategies and optimizations", 1995): units are
//! ordered by the most they can add; those at the low end, which together cannot lift a passage
//! among the best, are only consulted for passages that other units lead to.

use std::{collections::HashSet, sync::Arc};

use tantivy::{
    DocId, Searcher, SegmentReader, TERMINATED, columnar::ColumnValues, fieldnorm::FieldNormReader,
};

use super::{
    LexicalQuery, WordHit,
    best::Best,
    dictionary::Dictionary,
    index::{CONTENT, DOCUMENT, PASSAGE},
    plan::{Plan, Scored, Scoring},
    postings::UnitPostings,
    unit::Unit,
};
use crate::analyzer::{Forms, folded};
use crate::{ContentSet, LexicalError};

/// Bounds are sums in another order than scores: they may differ in the last bits.
const SLACK: f32 = 1.0 + 1e-5;
/// Parts of a name that are counted one by one.
const MAX_PARTS: usize = 8;

/// What may be found.
pub struct Scope<'a> {
    /// Ids of the documents to look in, ascending; all when none.
    pub documents: Option<&'a [u32]>,
    /// Contents to look in; all when none.
    pub contents: Option<&'a ContentSet>,
    /// Whether a document (first) still has a passage (second).
    pub live: &'a dyn Fn(u32, u64) -> bool,
}

/// The best `limit` contents, by score and then by passage id.
pub fn search(
    searcher: &Searcher,
    query: &LexicalQuery,
    scope: &Scope<'_>,
    limit: usize,
) -> Result<Vec<WordHit>, LexicalError> {
    let mut best = Best::new(limit);
    if limit > 0 {
        let dictionary = Dictionary::open(searcher)?;
        let plan = Plan::of(&dictionary, query)?;
        for (index, reader) in searcher.segment_readers().iter().enumerate() {
            let passages = Passages::open(reader, scope, &dictionary)?;
            if let Some(mut walk) = Walk::open(&dictionary, index, &plan)? {
                walk.collect(&passages, &mut best);
            }
        }
    }
    Ok(best.into_hits())
}

/// The most that the words of a query can count in a passage, wherever they are.
pub fn most(searcher: &Searcher, query: &LexicalQuery) -> Result<f32, LexicalError> {
    Ok(Plan::of(&Dictionary::open(searcher)?, query)?.most())
}

/// In how many contents a word, name or phrase occurs in any spelling; counted to a bound.
///
/// `N1/N3` occurs as often as the rarer of its parts where it stands nowhere as a whole.
pub fn occurrences(
    searcher: &Searcher,
    text: &str,
    scope: &Scope<'_>,
    at_most: usize,
) -> Result<usize, LexicalError> {
    let dictionary = Dictionary::open(searcher)?;
    let text = folded(text);
    let count = |text: &str| count(searcher, &dictionary, text, scope, at_most);
    let whole = count(&text)?;
    if whole > 0 || !text.contains('/') {
        return Ok(whole);
    }
    let parts = text.split('/').filter(|part| !part.trim().is_empty()).take(MAX_PARTS);
    let counts = parts.map(count);
    Ok(counts.collect::<Result<Vec<_>, _>>()?.into_iter().min().unwrap_or(0))
}

fn count(
    searcher: &Searcher,
    dictionary: &Dictionary,
    text: &str,
    scope: &Scope<'_>,
    at_most: usize,
) -> Result<usize, LexicalError> {
    let unit = Unit::of_text(dictionary, &mut Forms::default(), text)?;
    let Some(unit) = unit else { return Ok(0) };
    let mut contents = HashSet::new();
    for (index, reader) in searcher.segment_readers().iter().enumerate() {
        let passages = Passages::open(reader, scope, dictionary)?;
        let Some(mut postings) = UnitPostings::open(dictionary, index, &unit)? else { continue };
        while postings.passage() != TERMINATED && contents.len() < at_most {
            let place = postings.passage();
            if passages.admits(place) {
                let hit = passages.hit(place, 0.0);
                if (scope.live)(passages.document(place), hit.passage) {
                    contents.insert(hit.content);
                }
            }
            postings.seek(place + 1);
        }
    }
    Ok(contents.len())
}

/// The columns of one segment, and what of it may be found.
struct Passages<'a> {
    reader: &'a SegmentReader,
    scope: &'a Scope<'a>,
    passage: Arc<dyn ColumnValues<u64>>,
    content: Arc<dyn ColumnValues<u64>>,
    document: Arc<dyn ColumnValues<u64>>,
    lengths: FieldNormReader,
    mean_length: f32,
}

impl<'a> Passages<'a> {
    fn open(
        reader: &'a SegmentReader,
        scope: &'a Scope<'a>,
        dictionary: &Dictionary,
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

    fn document(&self, place: DocId) -> u32 {
        u32::try_from(self.document.get_val(place)).unwrap_or(u32::MAX)
    }

    /// Whether a passage passes the filters. Whether it is alive is asked later: it costs more.
    fn admits(&self, place: DocId) -> bool {
        let in_documents = |ids: &[u32]| ids.binary_search(&self.document(place)).is_ok();
        let in_contents = |set: &ContentSet| set.contains(self.content.get_val(place));
        self.scope.documents.is_none_or(in_documents)
            && self.scope.contents.is_none_or(in_contents)
            && !self.reader.is_deleted(place)
    }

    /// Length of a passage over the mean.
    fn length(&self, place: DocId) -> f32 {
        self.lengths.fieldnorm(place) as f32 / self.mean_length
    }

    fn hit(&self, place: DocId, score: f32) -> WordHit {
        let (passage, content) = (self.passage.get_val(place), self.content.get_val(place));
        WordHit { passage, content, score }
    }
}

/// A walk over one segment.
struct Walk<'a> {
    plan: &'a Plan,
    /// Units by the most they can add, least first: index in the plan, postings.
    units: Vec<(usize, UnitPostings)>,
    /// For each of these, the most it and those before it can add together.
    bounds: Vec<f32>,
    /// Scores of the units in the passage looked at, in the plan's order.
    scores: Vec<f32>,
}

impl<'a> Walk<'a> {
    fn open(
        dictionary: &Dictionary,
        segment: usize,
        plan: &'a Plan,
    ) -> Result<Option<Self>, LexicalError> {
        let mut units = Vec::with_capacity(plan.units.len());
        for (index, scored) in plan.units.iter().enumerate() {
            let postings = UnitPostings::open(dictionary, segment, &scored.unit)?;
            units.extend(postings.map(|postings| (index, postings)));
        }
        units.sort_by(|(a, _), (b, _)| plan.units[*a].bound().total_cmp(&plan.units[*b].bound()));
        let mut sum = 0.0;
        let bound = |(index, _): &(usize, UnitPostings)| {
            sum += plan.units[*index].bound();
            sum
        };
        let bounds = units.iter().map(bound).collect();
        let scores = vec![0.0; plan.units.len()];
        Ok((!units.is_empty()).then_some(Self { plan, units, bounds, scores }))
    }

    fn collect(&mut self, passages: &Passages<'_>, best: &mut Best) {
        // Units before this one cannot lead to anything any more.
        let mut leading = 0;
        loop {
            let threshold = best.threshold();
            while leading < self.units.len() && self.bounds[leading] * SLACK < threshold {
                leading += 1;
            }
            let candidates = self.units[leading..].iter().map(|(_, postings)| postings.passage());
            let place = candidates.min().unwrap_or(TERMINATED);
            if place == TERMINATED {
                return;
            }
            if passages.admits(place)
                && let Some(score) = self.score(passages, place, leading, threshold)
            {
                let hit = passages.hit(place, score);
                let live = passages.scope.live;
                if score > 0.0 && score >= threshold && live(passages.document(place), hit.passage)
                {
                    best.offer(hit);
                }
            }
            for (_, postings) in &mut self.units[leading..] {
                if postings.passage() == place {
                    postings.seek(place + 1);
                }
            }
        }
    }

    /// The score of a passage; none as soon as it is seen to be under the threshold.
    fn score(
        &mut self,
        passages: &Passages<'_>,
        place: DocId,
        leading: usize,
        threshold: f32,
    ) -> Option<f32> {
        let document = passages.document(place);
        let length = passages.length(place);
        self.scores.fill(0.0);
        let mut most = 0.0;
        for position in (0..self.units.len()).rev() {
            let (index, postings) = &mut self.units[position];
            if position < leading {
                if (most + self.bounds[position]) * SLACK < threshold {
                    return None;
                }
                postings.seek(place);
            }
            if postings.passage() == place {
                let scored = &self.plan.units[*index];
                self.scores[*index] = unit_score(scored, postings, document, length);
                most += self.scores[*index];
            }
        }
        Some(self.plan.total(&self.scores))
    }
}

fn unit_score(scored: &Scored, postings: &UnitPostings, document: u32, length: f32) -> f32 {
    if scored.documents.as_ref().is_some_and(|ids| ids.binary_search(&document).is_err()) {
        return 0.0;
    }
    match scored.scoring {
        Scoring::Constant => scored.worth,
        Scoring::Own | Scoring::Wording => scored.worth * postings.counts().saturated(length),
    }
}
