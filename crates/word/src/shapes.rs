//! Shapes drawn in Word (DrawingML and VML: canvases, groups, single shapes) as an SVG picture.
//!
//! The elements of a drawing go by one after the other; places, outlines, lines, fills and words
//! are noted, and at the end a picture is written that `picture` draws like any other. What is not
//! understood becomes a box. ECMA-376 part 1, 20.1 (DrawingML) gives the meaning of the elements;
//! the preset outlines are those that real documents use.

mod outline;
mod paint;
pub(super) mod svg;
#[cfg(test)]
mod tests;
mod vml;

use quick_xml::events::BytesStart;

use super::xml::{attribute, is_on};
use outline::{Outline, Segment};
use paint::{Colour, Paint};

/// Shapes of one drawing.
const MOST_SHAPES: usize = 4000;
/// Points of all outlines of one drawing.
const MOST_POINTS: usize = 200_000;
/// Elements within each other that are looked at.
const DEEPEST: usize = 64;
/// Letters of the words of one shape.
const LONGEST_TEXT: usize = 4000;
/// English metric units of one point of type, and of one inch over 96.
const EMU_OF_POINT: f64 = 12_700.0;
/// A pattern is painted as the mean of its two colours, about.
const PATTERN_SHARE: f64 = 0.35;
/// Largest coordinate that is believed: ten metres.
const LARGEST: f64 = 360_000_000.0;

/// A rectangle in the units of what it lies in.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    /// Clockwise, in degrees.
    turned: f64,
    flipped_across: bool,
    flipped_down: bool,
}

/// Where the children of a group lie: `inner` of theirs is `outer` of the group's own.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    outer: Frame,
    inner: Frame,
}

/// One shape.
#[derive(Debug, Default)]
struct Shape {
    frame: Frame,
    outline: Outline,
    fill: Paint,
    line: Paint,
    /// Width of the line in English metric units.
    line_width: Option<f64>,
    is_dashed: bool,
    arrow_at_start: bool,
    arrow_at_end: bool,
    /// Its words, line by line as they were written.
    lines: Vec<String>,
    /// How long these are, each line break counted as a letter.
    letters: usize,
    /// In points.
    text_size: Option<f64>,
    is_bold: bool,
    /// `left`, `center`, `right`.
    align: Option<String>,
    /// `t`, `ctr`, `b`.
    anchor: Option<String>,
    /// Words that run upwards or downwards, in degrees.
    text_turned: f64,
    /// The relation that leads to the picture that it is.
    picture: Option<String>,
    /// Whether it only keeps room for a picture.
    is_placeholder: bool,
}

/// Gathers the shapes of one drawing.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// The elements that are open, outermost first.
    open: Vec<String>,
    /// Elements that are open and passed over: within too many others, or within extensions.
    passed_over: usize,
    groups: Vec<Group>,
    /// The shape that is open, by its place.
    current: Option<usize>,
    shapes: Vec<Shape>,
    /// Points of outlines so far.
    points: usize,
}

impl Shapes {
    /// Takes the start of an element.
    pub(super) fn enter(&mut self, name: &str, start: &BytesStart<'_>) {
        // Among the extensions are fills and lines that are hidden.
        if self.passed_over > 0 || self.open.len() >= DEEPEST || name == "a:extLst" {
            self.passed_over += 1;
            return;
        }
        match name {
            "wpc:wpc" | "wpg:wgp" | "wpg:grpSp" => self.groups.push(Group::default()),
            "v:group" => {
                let group = vml::group(start, !self.groups.is_empty());
                self.groups.push(group);
            }
            name if vml::is_shape(name) && self.shapes.len() < MOST_SHAPES => {
                self.shapes.push(vml::shape(name, start, !self.groups.is_empty()));
                self.current = Some(self.shapes.len() - 1);
            }
            "wps:wsp" | "dsp:sp" | "pic:pic" if self.shapes.len() < MOST_SHAPES => {
                self.shapes.push(Shape::default());
                self.current = Some(self.shapes.len() - 1);
            }
            // Of diagrams, the place of the words.
            _ if self.is_within("dsp:txXfrm") => {}
            "a:xfrm" | "a:off" | "a:ext" | "a:chOff" | "a:chExt" => self.placed(name, start),
            _ => self.described(name, start),
        }
        self.open.push(name.to_owned());
    }

    /// Takes the end of an element.
    pub(super) fn leave(&mut self, name: &str) {
        if self.passed_over > 0 {
            self.passed_over -= 1;
            return;
        }
        let Some(at) = self.open.iter().rposition(|open| open == name) else { return };
        self.open.truncate(at);
        match name {
            "wpc:wpc" | "wpg:wgp" | "wpg:grpSp" | "v:group" => {
                self.groups.pop();
            }
            "wps:wsp" | "dsp:sp" | "pic:pic" => self.shape_ends(),
            name if vml::is_shape(name) => self.shape_ends(),
            "w:p" | "a:p" => {
                if let Some(shape) = self.shape() {
                    shape.write("\n");
                }
            }
            _ => {}
        }
    }

    /// Takes a piece of text.
    pub(super) fn text(&mut self, text: &str) {
        if let Some(shape) = self.shape() {
            shape.write(text);
        }
    }

    /// Whether there is more to see than pictures.
    pub(super) fn has_own(&self) -> bool {
        self.shapes.iter().any(|shape| shape.picture.is_none() && !shape.is_placeholder)
    }

    /// The drawing as SVG; none where there are no shapes, or they have no size.
    pub(super) fn into_svg(self) -> Option<String> {
        svg::write(&self.shapes)
    }

    fn shape(&mut self) -> Option<&mut Shape> {
        self.current.and_then(|at| self.shapes.get_mut(at))
    }

    fn is_within(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }

    fn parent(&self) -> &str {
        self.open.last().map_or("", String::as_str)
    }

    /// Takes a part of a place: of the open shape, or of a group.
    fn placed(&mut self, name: &str, start: &BytesStart<'_>) {
        let of_group = self.is_within("wpg:grpSpPr");
        let point = || Some((length(start, "x")?, length(start, "y")?));
        let group = self.groups.last_mut();
        let inner = matches!(name, "a:chOff" | "a:chExt");
        let frame = match (of_group, inner) {
            (true, true) => group.map(|group| &mut group.inner),
            (true, false) => group.map(|group| &mut group.outer),
            (false, _) => {
                self.current.and_then(|at| self.shapes.get_mut(at)).map(|shape| &mut shape.frame)
            }
        };
        let Some(frame) = frame else { return };
        match name {
            "a:xfrm" => {
                frame.turned = length(start, "rot").unwrap_or(0.0) / 60_000.0 % 360.0;
                frame.flipped_across = is_set(start, "flipH");
                frame.flipped_down = is_set(start, "flipV");
            }
            "a:off" | "a:chOff" => {
                if let Some(point) = point() {
                    (frame.x, frame.y) = point;
                }
            }
            // Extensions have the same name.
            _ => {
                if let Some(size) = size(start) {
                    (frame.width, frame.height) = size;
                }
            }
        }
    }

    /// Takes what a shape looks like and how its words stand.
    fn described(&mut self, name: &str, start: &BytesStart<'_>) {
        let value = attribute(start, "val");
        let in_line = self.is_within("a:ln");
        let in_text = self.is_within("w:txbxContent");
        let in_words = self.is_within("dsp:txBody");
        let in_outline = self.is_within("a:custGeom");
        let parent = self.parent().to_owned();
        let points = self.points;
        let Some(shape) = self.shape() else { return };
        let relation = match name {
            "a:blip" => attribute(start, "r:embed"),
            "v:imagedata" => attribute(start, "r:id"),
            _ => None,
        };
        if let Some(relation) = relation {
            shape.picture = Some(relation.into_owned());
        }
        if name.starts_with("v:") {
            vml::describe(shape, name, start);
            return;
        }
        if in_text {
            let value = attribute(start, "w:val");
            match name {
                "w:sz" if shape.text_size.is_none() => {
                    let size = value.and_then(|value| value.parse::<f64>().ok());
                    shape.text_size = size.map(|half| (half / 2.0).clamp(1.0, 200.0));
                }
                "w:b" => shape.is_bold |= is_on(start),
                "w:jc" if shape.align.is_none() => shape.align = value.map(|v| v.into_owned()),
                _ => {}
            }
            return;
        }
        if in_outline {
            let taken = shape.outline.take(name, start, MOST_POINTS.saturating_sub(points));
            self.points += taken;
            return;
        }
        match name {
            // Of diagrams, which write their words in DrawingML too.
            "a:pPr" if in_words && shape.align.is_none() => {
                shape.align = attribute(start, "algn").map(|align| match &*align {
                    "ctr" => "center".to_owned(),
                    "r" => "right".to_owned(),
                    _ => "left".to_owned(),
                });
            }
            "a:rPr" if in_words && shape.text_size.is_none() => {
                shape.text_size = length(start, "sz").map(|size| (size / 100.0).clamp(1.0, 200.0));
            }
            "a:bodyPr" if in_words => shape.stands(start),
            _ if in_words => {}
            "a:prstGeom" => {
                shape.outline = Outline::preset(&attribute(start, "prst").unwrap_or_default());
            }
            "a:custGeom" => shape.outline = Outline::own(),
            "a:ln" => shape.line_width = length(start, "w"),
            "a:noFill" if in_line => shape.line = Paint::None,
            "a:noFill" if matches!(&*parent, "wps:spPr" | "dsp:spPr") => shape.fill = Paint::None,
            "a:prstDash" => shape.is_dashed = value.as_deref() != Some("solid"),
            "a:headEnd" => shape.arrow_at_start = is_arrow(start),
            "a:tailEnd" => shape.arrow_at_end = is_arrow(start),
            "a:srgbClr" | "a:schemeClr" | "a:prstClr" | "a:sysClr" => {
                let colour = Colour::named(name, start);
                shape.coloured(colour, in_line, &parent);
            }
            "a:lumMod" | "a:lumOff" | "a:shade" | "a:tint" => {
                let share = value.and_then(|value| value.parse::<f64>().ok()).unwrap_or(100_000.0);
                let paint = if in_line { &mut shape.line } else { &mut shape.fill };
                paint.change(name, (share / 100_000.0).clamp(0.0, 2.0));
            }
            "a:lnRef" | "a:fillRef" => {
                // Index 0 is nothing.
                let paint = if name == "a:lnRef" { &mut shape.line } else { &mut shape.fill };
                if attribute(start, "idx").as_deref() == Some("0") && *paint == Paint::Unsaid {
                    *paint = Paint::None;
                }
            }
            "wps:bodyPr" => shape.stands(start),
            _ => {}
        }
    }

    /// Brings the finished shape from the units of its groups to those of the drawing.
    fn shape_ends(&mut self) {
        let Some(shape) = self.current.take().and_then(|at| self.shapes.get_mut(at)) else {
            return;
        };
        for group in self.groups.iter().rev() {
            shape.frame = group.lifted(shape.frame);
        }
        while shape.lines.last().is_some_and(|line| line.trim().is_empty()) {
            shape.lines.pop();
        }
    }
}

impl Group {
    /// A frame within the group, in the units around the group.
    fn lifted(&self, frame: Frame) -> Frame {
        let (outer, inner) = (&self.outer, &self.inner);
        let (across, down) = (outer.width / inner.width, outer.height / inner.height);
        let (width, height) = (frame.width * across, frame.height * down);
        // Middles, from the middle of the group.
        let mut x = (frame.x + frame.width / 2.0 - inner.x) * across - outer.width / 2.0;
        let mut y = (frame.y + frame.height / 2.0 - inner.y) * down - outer.height / 2.0;
        let mut turned = frame.turned;
        for (flipped, middle) in [(outer.flipped_across, &mut x), (outer.flipped_down, &mut y)] {
            if flipped {
                *middle = -*middle;
                turned = -turned;
            }
        }
        let (sine, cosine) = outer.turned.to_radians().sin_cos();
        (x, y) = (x * cosine - y * sine, x * sine + y * cosine);
        let lifted = Frame {
            x: outer.x + outer.width / 2.0 + x - width / 2.0,
            y: outer.y + outer.height / 2.0 + y - height / 2.0,
            width,
            height,
            turned: turned + outer.turned,
            flipped_across: frame.flipped_across != outer.flipped_across,
            flipped_down: frame.flipped_down != outer.flipped_down,
        };
        // A group that does not say how it stretches leaves its children as they are.
        if lifted.is_believable() { lifted } else { frame }
    }
}

impl Frame {
    fn is_believable(&self) -> bool {
        let Self { x, y, width, height, turned, .. } = *self;
        let sizes = [x, y, width, height].iter().all(|size| size.abs() <= LARGEST);
        sizes && turned.is_finite()
    }
}

impl Shape {
    /// Takes how the words stand in the shape.
    fn stands(&mut self, start: &BytesStart<'_>) {
        self.anchor = attribute(start, "anchor").map(|anchor| anchor.into_owned());
        self.text_turned = match attribute(start, "vert").as_deref() {
            Some("vert270") => -90.0,
            Some("vert" | "eaVert") => 90.0,
            _ => 0.0,
        };
    }

    /// Adds text, as long as there is room.
    fn write(&mut self, text: &str) {
        self.letters = self.letters.saturating_add(text.len());
        if self.letters > LONGEST_TEXT {
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

    /// Takes a colour where it stands: in a line, in a fill, or in what the style says of both.
    fn coloured(&mut self, colour: Colour, in_line: bool, parent: &str) {
        let paint = match parent {
            "a:lnRef" if self.line == Paint::Unsaid => &mut self.line,
            "a:fillRef" if self.fill == Paint::Unsaid => &mut self.fill,
            "a:lnRef" | "a:fillRef" | "a:effectRef" | "a:fontRef" => return,
            _ if in_line => &mut self.line,
            "a:solidFill" | "a:gs" | "a:fgClr" => &mut self.fill,
            _ => return,
        };
        // Of several colours, as a gradient has, the first counts.
        if !matches!(paint, Paint::Colour(_)) || parent == "a:solidFill" {
            *paint = Paint::Colour(colour);
            if parent == "a:fgClr" {
                paint.change("a:tint", PATTERN_SHARE);
            }
        }
    }
}

fn is_arrow(start: &BytesStart<'_>) -> bool {
    attribute(start, "type").is_some_and(|kind| &*kind != "none")
}

fn is_set(start: &BytesStart<'_>, key: &str) -> bool {
    attribute(start, key).is_some_and(|value| matches!(&*value, "1" | "true"))
}

/// A length or a coordinate, as far as it is believed.
fn length(start: &BytesStart<'_>, key: &str) -> Option<f64> {
    let value = attribute(start, key)?.trim().parse::<f64>().ok()?;
    (value.abs() <= LARGEST).then_some(value)
}

fn size(start: &BytesStart<'_>) -> Option<(f64, f64)> {
    Some((length(start, "cx")?.max(0.0), length(start, "cy")?.max(0.0)))
}
