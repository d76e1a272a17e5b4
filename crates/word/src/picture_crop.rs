//! What a document does not show of a picture.

use picture::PictureCrop;
use quick_xml::events::BytesStart;

use super::xml::attribute_value;

/// The crop of `a:srcRect`, whose edges are in thousandths of a percent.
pub(super) fn read_drawing_crop(start: &BytesStart<'_>) -> PictureCrop {
    let edge = |key| {
        let value = attribute_value(start, key)?;
        let value = value.trim();
        // Strict documents write percentages.
        let percent = value.strip_suffix('%').and_then(|percent| percent.parse().ok());
        percent.map(|percent: f64| to_edge(percent / 100.0)).or_else(|| value.parse().ok())
    };
    let edge = |key| edge(key).unwrap_or(0);
    PictureCrop { left: edge("l"), top: edge("t"), right: edge("r"), bottom: edge("b") }
}

/// The crop of `v:imagedata`, whose edges are shares: `0.25`, `25%`, or `16384f` in parts of 65,536.
pub(super) fn read_vml_crop(start: &BytesStart<'_>) -> PictureCrop {
    const FRACTION: f64 = 65_536.0;
    let edge = |key| {
        let value = attribute_value(start, key)?;
        let value = value.trim();
        let (number, divisor) = match (value.strip_suffix('f'), value.strip_suffix('%')) {
            (Some(fraction), _) => (fraction, FRACTION),
            (_, Some(percent)) => (percent, 100.0),
            _ => (value, 1.0),
        };
        number.parse().ok().map(|number: f64| to_edge(number / divisor))
    };
    let edge = |key| edge(key).unwrap_or(0);
    PictureCrop {
        left: edge("cropleft"),
        top: edge("croptop"),
        right: edge("cropright"),
        bottom: edge("cropbottom"),
    }
}

/// A share of a width or height; numbers that are too large become the largest.
fn to_edge(share: f64) -> i32 {
    (share * f64::from(PictureCrop::WHOLE)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crops_are_read_in_all_their_units() {
        let crop = |left, top, right, bottom| PictureCrop { left, top, right, bottom };
        let drawing = [
            ("a:srcRect l=\"1000\" t=\"25000\" r=\"-6\" b=\"0\"", crop(1000, 25_000, -6, 0)),
            ("a:srcRect b=\"12.5%\"", crop(0, 0, 0, 12_500)),
            ("a:srcRect", PictureCrop::NONE),
            ("a:srcRect l=\"wide\" t=\"\"", PictureCrop::NONE),
        ];
        for (element, expected) in drawing {
            assert_eq!(
                read_drawing_crop(&BytesStart::from_content(element, 9)),
                expected,
                "{element}"
            );
        }
        let vml = [
            ("v:imagedata croptop=\"16384f\" cropleft=\"-.5\"", crop(-50_000, 25_000, 0, 0)),
            ("v:imagedata cropbottom=\"0.1\" cropright=\"20%\"", crop(0, 0, 20_000, 10_000)),
            ("v:imagedata croptop=\"NaN\" cropright=\"1e300\"", crop(0, 0, i32::MAX, 0)),
        ];
        for (element, expected) in vml {
            assert_eq!(
                read_vml_crop(&BytesStart::from_content(element, 11)),
                expected,
                "{element}"
            );
        }
    }
}
