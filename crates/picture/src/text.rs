//! A run of characters in one font, as outlines.

use resvg::tiny_skia::{Path, PathBuilder, Transform};

use crate::{font::FontSubstitute, geometry::Matrix};

/// Characters with their positions along the baseline.
pub(crate) struct GlyphRun<'a> {
    pub font: FontSubstitute,
    /// The size of the font.
    pub em: f64,
    /// Widths are multiplied by this.
    pub stretch: f64,
    /// Characters, each with where it begins.
    pub characters: &'a [(char, f64)],
}

impl GlyphRun<'_> {
    /// The outlines, mapped from the space of the baseline (y downwards) to the canvas. None where
    /// nothing but blanks is in the run.
    pub(crate) fn to_path(&self, transform: Matrix) -> Option<Path> {
        let mut all = PathBuilder::new();
        for (character, x) in self.characters {
            if character.is_control() || character.is_whitespace() {
                continue;
            }
            let (face, glyph) = self.font.face.find_glyph(*character);
            let Some(outline) = face.glyph_outline(glyph) else { continue };
            let glyph_place =
                Matrix::from_scale(self.em * self.stretch * self.font.width_share, -self.em)
                    .then(Matrix::from_translation(*x, 0.0))
                    .then(transform);
            if let Some(outline) = transform_outline(&outline, glyph_place.to_skia()) {
                all.push_path(&outline);
            }
        }
        all.finish()
    }
}

fn transform_outline(outline: &Path, transform: Transform) -> Option<Path> {
    outline.clone().transform(transform)
}

/// How far each character moves the next one, in the font's own widths.
pub(crate) fn glyph_advances(
    font: FontSubstitute,
    em: f64,
    characters: impl Iterator<Item = char>,
) -> Vec<f64> {
    characters
        .map(|character| {
            let (face, glyph) = font.face.find_glyph(character);
            face.glyph_advance(glyph) * em * font.width_share
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
