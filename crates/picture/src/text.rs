//! A run of characters in one font, as outlines.

use resvg::tiny_skia::{Path, PathBuilder, Transform};

use crate::{font::Chosen, geometry::Matrix};

/// Characters with their places along the baseline.
pub(crate) struct Run<'a> {
    pub font: Chosen,
    /// The size of the font.
    pub em: f64,
    /// Widths are multiplied by this.
    pub stretch: f64,
    /// Characters, each with where it begins.
    pub characters: &'a [(char, f64)],
}

impl Run<'_> {
    /// The outlines, mapped from the space of the baseline (y downwards) to the canvas. None where
    /// nothing but blanks is in the run.
    pub(crate) fn outlines(&self, place: Matrix) -> Option<Path> {
        let mut all = PathBuilder::new();
        for (character, x) in self.characters {
            if character.is_control() || character.is_whitespace() {
                continue;
            }
            let (face, glyph) = self.font.face.glyph(*character);
            let Some(outline) = face.outline(glyph) else { continue };
            let glyph_place = Matrix::scale(self.em * self.stretch * self.font.narrow, -self.em)
                .then(Matrix::shift(*x, 0.0))
                .then(place);
            if let Some(outline) = placed(&outline, glyph_place.to_skia()) {
                all.push_path(&outline);
            }
        }
        all.finish()
    }
}

fn placed(outline: &Path, place: Transform) -> Option<Path> {
    outline.clone().transform(place)
}

/// How far each character moves the next one, in the font's own widths.
pub(crate) fn advances(font: Chosen, em: f64, characters: impl Iterator<Item = char>) -> Vec<f64> {
    characters
        .map(|character| {
            let (face, glyph) = font.face.glyph(character);
            face.advance(glyph) * em * font.narrow
        })
        .collect()
}

/// The code page of a character set (`lfCharSet`) of a logical font.
pub(crate) fn code_page(char_set: u8) -> &'static encoding_rs::Encoding {
    match char_set {
        128 => encoding_rs::SHIFT_JIS,
        129 | 130 => encoding_rs::EUC_KR,
        134 => encoding_rs::GBK,
        136 => encoding_rs::BIG5,
        161 => encoding_rs::WINDOWS_1253,
        162 => encoding_rs::WINDOWS_1254,
        163 => encoding_rs::WINDOWS_1258,
        177 => encoding_rs::WINDOWS_1255,
        178 => encoding_rs::WINDOWS_1256,
        186 => encoding_rs::WINDOWS_1257,
        204 => encoding_rs::WINDOWS_1251,
        222 => encoding_rs::WINDOWS_874,
        238 => encoding_rs::WINDOWS_1250,
        _ => encoding_rs::WINDOWS_1252,
    }
}
