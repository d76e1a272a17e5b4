//! Colours of shapes.

use quick_xml::events::BytesStart;

use crate::xml::attribute_value;

/// Red, green and blue, each 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colour(pub(super) [f64; 3]);

/// The paint of a line or an area.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) enum ShapePaint {
    /// The shape does not specify it.
    #[default]
    Unspecified,
    None,
    Colour(Colour),
}

impl ShapePaint {
    /// Makes a colour lighter or darker, as the element of this name does.
    pub(super) fn adjust_brightness(&mut self, name: &str, share: f64) {
        if let Self::Colour(Colour(parts)) = self {
            for part in parts {
                *part = match name {
                    "a:lumOff" => *part + 255.0 * share,
                    "a:tint" => 255.0 - (255.0 - *part) * share,
                    _ => *part * share,
                }
                .clamp(0.0, 255.0);
            }
        }
    }

    /// The value of the SVG attribute.
    pub(super) fn to_svg_value(self) -> String {
        match self {
            Self::Unspecified | Self::None => "none".to_owned(),
            Self::Colour(Colour([red, green, blue])) => {
                format!("rgb({},{},{})", red as u8, green as u8, blue as u8)
            }
        }
    }
}

impl Colour {
    /// A colour in the notation of CSS, `#rrggbb` or a name; Word appends a number of its own.
    pub(super) fn from_css(value: &str) -> Option<Self> {
        let value = value.split_whitespace().next()?;
        let rgb = match value.strip_prefix('#') {
            // Three digits are short for six.
            Some(short) if short.len() == 3 => {
                parse_hex(&short.chars().flat_map(|digit| [digit, digit]).collect::<String>())
            }
            Some(long) => parse_hex(long),
            None if value == "black" => Some(0),
            None => named_colour(value),
        };
        let [_, red, green, blue] = rgb?.to_be_bytes();
        Some(Self([red, green, blue].map(f64::from)))
    }

    /// The colour that an element names; black if it is unknown.
    pub(super) fn from_element(element: &str, start: &BytesStart<'_>) -> Self {
        let value = attribute_value(start, "val").unwrap_or_default();
        let last = attribute_value(start, "lastClr").unwrap_or_default();
        let rgb = match element {
            "a:srgbClr" => parse_hex(&value),
            "a:sysClr" => parse_hex(&last),
            "a:schemeClr" => theme_colour(&value),
            _ => named_colour(&value),
        };
        let [_, red, green, blue] = rgb.unwrap_or(0).to_be_bytes();
        Self([red, green, blue].map(f64::from))
    }
}

fn parse_hex(text: &str) -> Option<u32> {
    if text.len() == 6 { u32::from_str_radix(text, 16).ok() } else { None }
}

/// The colours of Word's default theme since 2013.
fn theme_colour(name: &str) -> Option<u32> {
    Some(match name {
        "bg1" | "lt1" => 0xff_ff_ff,
        "bg2" | "lt2" => 0xe7_e6_e6,
        "tx2" | "dk2" => 0x44_54_6a,
        "accent1" => 0x44_72_c4,
        "accent2" => 0xed_7d_31,
        "accent3" => 0xa5_a5_a5,
        "accent4" => 0xff_c0_00,
        "accent5" => 0x5b_9b_d5,
        "accent6" => 0x70_ad_47,
        _ => return None,
    })
}

fn named_colour(name: &str) -> Option<u32> {
    Some(match name {
        "white" => 0xff_ff_ff,
        "red" => 0xff_00_00,
        "green" => 0x00_80_00,
        "blue" => 0x00_00_ff,
        "yellow" => 0xff_ff_00,
        "gray" | "grey" => 0x80_80_80,
        _ => return None,
    })
}
