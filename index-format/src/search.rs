//! Search results: the best row of each content id, over one segment or several.

use crate::error::SegmentError;
use crate::query::Query;
use crate::rows::Rows;
use crate::scan::candidates;
use crate::scan::exact_similarity;
use crate::segment::Segment;

/// One result: a content id and its best row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The content found.
    pub content_id: u64,
    /// The segment's place among the scopes searched, 0 when one segment was searched.
    pub segment: usize,
    /// The best row of this content in that segment.
    pub row: u32,
    /// The cosine of that row and the query, -1 to 1.
    pub similarity: f32,
}

/// A segment and the rows of it that a search may return.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The segment.
    pub segment: &'a Segment,
    /// Its allowed rows.
    pub rows: Rows<'a>,
}

impl Segment {
    /// The `k` distinct content ids nearest to the query among the allowed rows, or as many as
    /// there are: the most similar first, equal ones by content id.
    pub fn search(
        &self,
        query: &Query,
        rows: Rows<'_>,
        k: usize,
    ) -> Result<Vec<Hit>, SegmentError> {
        search_segments(&[Scope { segment: self, rows }], query, k)
    }
}

/// The `k` distinct content ids nearest to the query over all scopes, in the order of
/// [`Segment::search`].
///
/// A content id that several segments hold is returned once, with its best row.
pub fn search_segments(
    scopes: &[Scope<'_>],
    query: &Query,
    k: usize,
) -> Result<Vec<Hit>, SegmentError> {
    for scope in scopes {
        scope.segment.check_dimension(query.dimension())?;
    }
    if k == 0 {
        return Ok(Vec::new());
    }
    // A content id among the best k of all is among the best k of the segment its best row is in.
    let mut hits = Vec::new();
    for (index, scope) in scopes.iter().enumerate() {
        let scored = score(*scope, index, query, k);
        hits.append(&mut best_distinct(scored, k));
    }
    Ok(best_distinct(hits, k))
}

fn score(scope: Scope<'_>, index: usize, query: &Query, k: usize) -> Vec<Hit> {
    let Scope { segment, rows } = scope;
    let hit = |row| {
        let content_id = segment.content_id(row)?;
        let similarity = exact_similarity(segment, query, row)?;
        Some(Hit { content_id, segment: index, row, similarity })
    };
    candidates(segment, query, rows, k).into_iter().filter_map(hit).collect()
}

/// The best hit of each content id, the `k` best of those, in result order.
fn best_distinct(mut hits: Vec<Hit>, k: usize) -> Vec<Hit> {
    let by_similarity = |a: &Hit, b: &Hit| b.similarity.total_cmp(&a.similarity);
    hits.sort_unstable_by(|a, b| {
        let place = (a.segment, a.row).cmp(&(b.segment, b.row));
        a.content_id.cmp(&b.content_id).then(by_similarity(a, b)).then(place)
    });
    hits.dedup_by_key(|hit| hit.content_id);
    hits.sort_unstable_by(|a, b| by_similarity(a, b).then(a.content_id.cmp(&b.content_id)));
    hits.truncate(k);
    hits
}
