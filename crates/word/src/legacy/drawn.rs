//! Drawings that float over the text of a Word 97 file: which are anchored where, and what is in them.

use std::collections::HashMap;

use super::binary::{DRAWINGS, DRAWN_ANCHORS, WordStreams, read_u32};
use super::office_art::{
    DRAWING, DRAWING_GROUP, OfficeRecord, PICTURE_ENTRY, PICTURE_STORE, read_bounds, read_shapes,
};
use super::text_boxes::TextBoxes;
use crate::shapes::office_shape::{OfficeShape, ShapeBounds, ShapeSketch};

/// Bytes of an anchor, and of an entry of the store of pictures before its name.
const ANCHOR_BYTES: usize = 26;
const ENTRY_BYTES: usize = 36;
/// Maximum number of records of shapes of one file, each of which may become a shape with two tables of options.
const MAX_SHAPES: usize = 100_000;

/// The floating drawings of a file.
pub(super) struct FloatingDrawings {
    /// By the position of the character that anchors them.
    anchors: HashMap<u32, DrawingAnchor>,
    /// Shapes and outermost groups by their names.
    shapes: HashMap<u32, OfficeShape>,
    /// The position of a picture in the main stream, start and length, by its number.
    store: Vec<Option<(usize, usize)>>,
    texts: TextBoxes,
}

/// What is anchored at a character.
#[derive(Debug, Clone, Copy)]
struct DrawingAnchor {
    shape: u32,
    /// Its position on the page, in twentieths of a point.
    bounds: ShapeBounds,
}

impl FloatingDrawings {
    pub(super) fn read_drawings(streams: &WordStreams) -> Self {
        let anchors = streams.table_part(DRAWN_ANCHORS).unwrap_or_default();
        let mut drawings = Self {
            anchors: read_anchors(anchors),
            shapes: HashMap::new(),
            store: Vec::new(),
            texts: TextBoxes::read_boxes(streams),
        };
        let mut shapes_left = MAX_SHAPES;
        let mut records = streams.table_part(DRAWINGS).unwrap_or_default();
        while !records.is_empty() {
            if let Some((record, rest)) = OfficeRecord::split_record(records)
                && matches!(record.kind, DRAWING_GROUP | DRAWING)
            {
                match record.kind {
                    DRAWING_GROUP => drawings.read_store(record.content),
                    _ => {
                        let shapes = read_shapes(record.content, &mut shapes_left).into_iter();
                        drawings.shapes.extend(shapes.map(|shape| (shape.name, shape)));
                    }
                }
                records = rest;
            } else {
                // A byte before each drawing says where it belongs.
                records = &records[1..];
            }
        }
        drawings
    }

    /// The drawing that is anchored at a character, and its width and height in twentieths of a point. `keep` keeps
    /// the picture at a position of the main stream, start and length, and returns its name. `None` if nothing is
    /// anchored.
    pub(super) fn find_drawing(
        &self,
        position: u32,
        mut keep: impl FnMut((usize, usize)) -> Option<String>,
    ) -> Option<(ShapeSketch, (f64, f64))> {
        let anchor = self.anchors.get(&position)?;
        let bounds = anchor.bounds;
        let size = ((bounds.right - bounds.left).abs(), (bounds.bottom - bounds.top).abs());
        let Some(shape) = self.shapes.get(&anchor.shape) else {
            return Some((ShapeSketch::default(), size));
        };
        let mut picture = |number: usize| keep((*self.store.get(number.checked_sub(1)?)?)?);
        let text = |shape: &OfficeShape| self.texts.find_text(shape.name);
        Some((shape.to_sketch(bounds, &mut picture, &text), size))
    }

    fn read_store(&mut self, records: &[u8]) {
        for record in OfficeRecord::all(records).filter(|record| record.kind == PICTURE_STORE) {
            self.store = OfficeRecord::all(record.content)
                .map(|entry| {
                    let has_place =
                        entry.kind == PICTURE_ENTRY && entry.content.len() >= ENTRY_BYTES;
                    let place = |at| if has_place { read_u32(entry.content, at) } else { None };
                    Some((place(28)? as usize, place(20)? as usize))
                })
                .collect();
        }
    }
}

/// [MS-DOC] 2.8.37: the shapes that are anchored at characters.
fn read_anchors(list: &[u8]) -> HashMap<u32, DrawingAnchor> {
    let count = list.len().saturating_sub(4) / (4 + ANCHOR_BYTES);
    let anchor = |index: usize| {
        let position = read_u32(list, index * 4)?;
        let entry = (count + 1) * 4 + index * ANCHOR_BYTES;
        let bounds = read_bounds(list.get(entry + 4..)?)?;
        Some((position, DrawingAnchor { shape: read_u32(list, entry)?, bounds }))
    };
    (0..count).filter_map(anchor).collect()
}
