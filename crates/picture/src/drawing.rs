//! A drawing as SVG: what a canvas painted, recorded as elements.
//!
//! The result looks the same in every viewer: letters are the outlines of this crate's fonts, each stored once.
//! The words stand over them as invisible text, so that a viewer can find and copy them.

use std::fmt::Write;

use resvg::{
    tiny_skia::{BlendMode, Color, FillRule, LineCap, LineJoin, Path, Pixmap},
    usvg,
};

use crate::{
    clip::ClipOutline,
    geometry::Matrix,
    labels::TextRun,
    paint::{Fill, Line},
    text::GlyphRun,
};

mod definitions;
mod numbers;

use definitions::Definitions;
use numbers::{UNITS_PER_PIXEL, push_matrix, push_number, push_path, units};

/// Maximum bytes of an SVG; what is larger is shown as PNG alone.
const MAX_SVG_BYTES: usize = 4 << 20;
/// Maximum number of points of the clips of all elements: a clip is written out to find it among the others.
const MAX_CLIP_POINTS: usize = 1_000_000;
/// A drawing whose bitmaps take this share of its bytes shows no more than the PNG.
const MAX_BITMAP_SHARE: f64 = 0.9;
/// Decimals of numbers in an SVG that is written by `usvg`.
const USVG_DECIMALS: u8 = 3;

/// A drawing: elements of SVG in a view of its own.
#[derive(Debug, Clone)]
pub(crate) struct Drawing {
    /// Width and height of the view that the elements are in.
    view: (f64, f64),
    elements: String,
}

impl Drawing {
    /// A drawing read from an SVG, letters as outlines.
    ///
    /// `file` are the bytes of the SVG.
    pub(crate) fn from_svg(tree: &usvg::Tree, file: &[u8]) -> Option<Self> {
        // Several drawings may stand in one file, which must not share ids.
        let id_prefix = definitions::content_id("s", file);
        let options = usvg::WriteOptions {
            id_prefix: Some(id_prefix),
            coordinates_precision: USVG_DECIMALS,
            transforms_precision: USVG_DECIMALS,
            indent: usvg::Indent::None,
            ..usvg::WriteOptions::default()
        };
        let text = tree.to_string(&options);
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
    pub(crate) fn compose((width, height): (u32, u32), parts: &[PlacedDrawing]) -> Self {
        let mut elements = String::new();
        for PlacedDrawing { drawing, corner, size } in parts {
            drawing.push_nested(&mut elements, *corner, *size);
        }
        Self { view: (width.into(), height.into()), elements }
    }

    /// The file, in a size in pixels, with its words.
    pub(crate) fn to_svg(&self, (width, height): (u32, u32), runs: &[TextRun]) -> String {
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
        file
    }

    /// Writes it as a part of a larger drawing.
    fn push_nested(&self, out: &mut String, (x, y): (u32, u32), (width, height): (u32, u32)) {
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
pub(crate) struct PlacedDrawing {
    pub drawing: Drawing,
    /// Its upper left corner in pixels of the whole.
    pub corner: (u32, u32),
    /// Its width and height in these.
    pub size: (u32, u32),
}

/// Records what is painted on a canvas.
pub(crate) struct DrawingRecorder {
    definitions: Definitions,
    elements: String,
    /// The attributes of the group that is open: its clip and its blend.
    open_group: String,
    bitmap_bytes: usize,
    clip_points: usize,
    is_on_white: bool,
    is_too_large: bool,
}

impl DrawingRecorder {
    /// Records from an empty canvas of a size in pixels, which is white or transparent.
    pub(crate) fn new((width, height): (u32, u32), is_on_white: bool) -> Self {
        Self {
            definitions: Definitions::new(width, height),
            elements: String::new(),
            open_group: String::new(),
            bitmap_bytes: 0,
            clip_points: 0,
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
        let Some(paint) = self.paint_attribute(fill) else { return };
        if !self.begin_element(clip, blend) {
            return;
        }
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
        let unit = 1.0 / definitions::GLYPH_UNITS_PER_EM;
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

    /// A bitmap, or the drawing that it shows; `transform` maps its pixels to those of the canvas.
    pub(crate) fn draw_image(
        &mut self,
        (image, drawing): (&Pixmap, Option<&Drawing>),
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

    /// The drawing; none where bitmaps make up nearly all of it, or where it is too large.
    pub(crate) fn finish(mut self) -> Option<Drawing> {
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
        Some(Drawing { view, elements })
    }

    /// Opens the group of a clip and a blend, and closes the one before. False where no more is recorded.
    fn begin_element(&mut self, clip: &ClipOutline<'_>, blend: BlendMode) -> bool {
        self.clip_points += clip.count_points();
        self.is_too_large |= self.clip_points > MAX_CLIP_POINTS
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

    fn paint_attribute(&mut self, fill: &Fill) -> Option<String> {
        let id = match fill {
            Fill::Plain(color) => return Some(color_attribute("fill", *color)),
            Fill::Tile(tile) => {
                let png = data_address(tile)?;
                self.definitions.tile_id((tile.width(), tile.height()), &png)
            }
            Fill::Gradient { from, to, colors } => {
                let [first, last] = colors.map(|color| color_attribute("stop-color", color));
                self.definitions.gradient_id(*from, *to, &first, &last)
            }
        };
        Some(format!(" fill=\"url(#{id})\""))
    }
}

/// Whether bitmaps take so much of a drawing that it shows no more than they do.
fn is_nearly_all(bitmap_bytes: usize, all_bytes: usize) -> bool {
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

/// The words of a drawing where they stand, invisible; `scale` maps their units to those of the view.
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

fn blend_attribute(blend: BlendMode) -> &'static str {
    match blend {
        BlendMode::Multiply => " style=\"mix-blend-mode:multiply\"",
        BlendMode::Screen => " style=\"mix-blend-mode:screen\"",
        BlendMode::Difference => " style=\"mix-blend-mode:difference\"",
        _ => "",
    }
}

/// An attribute of a colour, and that of its opacity.
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

/// A bitmap as the address of its data.
fn data_address(pixels: &Pixmap) -> Option<String> {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let png = pixels.encode_png().ok()?;
    Some(format!("data:image/png;base64,{}", STANDARD.encode(png)))
}
