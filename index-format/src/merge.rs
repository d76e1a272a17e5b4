//! One segment out of several.

use std::path::Path;

use crate::error::SegmentError;
use crate::graph::BaseGraph;
use crate::graph::Builder;
use crate::graph::GraphOptions;
use crate::header::SegmentInfo;
use crate::header::SegmentKind;
use crate::mapped::AccessPattern;
use crate::segment::Segment;
use crate::writer::SegmentSummary;
use crate::writer::SegmentWriter;

/// A graph with a larger share of dead rows than this is not extended: they stay in the file, and every walk scores
/// them in vain.
const MAX_DEAD_SHARE: f64 = 0.2;

/// Whether so many rows of a segment are dead that [`merge_segments`] builds a new graph without them.
pub fn is_mostly_dead(segment: &Segment, live: impl Fn(u64) -> bool) -> bool {
    let is_dead = |row: &u32| !segment.content_id(*row).is_some_and(&live);
    let dead = (0..segment.row_count()).filter(is_dead).count();
    dead as f64 > MAX_DEAD_SHARE * f64::from(segment.row_count())
}

/// Where a row comes from.
struct RowOrigin {
    content_id: u64,
    source: usize,
    row: u32,
}

/// Writes a segment with a graph over the rows of the sources whose content is live, in the order
/// of content ids.
///
/// If the largest source has a graph, and most of it is live, the others' rows are added to it; its dead rows then
/// stay, and walks pass through them.
pub fn merge_segments(
    path: impl AsRef<Path>,
    info: SegmentInfo,
    sources: &[&Segment],
    live: impl Fn(u64) -> bool,
    options: &GraphOptions<'_>,
) -> Result<SegmentSummary, SegmentError> {
    for source in sources {
        source.check_model(&info.model, info.dimension)?;
    }
    let base = match options.builder {
        Builder::Own => choose_base(sources, &live),
        Builder::HnswRs => None,
    };
    let origins = collect_origins(sources, base, &live);
    let mut writer = SegmentWriter::create(path, info)?;
    sources.iter().for_each(|source| source.advise_access(AccessPattern::Sequential));
    let copied = origins.iter().try_for_each(|origin| {
        let stored = sources[origin.source].half_row(origin.row).unwrap_or_default();
        writer.push_stored(origin.content_id, stored)
    });
    sources.iter().for_each(|source| source.advise_access(AccessPattern::Random));
    copied?;
    let Some((base, graph)) = base.and_then(|base| Some((base, sources[base].graph()?))) else {
        return writer.finish_with_graph(options);
    };
    let mut rows = vec![0; sources[base].row_count() as usize];
    for (new, origin) in (0..).zip(&origins).filter(|(_, origin)| origin.source == base) {
        rows[origin.row as usize] = new;
    }
    writer.finish_on_base(Some(&BaseGraph { graph, rows: &rows }), options)
}

/// The source whose graph is worth keeping.
fn choose_base(sources: &[&Segment], live: &impl Fn(u64) -> bool) -> Option<usize> {
    let with_graph =
        (0..sources.len()).filter(|source| sources[*source].kind() == SegmentKind::Graph);
    let largest = with_graph.max_by_key(|source| sources[*source].row_count())?;
    let source = sources[largest];
    let rows = source.row_count();
    // The new numbers of its rows must ascend as the old ones do, because nodes of a level are stored in the order of
    // rows.
    let ascending = (1..rows).all(|row| source.content_id(row - 1) <= source.content_id(row));
    (rows > 0 && ascending && !is_mostly_dead(source, live)).then_some(largest)
}

/// The rows to write in their order: all of the base, and of the others those that are live.
fn collect_origins(
    sources: &[&Segment],
    base: Option<usize>,
    live: &impl Fn(u64) -> bool,
) -> Vec<RowOrigin> {
    let mut origins = Vec::new();
    for (source, segment) in sources.iter().enumerate() {
        let rows = (0..segment.row_count()).filter_map(|row| Some((segment.content_id(row)?, row)));
        let rows = rows.filter(|(content_id, _)| base == Some(source) || live(*content_id));
        origins.extend(rows.map(|(content_id, row)| RowOrigin { content_id, source, row }));
    }
    origins.sort_unstable_by_key(|origin| (origin.content_id, origin.source, origin.row));
    origins
}
