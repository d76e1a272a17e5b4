//! Records what is painted on a canvas, as elements of SVG.

use std::{fmt::Write, rc::Rc};

use resvg::tiny_skia::{BlendMode, Color, FillRule, LineCap, LineJoin, Path, Pixmap};

use super::{
    definitions::{DrawingDefinitions, GLYPH_UNITS_PER_EM},
    numbers::{UNITS_PER_PIXEL, push_matrix, push_path, units},
    vector_drawing::{MAX_SVG_BYTES, VectorDrawing, data_address, is_nearly_all},
};
use crate::{
    clip::ClipOutline,
    geometry::Matrix,
    paint::{Fill, Line},
    text::GlyphRun,
};

/// Maximum number of points of the clips of all elements. Each clip is written out to find it among the others, even
/// if the file contains it only once, so the size of the SVG does not bound this work.
const MAX_CLIP_POINTS: usize = 1_000_000;
/// Maximum number of pixels of all bitmaps. Each is packed as PNG whenever it is drawn, and a record of a few bytes can
/// draw a large one again.
const MAX_BITMAP_PIXELS: u64 = 16_000_000;
/// Maximum number of tiles; a drawing has a few. Each is kept in memory, and each fill looks through them.
const MAX_TILES: usize = 200;

/// Records what is painted on a canvas.
pub(crate) struct DrawingRecorder {
    definitions: DrawingDefinitions,
    elements: String,
    /// The attributes of the group that is open: its clip and its blend.
    open_group: String,
    bitmap_bytes: usize,
    clip_points: usize,
    /// Pixels of the bitmaps so far.
    bitmap_pixels: u64,
    /// The IDs of the tiles so far; each tile is kept, so that no other one gets its address.
    tiles: Vec<(Rc<Pixmap>, String)>,
    is_on_white: bool,
    is_too_large: bool,
}

impl DrawingRecorder {
    /// Records from an empty canvas of a size in pixels, which is white or transparent.
    pub(crate) fn new((width, height): (u32, u32), is_on_white: bool) -> Self {
        Self {
            definitions: DrawingDefinitions::new(width, height),
            elements: String::new(),
            open_group: String::new(),
            bitmap_bytes: 0,
            clip_points: 0,
            bitmap_pixels: 0,
            tiles: Vec::new(),
            is_on_white,
            is_too_large: false,
        }
    }

    /// A path that is filled.
    pub(crate) fn fill_path(
        &mut self,
        path: &Path,
        rule: FillRule,
        fill: &Fill,
        blend: BlendMode,
        clip: &ClipOutline<'_>,
    ) {
        if !self.begin_element(clip, blend) {
            return;
        }
        let Some(paint) = self.paint_attribute(fill) else { return };
        self.elements.push_str("<path d=\"");
        push_path(&mut self.elements, path);
        let rule = if rule == FillRule::EvenOdd { " fill-rule=\"evenodd\"" } else { "" };
        let _ = write!(self.elements, "\"{paint}{rule}/>");
    }

    /// A path that is stroked.
    pub(crate) fn stroke_path(
        &mut self,
        path: &Path,
        Line { stroke, dashes }: &Line,
        color: Color,
        clip: &ClipOutline<'_>,
    ) {
        if !self.begin_element(clip, BlendMode::SourceOver) {
            return;
        }
        self.elements.push_str("<path d=\"");
        push_path(&mut self.elements, path);
        let out = &mut self.elements;
        let _ = write!(out, "\" fill=\"none\"{}", color_attribute("stroke", color));
        // A line of no width is as thin as the device allows.
        let width = if stroke.width > 0.0 { stroke.width } else { 1.0 };
        let _ = write!(out, " stroke-width=\"{}\"", units(width.into()));
        match stroke.line_cap {
            LineCap::Butt => {}
            LineCap::Round => out.push_str(" stroke-linecap=\"round\""),
            LineCap::Square => out.push_str(" stroke-linecap=\"square\""),
        }
        match stroke.line_join {
            LineJoin::Miter | LineJoin::MiterClip => {
                let _ = write!(out, " stroke-miterlimit=\"{}\"", stroke.miter_limit);
            }
            LineJoin::Round => out.push_str(" stroke-linejoin=\"round\""),
            LineJoin::Bevel => out.push_str(" stroke-linejoin=\"bevel\""),
        }
        if !dashes.is_empty() {
            let lengths = dashes.iter().map(|length| units((*length).into()).to_string());
            let lengths: Vec<String> = lengths.collect();
            let _ = write!(out, " stroke-dasharray=\"{}\"", lengths.join(" "));
        }
        out.push_str("/>");
    }

    /// Letters; `transform` maps the space of the baseline to the canvas.
    pub(crate) fn fill_glyphs(
        &mut self,
        run: &GlyphRun<'_>,
        transform: Matrix,
        color: Color,
        clip: &ClipOutline<'_>,
    ) {
        if !self.begin_element(clip, BlendMode::SourceOver) {
            return;
        }
        let (across, down) = (run.width(), run.em);
        let unit = 1.0 / GLYPH_UNITS_PER_EM;
        let letters = Matrix::from_scale(across * unit, -down * unit)
            .then(transform)
            .then(Matrix::from_scale(UNITS_PER_PIXEL, UNITS_PER_PIXEL));
        self.elements.push_str("<g transform=\"");
        push_matrix(&mut self.elements, letters);
        let _ = write!(self.elements, "\"{}>", color_attribute("fill", color));
        for (glyph, x) in run.glyphs() {
            if let Some(id) = self.definitions.glyph_id(glyph) {
                let x = (x / (across * unit)).round();
                let _ = write!(self.elements, "<use xlink:href=\"#{id}\" x=\"{x}\"/>");
            }
        }
        self.elements.push_str("</g>");
    }

    /// A bitmap, or the drawing that it shows; `transform` maps its pixels to pixels of the canvas.
    pub(crate) fn draw_image(
        &mut self,
        (image, drawing): (&Pixmap, Option<&VectorDrawing>),
        transform: Matrix,
        blend: BlendMode,
        clip: &ClipOutline<'_>,
    ) {
        if !self.begin_element(clip, blend) {
            return;
        }
        let transform = transform.then(Matrix::from_scale(UNITS_PER_PIXEL, UNITS_PER_PIXEL));
        let (width, height) = (image.width(), image.height());
        if let Some(drawing) = drawing {
            self.elements.push_str("<g transform=\"");
            push_matrix(&mut self.elements, transform);
            self.elements.push_str("\">");
            drawing.push_nested(&mut self.elements, (0, 0), (width, height));
            self.elements.push_str("</g>");
            return;
        }
        self.bitmap_pixels += u64::from(width) * u64::from(height);
        let Some(png) = data_address(image) else { return };
        self.bitmap_bytes += png.len();
        self.elements.push_str("<image transform=\"");
        push_matrix(&mut self.elements, transform);
        let _ = write!(
            self.elements,
            "\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
             xlink:href=\"{png}\"/>"
        );
    }

    /// The drawing; `None` if bitmaps make up nearly all of it, or if it is too large.
    pub(crate) fn finish(mut self) -> Option<VectorDrawing> {
        self.close_group();
        if self.is_too_large
            || self.elements.is_empty()
            || is_nearly_all(self.bitmap_bytes, self.elements.len())
        {
            return None;
        }
        let (width, height) = self.definitions.size();
        let view = (width * UNITS_PER_PIXEL, height * UNITS_PER_PIXEL);
        let mut elements = self.definitions.finish();
        if self.is_on_white {
            let (width, height) = view;
            let _ = write!(elements, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
        }
        elements.push_str(&self.elements);
        Some(VectorDrawing { view, elements })
    }

    /// Opens the group of a clip and a blend, and closes the one before. Returns false if no more is recorded.
    fn begin_element(&mut self, clip: &ClipOutline<'_>, blend: BlendMode) -> bool {
        if self.is_too_large {
            return false;
        }
        self.clip_points += clip.count_points();
        self.is_too_large = self.clip_points > MAX_CLIP_POINTS
            || self.bitmap_pixels > MAX_BITMAP_PIXELS
            || self.elements.len() + self.definitions.len() > MAX_SVG_BYTES;
        if self.is_too_large {
            return false;
        }
        // A group with a clip is apart from what is below it: its blend must be its own.
        let group = self.definitions.clip_attributes(clip) + blend_attribute(blend);
        if group != self.open_group || blend != BlendMode::SourceOver {
            self.close_group();
            if !group.is_empty() {
                let _ = write!(self.elements, "<g{group}>");
            }
            self.open_group = group;
        }
        true
    }

    fn close_group(&mut self) {
        if !std::mem::take(&mut self.open_group).is_empty() {
            self.elements.push_str("</g>");
        }
    }

    /// The ID of the pattern of a tile, which is packed once.
    fn tile_id(&mut self, tile: &Rc<Pixmap>) -> Option<String> {
        if let Some((_, id)) = self.tiles.iter().find(|(known, _)| Rc::ptr_eq(known, tile)) {
            return Some(id.clone());
        }
        self.bitmap_pixels += u64::from(tile.width()) * u64::from(tile.height());
        if self.tiles.len() >= MAX_TILES {
            self.is_too_large = true;
            return None;
        }
        let png = data_address(tile)?;
        let id = self.definitions.tile_id((tile.width(), tile.height()), &png);
        self.tiles.push((tile.clone(), id.clone()));
        Some(id)
    }

    fn paint_attribute(&mut self, fill: &Fill) -> Option<String> {
        let id = match fill {
            Fill::Plain(color) => return Some(color_attribute("fill", *color)),
            Fill::Tile(tile) => self.tile_id(tile)?,
            Fill::Gradient { from, to, colors } => {
                let [first, last] = colors.map(|color| color_attribute("stop-color", color));
                self.definitions.gradient_id(*from, *to, &first, &last)
            }
        };
        Some(format!(" fill=\"url(#{id})\""))
    }
}

fn blend_attribute(blend: BlendMode) -> &'static str {
    match blend {
        BlendMode::Multiply => " style=\"mix-blend-mode:multiply\"",
        BlendMode::Screen => " style=\"mix-blend-mode:screen\"",
        BlendMode::Difference => " style=\"mix-blend-mode:difference\"",
        _ => "",
    }
}

/// An attribute of a colour, and the attribute of its opacity.
fn color_attribute(name: &str, color: Color) -> String {
    let color = color.to_color_u8();
    let (red, green, blue) = (color.red(), color.green(), color.blue());
    let mut out = match (red, green, blue) {
        (0, 0, 0) if name == "fill" => String::new(),
        _ => format!(" {name}=\"#{red:02x}{green:02x}{blue:02x}\""),
    };
    if color.alpha() < u8::MAX {
        let opacity = name.strip_suffix("-color").unwrap_or(name);
        let share = f64::from(color.alpha()) / f64::from(u8::MAX);
        let _ = write!(out, " {opacity}-opacity=\"{share:.3}\"");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::tiny_skia::{PathBuilder, Rect};

    #[test]
    fn an_area_with_a_pattern_is_a_drawing_and_a_bitmap_alone_is_none() {
        let mut bitmap = Pixmap::new(200, 200).expect("a size");
        let noise = (0..).map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 24) as u8 | 1);
        bitmap.data_mut().chunks_exact_mut(4).zip(noise).for_each(|(pixel, grey)| {
            pixel.copy_from_slice(&[grey, grey, grey, 255]);
        });
        let area = PathBuilder::from_rect(Rect::from_xywh(0.0, 0.0, 9.0, 9.0).expect("an area"));
        let (rule, blend, clip) =
            (FillRule::Winding, BlendMode::SourceOver, ClipOutline::default());
        let tile = Fill::Tile(Rc::new(bitmap.clone()));
        let mut pattern = DrawingRecorder::new((100, 100), true);
        pattern.fill_path(&area, rule, &tile, blend, &clip);
        pattern.fill_path(&area, rule, &tile, blend, &clip);
        let drawing = pattern.finish().expect("a drawing");
        assert_eq!(drawing.elements.matches("<pattern ").count(), 1);
        assert_eq!(drawing.elements.matches("fill=\"url(#p").count(), 2);
        let mut picture = DrawingRecorder::new((100, 100), true);
        picture.draw_image((&bitmap, None), Matrix::IDENTITY, blend, &clip);
        assert!(picture.finish().is_none());
    }
}
