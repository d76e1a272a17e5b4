//! A drawing as elements of SVG: read from an SVG, put together, written to a file.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use resvg::{tiny_skia::Pixmap, usvg};

use super::{
    definitions,
    numbers::{UNITS_PER_PIXEL, push_number, units},
};
use crate::labels::TextRun;

/// Maximum bytes of an SVG; a larger one is shown only as PNG. Pages load the SVG instead of the PNG, in full.
pub(super) const MAX_SVG_BYTES: usize = 4 << 20;
/// A drawing whose bitmaps take this share of its bytes shows no more than the PNG.
const MAX_BITMAP_SHARE: f64 = 0.9;
/// Decimals of numbers in an SVG that is written by `usvg`. More digits are invisible and make the file larger.
const USVG_DECIMALS: u8 = 3;

/// A drawing: elements of SVG in a view of its own.
#[derive(Debug, Clone)]
pub(crate) struct VectorDrawing {
    /// Width and height of the view that the elements are in.
    pub(super) view: (f64, f64),
    pub(super) elements: String,
}

impl VectorDrawing {
    /// A drawing read from an SVG, letters as outlines.
    ///
    /// `file` are the bytes of the SVG.
    pub(crate) fn from_svg(tree: &usvg::Tree, file: &[u8]) -> Option<Self> {
        // A file may contain several drawings, which must not share IDs.
        let id_prefix = definitions::content_id("s", file);
        let options = usvg::WriteOptions {
            id_prefix: Some(id_prefix),
            coordinates_precision: USVG_DECIMALS,
            transforms_precision: USVG_DECIMALS,
            indent: usvg::Indent::None,
            ..usvg::WriteOptions::default()
        };
        let text = tree.to_string(&options);
        // Names in the file are written as they are, and may break the XML.
        usvg::roxmltree::Document::parse(&text).ok()?;
        let (_, elements) = text.split_once('>')?;
        let elements = elements.trim_end().strip_suffix("</svg>")?;
        let bitmaps = tree_bitmap_bytes(tree.root());
        if elements.len() > MAX_SVG_BYTES || is_nearly_all(bitmaps, elements.len()) {
            return None;
        }
        let size = tree.size();
        let view = (f64::from(size.width()), f64::from(size.height()));
        Some(Self { view, elements: elements.to_owned() })
    }

    /// A bitmap as a part of a larger drawing.
    pub(crate) fn from_pixels(pixels: &Pixmap) -> Option<Self> {
        let view = (f64::from(pixels.width()), f64::from(pixels.height()));
        let png = data_address(pixels)?;
        let (width, height) = view;
        let elements =
            format!("<image width=\"{width}\" height=\"{height}\" xlink:href=\"{png}\"/>");
        Some(Self { view, elements })
    }

    /// Several drawings as one of a width and height in pixels.
    pub(crate) fn compose((width, height): (u32, u32), parts: &[PlacedVectorDrawing]) -> Self {
        let mut elements = String::new();
        for PlacedVectorDrawing { drawing, corner, size } in parts {
            drawing.push_nested(&mut elements, *corner, *size);
        }
        Self { view: (width.into(), height.into()), elements }
    }

    /// The file, in a size in pixels, with its words; `None` if it is too large.
    pub(crate) fn to_svg(&self, (width, height): (u32, u32), runs: &[TextRun]) -> Option<String> {
        let mut file = String::with_capacity(self.elements.len() + 256);
        file.push_str(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" \
             xmlns:xlink=\"http://www.w3.org/1999/xlink\" ",
        );
        let (across, down) = self.view;
        let _ = write!(
            file,
            "width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {across} {down}\">{}",
            self.elements
        );
        push_words(&mut file, runs, across / (f64::from(width) * UNITS_PER_PIXEL));
        file.push_str("</svg>");
        (file.len() <= MAX_SVG_BYTES).then_some(file)
    }

    /// Writes it as a part of a larger drawing.
    pub(super) fn push_nested(
        &self,
        out: &mut String,
        (x, y): (u32, u32),
        (width, height): (u32, u32),
    ) {
        let (across, down) = self.view;
        let _ = write!(
            out,
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" viewBox=\"0 0 {across} {down}\">{}</svg>",
            self.elements
        );
    }
}

/// A part of a larger drawing.
pub(crate) struct PlacedVectorDrawing {
    pub drawing: VectorDrawing,
    /// Its upper left corner in pixels of the whole.
    pub corner: (u32, u32),
    /// Its width and height in pixels of the whole.
    pub size: (u32, u32),
}

/// Whether bitmaps take so much of a drawing that it shows no more than they do.
pub(super) fn is_nearly_all(bitmap_bytes: usize, all_bytes: usize) -> bool {
    bitmap_bytes as f64 > all_bytes as f64 * MAX_BITMAP_SHARE
}

/// The bytes that the bitmaps of an SVG take in Base64.
fn tree_bitmap_bytes(group: &usvg::Group) -> usize {
    let bytes = group.children().iter().map(|node| match node {
        usvg::Node::Group(inner) => tree_bitmap_bytes(inner),
        usvg::Node::Image(image) => match image.kind() {
            usvg::ImageKind::PNG(data) => data.len() * 4 / 3,
            _ => 0,
        },
        usvg::Node::Path(_) | usvg::Node::Text(_) => 0,
    });
    bytes.sum()
}

/// The words of a drawing in their positions, invisible; `scale` maps their units to units of the view.
fn push_words(out: &mut String, runs: &[TextRun], scale: f64) {
    if runs.is_empty() {
        return;
    }
    out.push_str("<g fill-opacity=\"0\" font-family=\"sans-serif\" transform=\"scale(");
    push_number(out, scale, 5);
    out.push_str(")\">");
    for run in runs {
        let (across, down) = (run.end.0 - run.start.0, run.end.1 - run.start.1);
        let length = across.hypot(down);
        if !length.is_finite() || !run.em.is_finite() || run.text.trim().is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "<text font-size=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
            units(run.em),
            units(length).max(1)
        );
        let (x, y) = (units(run.start.0), units(run.start.1));
        if down.abs() > 0.01 * length {
            let angle = down.atan2(across).to_degrees().round();
            let _ = write!(out, " transform=\"translate({x} {y}) rotate({angle})\">");
        } else {
            let _ = write!(out, " x=\"{x}\" y=\"{y}\">");
        }
        for character in run.text.chars() {
            match character {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
                character if character.is_control() => out.push(' '),
                character => out.push(character),
            }
        }
        out.push_str("</text>");
    }
    out.push_str("</g>");
}

/// A bitmap as the address of its data.
pub(super) fn data_address(pixels: &Pixmap) -> Option<String> {
    let png = pixels.encode_png().ok()?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}
