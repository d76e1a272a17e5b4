//! Graphs for searching: flat segments, which are scanned, become part of a few large ones.
//!
//! A new segment is built beside the old ones, from one snapshot and without the writer; then one
//! commit puts it in their place. Searches go on over the old ones, and their disk space comes back
//! when the last snapshot that has them open is gone. A build that ends early, for a full disk or
//! because it was stopped, leaves everything as it was.

use std::{ops::ControlFlow, sync::Arc};

use index_format::{BuildProgress, GraphOptions, Segment, SegmentInfo, SegmentKind, merge};
use redb::ReadableTable;

use super::{
    Snapshot, Store, StoreError, Writer,
    catalog::ContentSet,
    check_vectors::remember_sound,
    codec,
    rows::SegmentRow,
    tables::{COUNTERS, NEXT_SEGMENT, SEGMENTS},
};

/// Fewer rows than this are scanned in less time than it takes to embed a word of a query.
const WORTH_A_GRAPH: u64 = 8192;
/// A segment is rewritten for rows that are at least this part of it: each row is so rewritten a
/// number of times that grows with the logarithm of the whole.
const WORTH_REWRITING: u64 = 4;
/// A graph of which more than this part is dead is built anew.
const MOST_DEAD: f64 = 0.2;

/// How much is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// What pays for itself in the searches to come.
    Worthwhile,
    /// Everything into one segment.
    Everything,
}

/// What an optimization did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Optimized {
    /// Vector files that were put into one; 0 where nothing was to be done.
    pub merged: usize,
    /// Rows of the new file.
    pub rows: u64,
    /// Vector files there are now.
    pub segments: usize,
    /// Whether it was stopped before its end; nothing is changed then.
    pub interrupted: bool,
}

/// How a build is watched: hears rows done and in all, and may stop it. Called from several threads.
pub type WatchBuild<'a> = &'a (dyn Fn(u32, u32) -> ControlFlow<()> + Sync);

/// A segment that may be merged.
struct Listed {
    key: u64,
    row: SegmentRow,
    segment: Arc<Segment>,
}

impl Store {
    /// Puts segments together and builds a graph over them, with `threads` threads. Callers see to
    /// it that nothing is taken in meanwhile; searches and removals go on.
    pub fn optimize(
        &self,
        thoroughness: Thoroughness,
        threads: usize,
        watch: WatchBuild<'_>,
    ) -> Result<Optimized, StoreError> {
        let (snapshot, chosen, file) = {
            let mut writer = self.writer();
            writer.refresh()?;
            let snapshot = self.snapshot();
            let listed = writer.listed(&snapshot)?;
            let segments = listed.len();
            let chosen = choose(listed, &snapshot.live, thoroughness);
            if chosen.is_empty() {
                return Ok(Optimized { segments, ..Optimized::default() });
            }
            (snapshot, chosen, writer.take_file_name()?)
        };
        let first = &chosen[0].segment;
        let info = SegmentInfo { dimension: first.dimension(), model: *first.model() };
        let sources: Vec<&Segment> = chosen.iter().map(|listed| &*listed.segment).collect();
        let told = |progress: BuildProgress| watch(progress.done, progress.total);
        let options = GraphOptions { threads, watch: &told, ..GraphOptions::default() };
        let path = self.folder.text_vectors().join(&file);
        let live = |content| snapshot.live.contains(content);
        let summary = match merge(&path, info, &sources, live, &options) {
            Ok(summary) => summary,
            Err(index_format::SegmentError::Ended { .. }) => {
                let segments = snapshot.segments.iter().count();
                return Ok(Optimized { interrupted: true, segments, ..Optimized::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let rows = u64::from(summary.rows);
        self.writer().put_in_place(&chosen, &SegmentRow { file, rows })?;
        let segments = self.snapshot().segments.iter().count();
        Ok(Optimized { merged: chosen.len(), rows, segments, interrupted: false })
    }
}

impl Writer<'_> {
    /// The listed segments that a snapshot has open.
    fn listed(&self, snapshot: &Snapshot) -> Result<Vec<Listed>, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut listed = Vec::new();
        for entry in txn.open_table(SEGMENTS)?.iter()? {
            let (key, row) = entry?;
            let row: SegmentRow = codec::decode(row.value(), "segment")?;
            // By name: a snapshot that is older than redb may have others at the same places.
            let open = snapshot.segments.iter().find(|segment| segment.path().ends_with(&row.file));
            if let Some(segment) = open.cloned() {
                listed.push(Listed { key: key.value(), row, segment });
            }
        }
        Ok(listed)
    }

    /// A name that no other segment gets.
    fn take_file_name(&mut self) -> Result<String, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let key = {
            let mut counters = txn.open_table(COUNTERS)?;
            let key = counters.get(NEXT_SEGMENT)?.map_or(1, |value| value.value());
            counters.insert(NEXT_SEGMENT, key + 1)?;
            key
        };
        txn.commit()?;
        Ok(format!("{key:08}.seg"))
    }

    /// Lists a segment in the place of others, and removes their files.
    fn put_in_place(&mut self, replaced: &[Listed], new: &SegmentRow) -> Result<(), StoreError> {
        let folder = self.store.folder.text_vectors();
        let remove = |file: &str| {
            let path = folder.join(file);
            std::fs::remove_file(&path).map_err(StoreError::io("remove", &path))
        };
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        {
            let mut table = txn.open_table(SEGMENTS)?;
            for listed in replaced {
                let found = table.remove(listed.key)?.map(|row| row.value().to_vec());
                let found = found.map(|row| codec::decode::<SegmentRow>(&row, "segment"));
                if found.transpose()?.as_ref() != Some(&listed.row) {
                    remove(&new.file)?;
                    return Err(StoreError::Decode { what: "list of vector files" });
                }
            }
            if new.rows > 0 {
                table.insert(replaced[0].key, codec::encode(new).as_slice())?;
                remember_sound(&txn, &folder, &new.file)?;
            }
        }
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        let unused = (new.rows == 0).then_some(&new.file);
        let files = replaced.iter().map(|listed| &listed.row.file).chain(unused);
        files.into_iter().try_for_each(|file| remove(file))
    }
}

/// What is worth putting together, the smallest first.
fn choose(mut listed: Vec<Listed>, live: &ContentSet, how: Thoroughness) -> Vec<Listed> {
    let is_flat = |listed: &Listed| listed.segment.kind() == SegmentKind::Flat;
    let flat: u64 = listed.iter().filter(|listed| is_flat(listed)).map(|l| l.row.rows).sum();
    let is_dying = |listed: &Listed| dead_share(&listed.segment, live) > MOST_DEAD;
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

/// The part of a segment's rows whose content no passage carries any more.
fn dead_share(segment: &Segment, live: &ContentSet) -> f64 {
    let contents = (0..segment.rows()).filter_map(|row| segment.content_id(row));
    let dead = contents.filter(|content| !live.contains(*content)).count();
    dead as f64 / f64::from(segment.rows().max(1))
}

#[cfg(test)]
mod tests;
