//! Vector files at open: those that are missing, truncated, of another model or damaged are left out.
//!
//! The checksums of a file are verified when it is opened for the first time. Its size and modification
//! time are stored then, and while they stay the same the file counts as verified. A file that this
//! program wrote counts as verified from the start. A change that leaves both as they were is found by
//! `verify`.

use std::{collections::BTreeSet, fs, io, path::Path};

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
        codec::{Packed, StoredRow},
        definitions::{
            DOCUMENTS, NEXT_SEGMENTS, NEXT_TEXT_MODEL, PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENTS,
            TEXT_MODEL,
        },
        segments::{SegmentFile, SegmentRow},
        tdocs::mark_tdocs_embedded,
    },
};
use database_file::DatabaseFile;

/// Removes vector files that are missing or damaged from the lists, and marks the documents that lost rows, so that
/// the next ingest of their archives computes their vectors again.
pub(crate) fn unlist_damaged_segments(
    folder: &DataFolder,
    metadata: &DatabaseFile,
) -> Result<(), StoreError> {
    let model = read_model(metadata, TEXT_MODEL)?;
    let next = read_model(metadata, NEXT_TEXT_MODEL)?;
    let of_pictures = read_model(metadata, PICTURE_MODEL)?;
    let txn = metadata.begin_write()?;
    let known = VerifiedStamps::read_table(&txn)?;
    let (mut stamps, mut lost) = (VerifiedStamps::default(), Vec::new());
    let mut unlist = |list, model: &Option<ModelRow>, collection: VectorCollection| {
        let folder = collection.vector_folder(folder);
        let lists = (list, model.as_ref());
        unlist_damaged(&txn, &folder, lists, &known, &mut stamps, &mut lost)
    };
    let damaged = unlist(SEGMENTS, &model, VectorCollection::Texts)?;
    let others = unlist(NEXT_SEGMENTS, &next, VectorCollection::Texts)?
        + unlist(PICTURE_SEGMENTS, &of_pictures, VectorCollection::Pictures)?;
    note_lost_files(folder, lost)?;
    if damaged > 0 {
        let undamaged = read_segment_rows(&txn.open_table(SEGMENTS)?)?;
        let segments = SegmentSet::open(
            &folder.text_vectors_folder(),
            &undamaged,
            model.as_ref(),
            &SegmentSet::default(),
        )?;
        mark_unembedded(&txn, &load_catalog(metadata, ContentsSource::Rows)?.catalog, &segments)?;
    }
    if damaged + others > 0 || stamps != known {
        stamps.write_table(&txn)?;
        txn.commit()?;
    }
    Ok(())
}

/// Adds the names of lost files to the note of them.
fn note_lost_files(folder: &DataFolder, lost: Vec<String>) -> Result<(), StoreError> {
    if lost.is_empty() {
        return Ok(());
    }
    let mut all: BTreeSet<String> = read_lost_files(folder).into_iter().flatten().collect();
    all.extend(lost);
    let text = all.into_iter().collect::<Vec<_>>().join("\n");
    let note = folder.lost_vectors_path();
    fs::write(&note, text).map_err(StoreError::io_error("write", &note))
}

/// The vector files that were lost; `None` without a note of any.
pub(crate) fn read_lost_files(folder: &DataFolder) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.lost_vectors_path()).ok()?;
    Some(text.lines().map(str::to_owned).collect())
}

/// Removes the note: the vectors have been computed again.
pub(crate) fn forget_lost_files(folder: &DataFolder) {
    let _ = fs::remove_file(folder.lost_vectors_path());
}

/// Returns how many rows of the list were removed or restored; puts the stamps of the others into `stamps`.
fn unlist_damaged(
    txn: &WriteTransaction,
    folder: &Path,
    (list, model): (TableDefinition<u64, Packed<SegmentRow>>, Option<&ModelRow>),
    known: &VerifiedStamps,
    stamps: &mut VerifiedStamps,
    lost: &mut Vec<String>,
) -> Result<usize, StoreError> {
    let mut table = txn.open_table(list)?;
    let (mut damaged, mut restored) = (Vec::new(), Vec::new());
    for entry in table.iter()? {
        let (key, row) = entry?;
        let checked = read_or_restore_row(folder, key.value(), &row.value()).and_then(|read| {
            let (row, is_restored) = read;
            let stamp = check_segment(folder, &row, model, known)?;
            Ok((row, stamp, is_restored))
        });
        match checked {
            Ok((row, stamp, is_restored)) => {
                if is_restored {
                    restored.push((key.value(), Packed::of(&row)));
                }
                stamps.0.insert(row.file.into(), stamp);
            }
            Err(error) if is_lost(&error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(
                    error,
                    file = SegmentFile::from_number(key.value()).as_str(),
                    "a vector file is missing or damaged; the next ingest of its archives recomputes its vectors"
                );
                let group = folder.file_name().unwrap_or_default().to_string_lossy();
                lost.push(format!("{group}/{}", SegmentFile::from_number(key.value()).as_str()));
                damaged.push(key.value());
            }
            // Another attempt may succeed, so nothing is removed.
            Err(error) => return Err(error),
        }
    }
    for key in &damaged {
        table.remove(key)?;
    }
    for (key, row) in &restored {
        table.insert(key, row)?;
    }
    Ok(damaged.len() + restored.len())
}

/// Whether an error says that a file is missing, or not what it should be. Other errors of the operating system, such
/// as a read of a failing disk, a missing permission or too many open files, say nothing about the file.
fn is_lost(error: &StoreError) -> bool {
    let causes = std::iter::successors(Some(error as &dyn std::error::Error), |e| e.source());
    let mut refusals = causes.filter_map(|cause| cause.downcast_ref::<io::Error>());
    refusals.all(|refusal| {
        refusal.raw_os_error().is_none() || refusal.kind() == io::ErrorKind::NotFound
    })
}

/// A row of a list, and whether it had to be restored: if it cannot be decoded, its key is the name of its file.
fn read_or_restore_row(
    folder: &Path,
    key: u64,
    row: &StoredRow<'_, Packed<SegmentRow>>,
) -> Result<(SegmentRow, bool), StoreError> {
    if let Ok(row) = row.decode("segment") {
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
            documents.insert(entry.id, Packed::of(&row))?;
        }
    }
    mark_tdocs_embedded(txn, catalog.tdoc_entries(), |row| {
        row.embedded && row.passages.iter().all(|(content, _)| segments.contains(*content))
    })?;
    Ok(())
}
