//! Compaction: merges small flat segments and drops rows that no document carries. Segments with a graph
//! are left to `optimize`.

use std::sync::Arc;

use index_format::{Segment, SegmentInfo, SegmentKind};

use super::Writer;
use crate::{
    StoreError,
    vectors::{
        VectorCollection,
        segment_files::remove_segment_files,
        segment_list::{ListedSegment, list_open_segments, write_segment},
    },
};
use lexical::ContentSet;

/// More files than this are merged: each adds a scan to every search. With a lower limit, rows would be rewritten
/// more often.
const MAX_SEGMENTS: usize = 8;

impl Writer<'_> {
    /// Merges the smaller segments when there are too many. Readers continue with the old files.
    pub fn compact_segments(&mut self) -> Result<(), StoreError> {
        VectorCollection::ALL.into_iter().try_for_each(|collection| {
            self.make_change(|writer| writer.compact_collection(collection))
        })
    }

    fn compact_collection(&mut self, collection: VectorCollection) -> Result<(), StoreError> {
        let snapshot = self.store.snapshot();
        let txn = self.index.metadata.begin_write()?;
        let mut flat = list_open_segments(&txn, collection, snapshot.open_segments(collection))?;
        flat.retain(|listed| listed.segment.kind() == SegmentKind::Flat);
        let chosen =
            choose_segments(&flat.iter().map(|listed| listed.row.rows).collect::<Vec<_>>());
        let chosen: Vec<&ListedSegment> = chosen.into_iter().map(|index| &flat[index]).collect();
        let merged: Vec<&Arc<Segment>> = chosen.iter().map(|listed| &listed.segment).collect();
        let Some(first) = merged.first() else { return Ok(()) };
        let info = SegmentInfo { dimension: first.dimension(), model: *first.model() };
        let rows = collect_live_rows(&merged, &snapshot.carried_contents(collection));
        if !rows.is_empty() {
            let vector = |(content, segment, row): (u64, usize, u32)| {
                Some((content, merged[segment].read_vector(row)?))
            };
            let vectors = rows.into_iter().filter_map(vector);
            write_segment(&txn, &self.index.folder, collection, info, vectors)?;
        }
        for listed in &chosen {
            txn.open_table(collection.segment_table())?.remove(listed.key)?;
        }
        self.commit_metadata(txn)?;
        let folder = collection.vector_folder(&self.index.folder);
        remove_segment_files(&folder, chosen.iter().map(|listed| &listed.row))
    }
}

/// Content, segment and row of all live rows, ascending by content. Only these numbers are held in
/// memory; vectors are read one at a time as they are written.
fn collect_live_rows(segments: &[&Arc<Segment>], live: &ContentSet) -> Vec<(u64, usize, u32)> {
    let mut rows = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        let row = |row| Some((segment.content_id(row)?, index, row));
        let all = (0..segment.row_count()).filter_map(row);
        rows.extend(all.filter(|(content, _, _)| live.contains(*content)));
    }
    rows.sort_unstable();
    rows
}

/// Indexes of the segments to merge: from the smallest on, while the next is at most twice as large as
/// those before it together. So a row is rewritten a number of times that grows with the logarithm of
/// the total.
fn choose_segments(rows: &[u64]) -> Vec<usize> {
    if rows.len() <= MAX_SEGMENTS {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|index| rows[*index]);
    let mut total = 0;
    let mut chosen = Vec::new();
    for index in order {
        if chosen.len() >= 2 && rows[index] > 2 * total {
            break;
        }
        total += rows[index];
        chosen.push(index);
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_segments_are_left_alone() {
        assert!(choose_segments(&[5; MAX_SEGMENTS]).is_empty());
    }

    #[test]
    fn a_large_segment_is_not_rewritten_for_small_ones() {
        let rows = [100_000, 10, 20, 10, 30, 10, 10, 10, 10];
        assert_eq!(choose_segments(&rows), (1..rows.len()).collect::<Vec<_>>());
    }
}
