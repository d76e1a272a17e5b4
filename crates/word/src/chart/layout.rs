//! The plot area, and the measures of the text in a chart.

/// Font size of the text.
pub(super) const FONT_SIZE: f64 = 11.0;
/// Mean width of a letter, as a share of the font size; texts are not measured before they are drawn.
const LETTER_WIDTH: f64 = 0.55;
/// Maximum number of category names, and of entries of the legend. On a width of 616 points, 40 rotated names are 15
/// points apart, a little more than their letters are high.
pub(super) const MAX_NAMES: usize = 40;
/// Longer names are shortened; this many letters take 242 of 640 points.
const MAX_NAME_CHARS: usize = 40;

/// A rectangle in the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlotArea {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

pub(super) fn shorten_name(name: &str) -> String {
    if name.chars().count() > MAX_NAME_CHARS {
        name.chars().take(MAX_NAME_CHARS - 1).chain(['\u{2026}']).collect()
    } else {
        name.to_owned()
    }
}

pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * FONT_SIZE * LETTER_WIDTH
}

pub(super) fn escape_text(text: &str) -> String {
    // XML does not allow control characters.
    let printable: String = text.chars().filter(|c| !c.is_control()).collect();
    quick_xml::escape::escape(printable.as_str()).into_owned()
}
