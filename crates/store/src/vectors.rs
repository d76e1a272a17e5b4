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
    Explanation, Hit, Plan, Query, Rows, Scope, Segment, SegmentError, SegmentInfo, SegmentWriter,
    Wanted, search_segments,
};

use super::{ContentHit, ModelRow, StoreError, segment_row::SegmentFile, segment_row::SegmentRow};
use lexical::ContentSet;

/// The open segments of a snapshot, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Segments {
    segments: Vec<Arc<Segment>>,
}

impl Segments {
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
        self.segments.iter().any(|segment| rows_of(segment, content).next().is_some())
    }

    /// The best cosine of a content's windows; none where it has no vectors.
    pub(super) fn similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        let cosines = self.stored(content).map(|stored| cosine(&stored, vector));
        cosines.reduce(f32::max)
    }

    /// The vectors of a content's windows.
    pub(super) fn vectors(&self, content: u64) -> Vec<Vec<f32>> {
        self.stored(content).collect()
    }

    fn stored(&self, content: u64) -> impl Iterator<Item = Vec<f32>> {
        self.segments.iter().flat_map(move |segment| {
            rows_of(segment, content).filter_map(|row| segment.vector(row))
        })
    }

    /// The rows of each segment whose content is in a set.
    pub(super) fn allowed(&self, contents: &ContentSet) -> Vec<AllowedRows> {
        let count = contents.len();
        self.segments.iter().map(|segment| AllowedRows::of(segment, contents, count)).collect()
    }

    /// The `limit` nearest contents among allowed rows, best first, and how they were found.
    pub(super) fn nearest(
        &self,
        vector: &[f32],
        allowed: &[AllowedRows],
        limit: usize,
    ) -> Result<Nearest, StoreError> {
        let Some(first) = self.segments.first() else { return Ok(Nearest::default()) };
        let query = Query::new(vector, first.dimension()).map_err(SegmentError::from)?;
        let scopes: Vec<Scope<'_>> = self
            .segments
            .iter()
            .zip(allowed)
            .map(|(segment, allowed)| Scope { segment, rows: allowed.rows() })
            .collect();
        let answer = search_segments(&scopes, &query, Wanted::nearest(limit))?;
        let hit = |hit: &Hit| ContentHit { content: hit.content_id, similarity: hit.similarity };
        let plans: Vec<SearchPlan> = answer.explanations.iter().map(SearchPlan::of).collect();
        tracing::debug!(?plans, "vectors searched");
        Ok(Nearest { hits: answer.hits.iter().map(hit).collect(), plans })
    }
}

/// Contents near a query, and the way they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Nearest {
    /// Best first.
    pub hits: Vec<ContentHit>,
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
    fn of(told: &Explanation) -> Self {
        let plan = match told.plan {
            Plan::Nothing => "nothing",
            Plan::Exact => "exact",
            Plan::Graph => "graph",
            Plan::Signs => "signs",
            Plan::GraphThenSigns => "graph_then_signs",
        };
        let Explanation { rows, allowed, signs_scored, codes_scored, rescored, .. } = *told;
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
const LOOK_UP: usize = 16;

impl AllowedRows {
    fn of(segment: &Segment, contents: &ContentSet, count: usize) -> Self {
        if count.saturating_mul(LOOK_UP) < segment.rows() as usize {
            let rows = contents.iter().flat_map(|content| rows_of(segment, content));
            return Self::Few(rows.collect());
        }
        let mut words = vec![0u64; segment.rows().div_ceil(64) as usize];
        let mut found = 0;
        for row in 0..segment.rows() {
            if segment.content_id(row).is_some_and(|content| contents.contains(content)) {
                words[(row / 64) as usize] |= 1 << (row % 64);
                found += 1;
            }
        }
        if found == segment.rows() { Self::All } else { Self::Many(words) }
    }

    fn rows(&self) -> Rows<'_> {
        match self {
            Self::All => Rows::All,
            Self::Few(rows) => Rows::Sorted(rows),
            Self::Many(words) => Rows::Bitmap { words },
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
    if u64::from(segment.rows()) != row.rows {
        return Err(StoreError::Decode { what: "vector file" });
    }
    Ok(segment)
}

/// The rows of a content: neighbours, for rows ascend by content id.
pub(super) fn rows_of(segment: &Segment, content: u64) -> impl Iterator<Item = u32> {
    let (mut low, mut high) = (0, segment.rows());
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.content_id(middle).is_some_and(|id| id < content) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    (low..segment.rows()).take_while(move |row| segment.content_id(*row) == Some(content))
}

/// Cosine of two vectors of the same length; 0 where one of them is zero.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
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
pub(super) fn flatten<'a>(
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
pub(super) fn sweep(folder: &Path, listed: &[SegmentRow]) -> Result<Vec<PathBuf>, StoreError> {
    let mut swept = Vec::new();
    for entry in fs::read_dir(folder).map_err(StoreError::io("read", folder))? {
        let entry = entry.map_err(StoreError::io("read", folder))?;
        let name = entry.file_name();
        let is_listed = listed.iter().any(|row| name.to_str() == Some(row.file.as_str()));
        if is_listed || entry.path().is_dir() {
            continue;
        }
        fs::remove_file(entry.path()).map_err(StoreError::io("remove", &entry.path()))?;
        swept.push(entry.path());
    }
    Ok(swept)
}
