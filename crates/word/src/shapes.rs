//! Shapes drawn in Word (DrawingML and VML: canvases, groups, single shapes) as an SVG picture.
//!
//! The elements of a drawing are read one after another; frames, outlines, lines, fills and text are
//! collected and written as an SVG, which `picture` draws like any other. What is not understood becomes
//! a box. ECMA-376 part 1, 20.1 (DrawingML) gives the meaning of the elements;
//! the preset outlines are those that real documents use.

mod appearance;
pub(super) mod office_shape;
mod outline;
mod paint;
mod preset;
pub(super) mod svg;
#[cfg(test)]
mod tests;
mod vml;

use quick_xml::events::BytesStart;

use super::xml::attribute_value;
use document::PrintedSize;
use outline::{OutlineSegment, ShapeOutline};
use paint::ShapePaint;

/// Maximum number of shapes of one drawing; further shapes are left out.
const MAX_SHAPES: usize = 4000;
/// Maximum number of points of all outlines of one drawing. They take 3 MB of SVG; `picture` draws up to 8 MiB.
const MAX_POINTS: usize = 200_000;
/// Maximum nesting of elements: the names of all open elements are searched at each one.
const MAX_NESTING: usize = 64;
/// Maximum bytes of the text of one shape, which is wrapped again for each size until it fits.
const MAX_TEXT_BYTES: usize = 4000;
/// English metric units (EMU) of one point.
const EMU_PER_POINT: f64 = 12_700.0;
/// English metric units in a twentieth of a point.
const EMU_PER_TWIP: f64 = EMU_PER_POINT / 20.0;
/// No picture on a page is larger, in points; a page of Word has at most 1,584.
const MAX_PICTURE_POINTS: f64 = 4000.0;
/// Largest plausible coordinate in English metric units: ten metres. A shape further away would shrink all others to
/// nothing.
const MAX_COORDINATE: f64 = 360_000_000.0;
/// Units of an angle (`ST_Angle`) of one degree.
const ANGLE_UNITS_PER_DEGREE: f64 = 60_000.0;

/// A rectangle in the coordinates of what contains it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ShapeFrame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// Clockwise.
    rotation_degrees: f64,
    flipped_horizontally: bool,
    flipped_vertically: bool,
}

/// The coordinate system of a group: `inner` in the coordinates of its children is `outer` in the coordinates
/// around the group.
#[derive(Debug, Clone, Copy, Default)]
struct ShapeGroup {
    outer: ShapeFrame,
    inner: ShapeFrame,
}

/// One shape.
#[derive(Debug, Default)]
struct DrawingShape {
    frame: ShapeFrame,
    outline: ShapeOutline,
    fill: ShapePaint,
    line: ShapePaint,
    /// Width of the line in English metric units.
    line_width: Option<f64>,
    is_dashed: bool,
    arrow_at_start: bool,
    arrow_at_end: bool,
    /// The lines of its text.
    lines: Vec<String>,
    /// Bytes of all its text, line breaks and what was dropped included.
    text_bytes: usize,
    /// In points.
    text_size: Option<f64>,
    is_bold: bool,
    /// `left`, `center`, `right`.
    align: Option<String>,
    /// `t`, `ctr`, `b`.
    anchor: Option<String>,
    /// Rotation of text that runs upwards or downwards.
    text_rotation_degrees: f64,
    /// The relationship of the picture that fills the shape.
    picture: Option<String>,
    /// Whether it is only a placeholder for a picture.
    is_placeholder: bool,
}

/// Collects the shapes of one drawing.
#[derive(Debug, Default)]
pub(super) struct ShapeCollector {
    /// The elements that are open, outermost first.
    open: Vec<String>,
    /// Open elements that are skipped: nested too deeply, or within extensions.
    skipped_depth: usize,
    groups: Vec<ShapeGroup>,
    /// The index of the open shape.
    current: Option<usize>,
    shapes: Vec<DrawingShape>,
    /// Points of outlines so far.
    points: usize,
}

impl ShapeCollector {
    /// Handles the start of an element.
    pub(super) fn start_element(&mut self, name: &str, start: &BytesStart<'_>) {
        // Extensions contain hidden fills and lines.
        if self.skipped_depth > 0 || self.open.len() >= MAX_NESTING || name == "a:extLst" {
            self.skipped_depth += 1;
            return;
        }
        match name {
            "wpc:wpc" | "wpg:wgp" | "wpg:grpSp" => self.groups.push(ShapeGroup::default()),
            "v:group" => {
                let group = vml::parse_group(start, !self.groups.is_empty());
                self.groups.push(group);
            }
            name if vml::is_shape(name) && self.shapes.len() < MAX_SHAPES => {
                self.shapes.push(vml::parse_shape(name, start, !self.groups.is_empty()));
                self.current = Some(self.shapes.len() - 1);
            }
            "wps:wsp" | "dsp:sp" | "pic:pic" if self.shapes.len() < MAX_SHAPES => {
                self.shapes.push(DrawingShape::default());
                self.current = Some(self.shapes.len() - 1);
            }
            // In diagrams this is the frame of the text, not of the shape.
            _ if self.is_within("dsp:txXfrm") => {}
            "a:xfrm" | "a:off" | "a:ext" | "a:chOff" | "a:chExt" => {
                self.apply_transform(name, start)
            }
            _ => self.apply_appearance(name, start),
        }
        self.open.push(name.to_owned());
    }

    /// Handles the end of an element.
    pub(super) fn end_element(&mut self, name: &str) {
        if self.skipped_depth > 0 {
            self.skipped_depth -= 1;
            return;
        }
        let Some(index) = self.open.iter().rposition(|open| open == name) else { return };
        self.open.truncate(index);
        match name {
            "wpc:wpc" | "wpg:wgp" | "wpg:grpSp" | "v:group" => {
                self.groups.pop();
            }
            "wps:wsp" | "dsp:sp" | "pic:pic" => self.close_shape(),
            name if vml::is_shape(name) => self.close_shape(),
            "w:p" | "a:p" => {
                if let Some(shape) = self.current_shape() {
                    shape.push_text("\n");
                }
            }
            _ => {}
        }
    }

    /// Adds text to the open shape.
    pub(super) fn push_text(&mut self, text: &str) {
        if let Some(shape) = self.current_shape() {
            shape.push_text(text);
        }
    }

    /// Whether there are shapes other than pictures.
    pub(super) fn has_own_shapes(&self) -> bool {
        self.shapes.iter().any(|shape| shape.picture.is_none() && !shape.is_placeholder)
    }

    /// The drawing as SVG; `None` if there are no shapes, or they have no size.
    pub(super) fn into_svg(self) -> Option<String> {
        svg::write_svg(&self.shapes)
    }

    fn current_shape(&mut self) -> Option<&mut DrawingShape> {
        self.current.and_then(|index| self.shapes.get_mut(index))
    }

    fn is_within(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }

    fn parent_name(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    /// Applies a part of a frame: of the open shape, or of a group.
    fn apply_transform(&mut self, name: &str, start: &BytesStart<'_>) {
        let of_group = self.is_within("wpg:grpSpPr");
        let point = || Some((parse_length(start, "x")?, parse_length(start, "y")?));
        let group = self.groups.last_mut();
        let inner = matches!(name, "a:chOff" | "a:chExt");
        let frame = match (of_group, inner) {
            (true, true) => group.map(|group| &mut group.inner),
            (true, false) => group.map(|group| &mut group.outer),
            (false, _) => self
                .current
                .and_then(|index| self.shapes.get_mut(index))
                .map(|shape| &mut shape.frame),
        };
        let Some(frame) = frame else { return };
        match name {
            "a:xfrm" => {
                frame.rotation_degrees =
                    parse_length(start, "rot").unwrap_or(0.0) / ANGLE_UNITS_PER_DEGREE % 360.0;
                frame.flipped_horizontally = is_flag_set(start, "flipH");
                frame.flipped_vertically = is_flag_set(start, "flipV");
            }
            "a:off" | "a:chOff" => {
                if let Some(point) = point() {
                    (frame.x, frame.y) = point;
                }
            }
            // `a:ext` and `a:chExt`; extensions of the format are also called `a:ext`.
            _ => {
                if let Some(size) = parse_size(start) {
                    (frame.width, frame.height) = size;
                }
            }
        }
    }

    /// Applies an element of a shape's appearance or of the formatting of its text.
    fn apply_appearance(&mut self, name: &str, start: &BytesStart<'_>) {
        let in_line = self.is_within("a:ln");
        let in_text_box = self.is_within("w:txbxContent");
        let in_diagram_text = self.is_within("dsp:txBody");
        let in_outline = self.is_within("a:custGeom");
        let parent = self.parent_name().to_owned();
        let free_points = MAX_POINTS.saturating_sub(self.points);
        let Some(shape) = self.current_shape() else { return };
        let relation = match name {
            "a:blip" => attribute_value(start, "r:embed"),
            "v:imagedata" => attribute_value(start, "r:id"),
            _ => None,
        };
        if let Some(relation) = relation {
            shape.picture = Some(relation.into_owned());
        }
        if name.starts_with("v:") {
            vml::apply_element(shape, name, start);
        } else if in_text_box {
            shape.apply_text_box_property(name, start);
        } else if in_outline {
            let added = shape.outline.apply_path_element(name, start, free_points);
            self.points += added;
        } else if in_diagram_text {
            shape.apply_diagram_text_property(name, start);
        } else {
            shape.apply_drawing_property(name, start, in_line, &parent);
        }
    }

    /// Closes the shape and converts its frame from the units of its groups to the units of the drawing.
    fn close_shape(&mut self) {
        let Some(shape) = self.current.take().and_then(|index| self.shapes.get_mut(index)) else {
            return;
        };
        for group in self.groups.iter().rev() {
            shape.frame = group.to_outer_frame(shape.frame);
        }
        while shape.lines.last().is_some_and(|line| line.trim().is_empty()) {
            shape.lines.pop();
        }
    }
}

impl ShapeGroup {
    /// A frame within the group, in the units around the group.
    fn to_outer_frame(self, frame: ShapeFrame) -> ShapeFrame {
        let (outer, inner) = (&self.outer, &self.inner);
        // A group that does not say how large the coordinates of its children are moves them and does not scale them:
        // LibreOffice writes its groups so.
        let scale = |outer: f64, inner: f64| if inner == 0.0 { 1.0 } else { outer / inner };
        let (across, down) = (scale(outer.width, inner.width), scale(outer.height, inner.height));
        let (width, height) = (frame.width * across, frame.height * down);
        // Centres, relative to the centre of the group.
        let mut x = (frame.x + frame.width / 2.0 - inner.x) * across - outer.width / 2.0;
        let mut y = (frame.y + frame.height / 2.0 - inner.y) * down - outer.height / 2.0;
        let mut rotation_degrees = frame.rotation_degrees;
        for (flipped, middle) in
            [(outer.flipped_horizontally, &mut x), (outer.flipped_vertically, &mut y)]
        {
            if flipped {
                *middle = -*middle;
                rotation_degrees = -rotation_degrees;
            }
        }
        let (sine, cosine) = outer.rotation_degrees.to_radians().sin_cos();
        (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        let outer_frame = ShapeFrame {
            x: outer.x + outer.width / 2.0 + x - width / 2.0,
            y: outer.y + outer.height / 2.0 + y - height / 2.0,
            width,
            height,
            rotation_degrees: rotation_degrees + outer.rotation_degrees,
            flipped_horizontally: frame.flipped_horizontally != outer.flipped_horizontally,
            flipped_vertically: frame.flipped_vertically != outer.flipped_vertically,
        };
        if outer_frame.is_plausible() { outer_frame } else { frame }
    }
}

impl ShapeFrame {
    fn is_plausible(&self) -> bool {
        let Self { x, y, width, height, rotation_degrees, .. } = *self;
        let sizes = [x, y, width, height].iter().all(|size| size.abs() <= MAX_COORDINATE);
        sizes && rotation_degrees.is_finite()
    }
}

impl DrawingShape {
    /// Adds text, up to the limit.
    fn push_text(&mut self, text: &str) {
        self.text_bytes = self.text_bytes.saturating_add(text.len());
        if self.text_bytes > MAX_TEXT_BYTES {
            return;
        }
        let mut parts = text.split('\n');
        let first = parts.next().unwrap_or_default();
        match self.lines.last_mut() {
            Some(line) => line.push_str(first),
            None => self.lines.push(first.to_owned()),
        }
        self.lines.extend(parts.map(str::to_owned));
    }
}

fn is_flag_set(start: &BytesStart<'_>, key: &str) -> bool {
    attribute_value(start, key).is_some_and(|value| matches!(&*value, "1" | "true"))
}

/// A length or a coordinate, if it is plausible.
fn parse_length(start: &BytesStart<'_>, key: &str) -> Option<f64> {
    let value = attribute_value(start, key)?.trim().parse::<f64>().ok()?;
    (value.abs() <= MAX_COORDINATE).then_some(value)
}

fn parse_size(start: &BytesStart<'_>) -> Option<(f64, f64)> {
    Some((parse_length(start, "cx")?.max(0.0), parse_length(start, "cy")?.max(0.0)))
}

/// The size of a shape in VML on the page.
pub(super) fn vml_size(start: &BytesStart<'_>) -> Option<PrintedSize> {
    let frame = vml::parse_frame(start, false);
    to_printed_size(frame.width, frame.height)
}

/// The size that `wp:extent` gives a drawing on the page.
pub(super) fn drawing_size(start: &BytesStart<'_>) -> Option<PrintedSize> {
    let length = |key| attribute_value(start, key).and_then(|value| value.trim().parse().ok());
    to_printed_size(length("cx")?, length("cy")?)
}

/// A size in English metric units, if a picture can have it.
fn to_printed_size(width: f64, height: f64) -> Option<PrintedSize> {
    let is_plausible =
        |length: f64| (EMU_PER_TWIP..=MAX_PICTURE_POINTS * EMU_PER_POINT).contains(&length);
    let twips = |length: f64| (length / EMU_PER_TWIP).round() as u32;
    (is_plausible(width) && is_plausible(height))
        .then(|| PrintedSize { width: twips(width), height: twips(height) })
}
