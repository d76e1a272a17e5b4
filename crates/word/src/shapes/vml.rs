//! Shapes in VML, as Word wrote them before 2010 and writes them in compatibility mode.
//!
//! ECMA-376 part 4, 19.1 gives the meaning of attributes and of the style, which is written as in style
//! sheets. Lengths within a group are in the units of the group, others specify their unit.

use quick_xml::events::BytesStart;

use super::{
    DrawingShape, EMU_PER_POINT, MAX_COORDINATE, ShapeFrame, ShapeGroup,
    outline::ShapeOutline,
    paint::{Colour, ShapePaint},
    preset::office_preset,
};
use crate::xml::attribute_value;

/// Width and height of the coordinates of a group that does not specify `coordsize`: the default of VML.
const DEFAULT_GROUP_UNITS: f64 = 1000.0;
/// A pixel of a style sheet, in points: 96 pixels are an inch of 72 points.
const POINTS_PER_PIXEL: f64 = 0.75;
/// Units of an angle with the suffix `fd` of one degree.
const FIXED_UNITS_PER_DEGREE: f64 = 65_536.0;
/// End of the type of a shape that contains only a picture: `msosptPictureFrame`, [MS-ODRAW] 2.4.24.
const PICTURE_FRAME_TYPE: &str = "_t75";

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

/// Parses a group; `in_group` says whether it is within another one.
pub(super) fn parse_group(start: &BytesStart<'_>, in_group: bool) -> ShapeGroup {
    let pair = |key, default: f64| {
        let text = attribute_value(start, key).unwrap_or_default();
        let mut numbers = text.split(',').map(|part| parse_number(part).unwrap_or(default));
        (numbers.next().unwrap_or(default), numbers.next().unwrap_or(default))
    };
    let ((x, y), (width, height)) =
        (pair("coordorigin", 0.0), pair("coordsize", DEFAULT_GROUP_UNITS));
    let inner = ShapeFrame { x, y, width, height, ..ShapeFrame::default() };
    ShapeGroup { outer: parse_frame(start, in_group), inner }
}

/// A shape as its element describes it.
pub(super) fn parse_shape(name: &str, start: &BytesStart<'_>, in_group: bool) -> DrawingShape {
    let mut shape = DrawingShape {
        frame: parse_frame(start, in_group),
        outline: ShapeOutline::from_preset(preset_name(name, start)),
        fill: ShapePaint::Colour(Colour([255.0; 3])),
        line: ShapePaint::Colour(Colour([0.0; 3])),
        ..DrawingShape::default()
    };
    shape.is_placeholder =
        attribute_value(start, "type").is_some_and(|kind| kind.ends_with(PICTURE_FRAME_TYPE));
    if shape.is_placeholder {
        (shape.fill, shape.line) = (ShapePaint::None, ShapePaint::None);
        return shape;
    }
    if name == "v:line" {
        let end = |key| {
            let text = attribute_value(start, key).unwrap_or_default();
            let mut numbers =
                text.split(',').map(|part| parse_length(part, in_group).unwrap_or(0.0));
            (numbers.next().unwrap_or(0.0), numbers.next().unwrap_or(0.0))
        };
        let ((ax, ay), (bx, by)) = (end("from"), end("to"));
        shape.frame = ShapeFrame {
            x: ax.min(bx),
            y: ay.min(by),
            width: (ax - bx).abs(),
            height: (ay - by).abs(),
            flipped_horizontally: bx < ax,
            flipped_vertically: by < ay,
            rotation_degrees: 0.0,
        };
    }
    if let Some(colour) =
        attribute_value(start, "fillcolor").and_then(|value| Colour::from_css(&value))
    {
        shape.fill = ShapePaint::Colour(colour);
    }
    if let Some(colour) =
        attribute_value(start, "strokecolor").and_then(|value| Colour::from_css(&value))
    {
        shape.line = ShapePaint::Colour(colour);
    }
    if is_off(start, "filled") {
        shape.fill = ShapePaint::None;
    }
    if is_off(start, "stroked") {
        shape.line = ShapePaint::None;
    }
    shape.line_width =
        attribute_value(start, "strokeweight").and_then(|value| parse_length(&value, false));
    shape
}

/// Applies an element within a shape that defines its appearance.
pub(super) fn apply_element(shape: &mut DrawingShape, name: &str, start: &BytesStart<'_>) {
    match name {
        "v:stroke" => {
            let is_arrow = |key| attribute_value(start, key).is_some_and(|kind| &*kind != "none");
            shape.arrow_at_start |= is_arrow("startarrow");
            shape.arrow_at_end |= is_arrow("endarrow");
            shape.is_dashed |=
                attribute_value(start, "dashstyle").is_some_and(|dash| &*dash != "solid");
            if is_off(start, "on") {
                shape.line = ShapePaint::None;
            }
        }
        "v:fill" if is_off(start, "on") => shape.fill = ShapePaint::None,
        "v:textbox" => {
            let style = attribute_value(start, "style").unwrap_or_default();
            let flow = style_property(&style, "layout-flow").unwrap_or("horizontal");
            shape.text_rotation_degrees = match style_property(&style, "mso-layout-flow-alt") {
                Some("bottom-to-top") => -90.0,
                _ if flow.starts_with("vertical") => 90.0,
                _ => 0.0,
            };
        }
        _ => {}
    }
}

/// The DrawingML preset of an element's outline; for `v:shape`, by the number at the end of its type
/// (MSOSPT, [MS-ODRAW] 2.4.24).
fn preset_name(name: &str, start: &BytesStart<'_>) -> &'static str {
    match name {
        "v:line" | "v:polyline" | "v:arc" | "v:curve" => "line",
        "v:oval" => "ellipse",
        "v:shape" => {
            let kind = attribute_value(start, "type").unwrap_or_default();
            let number = kind.rsplit_once("_t").and_then(|(_, number)| number.parse().ok());
            office_preset(number.unwrap_or(0))
        }
        _ => "rect",
    }
}

/// The frame of an element, from its style.
pub(super) fn parse_frame(start: &BytesStart<'_>, in_group: bool) -> ShapeFrame {
    let style = attribute_value(start, "style").unwrap_or_default();
    let of = |key| style_property(&style, key).and_then(|value| parse_length(value, in_group));
    let flip = style_property(&style, "flip").unwrap_or_default();
    let rotation_degrees =
        style_property(&style, "rotation").and_then(|value| match value.strip_suffix("fd") {
            Some(value) => parse_number(value).map(|value| value / FIXED_UNITS_PER_DEGREE),
            None => parse_number(value),
        });
    ShapeFrame {
        x: of("left").or_else(|| of("margin-left")).unwrap_or(0.0),
        y: of("top").or_else(|| of("margin-top")).unwrap_or(0.0),
        width: of("width").unwrap_or(0.0).max(0.0),
        height: of("height").unwrap_or(0.0).max(0.0),
        rotation_degrees: rotation_degrees.unwrap_or(0.0) % 360.0,
        flipped_horizontally: flip.contains('x'),
        flipped_vertically: flip.contains('y'),
    }
}

/// A property of a style.
fn style_property<'a>(style: &'a str, key: &str) -> Option<&'a str> {
    let mut properties = style.split(';').filter_map(|property| property.split_once(':'));
    properties.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
}

/// A length: in the units of the group that contains it, or in English metric units.
fn parse_length(text: &str, in_group: bool) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (value, unit) = (parse_number(&text[..split])?, &text[split..]);
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" | "pi" => 12.0,
        "" if in_group => return Some(value),
        "" | "px" => POINTS_PER_PIXEL,
        "emu" => 1.0 / EMU_PER_POINT,
        _ => return None,
    };
    Some(value * points * EMU_PER_POINT)
}

/// A number, if it is plausible.
fn parse_number(text: &str) -> Option<f64> {
    let value = text.trim().parse::<f64>().ok()?;
    (value.abs() <= MAX_COORDINATE).then_some(value)
}

fn is_off(start: &BytesStart<'_>, key: &str) -> bool {
    attribute_value(start, key).is_some_and(|value| matches!(&*value, "f" | "false" | "0"))
}
