//! Records of drawings in a Word 97 file, as [MS-ODRAW] lays them out: shapes and groups with their properties.

use std::collections::HashMap;

use super::binary::{read_u16, read_u32};
use crate::shapes::office_shape::{OfficeShape, ShapeBounds};

/// Types of records.
pub(super) const DRAWING_GROUP: u16 = 0xF000;
pub(super) const PICTURE_STORE: u16 = 0xF001;
pub(super) const DRAWING: u16 = 0xF002;
const SHAPE_GROUP: u16 = 0xF003;
const SHAPE: u16 = 0xF004;
pub(super) const PICTURE_ENTRY: u16 = 0xF007;
const GROUP_BOUNDS: u16 = 0xF009;
const SHAPE_NAME: u16 = 0xF00A;
const SHAPE_OPTIONS: u16 = 0xF00B;
const CHILD_ANCHOR: u16 = 0xF00F;
/// Bits of an option: its name, and whether its value is the length of data after the options.
const OPTION_NAME: u16 = 0x3FFF;
const OPTION_HAS_DATA: u16 = 0x8000;
/// Bytes of a record before its content, and of an option.
const HEADER_BYTES: usize = 8;
const OPTION_BYTES: usize = 6;
/// Maximum nesting of groups, which are read and drawn recursively.
const MAX_DEPTH: usize = 16;

/// A record.
pub(super) struct OfficeRecord<'a> {
    pub(super) kind: u16,
    instance: u16,
    pub(super) content: &'a [u8],
}

impl<'a> OfficeRecord<'a> {
    /// The first record, and what follows it.
    pub(super) fn split_record(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let length = read_u32(bytes, 4)? as usize;
        let rest = bytes.get(HEADER_BYTES..)?;
        let content = rest.get(..length)?;
        let record =
            Self { kind: read_u16(bytes, 2)?, instance: read_u16(bytes, 0)? >> 4, content };
        Some((record, &rest[length..]))
    }

    /// All records, up to the first incomplete one.
    pub(super) fn all(mut bytes: &'a [u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (record, rest) = Self::split_record(bytes)?;
            bytes = rest;
            Some(record)
        })
    }
}

/// The shapes and groups of a drawing: each member of its outermost group. `left` counts the records that may be read.
pub(super) fn read_shapes(drawing: &[u8], left: &mut usize) -> Vec<OfficeShape> {
    let groups = OfficeRecord::all(drawing).filter(|record| record.kind == SHAPE_GROUP);
    let mut shapes = Vec::new();
    for group in groups {
        if let Some(group) = read_group(group.content, MAX_DEPTH, left) {
            shapes.extend(group.children);
        }
    }
    shapes
}

/// A group: its first shape is the shape of the group.
fn read_group(records: &[u8], depth: usize, left: &mut usize) -> Option<OfficeShape> {
    let mut group: Option<OfficeShape> = None;
    for record in OfficeRecord::all(records) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let shape = match record.kind {
            SHAPE => Some(read_shape(&record)),
            SHAPE_GROUP if depth > 0 => read_group(record.content, depth - 1, left),
            _ => None,
        };
        match (&mut group, shape) {
            (Some(group), Some(shape)) => group.children.push(shape),
            (None, shape) => group = shape,
            (Some(_), None) => {}
        }
    }
    group
}

fn read_shape(shape: &OfficeRecord<'_>) -> OfficeShape {
    let mut read = OfficeShape::default();
    for record in OfficeRecord::all(shape.content) {
        match record.kind {
            SHAPE_NAME => {
                read.kind = record.instance;
                read.name = read_u32(record.content, 0).unwrap_or(0);
                read.flags = read_u32(record.content, 4).unwrap_or(0);
            }
            GROUP_BOUNDS => read.group_bounds = read_bounds(record.content),
            CHILD_ANCHOR => read.anchor = read_bounds(record.content),
            SHAPE_OPTIONS => read_options(&record, &mut read.options, &mut read.data),
            _ => {}
        }
    }
    read
}

/// Left, top, right and bottom, each of four bytes.
pub(super) fn read_bounds(bytes: &[u8]) -> Option<ShapeBounds> {
    let edge = |index: usize| Some(f64::from(read_u32(bytes, 4 * index)? as i32));
    Some(ShapeBounds { left: edge(0)?, top: edge(1)?, right: edge(2)?, bottom: edge(3)? })
}

/// [MS-ODRAW] 2.2.7: options of six bytes, then the data of options that have data.
fn read_options(
    record: &OfficeRecord<'_>,
    options: &mut HashMap<u16, u32>,
    data: &mut HashMap<u16, Vec<u8>>,
) {
    let count = usize::from(record.instance);
    let mut rest = record.content.get(count * OPTION_BYTES..).unwrap_or_default();
    for option in record.content.chunks_exact(OPTION_BYTES).take(count) {
        let (Some(name), Some(value)) = (read_u16(option, 0), read_u32(option, 2)) else { return };
        if name & OPTION_HAS_DATA == 0 {
            options.insert(name & OPTION_NAME, value);
            continue;
        }
        let name = name & OPTION_NAME;
        let length = rest.len().min(data_length(name, value as usize, rest));
        let (own, others) = rest.split_at(length);
        data.insert(name, own.to_vec());
        rest = others;
    }
}

/// The length of the data of an option. The stored length of an array may exclude its header, [MS-ODRAW] 2.2.51.
fn data_length(name: u16, stored: usize, data: &[u8]) -> usize {
    /// Vertices, segments, adjustments, glue points, formulas, colours of shades, dashes, points of a wrap.
    const ARRAYS: [u16; 12] =
        [0x145, 0x146, 0x151, 0x152, 0x155, 0x156, 0x157, 0x158, 0x197, 0x1CF, 0x383, 0x3A9];
    const HEADER_BYTES: usize = 6;
    /// Elements are truncated to four bytes.
    const CUT: u16 = 0xFFF0;
    let elements = read_u16(data, 0).unwrap_or(0);
    let size = match read_u16(data, 4).unwrap_or(0) {
        CUT => 4,
        size => size,
    };
    let is_short = stored > 0 && usize::from(elements) * usize::from(size) == stored;
    if ARRAYS.contains(&name) && is_short { stored + HEADER_BYTES } else { stored }
}
