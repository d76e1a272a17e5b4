//! Graphs for searching: flat segments, which are scanned, become part of a few large ones.
//!
//! A new segment is built beside the old ones, from one snapshot and without the writer; then one
//! commit puts it in their place. Searches go on over the old ones, and their disk space comes back
//! when the last snapshot that has them open is gone. A build that ends early, for a full disk or
//! because it was stopped, leaves everything as it was.

use std::ops::ControlFlow;

use index_format::{
    BuildProgress, Builder, GraphOptions, Segment, SegmentError, SegmentInfo, SegmentKind,
    is_mostly_dead, merge,
};
use serde::Deserialize;

use super::{
    Store, StoreError, Writer,
    batch::take_segment_name,
    check_vectors::remember_sound,
    codec,
    collection::Collection,
    segment_list::{Listed, listed},
    segment_row::SegmentRow,
};
use lexical::ContentSet;

/// Fewer rows than this are scanned in less time than it takes to embed a word of a query.
const WORTH_A_GRAPH: u64 = 8192;
/// A segment is rewritten for rows that are at least this part of it: each row is so rewritten a
/// number of times that grows with the logarithm of the whole.
const WORTH_REWRITING: u64 = 4;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// What pays for itself in the searches to come.
    Worthwhile,
    /// Everything into one segment.
    Everything,
}

/// What builds graphs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraphBuilder {
    /// The program's own.
    #[default]
    Own,
    /// The crate `hnsw_rs`, whose graph is taken over.
    HnswRs,
}

/// How an optimization works.
#[derive(Debug, Clone, Copy)]
pub struct Building {
    /// How much is done.
    pub thoroughness: Thoroughness,
    /// What builds the graphs.
    pub builder: GraphBuilder,
    /// Threads to build with.
    pub threads: usize,
}

/// What an optimization did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Optimized {
    /// Vector files that were put together; 0 where nothing was to be done.
    pub merged: usize,
    /// Rows of the new files.
    pub rows: u64,
    /// Vector files there are now.
    pub segments: usize,
    /// Whether it was stopped before its end; what was to be put together next is as it was.
    pub interrupted: bool,
}

/// How a build is watched: hears rows done and in all, and may stop it. Called from several
/// threads.
pub type WatchBuild<'a> = &'a (dyn Fn(u32, u32) -> ControlFlow<()> + Sync);

impl Store {
    /// Puts segments together and builds a graph over them. Callers see to it that nothing is taken
    /// in meanwhile; searches and removals go on.
    pub fn optimize(&self, how: Building, watch: WatchBuild<'_>) -> Result<Optimized, StoreError> {
        let mut all = Optimized::default();
        for collection in Collection::ALL {
            let one = self.optimize_one(collection, how, watch)?;
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

    fn optimize_one(
        &self,
        collection: Collection,
        how: Building,
        watch: WatchBuild<'_>,
    ) -> Result<Optimized, StoreError> {
        let Building { thoroughness, builder, threads } = how;
        let (snapshot, chosen, (key, file)) = {
            let mut writer = self.writer();
            writer.refresh()?;
            let snapshot = self.snapshot();
            let txn = self.metadata.begin_write()?;
            let listed = listed(&txn, collection, &snapshot)?;
            let segments = listed.len();
            let chosen = choose(listed, collection.live(&snapshot), thoroughness);
            if chosen.is_empty() {
                return Ok(Optimized { segments, ..Optimized::default() });
            }
            let (key, file) = take_segment_name(&txn)?;
            txn.commit()?;
            (snapshot, chosen, (key, file))
        };
        let first = &chosen[0].segment;
        let info = SegmentInfo { dimension: first.dimension(), model: *first.model() };
        let sources: Vec<&Segment> = chosen.iter().map(|listed| &*listed.segment).collect();
        let told = |progress: BuildProgress| watch(progress.done, progress.total);
        let builder = match builder {
            GraphBuilder::Own => Builder::Own,
            GraphBuilder::HnswRs => Builder::HnswRs,
        };
        let options = GraphOptions { builder, threads, watch: &told, ..GraphOptions::default() };
        let path = collection.folder(&self.folder).join(&file);
        let live = |content| collection.live(&snapshot).contains(content);
        let summary = match merge(&path, info, &sources, live, &options) {
            Ok(summary) => summary,
            Err(SegmentError::Ended { .. }) => {
                let segments = collection.segments(&snapshot).iter().count();
                return Ok(Optimized { interrupted: true, segments, ..Optimized::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let row = SegmentRow { file, rows: u64::from(summary.rows) };
        let mut writer = self.writer();
        if let Err(error) = writer.list_in_place(collection, &chosen, (key, &row)) {
            // Nothing is changed, and the room of the new file is given back. Where redb's file
            // failed, the commit may be in it all the same: the next open sweeps what it does not
            // list.
            if !self.metadata.has_failed() {
                writer.remove_vector_files(collection, [&row])?;
            }
            return Err(error);
        }
        writer.publish(self.snapshot().catalog.clone());
        let unused = (row.rows == 0).then_some(&row);
        let unlisted = chosen.iter().map(|listed| &listed.row).chain(unused);
        writer.remove_vector_files(collection, unlisted)?;
        let segments = collection.segments(&self.snapshot()).iter().count();
        Ok(Optimized { merged: chosen.len(), rows: row.rows, segments, interrupted: false })
    }
}

impl Writer<'_> {
    /// Puts a segment on the list in the place of others, in one commit.
    fn list_in_place(
        &mut self,
        collection: Collection,
        replaced: &[Listed],
        (key, new): (u64, &SegmentRow),
    ) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        {
            let mut table = txn.open_table(collection.list())?;
            for listed in replaced {
                let found = table.remove(listed.key)?.map(|row| row.value().to_vec());
                let found = found.map(|row| codec::decode::<SegmentRow>(&row, "segment"));
                if found.transpose()?.as_ref() != Some(&listed.row) {
                    return Err(StoreError::Decode { what: "list of vector files" });
                }
            }
            if new.rows > 0 {
                table.insert(key, codec::encode(new).as_slice())?;
                remember_sound(&txn, &collection.folder(&self.store.folder), &new.file)?;
            }
        }
        txn.commit()?;
        Ok(())
    }
}

/// What is worth putting together, the smallest first.
fn choose(mut listed: Vec<Listed>, live: &ContentSet, how: Thoroughness) -> Vec<Listed> {
    let is_flat = |listed: &Listed| listed.segment.kind() == SegmentKind::Flat;
    let flat: u64 = listed.iter().filter(|listed| is_flat(listed)).map(|l| l.row.rows).sum();
    let is_live = |content| live.contains(content);
    let is_dying = |listed: &Listed| is_mostly_dead(&listed.segment, is_live);
    match how {
        Thoroughness::Everything => {
            let is_done = matches!(&listed[..], [one] if !is_flat(one) && !is_dying(one));
            if is_done { Vec::new() } else { listed }
        }
        Thoroughness::Worthwhile => {
            let take_flat = flat >= WORTH_A_GRAPH;
            // Flat ones first, then the graphs from the smallest on.
            listed.sort_by_key(|listed| (!is_flat(listed), listed.row.rows));
            let mut total = 0;
            let mut chosen = Vec::new();
            for one in listed {
                let worthwhile = match is_flat(&one) {
                    true => take_flat,
                    false => one.row.rows <= WORTH_REWRITING * total || is_dying(&one),
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
