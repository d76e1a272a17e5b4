//! Vector files at open: those that are missing, cut, of another model or damaged are left out.
//!
//! A file's checksums are compared when it is met for the first time: its length and the time it
//! was written are remembered then, and as long as they stay the file counts as sound. A file that
//! this program wrote is known from the start. What changes without a trace is found by `verify`.

use std::{collections::BTreeMap, io, path::Path, time::UNIX_EPOCH};

use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    Catalog, DataFolder, DocumentFilter, DocumentRow, ModelRow, StoreError, codec,
    collection::Collection,
    open::{listed_in, load_catalog, stored_model},
    segment_row::{SegmentFile, SegmentRow},
    tables::{
        DOCUMENTS, NEXT_SEGMENTS, NEXT_TEXT_MODEL, PICTURE_MODEL, PICTURE_SEGMENTS, SEGMENT_STAMPS,
        SEGMENTS, TEXT_MODEL,
    },
    tdoc_texts,
    vectors::{self, Segments},
};
use database_file::DatabaseFile;

/// Length in bytes and time of the last change, in nanoseconds since 1970.
type Stamp = (u64, u64);

/// Stamps of files whose content was found sound, by name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stamps(BTreeMap<String, Stamp>);

impl Stamps {
    fn read(txn: &WriteTransaction) -> Result<Self, StoreError> {
        let table = txn.open_table(SEGMENT_STAMPS)?;
        let mut stamps = Self::default();
        for entry in table.iter()? {
            let (file, stamp) = entry?;
            stamps.0.insert(file.value().to_owned(), stamp.value());
        }
        Ok(stamps)
    }

    fn write(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut table = txn.open_table(SEGMENT_STAMPS)?;
        table.retain(|_, _| false)?;
        for (file, stamp) in &self.0 {
            table.insert(file.as_str(), *stamp)?;
        }
        Ok(())
    }
}

/// Remembers a file that was just written as sound.
pub(super) fn remember_sound(
    txn: &WriteTransaction,
    folder: &Path,
    file: &SegmentFile,
) -> Result<(), StoreError> {
    let path = folder.join(file);
    let stamp = stamp_of(&path).map_err(StoreError::io("look at", &path))?;
    txn.open_table(SEGMENT_STAMPS)?.insert(file.as_str(), stamp)?;
    Ok(())
}

fn stamp_of(path: &Path) -> io::Result<Stamp> {
    let metadata = path.metadata()?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX)))
}

/// Takes vector files that are missing or damaged off the lists, and marks the documents that lost
/// rows, so that the next ingest of their archives makes their vectors again.
pub(super) fn unlist_damaged_segments(
    folder: &DataFolder,
    metadata: &DatabaseFile,
) -> Result<(), StoreError> {
    let model = stored_model(metadata, TEXT_MODEL)?;
    let next = stored_model(metadata, NEXT_TEXT_MODEL)?;
    let of_pictures = stored_model(metadata, PICTURE_MODEL)?;
    let txn = metadata.begin_write()?;
    let known = Stamps::read(&txn)?;
    let mut stamps = Stamps::default();
    let mut unlist = |list, model: &Option<ModelRow>, collection: Collection| {
        let folder = collection.folder(folder);
        unlist_damaged(&txn, &folder, (list, model.as_ref()), &known, &mut stamps)
    };
    let damaged = unlist(SEGMENTS, &model, Collection::Texts)?;
    let others = unlist(NEXT_SEGMENTS, &next, Collection::Texts)?
        + unlist(PICTURE_SEGMENTS, &of_pictures, Collection::Pictures)?;
    if damaged > 0 {
        let sound = listed_in(&txn.open_table(SEGMENTS)?)?;
        let segments = Segments::open(&folder.text_vectors(), &sound, model.as_ref())?;
        mark_unembedded(&txn, &load_catalog(metadata)?, &segments)?;
    }
    if damaged + others > 0 || stamps != known {
        stamps.write(&txn)?;
        txn.commit()?;
    }
    Ok(())
}

/// Returns how many files were taken off the list; puts the stamps of the others into `stamps`.
fn unlist_damaged(
    txn: &WriteTransaction,
    folder: &Path,
    (list, model): (TableDefinition<u64, &[u8]>, Option<&ModelRow>),
    known: &Stamps,
    stamps: &mut Stamps,
) -> Result<usize, StoreError> {
    let mut table = txn.open_table(list)?;
    let mut damaged = Vec::new();
    for entry in table.iter()? {
        let (key, row) = entry?;
        let row: SegmentRow = codec::decode(row.value(), "segment")?;
        match checked(folder, &row, model, known) {
            Ok(stamp) => {
                stamps.0.insert(row.file.into(), stamp);
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(
                    error,
                    "a vector file is lost; the next ingest of its archives makes it again"
                );
                damaged.push(key.value());
            }
        }
    }
    for key in &damaged {
        table.remove(key)?;
    }
    Ok(damaged.len())
}

/// Opens a file, and reads it whole where it is not known to be sound. Returns its stamp.
fn checked(
    folder: &Path,
    row: &SegmentRow,
    model: Option<&ModelRow>,
    known: &Stamps,
) -> Result<Stamp, StoreError> {
    let segment = vectors::open_segment(folder, row, model)?;
    let path = folder.join(&row.file);
    let stamp = stamp_of(&path).map_err(StoreError::io("look at", &path))?;
    if known.0.get(row.file.as_str()) != Some(&stamp) {
        tracing::info!(file = row.file.as_str(), "checking a vector file that is new here");
        segment.verify()?;
    }
    Ok(stamp)
}

fn mark_unembedded(
    txn: &WriteTransaction,
    catalog: &Catalog,
    segments: &Segments,
) -> Result<(), StoreError> {
    let mut documents = txn.open_table(DOCUMENTS)?;
    for entry in catalog.matching(&DocumentFilter::default()) {
        let whole = entry.contents().all(|content| segments.contains(content));
        if entry.row.embedded && !whole {
            let row = DocumentRow { embedded: false, ..entry.row.clone() };
            documents.insert(entry.id, codec::encode(&row).as_slice())?;
        }
    }
    tdoc_texts::mark_embedded(txn, catalog.tdocs(), |row| {
        row.embedded && row.passages.iter().all(|(content, _)| segments.contains(*content))
    })
}
