//! The records of a file, one after another, and the fields that several kinds share.

use resvg::tiny_skia::Color;

use crate::{
    font::Wanted,
    gdi::{Font, color},
    geometry::Point,
    reader::Record,
};

/// Records of the longest file that is played.
const MOST_RECORDS: usize = 2_000_000;
/// The header of a record: its type and its size.
const HEAD: usize = 8;

/// Types with their records, up to the end of the file or the first that has no sound size.
pub(super) fn records(bytes: &[u8]) -> impl Iterator<Item = (u32, Record<'_>)> {
    let mut rest = bytes;
    let records = std::iter::from_fn(move || {
        let head = Record(rest);
        let (kind, size) = (head.u32(0)?, head.size(4)?);
        if size < HEAD || size > rest.len() {
            return None;
        }
        let (record, others) = rest.split_at(size);
        rest = others;
        Some((kind, Record(record)))
    });
    records.take(MOST_RECORDS)
}

/// Points of 32 or 16 bits each.
pub(super) fn points(
    record: Record<'_>,
    at: usize,
    count: usize,
    are_small: bool,
) -> Option<Vec<Point>> {
    let size = if are_small { 4 } else { 8 };
    record.bytes(at, count.checked_mul(size)?)?;
    let point = |index: usize| {
        let at = at + index * size;
        if are_small { record.small_point(at) } else { record.point(at) }
    };
    (0..count).map(point).collect()
}

/// The rows of points of a PolyPolygon or PolyPolyline.
pub(super) fn rows_of_points(record: Record<'_>, are_small: bool) -> Option<Vec<Vec<Point>>> {
    let (rows, total) = (record.size(24)?, record.size(28)?);
    let mut at = 32_usize.checked_add(rows.checked_mul(4)?)?;
    record.bytes(at, total.checked_mul(if are_small { 4 } else { 8 })?)?;
    let mut left = total;
    let mut lists = Vec::with_capacity(rows);
    for row in 0..rows {
        let count = record.size(32 + row * 4)?.min(left);
        left -= count;
        lists.push(points(record, at, count, are_small)?);
        at += count * if are_small { 4 } else { 8 };
    }
    Some(lists)
}

/// A logical font, from where its height is.
pub(super) fn font(record: Record<'_>, at: usize) -> Option<Font> {
    let height = record.long(at)?;
    let name = record.utf16(at + 28, 32).or_else(|| {
        let left = record.0.len().saturating_sub(at + 28) / 2;
        record.utf16(at + 28, left)
    })?;
    let end = name.iter().position(|unit| *unit == 0).unwrap_or(name.len());
    let name = String::from_utf16_lossy(&name[..end]);
    let wanted = Wanted {
        name: &name,
        bold: record.i32(at + 16)? >= 600,
        italic: record.u8(at + 20)? != 0,
        pitch_and_family: record.u8(at + 27)?,
    };
    let font = Font::new(height, &wanted);
    Some(Font {
        width: record.long(at + 4)?.abs(),
        rise: record.long(at + 8)? / 10.0,
        underlined: record.u8(at + 21)? != 0,
        struck_out: record.u8(at + 22)? != 0,
        char_set: record.u8(at + 23)?,
        ..font
    })
}

pub(super) fn color_at(record: Record<'_>, at: usize) -> Option<Color> {
    record.u32(at).map(color)
}
