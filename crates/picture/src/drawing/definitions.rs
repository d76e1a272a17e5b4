//! What the elements of a drawing refer to: letters, clips, patterns, gradients.
//!
//! IDs follow from the content: if a file contains several drawings, equal IDs have equal contents.

use std::{
    collections::{HashMap, HashSet, hash_map::DefaultHasher},
    fmt::Write,
    hash::{Hash, Hasher},
    rc::Rc,
};

use resvg::tiny_skia::{FillRule, Path, Rect};

use super::numbers::{UNITS_PER_PIXEL, push_path, push_scaled_path, units};
use crate::{clip::ClipOutline, text::Glyph};

/// Units of letters: those of Liberation, Carlito and DejaVu, so that whole numbers describe their outlines exactly.
pub(super) const GLYPH_UNITS_PER_EM: f64 = 2048.0;

/// Definitions, each once.
pub(super) struct DrawingDefinitions {
    width: u32,
    height: u32,
    text: String,
    ids: HashSet<String>,
    /// The ID of each letter; `None` for one that shows nothing.
    glyphs: HashMap<Glyph, Option<String>>,
}

impl DrawingDefinitions {
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (text, ids, glyphs) = Default::default();
        Self { width, height, text, ids, glyphs }
    }

    /// Width and height of the canvas in pixels.
    pub(super) fn size(&self) -> (f64, f64) {
        (self.width.into(), self.height.into())
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// The element with all definitions; empty if there are none.
    pub(super) fn finish(self) -> String {
        if self.text.is_empty() { String::new() } else { format!("<defs>{}</defs>", self.text) }
    }

    /// The ID of a letter; `None` for a blank.
    pub(super) fn glyph_id(&mut self, glyph: Glyph) -> Option<String> {
        if let Some(known) = self.glyphs.get(&glyph) {
            return known.clone();
        }
        let id = glyph.outline().map(|outline| {
            let id = format!("g{}-{}", glyph.face.file_index(), glyph.id.to_u32());
            let _ = write!(self.text, "<path id=\"{id}\" d=\"");
            push_scaled_path(&mut self.text, &outline, GLYPH_UNITS_PER_EM);
            self.text.push_str("\"/>");
            id
        });
        self.glyphs.insert(glyph, id.clone());
        id
    }

    /// The attributes for an element that is seen through a clip; empty if all of it is visible.
    pub(super) fn clip_attributes(&mut self, clip: &ClipOutline<'_>) -> String {
        let mut attributes = String::new();
        if let Some(path_id) = self.clip_path_id(clip.bounds, clip.shapes) {
            let _ = write!(attributes, " clip-path=\"url(#{path_id})\"");
        }
        if !clip.excluded.is_empty() {
            let mask_id = self.mask_id(&clip.excluded);
            let _ = write!(attributes, " mask=\"url(#{mask_id})\"");
        }
        attributes
    }

    /// The ID of a clip path: each shape is clipped by the one before.
    fn clip_path_id(
        &mut self,
        bounds: Option<Rect>,
        shapes: &[(Rc<Path>, FillRule)],
    ) -> Option<String> {
        let rectangle = bounds.map(|bounds| {
            let edges = [bounds.x(), bounds.y(), bounds.width(), bounds.height()];
            let [x, y, width, height] = edges.map(|edge| units(edge.into()));
            format!("><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>")
        });
        let mut last = rectangle.map(|content| self.define("clipPath", &content));
        for (path, rule) in shapes {
            let outer = last.map_or_else(String::new, |id| format!(" clip-path=\"url(#{id})\""));
            let rule = if *rule == FillRule::EvenOdd { " clip-rule=\"evenodd\"" } else { "" };
            let mut content = format!("{outer}><path{rule} d=\"");
            push_path(&mut content, path);
            content.push_str("\"/></clipPath>");
            last = Some(self.define("clipPath", &content));
        }
        last
    }

    /// The ID of a mask that hides some areas.
    fn mask_id(&mut self, hidden: &[&Path]) -> String {
        let (width, height) = (units(self.width.into()), units(self.height.into()));
        let size = format!("x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"");
        let mut content =
            format!(" maskUnits=\"userSpaceOnUse\" {size}><rect {size} fill=\"#fff\"/>");
        for path in hidden {
            content.push_str("<path d=\"");
            push_path(&mut content, path);
            content.push_str("\"/>");
        }
        content.push_str("</mask>");
        self.define("mask", &content)
    }

    /// The ID of a pattern: a bitmap that is repeated.
    pub(super) fn tile_id(&mut self, (width, height): (u32, u32), png: &str) -> String {
        let content = format!(
            " patternUnits=\"userSpaceOnUse\" width=\"{width}\" height=\"{height}\" \
             patternTransform=\"scale({UNITS_PER_PIXEL})\">\
             <image width=\"{width}\" height=\"{height}\" image-rendering=\"pixelated\" \
             xlink:href=\"{png}\"/></pattern>"
        );
        self.define("pattern", &content)
    }

    /// The ID of a gradient between two points of the canvas; the stops are attributes.
    pub(super) fn gradient_id(
        &mut self,
        from: (f32, f32),
        to: (f32, f32),
        first: &str,
        last: &str,
    ) -> String {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(|part| units(part.into()));
        let content = format!(
            " gradientUnits=\"userSpaceOnUse\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\">\
             <stop{first}/><stop offset=\"1\"{last}/></linearGradient>"
        );
        self.define("linearGradient", &content)
    }

    /// Adds an element that lacks its ID, unless it is known; returns the ID.
    fn define(&mut self, element: &str, content: &str) -> String {
        let id = content_id(&element[..1], content.as_bytes());
        if self.ids.insert(id.clone()) {
            let _ = write!(self.text, "<{element} id=\"{id}\"{content}");
        }
        id
    }
}

/// An ID that follows from a content.
pub(super) fn content_id(prefix: &str, content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    format!("{prefix}{:x}", hasher.finish())
}
