//! What a shape looks like, and how its text is set: the elements of DrawingML and of text boxes.

use quick_xml::events::BytesStart;

use super::{
    DrawingShape,
    outline::ShapeOutline,
    paint::{Colour, ShapePaint},
    parse_length,
};
use crate::xml::{attribute_value, is_on};

/// A pattern is painted in its foreground colour with this tint, about the mean of its two colours.
const PATTERN_TINT: f64 = 0.35;
/// A percentage (`ST_Percentage`) of 100 %.
const FULL_PERCENTAGE: f64 = 100_000.0;
/// Smallest and largest font size, in points.
const MIN_TEXT_SIZE: f64 = 1.0;
const MAX_TEXT_SIZE: f64 = 200.0;

impl DrawingShape {
    /// Applies a property of the text in a text box.
    pub(super) fn apply_text_box_property(&mut self, name: &str, start: &BytesStart<'_>) {
        let value = attribute_value(start, "w:val");
        match name {
            "w:sz" if self.text_size.is_none() => {
                let size = value.and_then(|value| value.parse::<f64>().ok());
                self.text_size =
                    size.map(|half_points| (half_points / 2.0).clamp(MIN_TEXT_SIZE, MAX_TEXT_SIZE));
            }
            "w:b" => self.is_bold |= is_on(start),
            "w:jc" if self.align.is_none() => self.align = value.map(|v| v.into_owned()),
            _ => {}
        }
    }

    /// Applies a property of the text of a diagram, which is written in DrawingML.
    pub(super) fn apply_diagram_text_property(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "a:pPr" if self.align.is_none() => {
                self.align = attribute_value(start, "algn").map(|align| match &*align {
                    "ctr" => "center".to_owned(),
                    "r" => "right".to_owned(),
                    _ => "left".to_owned(),
                });
            }
            "a:rPr" if self.text_size.is_none() => {
                // In hundredths of a point.
                self.text_size = parse_length(start, "sz")
                    .map(|size| (size / 100.0).clamp(MIN_TEXT_SIZE, MAX_TEXT_SIZE));
            }
            "a:bodyPr" => self.apply_body_properties(start),
            _ => {}
        }
    }

    /// Applies a property of the outline, the line or the fill.
    pub(super) fn apply_drawing_property(
        &mut self,
        name: &str,
        start: &BytesStart<'_>,
        in_line: bool,
        parent: &str,
    ) {
        match name {
            "a:prstGeom" => {
                self.outline =
                    ShapeOutline::from_preset(&attribute_value(start, "prst").unwrap_or_default());
            }
            "a:custGeom" => self.outline = ShapeOutline::custom_geometry(),
            "a:ln" => self.line_width = parse_length(start, "w"),
            "a:noFill" if in_line => self.line = ShapePaint::None,
            "a:noFill" if matches!(parent, "wps:spPr" | "dsp:spPr") => self.fill = ShapePaint::None,
            "a:prstDash" => {
                self.is_dashed = attribute_value(start, "val").as_deref() != Some("solid")
            }
            "a:headEnd" => self.arrow_at_start = is_arrow(start),
            "a:tailEnd" => self.arrow_at_end = is_arrow(start),
            "a:srgbClr" | "a:schemeClr" | "a:prstClr" | "a:sysClr" => {
                let colour = Colour::from_element(name, start);
                self.apply_colour(colour, in_line, parent);
            }
            "a:lumMod" | "a:lumOff" | "a:shade" | "a:tint" => {
                let value = attribute_value(start, "val");
                let share =
                    value.and_then(|value| value.parse::<f64>().ok()).unwrap_or(FULL_PERCENTAGE);
                let paint = if in_line { &mut self.line } else { &mut self.fill };
                paint.adjust_brightness(name, (share / FULL_PERCENTAGE).clamp(0.0, 2.0));
            }
            "a:lnRef" | "a:fillRef" => {
                // Index 0 refers to no line or fill of the theme.
                let paint = if name == "a:lnRef" { &mut self.line } else { &mut self.fill };
                if attribute_value(start, "idx").as_deref() == Some("0")
                    && *paint == ShapePaint::Unspecified
                {
                    *paint = ShapePaint::None;
                }
            }
            "wps:bodyPr" => self.apply_body_properties(start),
            _ => {}
        }
    }

    /// Applies how the text is aligned in the shape.
    fn apply_body_properties(&mut self, start: &BytesStart<'_>) {
        self.anchor = attribute_value(start, "anchor").map(|anchor| anchor.into_owned());
        self.text_rotation_degrees = match attribute_value(start, "vert").as_deref() {
            Some("vert270") => -90.0,
            Some("vert" | "eaVert") => 90.0,
            _ => 0.0,
        };
    }

    /// Applies a colour to the line or the fill, depending on the element that contains it.
    fn apply_colour(&mut self, colour: Colour, in_line: bool, parent: &str) {
        let paint = match parent {
            "a:lnRef" if self.line == ShapePaint::Unspecified => &mut self.line,
            "a:fillRef" if self.fill == ShapePaint::Unspecified => &mut self.fill,
            "a:lnRef" | "a:fillRef" | "a:effectRef" | "a:fontRef" => return,
            _ if in_line => &mut self.line,
            "a:solidFill" | "a:gs" | "a:fgClr" => &mut self.fill,
            _ => return,
        };
        // Of several colours, as a gradient has, the first counts.
        if !matches!(paint, ShapePaint::Colour(_)) || parent == "a:solidFill" {
            *paint = ShapePaint::Colour(colour);
            if parent == "a:fgClr" {
                paint.adjust_brightness("a:tint", PATTERN_TINT);
            }
        }
    }
}

fn is_arrow(start: &BytesStart<'_>) -> bool {
    attribute_value(start, "type").is_some_and(|kind| &*kind != "none")
}
