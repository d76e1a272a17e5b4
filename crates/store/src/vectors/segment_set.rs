//! The open segments of one collection, and search over them.

use std::{path::Path, sync::Arc};

use index_format::{
    Hit, KnnOptions, Query, RowSet, SearchExplanation, Segment, SegmentError, SegmentScope,
    search_segments,
};

use super::segment_files::{content_rows, open_segment};
use crate::{ModelRow, StoreError, tables::segments::SegmentRow};
use lexical::ContentSet;

/// The open segments of a snapshot, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct SegmentSet {
    segments: Vec<Arc<Segment>>,
}

impl SegmentSet {
    /// Opens the listed files of a model, but for those that `before` has open; a missing or damaged one is an error. The name of a
    /// file is never given to another one.
    pub(crate) fn open(
        folder: &Path,
        rows: &[SegmentRow],
        model: Option<&ModelRow>,
        before: &Self,
    ) -> Result<Self, StoreError> {
        let open = |row: &SegmentRow| {
            let known =
                before.segments.iter().find(|segment| segment.path() == folder.join(&row.file));
            match known {
                Some(segment) => Ok(segment.clone()),
                None => open_segment(folder, row, model).map(Arc::new),
            }
        };
        Ok(Self { segments: rows.iter().map(open).collect::<Result<_, StoreError>>()? })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Segment>> {
        self.segments.iter()
    }

    /// Whether a content has vectors.
    pub(crate) fn contains(&self, content: u64) -> bool {
        self.segments.iter().any(|segment| content_rows(segment, content).next().is_some())
    }

    /// Every content with vectors; one with several windows more than once.
    pub(crate) fn contents(&self) -> impl Iterator<Item = u64> + '_ {
        self.segments
            .iter()
            .flat_map(|segment| (0..segment.row_count()).filter_map(|row| segment.content_id(row)))
    }

    /// The best cosine of a content's windows; `None` if it has no vectors.
    pub(crate) fn best_similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        let cosines = self.stored_vectors(content).map(|stored| cosine_similarity(&stored, vector));
        cosines.reduce(f32::max)
    }

    /// The vectors of a content's windows.
    pub(crate) fn content_vectors(&self, content: u64) -> Vec<Vec<f32>> {
        self.stored_vectors(content).collect()
    }

    fn stored_vectors(&self, content: u64) -> impl Iterator<Item = Vec<f32>> {
        self.segments.iter().flat_map(move |segment| {
            content_rows(segment, content).filter_map(|row| segment.read_vector(row))
        })
    }

    /// The rows of each segment whose content is in a set.
    pub(crate) fn allowed_rows(&self, contents: &ContentSet) -> Vec<Arc<AllowedRows>> {
        let rows = |segment: &Arc<Segment>| Arc::new(AllowedRows::from_contents(segment, contents));
        self.segments.iter().map(rows).collect()
    }

    /// The `limit` nearest contents among allowed rows, best first, and how they were found.
    pub(crate) fn search_nearest(
        &self,
        vector: &[f32],
        allowed: &[Arc<AllowedRows>],
        limit: usize,
    ) -> Result<VectorHits, StoreError> {
        let Some(first) = self.segments.first() else { return Ok(VectorHits::default()) };
        let query = Query::new(vector, first.dimension()).map_err(SegmentError::from)?;
        let scopes: Vec<SegmentScope<'_>> = self
            .segments
            .iter()
            .zip(allowed)
            .map(|(segment, allowed)| SegmentScope { segment, rows: allowed.as_rows() })
            .collect();
        let answer = search_segments(&scopes, &query, KnnOptions::with_k(limit))?;
        let hit = |hit: &Hit| VectorHit { content: hit.content_id, similarity: hit.similarity };
        let plans = answer.explanations;
        tracing::debug!(?plans, "vectors searched");
        Ok(VectorHits { hits: answer.hits.iter().map(hit).collect(), plans })
    }
}

/// A content near a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VectorHit {
    /// Content id.
    pub content: u64,
    /// Cosine of its best window.
    pub similarity: f32,
}

/// Contents near a query, and the way they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VectorHits {
    /// Best first.
    pub hits: Vec<VectorHit>,
    /// One for each vector file.
    pub plans: Vec<SearchExplanation>,
}

/// The rows of one segment that a search may return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowedRows {
    /// Every row.
    All,
    /// These, ascending.
    Few(Vec<u32>),
    /// Those whose bit is set.
    Many(Vec<u64>),
}

/// Looking up a content's rows takes about as long as reading the ids of this many rows, so larger sets are compared
/// with all ids.
const LOOKUP_COST_ROWS: usize = 16;

impl AllowedRows {
    pub(crate) fn from_contents(segment: &Segment, contents: &ContentSet) -> Self {
        if contents.len().saturating_mul(LOOKUP_COST_ROWS) < segment.row_count() as usize {
            let rows = contents.iter().flat_map(|content| content_rows(segment, content));
            return Self::Few(rows.collect());
        }
        let mut words = vec![0u64; segment.row_count().div_ceil(64) as usize];
        let mut allowed_count = 0;
        for row in 0..segment.row_count() {
            if segment.content_id(row).is_some_and(|content| contents.contains(content)) {
                words[(row / 64) as usize] |= 1 << (row % 64);
                allowed_count += 1;
            }
        }
        if allowed_count == segment.row_count() { Self::All } else { Self::Many(words) }
    }

    fn as_rows(&self) -> RowSet<'_> {
        match self {
            Self::All => RowSet::All,
            Self::Few(rows) => RowSet::Sorted(rows),
            Self::Many(words) => RowSet::Bitmap { words },
        }
    }
}

/// Cosine of two vectors of the same length; 0 if one of them is zero.
fn cosine_similarity(a: &[f32], b: &[f32]) -> f32 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(p, q)| p * q).sum::<f32>();
    let norms = (dot(a, a) * dot(b, b)).sqrt();
    if norms > 0.0 { dot(a, b) / norms } else { 0.0 }
}
