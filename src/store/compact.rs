//! Few segments instead of many: small flat files are merged, rows that no passage carries dropped.
//! Those with a graph are `optimize`'s.

use std::sync::Arc;

use index_format::{Segment, SegmentInfo, SegmentKind};
use redb::ReadableTable;

use super::{
    StoreError, Writer, batch::write_segment, catalog::ContentSet, codec, rows::SegmentRow,
    tables::SEGMENTS,
};

/// More files than this are merged.
const MAX_SEGMENTS: usize = 8;

impl Writer<'_> {
    /// Merges the smaller segments when there are too many. Readers go on with the old files.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.refresh()?;
        let snapshot = self.store.snapshot();
        let txn = self.store.metadata.begin_write()?;
        // By name: a snapshot that is older than redb may have other segments at the same places.
        let open = |row: &SegmentRow| {
            snapshot.segments.iter().find(|segment| segment.path().ends_with(&row.file))
        };
        let mut listed = Vec::new();
        for entry in txn.open_table(SEGMENTS)?.iter()? {
            let (key, row) = entry?;
            let row: SegmentRow = codec::decode(row.value(), "segment")?;
            let segment = open(&row).filter(|segment| segment.kind() == SegmentKind::Flat);
            listed.extend(segment.map(|segment| (key.value(), row, segment.clone())));
        }
        let chosen = choose(&listed.iter().map(|(_, row, _)| row.rows).collect::<Vec<_>>());
        let merged: Vec<&Arc<Segment>> = chosen.iter().map(|index| &listed[*index].2).collect();
        let Some(first) = merged.first() else { return Ok(()) };
        let info = SegmentInfo { dimension: first.dimension(), model: *first.model() };
        let rows = live_rows(&merged, &snapshot.live);
        if !rows.is_empty() {
            let vector = |(content, segment, row): (u64, usize, u32)| {
                Some((content, merged[segment].vector(row)?))
            };
            let vectors = rows.into_iter().filter_map(vector);
            write_segment(&txn, &self.store.folder, info, vectors)?;
        }
        for index in &chosen {
            txn.open_table(SEGMENTS)?.remove(listed[*index].0)?;
        }
        txn.commit()?;
        self.publish(snapshot.catalog.clone());
        let folder = self.store.folder.text_vectors();
        for index in &chosen {
            let path = folder.join(&listed[*index].1.file);
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
        }
        Ok(())
    }
}

/// Content, segment and row of everything that is still carried, ascending by content. Only these
/// numbers are held; vectors are read one at a time as they are written.
fn live_rows(segments: &[&Arc<Segment>], live: &ContentSet) -> Vec<(u64, usize, u32)> {
    let mut rows = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        let row = |row| Some((segment.content_id(row)?, index, row));
        let all = (0..segment.rows()).filter_map(row);
        rows.extend(all.filter(|(content, _, _)| live.contains(*content)));
    }
    rows.sort_unstable();
    rows
}

/// Indexes of the segments to merge: from the smallest on, while one is not larger than twice
/// what is merged already. Every row is so rewritten a number of times that grows with the
/// logarithm of the whole.
fn choose(rows: &[u64]) -> Vec<usize> {
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
        assert!(choose(&[5; MAX_SEGMENTS]).is_empty());
    }

    #[test]
    fn a_large_segment_is_not_rewritten_for_small_ones() {
        let rows = [100_000, 10, 20, 10, 30, 10, 10, 10, 10];
        assert_eq!(choose(&rows), (1..rows.len()).collect::<Vec<_>>());
    }
}
