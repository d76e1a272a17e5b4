//! Search results: the best row of each content id, over one segment or several.

use crate::error::SegmentError;
use crate::query::Query;
use crate::rows::Rows;
use crate::scan::Explanation;
use crate::scan::Sought;
use crate::scan::candidates;
use crate::scan::exact_similarity;
use crate::segment::Segment;

/// Rows that a walk keeps on the way for each result wanted, and besides for each time that the rows
/// double from a thousand on. They find 0.998 and more of the ten nearest among 25,000 to a million rows.
const BREADTH_PER_RESULT: f64 = 1.5;
const BREADTH_PER_DOUBLING: f64 = 8.0;
/// The same with a filter: rows nearer to the query that may not be returned lie in the way.
const FILTERED_BREADTH: f64 = 1.5;

/// Contents that get an exact score: half as many as are wanted, and these, besides. Codes alone
/// find about 0.98 of the true ten nearest; the next thirty rows bring nearly all of the rest.
const MORE_RESCORED: usize = 25;

/// While a row gets its exact score, the one so many places behind it is asked for.
const ROWS_AHEAD: usize = 2;

/// How much more is looked for when rows of the same contents crowd out the others.
const GROWTH: usize = 4;

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

/// What is wanted of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Distinct content ids.
    pub k: usize,
    /// Rows that a walk over a graph keeps on the way; more of them find more of the true nearest
    /// and take longer. None takes a number that suits `k`.
    pub effort: Option<usize>,
}

impl Wanted {
    /// The `k` nearest, with the effort that suits them.
    pub fn nearest(k: usize) -> Wanted {
        Wanted { k, effort: None }
    }

    /// What is looked for at first in a segment of so many rows, so many of them allowed.
    fn sought(self, rows: u32, allowed: u32) -> Sought {
        let kept = self.k.saturating_add(self.k / 2).saturating_add(MORE_RESCORED);
        let breadth = self.effort.unwrap_or_else(|| {
            let doublings = (f64::from(rows) / 1000.0).log2().max(1.0);
            let breadth = self.k as f64 * BREADTH_PER_RESULT + BREADTH_PER_DOUBLING * doublings;
            (if allowed < rows { FILTERED_BREADTH * breadth } else { breadth }) as usize
        });
        Sought { kept, breadth: breadth.max(self.k) }
    }
}

/// What a search found, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The most similar first, equal ones by content id.
    pub hits: Vec<Hit>,
    /// One for each scope.
    pub explanations: Vec<Explanation>,
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
        let scopes = [Scope { segment: self, rows }];
        Ok(search_segments(&scopes, query, Wanted::nearest(k))?.hits)
    }
}

/// The distinct content ids nearest to the query over all scopes.
///
/// A content id that several segments hold is returned once, with its best row.
pub fn search_segments(
    scopes: &[Scope<'_>],
    query: &Query,
    wanted: Wanted,
) -> Result<Answer, SegmentError> {
    for scope in scopes {
        scope.segment.check_dimension(query.dimension())?;
    }
    // A content id among the best k of all is among the best k of the segment its best row is in.
    let mut answer = Answer::default();
    for (index, scope) in scopes.iter().enumerate() {
        let mut explanation = Explanation::nothing(scope.segment);
        let scored = score(*scope, index, query, wanted, &mut explanation);
        answer.hits.append(&mut best_distinct(scored, wanted.k));
        answer.explanations.push(explanation);
    }
    if scopes.len() > 1 {
        answer.hits = best_distinct(answer.hits, wanted.k);
    }
    Ok(answer)
}

/// The best candidates of a segment with their exact cosines.
fn score(
    scope: Scope<'_>,
    index: usize,
    query: &Query,
    wanted: Wanted,
    explanation: &mut Explanation,
) -> Vec<Hit> {
    let Scope { segment, rows } = scope;
    let allowed = rows.count(segment.rows());
    explanation.allowed = allowed as u32;
    if allowed == 0 || wanted.k == 0 {
        return Vec::new();
    }
    let mut sought = wanted.sought(segment.rows(), explanation.allowed);
    let rescored = sought.kept;
    loop {
        let rows = candidates(segment, query, rows, sought, explanation);
        let (rows, contents) = distinct(segment, &rows, rescored);
        if contents >= wanted.k || sought.kept >= allowed {
            explanation.rescored += rows.len() as u64;
            let ahead = rows.iter().skip(ROWS_AHEAD).map(Some).chain(std::iter::repeat(None));
            let hits = rows.iter().zip(ahead).filter_map(|(row, ahead)| {
                ahead.into_iter().for_each(|row| segment.prefetch_vector(*row));
                hit(segment, index, query, *row)
            });
            return hits.collect();
        }
        sought = sought.times(GROWTH);
    }
}

/// The rows up to the one that brings the last of `most` contents, and how many contents they have.
fn distinct<'a>(segment: &Segment, rows: &'a [u32], most: usize) -> (&'a [u32], usize) {
    let mut contents = FewContents::default();
    for (place, row) in rows.iter().enumerate() {
        if let Some(content) = segment.content_id(*row) {
            contents.insert(content);
        }
        if contents.len() == most {
            return (&rows[..=place], most);
        }
    }
    (rows, contents.len())
}

fn hit(segment: &Segment, index: usize, query: &Query, row: u32) -> Option<Hit> {
    let content_id = segment.content_id(row)?;
    let similarity = exact_similarity(segment, query, row)?;
    Some(Hit { content_id, segment: index, row, similarity })
}

/// The best hit of each content id, the `k` best of those, in result order.
fn best_distinct(mut hits: Vec<Hit>, k: usize) -> Vec<Hit> {
    hits.sort_unstable_by(|a, b| {
        let place = (a.segment, a.row).cmp(&(b.segment, b.row));
        let by_similarity = b.similarity.total_cmp(&a.similarity);
        by_similarity.then(a.content_id.cmp(&b.content_id)).then(place)
    });
    let mut contents = FewContents::default();
    hits.retain(|hit| contents.len() < k && contents.insert(hit.content_id));
    hits
}

/// A set of few content ids: a search returns hundreds at most.
#[derive(Debug, Default)]
struct FewContents(Vec<u64>);

impl FewContents {
    /// Whether it was not there.
    fn insert(&mut self, content: u64) -> bool {
        match self.0.binary_search(&content) {
            Ok(_) => false,
            Err(place) => {
                self.0.insert(place, content);
                true
            }
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}
