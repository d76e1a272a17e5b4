//! Builds search graphs: merges flat segments, which are scanned, into a few large ones with a graph.
//!
//! A new segment is built beside the old ones, from one snapshot and without the writer; then one commit
//! replaces them by it. Searches continue over the old ones, whose disk space is freed when the last
//! snapshot that has them open is dropped. A build that ends early, because the disk is full or it was
//! stopped, leaves everything as it was.

use std::{ops::ControlFlow, sync::Arc};

use index_format::{
    BuildProgress, Builder, GraphOptions, Segment, SegmentError, SegmentInfo, SegmentKind,
    is_mostly_dead, merge_segments,
};
use serde::Deserialize;

use crate::{
    Snapshot, Store, StoreError, Writer,
    tables::{
        codec::Packed,
        segments::{SegmentFile, SegmentRow},
    },
    vectors::{
        VectorCollection,
        segment_files::remove_segment_files,
        segment_list::{ListedSegment, list_open_segments, reserve_segment_name},
        stamps::record_verified_file,
    },
};
use lexical::ContentSet;

/// Fewer rows than this are scanned in less time than it takes to embed a word of a query.
const MIN_GRAPH_ROWS: u64 = 8192;
/// A graph is rewritten if it has at most this many times the rows of the segments that are merged into it:
/// so each row is rewritten a number of times that grows with the logarithm of the total.
const MAX_REWRITE_RATIO: u64 = 4;

/// How much an optimization does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Only merges that speed up later searches enough.
    Worthwhile,
    /// Everything into one segment.
    Everything,
}

/// The builder of graphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphBuilder {
    /// The program's own builder.
    #[default]
    Own,
    /// The crate `hnsw_rs`, whose graph is converted.
    HnswRs,
}

/// Options of an optimization.
#[derive(Debug, Clone, Copy)]
pub struct OptimizeOptions {
    /// How much is done.
    pub thoroughness: Thoroughness,
    /// The builder of the graphs.
    pub builder: GraphBuilder,
    /// Threads to build with.
    pub threads: usize,
}

/// The result of an optimization.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OptimizeSummary {
    /// Vector files that were merged; 0 if there was nothing to do.
    pub merged: usize,
    /// Rows of the new files.
    pub rows: u64,
    /// Vector files there are now.
    pub segments: usize,
    /// Whether it was stopped before its end; the files to be merged next are unchanged.
    pub interrupted: bool,
}

/// Watches a build: is called with the rows done and the total, and may stop it. Called from several
/// threads.
pub type WatchBuild<'a> = &'a (dyn Fn(u32, u32) -> ControlFlow<()> + Sync);

impl Store {
    /// Merges segments and builds a graph over them. Callers ensure that nothing is committed meanwhile
    /// except removals; searches continue.
    pub fn optimize_segments(
        &self,
        how: OptimizeOptions,
        watch: WatchBuild<'_>,
    ) -> Result<OptimizeSummary, StoreError> {
        let mut all = OptimizeSummary::default();
        for collection in VectorCollection::ALL {
            let one = self.optimize_collection(collection, how, watch)?;
            all.merged += one.merged;
            all.rows += one.rows;
            all.segments += one.segments;
            all.interrupted |= one.interrupted;
            if all.interrupted {
                break;
            }
        }
        Ok(all)
    }

    fn optimize_collection(
        &self,
        collection: VectorCollection,
        how: OptimizeOptions,
        watch: WatchBuild<'_>,
    ) -> Result<OptimizeSummary, StoreError> {
        let OptimizeOptions { thoroughness, builder, threads } = how;
        let plan =
            self.lock_writer().make_change(|writer| writer.plan_merge(collection, thoroughness))?;
        let Some(MergePlan { snapshot, chosen, new: (key, file) }) = plan else {
            let segments = self.snapshot().open_segments(collection).iter().count();
            return Ok(OptimizeSummary { segments, ..OptimizeSummary::default() });
        };
        let first = &chosen[0].segment;
        let info = SegmentInfo { dimension: first.dimension(), model: *first.model() };
        let sources: Vec<&Segment> = chosen.iter().map(|listed| &*listed.segment).collect();
        let report = |progress: BuildProgress| watch(progress.done, progress.total);
        let builder = match builder {
            GraphBuilder::Own => Builder::Own,
            GraphBuilder::HnswRs => Builder::HnswRs,
        };
        let options = GraphOptions { builder, threads, watch: &report, ..GraphOptions::default() };
        let folder = collection.vector_folder(&self.index().folder);
        let path = folder.join(&file);
        let carried = snapshot.carried_contents(collection);
        let live = |content| carried.contains(content);
        let summary = match merge_segments(&path, info, &sources, live, &options) {
            Ok(summary) => summary,
            Err(SegmentError::Cancelled { .. }) => {
                let segments = snapshot.open_segments(collection).iter().count();
                return Ok(OptimizeSummary {
                    interrupted: true,
                    segments,
                    ..OptimizeSummary::default()
                });
            }
            Err(error) => return Err(error.into()),
        };
        let row = SegmentRow { file, rows: u64::from(summary.rows) };
        self.lock_writer().make_change(|writer| {
            writer.replace_listed_segments(collection, &chosen, (key, &row)).inspect_err(|_| {
                // Nothing has changed, so the new file is removed. Not if redb's file failed: the commit may be in it
                // nevertheless. The next open then removes unlisted files.
                if !self.has_failed()
                    && let Err(error) = remove_segment_files(&folder, [&row])
                {
                    let error = &error as &dyn std::error::Error;
                    tracing::error!(error, "the new vector file is removed at the next open");
                }
            })?;
            let unused = (row.rows == 0).then_some(&row);
            let unlisted = chosen.iter().map(|listed| &listed.row).chain(unused);
            remove_segment_files(&folder, unlisted)
        })?;
        let segments = self.snapshot().open_segments(collection).iter().count();
        Ok(OptimizeSummary { merged: chosen.len(), rows: row.rows, segments, interrupted: false })
    }
}

/// The segments to merge.
struct MergePlan {
    snapshot: Arc<Snapshot>,
    chosen: Vec<ListedSegment>,
    /// Key and name of the new segment.
    new: (u64, SegmentFile),
}

impl Writer<'_> {
    /// Chooses the segments to merge and reserves a name for the new one; `None` if no merge is worthwhile.
    fn plan_merge(
        &mut self,
        collection: VectorCollection,
        thoroughness: Thoroughness,
    ) -> Result<Option<MergePlan>, StoreError> {
        let snapshot = self.store.snapshot();
        let txn = self.index.metadata.begin_write()?;
        let listed = list_open_segments(&txn, collection, snapshot.open_segments(collection))?;
        let chosen = choose_segments(listed, snapshot.live_contents(collection), thoroughness);
        if chosen.is_empty() {
            return Ok(None);
        }
        let new = reserve_segment_name(&txn)?;
        self.commit(txn)?;
        Ok(Some(MergePlan { snapshot, chosen, new }))
    }

    /// Replaces segments on the list by a new one, in one commit.
    fn replace_listed_segments(
        &mut self,
        collection: VectorCollection,
        replaced: &[ListedSegment],
        (key, new): (u64, &SegmentRow),
    ) -> Result<(), StoreError> {
        let txn = self.index.metadata.begin_write()?;
        {
            let mut table = txn.open_table(collection.segment_table())?;
            for listed in replaced {
                let removed = table.remove(listed.key)?.map(|row| row.value().decode("segment"));
                // Another optimization may have replaced the segment while this one was building.
                if removed.transpose()?.as_ref() != Some(&listed.row) {
                    return Err(StoreError::Decode { what: "list of vector files" });
                }
            }
            if new.rows > 0 {
                table.insert(key, Packed::of(new))?;
                record_verified_file(
                    &txn,
                    &collection.vector_folder(&self.index.folder),
                    &new.file,
                )?;
            }
        }
        self.commit_metadata(txn)
    }
}

/// The segments that are worth merging, the smallest first.
fn choose_segments(
    mut listed: Vec<ListedSegment>,
    live: &ContentSet,
    how: Thoroughness,
) -> Vec<ListedSegment> {
    let is_flat = |listed: &ListedSegment| listed.segment.kind() == SegmentKind::Flat;
    let flat: u64 = listed.iter().filter(|listed| is_flat(listed)).map(|l| l.row.rows).sum();
    let is_live = |content| live.contains(content);
    let is_dying = |listed: &ListedSegment| is_mostly_dead(&listed.segment, is_live);
    match how {
        Thoroughness::Everything => {
            let is_done = matches!(&listed[..], [one] if !is_flat(one) && !is_dying(one));
            if is_done { Vec::new() } else { listed }
        }
        Thoroughness::Worthwhile => {
            let take_flat = flat >= MIN_GRAPH_ROWS;
            // Flat ones first, then the graphs from the smallest on.
            listed.sort_by_key(|listed| (!is_flat(listed), listed.row.rows));
            let mut total = 0;
            let mut chosen = Vec::new();
            for one in listed {
                let worthwhile = if is_flat(&one) {
                    take_flat
                } else {
                    one.row.rows <= MAX_REWRITE_RATIO * total || is_dying(&one)
                };
                if worthwhile {
                    total += one.row.rows;
                    chosen.push(one);
                }
            }
            chosen
        }
    }
}

#[cfg(test)]
mod tests;
