//! Search results: the best row of each content id, over one segment or several.

use crate::error::SegmentError;
use crate::query::Query;
use crate::rows::RowSet;
use crate::scan::CandidateLimits;
use crate::scan::SearchExplanation;
use crate::scan::collect_candidates;
use crate::scan::exact_similarity;
use crate::segment::Segment;

/// `ef` of a walk for each result, and in addition for each doubling of the rows from a thousand on.
/// These find 0.998 and more of the ten nearest among 25,000 to a million rows.
const EF_PER_RESULT: f64 = 1.5;
const EF_PER_DOUBLING: f64 = 8.0;
/// The same with a filter: the walk also meets nearer rows that may not be returned.
const FILTERED_EF_FACTOR: f64 = 1.5;

/// Contents that get an exact score in addition to one and a half times `k`. Codes alone find about
/// 0.98 of the true ten nearest; the next thirty rows bring nearly all of the rest.
const MORE_RESCORED: usize = 25;

/// While a row gets its exact score, the row this far ahead is prefetched: exact rows are at random addresses of the
/// file.
const ROWS_AHEAD: usize = 2;

/// The factor by which limits grow when rows of the same contents crowd out the others. Each repetition starts from
/// the beginning, so the last one costs more than all before it together.
const GROWTH: usize = 4;

/// One result: a content id and its best row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The content found.
    pub content_id: u64,
    /// The segment's index among the searched scopes, 0 when one segment was searched.
    pub segment_index: usize,
    /// The best row of this content in that segment.
    pub row: u32,
    /// The cosine of that row and the query, -1 to 1.
    pub similarity: f32,
}

/// A segment and the rows of it that a search may return.
#[derive(Debug, Clone, Copy)]
pub struct SegmentScope<'a> {
    /// The segment.
    pub segment: &'a Segment,
    /// Its allowed rows.
    pub rows: RowSet<'a>,
}

/// Options of a nearest-neighbour search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnnOptions {
    /// Distinct content ids.
    pub k: usize,
    /// Candidates that a walk over a graph keeps; more of them find more of the true nearest and take longer. `None`
    /// chooses a number that suits `k` and the segment.
    pub ef: Option<usize>,
}

impl KnnOptions {
    /// The `k` nearest, with the `ef` that suits them.
    pub fn with_k(k: usize) -> KnnOptions {
        KnnOptions { k, ef: None }
    }

    /// The first limits in a segment with `rows` rows, `allowed` of them allowed.
    fn candidate_limits(self, rows: u32, allowed: u32) -> CandidateLimits {
        let rows_to_return = self.k.saturating_add(self.k / 2).saturating_add(MORE_RESCORED);
        let ef = self.ef.unwrap_or_else(|| {
            let doublings = (f64::from(rows) / 1000.0).log2().max(1.0);
            let ef = self.k as f64 * EF_PER_RESULT + EF_PER_DOUBLING * doublings;
            (if allowed < rows { FILTERED_EF_FACTOR * ef } else { ef }) as usize
        });
        CandidateLimits { rows: rows_to_return, ef: ef.max(self.k) }
    }
}

/// What a search found, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SegmentSearchResult {
    /// The most similar first, equal ones by content id.
    pub hits: Vec<Hit>,
    /// One for each scope.
    pub explanations: Vec<SearchExplanation>,
}

impl Segment {
    /// The `k` distinct content ids nearest to the query among the allowed rows, or as many as
    /// there are: the most similar first, equal ones by content id.
    pub fn search(
        &self,
        query: &Query,
        rows: RowSet<'_>,
        k: usize,
    ) -> Result<Vec<Hit>, SegmentError> {
        let scopes = [SegmentScope { segment: self, rows }];
        Ok(search_segments(&scopes, query, KnnOptions::with_k(k))?.hits)
    }
}

/// The distinct content ids nearest to the query over all scopes.
///
/// A content id that several segments contain is returned once, with its best row.
pub fn search_segments(
    scopes: &[SegmentScope<'_>],
    query: &Query,
    options: KnnOptions,
) -> Result<SegmentSearchResult, SegmentError> {
    for scope in scopes {
        scope.segment.check_dimension(query.dimension())?;
    }
    // A content id among the best k of all is among the best k of the segment its best row is in.
    let mut answer = SegmentSearchResult::default();
    for (index, scope) in scopes.iter().enumerate() {
        let mut explanation = SearchExplanation::without_search(scope.segment);
        let scored = score_candidates(*scope, index, query, options, &mut explanation);
        answer.hits.append(&mut best_distinct(scored, options.k));
        answer.explanations.push(explanation);
    }
    if scopes.len() > 1 {
        answer.hits = best_distinct(answer.hits, options.k);
    }
    Ok(answer)
}

/// The best candidates of a segment with their exact cosines.
fn score_candidates(
    scope: SegmentScope<'_>,
    index: usize,
    query: &Query,
    options: KnnOptions,
    explanation: &mut SearchExplanation,
) -> Vec<Hit> {
    let SegmentScope { segment, rows } = scope;
    let allowed = rows.count_rows(segment.row_count());
    explanation.allowed = allowed as u32;
    if allowed == 0 || options.k == 0 {
        return Vec::new();
    }
    let mut limits = options.candidate_limits(segment.row_count(), explanation.allowed);
    let max_rescored = limits.rows;
    loop {
        let rows = collect_candidates(segment, query, rows, limits, explanation);
        let (rows, contents) = take_distinct_contents(segment, &rows, max_rescored);
        if contents >= options.k || limits.rows >= allowed {
            explanation.scored.exactly += rows.len() as u64;
            let ahead = rows.iter().skip(ROWS_AHEAD).map(Some).chain(std::iter::repeat(None));
            let hits = rows.iter().zip(ahead).filter_map(|(row, ahead)| {
                ahead.into_iter().for_each(|row| segment.prefetch_vector(*row));
                score_hit(segment, index, query, *row)
            });
            return hits.collect();
        }
        limits = limits.scale_by(GROWTH);
    }
}

/// The rows up to the one with the last of `max_contents` contents, and how many contents they have.
fn take_distinct_contents<'a>(
    segment: &Segment,
    rows: &'a [u32],
    max_contents: usize,
) -> (&'a [u32], usize) {
    let mut contents = ContentIdSet::default();
    for (index, row) in rows.iter().enumerate() {
        if let Some(content) = segment.content_id(*row) {
            contents.insert(content);
        }
        if contents.len() == max_contents {
            return (&rows[..=index], max_contents);
        }
    }
    (rows, contents.len())
}

fn score_hit(segment: &Segment, index: usize, query: &Query, row: u32) -> Option<Hit> {
    let content_id = segment.content_id(row)?;
    let similarity = exact_similarity(segment, query, row)?;
    Some(Hit { content_id, segment_index: index, row, similarity })
}

/// The best hit of each content id, the `k` best of those, in result order.
fn best_distinct(mut hits: Vec<Hit>, k: usize) -> Vec<Hit> {
    hits.sort_unstable_by(|a, b| {
        let by_row = (a.segment_index, a.row).cmp(&(b.segment_index, b.row));
        let by_similarity = b.similarity.total_cmp(&a.similarity);
        by_similarity.then(a.content_id.cmp(&b.content_id)).then(by_row)
    });
    let mut contents = ContentIdSet::default();
    hits.retain(|hit| contents.len() < k && contents.insert(hit.content_id));
    hits
}

/// A set of few content ids: a search returns hundreds at most.
#[derive(Debug, Default)]
struct ContentIdSet(Vec<u64>);

impl ContentIdSet {
    /// Adds a content id; whether it is new.
    fn insert(&mut self, content: u64) -> bool {
        match self.0.binary_search(&content) {
            Ok(_) => false,
            Err(index) => {
                self.0.insert(index, content);
                true
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
