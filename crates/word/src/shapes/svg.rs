//! Shapes written as SVG. Units are points of type, a 72nd of an inch.

use std::{collections::HashMap, fmt::Write};

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};

use super::{DrawingShape, EMU_PER_POINT, OutlineSegment, ShapeFrame, paint::ShapePaint};

/// Maximum bytes of a drawing with its pictures: `picture` draws no SVG of more than 8 MiB.
const MAX_SVG_BYTES: usize = 7 << 20;
/// Prefix of the relationship ID of a picture that is not embedded yet.
const RELATION_PREFIX: &str = "relation:";
/// Margin around the shapes, in points: lines and arrows reach beyond their frames.
const MARGIN: f64 = 6.0;
/// Distance of text from the edge of its shape, in points.
const INSET: f64 = 3.0;
/// Size of text that specifies none, in points.
const DEFAULT_FONT_SIZE: f64 = 10.0;
/// Height of a line and mean width of a letter, as shares of the font size.
const LINE_HEIGHT: f64 = 1.2;
const LETTER_WIDTH: f64 = 0.5;
/// Text is not shrunk below this size to fit its shape, in points: smaller text cannot be read, and overlaps instead.
const MIN_FONT_SIZE: f64 = 5.0;
/// Width of a line that specifies none, in points.
const DEFAULT_LINE_WIDTH: f64 = 0.75;

/// The shapes as SVG; `None` if they have no extent.
pub(super) fn write_svg(shapes: &[DrawingShape]) -> Option<String> {
    let frames: Vec<ShapeFrame> = shapes.iter().map(|shape| to_points(shape.frame)).collect();
    let bounds: Vec<[f64; 4]> = frames.iter().map(turned_bounds).collect();
    let min = |edge: usize| bounds.iter().map(|at| at[edge]).fold(f64::INFINITY, f64::min);
    let max = |edge: usize| bounds.iter().map(|at| at[edge]).fold(f64::NEG_INFINITY, f64::max);
    let (left, top) = (min(0) - MARGIN, min(1) - MARGIN);
    let (width, height) = (max(2) - left + MARGIN, max(3) - top + MARGIN);
    // Shapes without an extent leave only the margins; without shapes, the bounds are infinite.
    let has_size =
        width.is_finite() && height.is_finite() && width * height > 4.0 * MARGIN * MARGIN;
    if !has_size {
        return None;
    }
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.2}\" height=\"{height:.2}\" \
         viewBox=\"{left:.2} {top:.2} {width:.2} {height:.2}\">"
    );
    for (shape, frame) in shapes.iter().zip(&frames) {
        // Writing to a string does not fail.
        let _ = write_shape(&mut out, shape, *frame);
    }
    out.push_str("</svg>");
    Some(out)
}

/// Left, top, right and bottom of a frame after it was turned.
fn turned_bounds(frame: &ShapeFrame) -> [f64; 4] {
    let (sine, cosine) = frame.rotation_degrees.to_radians().sin_cos();
    let half_width = (frame.width * cosine.abs() + frame.height * sine.abs()) / 2.0;
    let half_height = (frame.width * sine.abs() + frame.height * cosine.abs()) / 2.0;
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    [x - half_width, y - half_height, x + half_width, y + half_height]
}

fn to_points(frame: ShapeFrame) -> ShapeFrame {
    let ShapeFrame { x, y, width, height, .. } = frame;
    let [x, y, width, height] = [x, y, width, height].map(|length| length / EMU_PER_POINT);
    ShapeFrame { x, y, width: width.max(0.0), height: height.max(0.0), ..frame }
}

fn write_shape(out: &mut String, shape: &DrawingShape, frame: ShapeFrame) -> std::fmt::Result {
    let (middle_x, middle_y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    write!(
        out,
        "<g transform=\"rotate({:.3} {middle_x:.2} {middle_y:.2})\">",
        frame.rotation_degrees
    )?;
    let to_frame = |[x, y]: [f64; 2]| {
        let x = if frame.flipped_horizontally { 1.0 - x } else { x };
        let y = if frame.flipped_vertically { 1.0 - y } else { y };
        [frame.x + x * frame.width, frame.y + y * frame.height]
    };
    match &shape.picture {
        Some(relation) => write_picture(out, relation, frame)?,
        None => write_path(out, shape, &to_frame)?,
    }
    write_arrows(out, shape, &to_frame)?;
    write_text(out, shape, frame)?;
    out.push_str("</g>");
    Ok(())
}

/// Writes a placeholder for a picture among the shapes; [`embed_pictures`] fills it in.
fn write_picture(out: &mut String, relation: &str, frame: ShapeFrame) -> std::fmt::Result {
    let ShapeFrame { x, y, width, height, .. } = frame;
    let relation = quick_xml::escape::escape(relation);
    write!(
        out,
        "<image x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
         preserveAspectRatio=\"none\" href=\"{RELATION_PREFIX}{relation}\"/>"
    )
}

/// Embeds the pictures into a drawing; `picture` returns the PNG file of a relationship and is called
/// once for each. A missing picture, or one for which there is no space, is skipped.
pub(crate) fn embed_pictures(
    svg: &str,
    mut picture: impl FnMut(&str) -> Option<Vec<u8>>,
) -> String {
    let mut known: HashMap<String, String> = HashMap::new();
    let mark = format!("href=\"{RELATION_PREFIX}");
    let mut parts = svg.split(&mark);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (relation, rest) = part.split_once('"').unwrap_or((part, ""));
        let relation = quick_xml::escape::unescape(relation).unwrap_or_default();
        let png = known.entry(relation.into_owned()).or_insert_with_key(|relation| {
            picture(relation).map(|png| STANDARD.encode(png)).unwrap_or_default()
        });
        let has_room = out.len() + png.len() + svg.len() < MAX_SVG_BYTES;
        let png = if has_room { png.as_str() } else { "" };
        let _ = write!(out, "href=\"data:image/png;base64,{png}\"");
        out.push_str(rest);
    }
    out
}

fn write_path(
    out: &mut String,
    shape: &DrawingShape,
    to_frame: &impl Fn([f64; 2]) -> [f64; 2],
) -> std::fmt::Result {
    out.push_str("<path d=\"");
    for segment in &shape.outline.segments {
        let (letter, points) = match segment {
            OutlineSegment::Move(to) => ('M', &[*to][..]),
            OutlineSegment::Line(to) => ('L', &[*to][..]),
            OutlineSegment::Quad(points) => ('Q', &points[..]),
            OutlineSegment::Cubic(points) => ('C', &points[..]),
            OutlineSegment::Close => ('Z', &[][..]),
        };
        out.push(letter);
        for [x, y] in points.iter().map(|point| to_frame(*point)) {
            write!(out, "{x:.2} {y:.2} ")?;
        }
    }
    let fill = if shape.outline.is_open() { ShapePaint::None } else { shape.fill };
    let dash = if shape.is_dashed { " stroke-dasharray=\"4 3\"" } else { "" };
    let (fill, line, width) = (fill.to_svg_value(), shape.line.to_svg_value(), line_width(shape));
    write!(out, "\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"{width:.2}\"{dash}/>")
}

fn line_width(shape: &DrawingShape) -> f64 {
    shape.line_width.map_or(DEFAULT_LINE_WIDTH, |width| (width / EMU_PER_POINT).clamp(0.25, 20.0))
}

/// Writes the arrowheads of a line.
fn write_arrows(
    out: &mut String,
    shape: &DrawingShape,
    to_frame: &impl Fn([f64; 2]) -> [f64; 2],
) -> std::fmt::Result {
    let ends: Vec<[f64; 2]> =
        shape.outline.segments.iter().filter_map(segment_end).map(to_frame).collect();
    let (ShapePaint::Colour(_), [first, second, ..]) = (shape.line, &ends[..]) else {
        return Ok(());
    };
    let last = [ends[ends.len() - 1], ends[ends.len() - 2]];
    let arrows = [(shape.arrow_at_start, [*first, *second]), (shape.arrow_at_end, last)];
    for (_, [tip, from]) in arrows.into_iter().filter(|(is_drawn, _)| *is_drawn) {
        let (x, y) = (from[0] - tip[0], from[1] - tip[1]);
        let length = x.hypot(y);
        if length > 0.0 {
            let size = (line_width(shape) * 4.0).max(4.0);
            let (x, y) = (x / length * size, y / length * size);
            let side = |turn: f64| (tip[0] + x - turn * y * 0.45, tip[1] + y + turn * x * 0.45);
            let ((ax, ay), (bx, by)) = (side(1.0), side(-1.0));
            let (colour, [tx, ty]) = (shape.line.to_svg_value(), tip);
            write!(
                out,
                "<path d=\"M{tx:.2} {ty:.2} L{ax:.2} {ay:.2} L{bx:.2} {by:.2}Z\" fill=\"{colour}\"/>"
            )?;
        }
    }
    Ok(())
}

fn segment_end(segment: &OutlineSegment) -> Option<[f64; 2]> {
    match segment {
        OutlineSegment::Move(to) | OutlineSegment::Line(to) => Some(*to),
        OutlineSegment::Quad([_, to]) | OutlineSegment::Cubic([_, _, to]) => Some(*to),
        OutlineSegment::Close => None,
    }
}

/// Writes the text, wrapped to the width of the shape.
fn write_text(out: &mut String, shape: &DrawingShape, frame: ShapeFrame) -> std::fmt::Result {
    let is_upright = shape.text_rotation_degrees == 0.0;
    let (width, height) =
        if is_upright { (frame.width, frame.height) } else { (frame.height, frame.width) };
    let mut size = shape.text_size.unwrap_or(DEFAULT_FONT_SIZE);
    let mut lines = wrap_lines(shape, width, size);
    // Styles that are not read may make the text smaller, so it is shrunk until it fits.
    while size > MIN_FONT_SIZE && is_overflowing(&lines, size, width, height) {
        size *= 0.9;
        lines = wrap_lines(shape, width, size);
    }
    if lines.iter().all(String::is_empty) {
        return Ok(());
    }
    let tall = lines.len() as f64 * size * LINE_HEIGHT;
    let (middle_x, middle_y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    let (left, top) = (middle_x - width / 2.0, middle_y - height / 2.0);
    let first = match shape.anchor.as_deref() {
        Some("ctr") => middle_y - tall / 2.0,
        Some("b") => top + height - INSET - tall,
        _ => top + INSET,
    };
    let (x, anchor) = match shape.align.as_deref() {
        Some("center") => (middle_x, "middle"),
        Some("right" | "end") => (left + width - INSET, "end"),
        _ => (left + INSET, "start"),
    };
    let weight = if shape.is_bold { "bold" } else { "normal" };
    let rotation = shape.text_rotation_degrees;
    write!(
        out,
        "<g transform=\"rotate({rotation} {middle_x:.2} {middle_y:.2})\" font-family=\"Arial\" \
         font-size=\"{size:.1}\" font-weight=\"{weight}\" text-anchor=\"{anchor}\">"
    )?;
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = first + (number as f64 * LINE_HEIGHT + 1.0) * size;
        write!(out, "<text x=\"{x:.2}\" y=\"{y:.2}\">{}</text>", quick_xml::escape::escape(line))?;
    }
    out.push_str("</g>");
    Ok(())
}

fn wrap_lines(shape: &DrawingShape, width: f64, size: f64) -> Vec<String> {
    let letters = ((width - 2.0 * INSET) / (size * LETTER_WIDTH)).max(4.0) as usize;
    shape.lines.iter().flat_map(|line| wrap_line(line, letters)).collect()
}

/// Whether text reaches far beyond its shape.
fn is_overflowing(lines: &[String], size: f64, width: f64, height: f64) -> bool {
    let tall = lines.len() as f64 * size * LINE_HEIGHT;
    let letters = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let wide = letters as f64 * size * LETTER_WIDTH;
    tall > height + size * LINE_HEIGHT || wide > width + 2.0 * size
}

/// Lines of at most `max_chars` characters, broken between words; a longer word has its own line.
fn wrap_line(line: &str, max_chars: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_whitespace() {
        let last = lines.last_mut().expect("there is always one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= max_chars {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
