//! The lists of vector files in redb, beside the files that are open.

use std::{path::Path, sync::Arc};

use index_format::{Segment, SegmentInfo};
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    VectorCollection, segment_files, segment_set::SegmentSet, stamps::record_verified_file,
};
use crate::{
    DataFolder, ModelRow, StoreError,
    tables::{
        codec::Packed,
        definitions::{COUNTERS, MODELS, NEXT_SEGMENT},
        segments::{SegmentFile, SegmentRow},
    },
};
use database_file::DatabaseFile;

/// A vector file on the list.
pub(crate) struct ListedSegment {
    /// Its key on the list.
    pub(crate) key: u64,
    pub(crate) row: SegmentRow,
    pub(crate) segment: Arc<Segment>,
}

/// The listed files that are open, in the order of their keys.
pub(crate) fn list_open_segments(
    txn: &WriteTransaction,
    collection: VectorCollection,
    open: &SegmentSet,
) -> Result<Vec<ListedSegment>, StoreError> {
    let mut listed = Vec::new();
    for entry in txn.open_table(collection.segment_table())?.iter()? {
        let (key, row) = entry?;
        let row: SegmentRow = row.value().decode("segment")?;
        // By name: a snapshot that is older than redb may have others at the same indexes.
        let segment = open.iter().find(|segment| segment.path().ends_with(&row.file)).cloned();
        listed.extend(segment.map(|segment| ListedSegment { key: key.value(), row, segment }));
    }
    Ok(listed)
}

/// Writes a segment file of a collection and lists it in the transaction.
pub(crate) fn write_segment(
    txn: &WriteTransaction,
    folder: &DataFolder,
    collection: VectorCollection,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<(), StoreError> {
    write_segment_in(
        txn,
        collection.segment_table(),
        &collection.vector_folder(folder),
        info,
        vectors,
    )
}

/// The same for a given list. File names are unique across all lists.
pub(crate) fn write_segment_in(
    txn: &WriteTransaction,
    list: TableDefinition<u64, Packed<SegmentRow>>,
    folder: &Path,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<(), StoreError> {
    let (key, file) = reserve_segment_name(txn)?;
    let row = segment_files::write_segment(folder, &file, info, vectors)?;
    record_verified_file(txn, folder, &file)?;
    txn.open_table(list)?.insert(key, Packed::of(&row))?;
    Ok(())
}

/// A key for a list of segments, and a file name, both unique.
pub(crate) fn reserve_segment_name(
    txn: &WriteTransaction,
) -> Result<(u64, SegmentFile), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let key = counters.get(NEXT_SEGMENT)?.map_or(1, |value| value.value());
    counters.insert(NEXT_SEGMENT, key + 1)?;
    Ok((key, SegmentFile::from_number(key)))
}

/// The segments on a list, in the order they were written.
pub(crate) fn read_segment_rows(
    table: &impl ReadableTable<u64, Packed<SegmentRow>>,
) -> Result<Vec<SegmentRow>, StoreError> {
    let mut rows = Vec::new();
    for entry in table.iter()? {
        rows.push(entry?.1.value().decode("segment")?);
    }
    Ok(rows)
}

/// The same, as of the last commit.
pub(crate) fn read_listed_segments(
    metadata: &DatabaseFile,
    list: TableDefinition<u64, Packed<SegmentRow>>,
) -> Result<Vec<SegmentRow>, StoreError> {
    read_segment_rows(&metadata.begin_read()?.open_table(list)?)
}

/// The model under a key of [`MODELS`], if there is one.
pub(crate) fn read_model(
    metadata: &DatabaseFile,
    key: &str,
) -> Result<Option<ModelRow>, StoreError> {
    let txn = metadata.begin_read()?;
    let table = txn.open_table(MODELS)?;
    table.get(key)?.map(|value| value.value().decode("model")).transpose()
}
