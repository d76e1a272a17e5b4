//! Segment files of one collection and search over them.
//!
//! Rows of a segment are written in ascending order of content id, so that the rows of a content
//! are found by bisection and no table of them is kept in memory.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use index_format::{
    Hit, KnnOptions, Query, RowSet, SearchExplanation, SearchStrategy, Segment, SegmentError,
    SegmentInfo, SegmentScope, SegmentWriter, search_segments,
};

use super::{ModelRow, StoreError, VectorHit, segment_row::SegmentFile, segment_row::SegmentRow};
use lexical::ContentSet;

/// The open segments of a snapshot, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct SegmentSet {
    segments: Vec<Arc<Segment>>,
}

impl SegmentSet {
    /// Opens the listed files of a model; the first that is not sound is an error.
    pub(super) fn open(
        folder: &Path,
        rows: &[SegmentRow],
        model: Option<&ModelRow>,
    ) -> Result<Self, StoreError> {
        let open = |row: &SegmentRow| open_segment(folder, row, model).map(Arc::new);
        Ok(Self { segments: rows.iter().map(open).collect::<Result<_, StoreError>>()? })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Segment>> {
        self.segments.iter()
    }

    /// Whether a content has vectors.
    pub(super) fn contains(&self, content: u64) -> bool {
        self.segments.iter().any(|segment| content_rows(segment, content).next().is_some())
    }

    /// The best cosine of a content's windows; none where it has no vectors.
    pub(super) fn best_similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        let cosines = self.stored_vectors(content).map(|stored| cosine_similarity(&stored, vector));
        cosines.reduce(f32::max)
    }

    /// The vectors of a content's windows.
    pub(super) fn content_vectors(&self, content: u64) -> Vec<Vec<f32>> {
        self.stored_vectors(content).collect()
    }

    fn stored_vectors(&self, content: u64) -> impl Iterator<Item = Vec<f32>> {
        self.segments.iter().flat_map(move |segment| {
            content_rows(segment, content).filter_map(|row| segment.read_vector(row))
        })
    }

    /// The rows of each segment whose content is in a set.
    pub(super) fn allowed_rows(&self, contents: &ContentSet) -> Vec<AllowedRows> {
        let count = contents.len();
        self.segments
            .iter()
            .map(|segment| AllowedRows::from_contents(segment, contents, count))
            .collect()
    }

    /// The `limit` nearest contents among allowed rows, best first, and how they were found.
    pub(super) fn search_nearest(
        &self,
        vector: &[f32],
        allowed: &[AllowedRows],
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
        let plans: Vec<SearchPlan> =
            answer.explanations.iter().map(SearchPlan::from_explanation).collect();
        tracing::debug!(?plans, "vectors searched");
        Ok(VectorHits { hits: answer.hits.iter().map(hit).collect(), plans })
    }
}

/// Contents near a query, and the way they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VectorHits {
    /// Best first.
    pub hits: Vec<VectorHit>,
    /// One for each vector file.
    pub plans: Vec<SearchPlan>,
}

/// How the rows of one vector file were searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchPlan {
    /// `nothing`, `exact`, `graph`, `signs` or `graph_then_signs`.
    pub plan: &'static str,
    /// Rows of the file.
    pub rows: u32,
    /// Rows that the filters allowed.
    pub allowed: u32,
    /// Rows whose signs were scored.
    pub signs_scored: u64,
    /// Rows whose 8-bit codes were scored.
    pub codes_scored: u64,
    /// Rows that got their exact cosine.
    pub rescored: u64,
}

impl SearchPlan {
    fn from_explanation(told: &SearchExplanation) -> Self {
        let plan = match told.plan {
            SearchStrategy::Nothing => "nothing",
            SearchStrategy::Exact => "exact",
            SearchStrategy::Graph => "graph",
            SearchStrategy::BinaryCodes => "signs",
            SearchStrategy::GraphThenBinaryCodes => "graph_then_signs",
        };
        let SearchExplanation { rows, allowed, signs_scored, codes_scored, rescored, .. } = *told;
        Self { plan, rows, allowed, signs_scored, codes_scored, rescored }
    }
}

/// The rows of one segment that a search may return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AllowedRows {
    /// Every row.
    All,
    /// These, ascending.
    Few(Vec<u32>),
    /// Those whose bit is set.
    Many(Vec<u64>),
}

/// Looking up a content's rows takes about as long as reading the ids of so many rows.
const LOOKUP_COST_ROWS: usize = 16;

impl AllowedRows {
    fn from_contents(segment: &Segment, contents: &ContentSet, count: usize) -> Self {
        if count.saturating_mul(LOOKUP_COST_ROWS) < segment.row_count() as usize {
            let rows = contents.iter().flat_map(|content| content_rows(segment, content));
            return Self::Few(rows.collect());
        }
        let mut words = vec![0u64; segment.row_count().div_ceil(64) as usize];
        let mut found = 0;
        for row in 0..segment.row_count() {
            if segment.content_id(row).is_some_and(|content| contents.contains(content)) {
                words[(row / 64) as usize] |= 1 << (row % 64);
                found += 1;
            }
        }
        if found == segment.row_count() { Self::All } else { Self::Many(words) }
    }

    fn as_rows(&self) -> RowSet<'_> {
        match self {
            Self::All => RowSet::All,
            Self::Few(rows) => RowSet::Sorted(rows),
            Self::Many(words) => RowSet::Bitmap { words },
        }
    }
}

/// Opens one file and checks that it is of the model and as long as redb says.
pub(super) fn open_segment(
    folder: &Path,
    row: &SegmentRow,
    model: Option<&ModelRow>,
) -> Result<Segment, StoreError> {
    let segment = Segment::open(folder.join(&row.file))?;
    if let Some(model) = model {
        segment.check_model(&model.identity, model.dimension)?;
    }
    if u64::from(segment.row_count()) != row.rows {
        return Err(StoreError::Decode { what: "vector file" });
    }
    Ok(segment)
}

/// The rows of a content: neighbours, for rows ascend by content id.
pub(super) fn content_rows(segment: &Segment, content: u64) -> impl Iterator<Item = u32> {
    let (mut low, mut high) = (0, segment.row_count());
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.content_id(middle).is_some_and(|id| id < content) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    (low..segment.row_count()).take_while(move |row| segment.content_id(*row) == Some(content))
}

/// Cosine of two vectors of the same length; 0 where one of them is zero.
fn cosine_similarity(a: &[f32], b: &[f32]) -> f32 {
    let dot = |x: &[f32], y: &[f32]| x.iter().zip(y).map(|(p, q)| p * q).sum::<f32>();
    let norms = (dot(a, a) * dot(b, b)).sqrt();
    if norms > 0.0 { dot(a, b) / norms } else { 0.0 }
}

/// Writes and syncs a segment; `vectors` ascend by content id.
pub(super) fn write_segment(
    folder: &Path,
    file: &SegmentFile,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<SegmentRow, StoreError> {
    let mut writer = SegmentWriter::create(folder.join(file), info)?;
    for (content, vector) in vectors {
        writer.push(content, &vector)?;
    }
    let summary = writer.finish()?;
    Ok(SegmentRow { file: file.clone(), rows: u64::from(summary.rows) })
}

/// Pairs of content id and vector, one for each window, ascending by content id.
pub(super) fn flatten_windows<'a>(
    contents: impl Iterator<Item = (u64, &'a [Vec<f32>])>,
) -> Vec<(u64, Vec<f32>)> {
    let windows = |(id, windows): (u64, &'a [Vec<f32>])| {
        windows.iter().cloned().map(move |window| (id, window))
    };
    let mut flat: Vec<(u64, Vec<f32>)> = contents.flat_map(windows).collect();
    flat.sort_by_key(|(content, _)| *content);
    flat
}

/// Removes files of the folder that no snapshot will ask for.
pub(super) fn remove_unlisted_files(
    folder: &Path,
    listed: &[SegmentRow],
) -> Result<Vec<PathBuf>, StoreError> {
    let mut swept = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::io_error("read", folder))? {
        let entry = entry.map_err(StoreError::io_error("read", folder))?;
        let name = entry.file_name();
        let is_listed = listed.iter().any(|row| name.to_str() == Some(row.file.as_str()));
        if is_listed || entry.path().is_dir() {
            continue;
        }
        fs::remove_file(entry.path()).map_err(StoreError::io_error("remove", &entry.path()))?;
        swept.push(entry.path());
    }
    Ok(swept)
}
