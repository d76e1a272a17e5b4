//! Drawings that float over the text of a Word 97 file: [MS-ODRAW] records in the table stream.

use std::collections::HashMap;

use picture::MAX_STACKED_PICTURES;

use super::binary::{DRAWINGS, DRAWN_ANCHORS, WordStreams, read_u16, read_u32};

/// Types of records.
const DRAWING_GROUP: u16 = 0xF000;
const PICTURE_STORE: u16 = 0xF001;
const DRAWING: u16 = 0xF002;
const SHAPE_GROUP: u16 = 0xF003;
const SHAPE: u16 = 0xF004;
const PICTURE_ENTRY: u16 = 0xF007;
const SHAPE_NAME: u16 = 0xF00A;
const SHAPE_OPTIONS: u16 = 0xF00B;
/// The option with the number of the picture that a shape shows.
const PICTURE_OPTION: u16 = 0x0104;
/// The bits of the name of an option.
const OPTION_NAME: u16 = 0x3FFF;
/// Bytes of a record before its content, of an anchor, and of an entry of the store before its name.
const HEADER_BYTES: usize = 8;
const ANCHOR_BYTES: usize = 26;
const ENTRY_BYTES: usize = 36;
/// Maximum nesting of groups.
const MAX_DEPTH: usize = 16;

/// The pictures of floating drawings, by the position of the character that anchors them.
pub(super) struct DrawnPictures {
    shapes: HashMap<u32, u32>,
    /// Numbers of the pictures of a shape or a group.
    pictures: HashMap<u32, Vec<usize>>,
    /// Where a picture stands in the main stream, by its number.
    store: Vec<Option<(usize, usize)>>,
}

impl DrawnPictures {
    pub(super) fn read_drawings(streams: &WordStreams) -> Self {
        let anchors = streams.table_part(DRAWN_ANCHORS).unwrap_or_default();
        let mut drawn =
            Self { shapes: read_anchors(anchors), pictures: HashMap::new(), store: Vec::new() };
        let mut records = streams.table_part(DRAWINGS).unwrap_or_default();
        while !records.is_empty() {
            if let Some((record, rest)) = OfficeRecord::split_record(records)
                && matches!(record.kind, DRAWING_GROUP | DRAWING)
            {
                match record.kind {
                    DRAWING_GROUP => drawn.read_store(record.content),
                    _ => drop(drawn.read_shapes(record.content, MAX_DEPTH)),
                }
                records = rest;
            } else {
                // A byte before each drawing says where it belongs.
                records = &records[1..];
            }
        }
        drawn
    }

    /// Where the pictures that are anchored at a character stand in the main stream: start and length. None where
    /// nothing is anchored.
    pub(super) fn find_pictures(&self, position: u32) -> Option<Vec<(usize, usize)>> {
        let numbers = self.pictures.get(self.shapes.get(&position)?);
        let mut places: Vec<(usize, usize)> = Vec::new();
        for number in numbers.into_iter().flatten() {
            let place = number.checked_sub(1).and_then(|index| *self.store.get(index)?);
            let is_new = |place: &(usize, usize)| !places.contains(place);
            places
                .extend(place.filter(|place| is_new(place) && places.len() < MAX_STACKED_PICTURES));
        }
        Some(places)
    }

    fn read_store(&mut self, records: &[u8]) {
        for record in OfficeRecord::all(records).filter(|record| record.kind == PICTURE_STORE) {
            self.store = OfficeRecord::all(record.content)
                .map(|entry| {
                    let has_place =
                        entry.kind == PICTURE_ENTRY && entry.content.len() >= ENTRY_BYTES;
                    let place = |at| read_u32(entry.content, at).filter(|_| has_place);
                    Some((place(28)? as usize, place(20)? as usize))
                })
                .collect();
        }
    }

    /// Reads shapes and groups. Returns the first shape, whose name is that of the group, and all pictures.
    fn read_shapes(&mut self, records: &[u8], depth: usize) -> (Option<u32>, Vec<usize>) {
        let (mut first, mut pictures) = (None, Vec::new());
        if depth == 0 {
            return (first, pictures);
        }
        for record in OfficeRecord::all(records) {
            let (name, shown) = match record.kind {
                SHAPE => read_shape(record.content),
                SHAPE_GROUP => self.read_shapes(record.content, depth - 1),
                _ => continue,
            };
            if let Some(name) = name {
                self.pictures.insert(name, shown.clone());
                first = first.or(Some(name));
            }
            pictures.extend(shown);
        }
        (first, pictures)
    }
}

/// The name of a shape, and the number of the picture that it shows.
fn read_shape(records: &[u8]) -> (Option<u32>, Vec<usize>) {
    let (mut name, mut pictures) = (None, Vec::new());
    for record in OfficeRecord::all(records) {
        match record.kind {
            SHAPE_NAME => name = read_u32(record.content, 0),
            SHAPE_OPTIONS => {
                let options = record.content.chunks_exact(6).take(usize::from(record.instance));
                let options = options.filter(|option| {
                    read_u16(option, 0).is_some_and(|id| id & OPTION_NAME == PICTURE_OPTION)
                });
                pictures
                    .extend(options.filter_map(|option| read_u32(option, 2)).map(|n| n as usize));
            }
            _ => {}
        }
    }
    (name, pictures)
}

/// [MS-DOC] 2.8.37: the shape that is anchored at a character.
fn read_anchors(list: &[u8]) -> HashMap<u32, u32> {
    let count = list.len().saturating_sub(4) / (4 + ANCHOR_BYTES);
    let anchor = |index: usize| {
        let position = read_u32(list, index * 4)?;
        Some((position, read_u32(list, (count + 1) * 4 + index * ANCHOR_BYTES)?))
    };
    (0..count).filter_map(anchor).collect()
}

/// A record.
struct OfficeRecord<'a> {
    kind: u16,
    instance: u16,
    content: &'a [u8],
}

impl<'a> OfficeRecord<'a> {
    /// The first record, and what follows it.
    fn split_record(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let length = read_u32(bytes, 4)? as usize;
        let rest = bytes.get(HEADER_BYTES..)?;
        let content = rest.get(..length)?;
        let record =
            Self { kind: read_u16(bytes, 2)?, instance: read_u16(bytes, 0)? >> 4, content };
        Some((record, &rest[length..]))
    }

    /// All records, as far as they are whole.
    fn all(mut bytes: &'a [u8]) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let (record, rest) = Self::split_record(bytes)?;
            bytes = rest;
            Some(record)
        })
    }
}
