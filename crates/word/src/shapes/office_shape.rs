//! Shapes as Word 97 files have them ([MS-ODRAW] 2.3, properties of shapes).

use std::collections::HashMap;

use super::{
    DrawingShape, EMU_PER_TWIP, MAX_POINTS, MAX_SHAPES, ShapeFrame, ShapeGroup,
    outline::{OutlineSegment, ShapeOutline},
    paint::{Colour, ShapePaint},
    preset::office_preset,
    svg,
};

/// Options, by their numbers in [MS-ODRAW].
const ROTATION: u16 = 0x0004;
const PICTURE: u16 = 0x0104;
const GEOMETRY_EDGES: [u16; 4] = [0x0140, 0x0141, 0x0142, 0x0143];
const SHAPE_PATH: u16 = 0x0144;
const VERTICES: u16 = 0x0145;
const SEGMENTS: u16 = 0x0146;
const TEXT_ANCHOR: u16 = 0x0087;
const TEXT_FLOW: u16 = 0x0088;
const FILL_COLOUR: u16 = 0x0181;
const FILL_OPACITY: u16 = 0x0182;
const FILL_FLAGS: u16 = 0x01BF;
const LINE_COLOUR: u16 = 0x01C0;
const LINE_WIDTH: u16 = 0x01CB;
const LINE_DASHES: u16 = 0x01CE;
const ARROW_AT_START: u16 = 0x01D0;
const ARROW_AT_END: u16 = 0x01D1;
const LINE_FLAGS: u16 = 0x01FF;
const SHAPE_FLAGS: u16 = 0x03BF;
/// Bits of flags: that a shape has a fill, or a line. The bit sixteen bits above says whether the bit counts.
const HAS_FILL: u32 = 0x10;
const HAS_LINE: u32 = 0x08;
const IS_HIDDEN: u32 = 0x02;
const COUNTS_SHIFT: u32 = 16;
/// Minimum opacity of a fill that is painted, 0x10000 being 1.0. Fills are painted opaque, so that a lighter one would
/// hide what is below it.
const MIN_OPACITY: u32 = 0x8000;
/// Flags of a shape.
const IS_DELETED: u32 = 0x08;
const IS_FLIPPED_HORIZONTALLY: u32 = 0x40;
const IS_FLIPPED_VERTICALLY: u32 = 0x80;
const IS_BACKGROUND: u32 = 0x400;
/// Types of shapes, [MS-ODRAW] 2.4.24.
const NOT_PRIMITIVE: u16 = 0;
const PICTURE_FRAME: u16 = 75;
const TEXT_BOX: u16 = 202;
/// The edge of the coordinates of a path that specifies none: the default of [MS-ODRAW].
const DEFAULT_GEOMETRY_EDGE: f64 = 21_600.0;
/// Units of an angle in a degree: sixteen bits are the fraction.
const ANGLE_UNITS_PER_DEGREE: f64 = 65_536.0;
/// Bits of a colour that is a number in a palette, a scheme or the system instead of red, green and blue.
const INDEXED_COLOUR: u32 = 0x1900_0000;

/// A rectangle by its edges.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct ShapeBounds {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// A shape, or a group with the shapes in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct OfficeShape {
    /// Its number in the file.
    pub name: u32,
    /// Its type (MSOSPT).
    pub kind: u16,
    pub flags: u32,
    /// Options by name.
    pub options: HashMap<u16, u32>,
    /// Data of options by name.
    pub data: HashMap<u16, Vec<u8>>,
    /// Its position in its group.
    pub anchor: Option<ShapeBounds>,
    /// The coordinates of the shapes in it; `None` if it is not a group.
    pub group_bounds: Option<ShapeBounds>,
    pub children: Vec<OfficeShape>,
}

/// Shapes as a drawing.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ShapeSketch {
    /// As SVG, pictures by their names; `None` if there are only pictures.
    pub svg: Option<String>,
    /// The words in it, shape by shape.
    pub words: Vec<String>,
    /// The names of its pictures.
    pub media: Vec<String>,
}

impl OfficeShape {
    /// The number of the picture that it shows, from 1.
    pub(crate) fn picture_number(&self) -> Option<usize> {
        self.options.get(&PICTURE).map(|number| *number as usize)
    }

    /// The drawing of a shape in `bounds` on the page, in twentieths of a point. `picture` returns the
    /// name of a picture by its number, `text` the lines in a shape.
    pub(crate) fn to_sketch(
        &self,
        bounds: ShapeBounds,
        picture: &mut impl FnMut(usize) -> Option<String>,
        text: &impl Fn(&OfficeShape) -> Option<String>,
    ) -> ShapeSketch {
        let mut sketcher = Sketcher { shapes: Vec::new(), points: 0, picture, text };
        let to_emu = |edge: f64| edge * EMU_PER_TWIP;
        let bounds = ShapeBounds {
            left: to_emu(bounds.left),
            top: to_emu(bounds.top),
            right: to_emu(bounds.right),
            bottom: to_emu(bounds.bottom),
        };
        sketcher.add(self, bounds, &mut Vec::new());
        let shapes = sketcher.shapes;
        let media = shapes.iter().filter_map(|shape| shape.picture.clone()).collect();
        let words = shapes.iter().map(|shape| shape.lines.join(" "));
        let words = words.filter(|words| !words.trim().is_empty()).collect();
        let has_own = shapes.iter().any(|shape| shape.picture.is_none() && !shape.is_placeholder);
        let svg = if has_own { svg::write_svg(&shapes) } else { None };
        ShapeSketch { svg, words, media }
    }

    fn frame(&self, bounds: ShapeBounds) -> ShapeFrame {
        let rotation = self.options.get(&ROTATION).map_or(0, |value| *value as i32);
        let rotation_degrees = (f64::from(rotation) / ANGLE_UNITS_PER_DEGREE) % 360.0;
        let (mut width, mut height) =
            ((bounds.right - bounds.left).abs(), (bounds.bottom - bounds.top).abs());
        let (middle_x, middle_y) =
            ((bounds.left + bounds.right) / 2.0, (bounds.top + bounds.bottom) / 2.0);
        // The bounds of a shape that lies on its side are its bounds after the rotation.
        if matches!(rotation_degrees.rem_euclid(180.0), 45.0..135.0) {
            (width, height) = (height, width);
        }
        ShapeFrame {
            x: middle_x - width / 2.0,
            y: middle_y - height / 2.0,
            width,
            height,
            rotation_degrees,
            flipped_horizontally: self.flags & IS_FLIPPED_HORIZONTALLY != 0,
            flipped_vertically: self.flags & IS_FLIPPED_VERTICALLY != 0,
        }
    }

    /// Whether a flag of an option is set; `None` if the option does not say.
    fn flag(&self, option: u16, bit: u32) -> Option<bool> {
        let value = self.options.get(&option)?;
        (value & bit << COUNTS_SHIFT != 0).then_some(value & bit != 0)
    }

    fn paint(&self, colour: u16, is_painted: bool, default: [f64; 3]) -> ShapePaint {
        if !is_painted {
            return ShapePaint::None;
        }
        let stored = self.options.get(&colour).filter(|value| **value & INDEXED_COLOUR == 0);
        let parts = stored.map(|value| {
            let [red, green, blue, _] = value.to_le_bytes();
            [red, green, blue].map(f64::from)
        });
        ShapePaint::Colour(Colour(parts.unwrap_or(default)))
    }

    fn is_set(&self, option: u16) -> bool {
        self.options.get(&option).is_some_and(|value| *value != 0)
    }

    /// Its outline: a path of its own, or the path of its type.
    fn outline(&self, max_points: usize) -> ShapeOutline {
        let own = (self.kind == NOT_PRIMITIVE).then(|| self.own_path(max_points)).flatten();
        match own {
            Some(segments) => ShapeOutline::from_segments(segments),
            None => ShapeOutline::from_preset(office_preset(self.kind)),
        }
    }

    /// The path that its data describe; `None` if formulas place its points.
    fn own_path(&self, max_points: usize) -> Option<Vec<OutlineSegment>> {
        let edge = |index: usize, default: f64| {
            let value = self.options.get(&GEOMETRY_EDGES[index]);
            value.map_or(default, |value| f64::from(*value as i32))
        };
        let (left, top) = (edge(0, 0.0), edge(1, 0.0));
        let width = edge(2, DEFAULT_GEOMETRY_EDGE) - left;
        let height = edge(3, DEFAULT_GEOMETRY_EDGE) - top;
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        let to_share = |[x, y]: [f64; 2]| [(x - left) / width, (y - top) / height];
        let points = read_points(self.data.get(&VERTICES)?).take(max_points);
        let points: Vec<[f64; 2]> =
            points.map(|point| point.map(to_share)).collect::<Option<_>>()?;
        match self.data.get(&SEGMENTS) {
            Some(segments) => Some(apply_segments(&points, segments, max_points)),
            None => Some(join_points(&points, self.options.get(&SHAPE_PATH).copied())),
        }
    }
}

/// Collects the shapes of a drawing.
struct Sketcher<'a, P, T> {
    shapes: Vec<DrawingShape>,
    points: usize,
    picture: &'a mut P,
    text: &'a T,
}

impl<P, T> Sketcher<'_, P, T>
where
    P: FnMut(usize) -> Option<String>,
    T: Fn(&OfficeShape) -> Option<String>,
{
    /// Adds a shape, or the shapes of a group; `groups` are the groups around it, outermost first.
    fn add(&mut self, shape: &OfficeShape, bounds: ShapeBounds, groups: &mut Vec<ShapeGroup>) {
        let is_left_out = shape.flags & (IS_DELETED | IS_BACKGROUND) != 0
            || shape.flag(SHAPE_FLAGS, IS_HIDDEN) == Some(true);
        if self.shapes.len() >= MAX_SHAPES || is_left_out {
            return;
        }
        let inner = match shape.group_bounds {
            Some(inner) if !shape.children.is_empty() => inner,
            _ => return self.add_single(shape, bounds, groups),
        };
        let inner = ShapeFrame {
            x: inner.left,
            y: inner.top,
            width: inner.right - inner.left,
            height: inner.bottom - inner.top,
            ..ShapeFrame::default()
        };
        groups.push(ShapeGroup { outer: shape.frame(bounds), inner });
        for child in &shape.children {
            if let Some(anchor) = child.anchor {
                self.add(child, anchor, groups);
            }
        }
        groups.pop();
    }

    fn add_single(&mut self, shape: &OfficeShape, bounds: ShapeBounds, groups: &[ShapeGroup]) {
        let mut frame = shape.frame(bounds);
        for group in groups.iter().rev() {
            frame = group.to_outer_frame(frame);
        }
        let is_picture_frame = shape.kind == PICTURE_FRAME;
        let mut drawn = DrawingShape { frame, ..DrawingShape::default() };
        drawn.picture = shape.picture_number().and_then(|number| (self.picture)(number));
        drawn.is_placeholder = is_picture_frame;
        if !is_picture_frame && drawn.picture.is_none() {
            drawn.outline = shape.outline(MAX_POINTS.saturating_sub(self.points));
            self.points += drawn.outline.segments.len();
            let is_opaque =
                shape.options.get(&FILL_OPACITY).is_none_or(|opacity| *opacity >= MIN_OPACITY);
            let has_fill = is_opaque && shape.flag(FILL_FLAGS, HAS_FILL).unwrap_or(true);
            let has_line = shape.flag(LINE_FLAGS, HAS_LINE).unwrap_or(true);
            drawn.fill = shape.paint(FILL_COLOUR, has_fill, [255.0; 3]);
            drawn.line = shape.paint(LINE_COLOUR, has_line, [0.0; 3]);
            drawn.line_width = shape.options.get(&LINE_WIDTH).map(|width| f64::from(*width));
            drawn.is_dashed = shape.is_set(LINE_DASHES);
            drawn.arrow_at_start = shape.is_set(ARROW_AT_START);
            drawn.arrow_at_end = shape.is_set(ARROW_AT_END);
        }
        if let Some(text) = (self.text)(shape) {
            drawn.push_text(text.trim_end());
            // Text in shapes other than text boxes is in their middle.
            let is_box = shape.kind == TEXT_BOX;
            drawn.align = (!is_box).then(|| "center".to_owned());
            drawn.anchor = match shape.options.get(&TEXT_ANCHOR) {
                Some(1 | 4) => Some("ctr".to_owned()),
                Some(2 | 5) => Some("b".to_owned()),
                _ => None,
            };
            drawn.text_rotation_degrees = match shape.options.get(&TEXT_FLOW) {
                Some(2) => -90.0,
                Some(1 | 3 | 5) => 90.0,
                _ => 0.0,
            };
        }
        self.shapes.push(drawn);
    }
}

/// [MS-ODRAW] 2.2.51: elements of an array; coordinates of two or of four bytes each. `None` for a point that a formula
/// places.
fn read_points(array: &[u8]) -> impl Iterator<Item = Option<[f64; 2]>> {
    const HEADER_BYTES: usize = 6;
    const FORMULA: i32 = i32::MIN;
    let size = u16::from_le_bytes([
        array.get(4).copied().unwrap_or(0),
        array.get(5).copied().unwrap_or(0),
    ]);
    let width = if size == 8 { 8 } else { 4 };
    let elements = array.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(width);
    elements.map(move |element| {
        let (x, y) = element.split_at(width / 2);
        let part = |bytes: &[u8]| match *bytes {
            [low, high] => i32::from(i16::from_le_bytes([low, high])),
            [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
        let (x, y) = (part(x), part(y));
        let is_plain = |value: i32| value >= 0 || value > FORMULA / 2;
        (is_plain(x) && is_plain(y)).then(|| [f64::from(x), f64::from(y)])
    })
}

/// [MS-ODRAW] 2.2.55: what is done with the points, one number after the other.
fn apply_segments(points: &[[f64; 2]], array: &[u8], max_segments: usize) -> Vec<OutlineSegment> {
    const HEADER_BYTES: usize = 6;
    const LINES: u16 = 0;
    const CURVES: u16 = 1;
    const MOVE: u16 = 2;
    const CLOSE: u16 = 3;
    const ESCAPE: u16 = 5;
    const COUNT: u16 = 0x1FFF;
    const ESCAPED_POINTS: u16 = 0xFF;
    let mut points = points.iter().copied();
    let mut segments = Vec::new();
    let commands = array.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(2);
    for command in commands {
        let command = u16::from_le_bytes([command[0], command[1]]);
        let count = usize::from(command & COUNT).max(1);
        match command >> 13 {
            LINES => segments.extend(points.by_ref().take(count).map(OutlineSegment::Line)),
            CURVES => {
                for _ in 0..count {
                    let next = [points.next(), points.next(), points.next()];
                    let [Some(first), Some(second), Some(to)] = next else { break };
                    segments.push(OutlineSegment::Cubic([first, second, to]));
                }
            }
            ESCAPE => drop(points.by_ref().take(usize::from(command & ESCAPED_POINTS)).count()),
            MOVE => segments.extend(points.next().map(OutlineSegment::Move)),
            CLOSE => segments.push(OutlineSegment::Close),
            _ => {}
        }
        if segments.len() >= max_segments {
            break;
        }
    }
    if !matches!(segments.first(), Some(OutlineSegment::Move(_)) | None) {
        segments.insert(0, OutlineSegment::Move([0.0, 0.0]));
    }
    // Some programs end areas at their beginning without closing them, so that they would be lines without a fill.
    let ends = (segments.first(), segments.last());
    if let (Some(OutlineSegment::Move(start)), Some(OutlineSegment::Line(end))) = ends
        && start == end
    {
        segments.push(OutlineSegment::Close);
    }
    segments
}

/// Points without commands: lines or curves, closed or not, according to the value of the option (MSOSHAPEPATH).
fn join_points(points: &[[f64; 2]], path: Option<u32>) -> Vec<OutlineSegment> {
    let [first, rest @ ..] = points else { return Vec::new() };
    let mut segments = vec![OutlineSegment::Move(*first)];
    match path {
        Some(2 | 3) => {
            segments.extend(rest.as_chunks::<3>().0.iter().copied().map(OutlineSegment::Cubic));
        }
        _ => segments.extend(rest.iter().copied().map(OutlineSegment::Line)),
    }
    if !matches!(path, Some(0 | 2)) {
        segments.push(OutlineSegment::Close);
    }
    segments
}
