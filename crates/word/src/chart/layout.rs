//! The plot area, and the measures of the text in a chart.

/// Font size of the text.
pub(super) const LETTERS: f64 = 11.0;
/// Mean width of a letter in parts of its size.
const LETTER_WIDTH: f64 = 0.55;
/// Names below the categories, and lines of the legend, that are written at most.
pub(super) const MAX_NAMES: usize = 40;
/// Longest name that is written whole.
const MAX_NAME_LETTERS: usize = 40;

/// A rectangle in the picture.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlotArea {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

pub(super) fn shorten_name(name: &str) -> String {
    match name.chars().count() > MAX_NAME_LETTERS {
        true => name.chars().take(MAX_NAME_LETTERS - 1).chain(['\u{2026}']).collect(),
        false => name.to_owned(),
    }
}

pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTERS * LETTER_WIDTH
}

pub(super) fn escape_text(text: &str) -> String {
    // What XML does not allow at all is left out.
    let sound: String = text.chars().filter(|c| !c.is_control()).collect();
    quick_xml::escape::escape(sound.as_str()).into_owned()
}
