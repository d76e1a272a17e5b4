//! The records of a file, one after another, and the fields that several kinds share.

use resvg::tiny_skia::Color;

use crate::{
    font::{FontRequest, MIN_BOLD_WEIGHT},
    gdi::{Font, color_from_colorref},
    geometry::Point,
    reader::Record,
};

/// Maximum number of records that are played. Records that draw nothing cost nothing of the budget, and a file of 64
/// MiB can have eight million.
const MAX_RECORDS: usize = 2_000_000;
/// The header of a record: its type and its size.
const RECORD_HEAD_BYTES: usize = 8;

/// Iterates over record types and records, up to the end of the file or the first invalid size.
pub(super) fn iter_records(bytes: &[u8]) -> impl Iterator<Item = (u32, Record<'_>)> {
    let mut rest = bytes;
    let records = std::iter::from_fn(move || {
        let head = Record(rest);
        let (kind, size) = (head.u32_at(0)?, head.size_at(4)?);
        if size < RECORD_HEAD_BYTES || size > rest.len() {
            return None;
        }
        let (record, others) = rest.split_at(size);
        rest = others;
        Some((kind, Record(record)))
    });
    records.take(MAX_RECORDS)
}

/// Points of 32 or 16 bits each.
pub(super) fn read_points(
    record: Record<'_>,
    at: usize,
    count: usize,
    are_small: bool,
) -> Option<Vec<Point>> {
    let size = if are_small { 4 } else { 8 };
    record.bytes_at(at, count.checked_mul(size)?)?;
    let point = |index: usize| {
        let at = at + index * size;
        if are_small { record.small_point_at(at) } else { record.point_at(at) }
    };
    (0..count).map(point).collect()
}

/// The rows of points of a PolyPolygon or PolyPolyline.
pub(super) fn read_point_rows(record: Record<'_>, are_small: bool) -> Option<Vec<Vec<Point>>> {
    let (rows, total) = (record.size_at(24)?, record.size_at(28)?);
    let mut at = 32_usize.checked_add(rows.checked_mul(4)?)?;
    record.bytes_at(at, total.checked_mul(if are_small { 4 } else { 8 })?)?;
    let mut remaining = total;
    let mut lists = Vec::with_capacity(rows);
    for row in 0..rows {
        let count = record.size_at(32 + row * 4)?.min(remaining);
        remaining -= count;
        lists.push(read_points(record, at, count, are_small)?);
        at += count * if are_small { 4 } else { 8 };
    }
    Some(lists)
}

/// A logical font, from the offset of its height.
pub(super) fn read_logical_font(record: Record<'_>, at: usize) -> Option<Font> {
    let height = record.long_at(at)?;
    let name = record.utf16_at(at + 28, 32).or_else(|| {
        let left = record.0.len().saturating_sub(at + 28) / 2;
        record.utf16_at(at + 28, left)
    })?;
    let end = name.iter().position(|unit| *unit == 0).unwrap_or(name.len());
    let name = String::from_utf16_lossy(&name[..end]);
    let request = FontRequest {
        name: &name,
        bold: record.i32_at(at + 16)? >= MIN_BOLD_WEIGHT,
        italic: record.u8_at(at + 20)? != 0,
        pitch_and_family: record.u8_at(at + 27)?,
    };
    let font = Font::new(height, &request);
    Some(Font {
        width: record.long_at(at + 4)?.abs(),
        rise: record.long_at(at + 8)? / 10.0,
        underlined: record.u8_at(at + 21)? != 0,
        struck_out: record.u8_at(at + 22)? != 0,
        char_set: record.u8_at(at + 23)?,
        ..font
    })
}

pub(super) fn color_at(record: Record<'_>, at: usize) -> Option<Color> {
    record.u32_at(at).map(color_from_colorref)
}
