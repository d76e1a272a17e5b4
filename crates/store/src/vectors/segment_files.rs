//! Segment files: written, opened, removed.
//!
//! Rows of a segment are written in ascending order of content id, so that the rows of a content
//! are found by binary search and no table of them is kept in memory.

use std::{fs, io, path::Path};

use index_format::{Segment, SegmentInfo, SegmentWriter};

use crate::{
    ModelRow, StoreError,
    tables::segments::{SegmentFile, SegmentRow},
};

/// Opens one file and checks that it has the model and as many rows as redb says.
pub(crate) fn open_segment(
    folder: &Path,
    row: &SegmentRow,
    model: Option<&ModelRow>,
) -> Result<Segment, StoreError> {
    let segment = Segment::open(folder.join(&row.file))?;
    if let Some(model) = model {
        segment.check_model(&model.identity, model.dimension)?;
    }
    // A whole file, but from another time: its rows may belong to other contents.
    if u64::from(segment.row_count()) != row.rows {
        return Err(StoreError::Decode { what: "vector file" });
    }
    Ok(segment)
}

/// The rows of a content: they are adjacent, because rows ascend by content id.
pub(crate) fn content_rows(segment: &Segment, content: u64) -> impl Iterator<Item = u32> {
    let (mut low, mut high) = (0, segment.row_count());
    while low < high {
        let middle = low + (high - low) / 2;
        if segment.content_id(middle).is_some_and(|id| id < content) {
            low = middle + 1
        } else {
            high = middle
        }
    }
    (low..segment.row_count()).take_while(move |row| segment.content_id(*row) == Some(content))
}

/// Writes and syncs a segment; `vectors` ascend by content id.
pub(crate) fn write_segment(
    folder: &Path,
    file: &SegmentFile,
    info: SegmentInfo,
    vectors: impl Iterator<Item = (u64, Vec<f32>)>,
) -> Result<SegmentRow, StoreError> {
    let mut writer = SegmentWriter::create(folder.join(file), info)?;
    for (content, vector) in vectors {
        writer.push(content, &vector)?;
    }
    let summary = writer.finish()?;
    Ok(SegmentRow { file: file.clone(), rows: u64::from(summary.rows) })
}

/// Pairs of content id and vector, one for each window, ascending by content id.
pub(crate) fn flatten_windows<'a>(
    contents: impl Iterator<Item = (u64, &'a [Vec<f32>])>,
) -> Vec<(u64, Vec<f32>)> {
    let windows = |(id, windows): (u64, &'a [Vec<f32>])| {
        windows.iter().cloned().map(move |window| (id, window))
    };
    let mut flat: Vec<(u64, Vec<f32>)> = contents.flat_map(windows).collect();
    flat.sort_by_key(|(content, _)| *content);
    flat
}

/// Removes files that no list names any more. Readers that have them open keep them.
pub(crate) fn remove_segment_files<'a>(
    folder: &Path,
    rows: impl IntoIterator<Item = &'a SegmentRow>,
) -> Result<(), StoreError> {
    for row in rows {
        let path = folder.join(&row.file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::io_error("remove", &path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}
