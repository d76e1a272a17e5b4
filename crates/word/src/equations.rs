//! Equations that are objects or pictures: their formulas as far as they can be read.

use document_model::EQUATION_MARKER;

/// Maximum bytes of the words of an equation that is not read; a longer text is not an equation.
const MAX_WORDS_BYTES: usize = 300;

/// What is read of an equation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ReadEquation {
    /// Its formula, as LaTeX.
    Formula(String),
    /// The characters in it, line by line: how they belong together is not clear. Empty if there are none.
    Words(String),
}

impl ReadEquation {
    /// Reads an embedded object; `None` if it contains no equation that can be read.
    pub(super) fn from_object(object: &[u8]) -> Option<Self> {
        Self::from_formula(&formula::mtef::read_object(object).ok()?)
    }

    /// Reads a picture; `None` if it is not one of an equation. The equation that MathType stores in its pictures is
    /// preferred to what is drawn.
    pub(super) fn from_picture(picture: &[u8]) -> Option<Self> {
        let equation = picture::read_equation_picture(picture)?;
        let stored = equation.source.and_then(|source| formula::mtef::read_mtef(&source).ok());
        let drawn = || if equation.is_whole { equation.drawn.read_formula() } else { None };
        let read = stored.as_ref().and_then(Self::from_formula);
        let read = read.or_else(|| Self::from_formula(&drawn()?));
        Some(read.unwrap_or_else(|| {
            let mut words = equation.drawn.plain_words();
            let end =
                (0..=MAX_WORDS_BYTES.min(words.len())).rev().find(|at| words.is_char_boundary(*at));
            words.truncate(end.unwrap_or(0));
            Self::Words(words)
        }))
    }

    fn from_formula(formula: &formula::Formula) -> Option<Self> {
        Some(formula.to_latex()).filter(|latex| !latex.is_empty()).map(Self::Formula)
    }
}

/// The marker of an equation that is not read, with the words in it.
pub(super) fn equation_marker(words: &str) -> String {
    if words.is_empty() {
        return EQUATION_MARKER.to_owned();
    }
    let open = EQUATION_MARKER.trim_end_matches(']');
    // A dollar sign would begin a formula.
    format!("{open}: {}]", words.replace('$', " "))
}

#[cfg(test)]
mod tests;
