//! Shapes in VML, as Word wrote them before 2010 and writes them in compatibility mode.
//!
//! ECMA-376 part 4, 19.1 gives the meaning of attributes and of the style, which is that of style
//! sheets. Lengths within a group are in the group's own units, others carry theirs.

use quick_xml::events::BytesStart;

use super::{
    EMU_OF_POINT, Frame, Group, LARGEST, Shape,
    outline::Outline,
    paint::{Colour, Paint},
};
use crate::xml::attribute;

/// Units of a group that does not say how many it has.
const USUAL_UNITS: f64 = 1000.0;
/// A pixel of a style sheet, in points.
const POINTS_OF_PIXEL: f64 = 0.75;

/// Whether an element is a shape.
pub(super) fn is_shape(name: &str) -> bool {
    matches!(
        name,
        "v:rect"
            | "v:roundrect"
            | "v:oval"
            | "v:line"
            | "v:polyline"
            | "v:shape"
            | "v:arc"
            | "v:curve"
    )
}

/// A group; `is_within` another one.
pub(super) fn group(start: &BytesStart<'_>, is_within: bool) -> Group {
    let pair = |key, usual: f64| {
        let text = attribute(start, key).unwrap_or_default();
        let mut numbers = text.split(',').map(|part| number(part).unwrap_or(usual));
        (numbers.next().unwrap_or(usual), numbers.next().unwrap_or(usual))
    };
    let ((x, y), (width, height)) = (pair("coordorigin", 0.0), pair("coordsize", USUAL_UNITS));
    let inner = Frame { x, y, width, height, ..Frame::default() };
    Group { outer: framed(start, is_within), inner }
}

/// A shape as its element describes it.
pub(super) fn shape(name: &str, start: &BytesStart<'_>, is_within: bool) -> Shape {
    let mut shape = Shape {
        frame: framed(start, is_within),
        outline: Outline::preset(preset(name, start)),
        fill: Paint::Colour(Colour([255.0; 3])),
        line: Paint::Colour(Colour([0.0; 3])),
        ..Shape::default()
    };
    shape.is_placeholder = attribute(start, "type").is_some_and(|kind| kind.ends_with("_t75"));
    if shape.is_placeholder {
        (shape.fill, shape.line) = (Paint::None, Paint::None);
        return shape;
    }
    if name == "v:line" {
        let end = |key| {
            let text = attribute(start, key).unwrap_or_default();
            let mut numbers = text.split(',').map(|part| length(part, is_within).unwrap_or(0.0));
            (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0))
        };
        let ((ax, ay), (bx, by)) = (end("from"), end("to"));
        shape.frame = Frame {
            x: ax.min(bx),
            y: ay.min(by),
            width: (ax - bx).abs(),
            height: (ay - by).abs(),
            flipped_across: bx < ax,
            flipped_down: by < ay,
            turned: 0.0,
        };
    }
    if let Some(colour) = attribute(start, "fillcolor").and_then(|value| Colour::of_page(&value)) {
        shape.fill = Paint::Colour(colour);
    }
    if let Some(colour) = attribute(start, "strokecolor").and_then(|value| Colour::of_page(&value))
    {
        shape.line = Paint::Colour(colour);
    }
    if is_off(start, "filled") {
        shape.fill = Paint::None;
    }
    if is_off(start, "stroked") {
        shape.line = Paint::None;
    }
    shape.line_width = attribute(start, "strokeweight").and_then(|value| length(&value, false));
    shape
}

/// Takes an element within a shape that says how it looks.
pub(super) fn describe(shape: &mut Shape, name: &str, start: &BytesStart<'_>) {
    match name {
        "v:stroke" => {
            let is_arrow = |key| attribute(start, key).is_some_and(|kind| &*kind != "none");
            shape.arrow_at_start |= is_arrow("startarrow");
            shape.arrow_at_end |= is_arrow("endarrow");
            shape.is_dashed |= attribute(start, "dashstyle").is_some_and(|dash| &*dash != "solid");
            if is_off(start, "on") {
                shape.line = Paint::None;
            }
        }
        "v:fill" if is_off(start, "on") => shape.fill = Paint::None,
        "v:textbox" => {
            let style = attribute(start, "style").unwrap_or_default();
            let upright = property(&style, "layout-flow").unwrap_or("horizontal");
            shape.text_turned = match property(&style, "mso-layout-flow-alt") {
                Some("bottom-to-top") => -90.0,
                _ if upright.starts_with("vertical") => 90.0,
                _ => 0.0,
            };
        }
        _ => {}
    }
}

/// The outline of an element, in the names of DrawingML; a shape by the number of its type.
fn preset(name: &str, start: &BytesStart<'_>) -> &'static str {
    match name {
        "v:line" | "v:polyline" | "v:arc" | "v:curve" => "line",
        "v:oval" => "ellipse",
        "v:shape" => {
            let kind = attribute(start, "type").unwrap_or_default();
            match kind.rsplit_once("_t").map_or("", |(_, number)| number) {
                "3" | "120" => "ellipse",
                "4" | "110" => "diamond",
                "5" | "127" => "triangle",
                "6" => "rtTriangle",
                "7" | "111" => "parallelogram",
                "9" | "117" => "hexagon",
                "13" => "rightArrow",
                "20" | "32" => "straightConnector1",
                "33" => "bentConnector2",
                "34" | "38" => "bentConnector3",
                "66" => "leftArrow",
                "67" => "downArrow",
                "68" => "upArrow",
                "69" => "leftRightArrow",
                "70" => "upDownArrow",
                "85" => "leftBracket",
                "86" => "rightBracket",
                "87" => "leftBrace",
                "88" => "rightBrace",
                _ => "rect",
            }
        }
        _ => "rect",
    }
}

/// Where an element lies, by its style.
fn framed(start: &BytesStart<'_>, is_within: bool) -> Frame {
    let style = attribute(start, "style").unwrap_or_default();
    let of = |key| property(&style, key).and_then(|value| length(value, is_within));
    let flip = property(&style, "flip").unwrap_or_default();
    let turned = property(&style, "rotation").and_then(|value| match value.strip_suffix("fd") {
        Some(value) => number(value).map(|value| value / 65_536.0),
        None => number(value),
    });
    Frame {
        x: of("left").or_else(|| of("margin-left")).unwrap_or(0.0),
        y: of("top").or_else(|| of("margin-top")).unwrap_or(0.0),
        width: of("width").unwrap_or(0.0).max(0.0),
        height: of("height").unwrap_or(0.0).max(0.0),
        turned: turned.unwrap_or(0.0) % 360.0,
        flipped_across: flip.contains('x'),
        flipped_down: flip.contains('y'),
    }
}

/// A property of a style.
fn property<'a>(style: &'a str, key: &str) -> Option<&'a str> {
    let mut properties = style.split(';').filter_map(|property| property.split_once(':'));
    properties.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
}

/// A length: in the units of the group it lies in, or in English metric units.
fn length(text: &str, is_within: bool) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (value, unit) = (number(&text[..split])?, &text[split..]);
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" | "pi" => 12.0,
        "" if is_within => return Some(value),
        "" | "px" => POINTS_OF_PIXEL,
        "emu" => 1.0 / EMU_OF_POINT,
        _ => return None,
    };
    Some(value * points * EMU_OF_POINT)
}

/// A number, as far as it is believed.
fn number(text: &str) -> Option<f64> {
    let value = text.trim().parse::<f64>().ok()?;
    (value.abs() <= LARGEST).then_some(value)
}

fn is_off(start: &BytesStart<'_>, key: &str) -> bool {
    attribute(start, key).is_some_and(|value| matches!(&*value, "f" | "false" | "0"))
}
