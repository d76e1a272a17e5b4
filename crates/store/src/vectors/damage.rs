//! Vector files at open: those that are missing, truncated, of another model or damaged are left out.
//!
//! The checksums of a file are verified when it is opened for the first time. Its size and modification
//! time are stored then, and while they stay the same the file counts as verified. A file that this
//! program wrote counts as verified from the start. A change that leaves both as they were is found by
//! `verify`.

use std::path::Path;

use index_format::Segment;
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    SegmentSet, VectorCollection,
    segment_files::open_segment,
    segment_list::{read_model, read_segment_rows},
    stamps::{FileStamp, VerifiedStamps, read_stamp},
};
use crate::{
    DataFolder, DocumentCatalog, DocumentFilter, DocumentRow, ModelRow, StoreError,
    catalog::{ContentsSource, load_catalog},
    tables::{
        codec,
        definitions::{
            DOCUMENTS, NEXT_SEGMENTS, NEXT_TEXT_MODEL, PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENTS,
            TEXT_MODEL,
        },
        segments::{SegmentFile, SegmentRow},
        tdoc_texts::mark_tdocs_embedded,
    },
};
use database_file::DatabaseFile;

/// Takes vector files that are missing or damaged off the lists, and marks the documents that lost
/// rows, so that the next ingest of their archives makes their vectors again.
pub(crate) fn unlist_damaged_segments(
    folder: &DataFolder,
    metadata: &DatabaseFile,
) -> Result<(), StoreError> {
    let model = read_model(metadata, TEXT_MODEL)?;
    let next = read_model(metadata, NEXT_TEXT_MODEL)?;
    let of_pictures = read_model(metadata, PICTURE_MODEL)?;
    let txn = metadata.begin_write()?;
    let known = VerifiedStamps::read_table(&txn)?;
    let mut stamps = VerifiedStamps::default();
    let mut unlist = |list, model: &Option<ModelRow>, collection: VectorCollection| {
        let folder = collection.vector_folder(folder);
        unlist_damaged(&txn, &folder, (list, model.as_ref()), &known, &mut stamps)
    };
    let damaged = unlist(SEGMENTS, &model, VectorCollection::Texts)?;
    let others = unlist(NEXT_SEGMENTS, &next, VectorCollection::Texts)?
        + unlist(PICTURE_SEGMENTS, &of_pictures, VectorCollection::Pictures)?;
    if damaged > 0 {
        let undamaged = read_segment_rows(&txn.open_table(SEGMENTS)?)?;
        let segments = SegmentSet::open(&folder.text_vectors_folder(), &undamaged, model.as_ref())?;
        mark_unembedded(&txn, &load_catalog(metadata, ContentsSource::Rows)?.catalog, &segments)?;
    }
    if damaged + others > 0 || stamps != known {
        stamps.write_table(&txn)?;
        txn.commit()?;
    }
    Ok(())
}

/// Returns how many rows of the list were removed or made again; puts the stamps of the others into `stamps`.
fn unlist_damaged(
    txn: &WriteTransaction,
    folder: &Path,
    (list, model): (TableDefinition<u64, &[u8]>, Option<&ModelRow>),
    known: &VerifiedStamps,
    stamps: &mut VerifiedStamps,
) -> Result<usize, StoreError> {
    let mut table = txn.open_table(list)?;
    let (mut damaged, mut restored) = (Vec::new(), Vec::new());
    for entry in table.iter()? {
        let (key, row) = entry?;
        let checked = read_or_restore_row(folder, key.value(), row.value()).and_then(|read| {
            let (row, is_restored) = read;
            let stamp = check_segment(folder, &row, model, known)?;
            Ok((row, stamp, is_restored))
        });
        match checked {
            Ok((row, stamp, is_restored)) => {
                if is_restored {
                    restored.push((key.value(), codec::encode(&row)));
                }
                stamps.0.insert(row.file.into(), stamp);
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(
                    error,
                    "a vector file is missing; the next ingest of its archives recomputes its vectors"
                );
                damaged.push(key.value());
            }
        }
    }
    for key in &damaged {
        table.remove(key)?;
    }
    for (key, row) in &restored {
        table.insert(key, row.as_slice())?;
    }
    Ok(damaged.len() + restored.len())
}

/// A row of a list, and whether it had to be made again: one that does not decode is that of the file which has its key
/// for a name.
fn read_or_restore_row(
    folder: &Path,
    key: u64,
    row: &[u8],
) -> Result<(SegmentRow, bool), StoreError> {
    if let Ok(row) = codec::decode(row, "segment") {
        return Ok((row, false));
    }
    let file = SegmentFile::from_number(key);
    let rows = Segment::open(folder.join(&file))?.row_count();
    Ok((SegmentRow { file, rows: u64::from(rows) }, true))
}

/// Opens a file, and verifies its checksums unless its stamp is known. Returns its stamp.
fn check_segment(
    folder: &Path,
    row: &SegmentRow,
    model: Option<&ModelRow>,
    known: &VerifiedStamps,
) -> Result<FileStamp, StoreError> {
    let segment = open_segment(folder, row, model)?;
    let path = folder.join(&row.file);
    let stamp = read_stamp(&path).map_err(StoreError::io_error("read metadata of", &path))?;
    if known.0.get(row.file.as_str()) != Some(&stamp) {
        tracing::info!(file = row.file.as_str(), "verifying a new vector file");
        segment.verify()?;
    }
    Ok(stamp)
}

fn mark_unembedded(
    txn: &WriteTransaction,
    catalog: &DocumentCatalog,
    segments: &SegmentSet,
) -> Result<(), StoreError> {
    let mut documents = txn.open_table(DOCUMENTS)?;
    for entry in catalog.matching_documents(&DocumentFilter::default()) {
        let whole = entry.contents.ids().all(|content| segments.contains(content));
        if entry.row.embedded && !whole {
            let row = DocumentRow { embedded: false, ..entry.row.clone() };
            documents.insert(entry.id, codec::encode(&row).as_slice())?;
        }
    }
    mark_tdocs_embedded(txn, catalog.tdoc_entries(), |row| {
        row.embedded && row.passages.iter().all(|(content, _)| segments.contains(*content))
    })?;
    Ok(())
}
