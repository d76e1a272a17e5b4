//! A run of characters in one font, as outlines.

use std::rc::Rc;

use resvg::tiny_skia::{Path, PathBuilder, Transform};
use skrifa::GlyphId;

use crate::{
    font::{Face, FontSubstitute},
    geometry::Matrix,
};

/// [MS-WMF] 2.1.1.5, CharacterSet.
pub(crate) const ANSI_CHARSET: u8 = 0;
pub(crate) const SYMBOL_CHARSET: u8 = 2;
pub(crate) const SHIFTJIS_CHARSET: u8 = 128;
pub(crate) const HANGUL_CHARSET: u8 = 129;
const JOHAB_CHARSET: u8 = 130;
pub(crate) const GB2312_CHARSET: u8 = 134;
pub(crate) const CHINESEBIG5_CHARSET: u8 = 136;
const GREEK_CHARSET: u8 = 161;
const TURKISH_CHARSET: u8 = 162;
const VIETNAMESE_CHARSET: u8 = 163;
const HEBREW_CHARSET: u8 = 177;
const ARABIC_CHARSET: u8 = 178;
const BALTIC_CHARSET: u8 = 186;
const RUSSIAN_CHARSET: u8 = 204;
const THAI_CHARSET: u8 = 222;
const EASTEUROPE_CHARSET: u8 = 238;

/// A letter of a font of this crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Glyph {
    pub face: Face,
    pub id: GlyphId,
}

impl Glyph {
    /// Its outline for an em of 1, y upwards; `None` for a blank.
    pub(crate) fn outline(self) -> Option<Rc<Path>> {
        self.face.glyph_outline(self.id)
    }
}

/// Characters with their positions along the baseline.
pub(crate) struct GlyphRun<'a> {
    pub font: FontSubstitute,
    /// The size of the font.
    pub em: f64,
    /// Widths are multiplied by this.
    pub stretch: f64,
    /// Characters, each with its start.
    pub characters: &'a [(char, f64)],
}

impl GlyphRun<'_> {
    /// The outlines, mapped from the space of the baseline (y downwards) to the canvas. `None` if the
    /// run has only blanks.
    pub(crate) fn to_path(&self, transform: Matrix) -> Option<Path> {
        let mut all = PathBuilder::new();
        for (glyph, x) in self.glyphs() {
            let Some(outline) = glyph.outline() else { continue };
            let glyph_transform = Matrix::from_scale(self.width(), -self.em)
                .then(Matrix::from_translation(x, 0.0))
                .then(transform);
            if let Some(outline) = transform_outline(&outline, glyph_transform.to_skia()) {
                all.push_path(&outline);
            }
        }
        all.finish()
    }

    /// The visible letters, each with its start.
    pub(crate) fn glyphs(&self) -> impl Iterator<Item = (Glyph, f64)> {
        let visible = self
            .characters
            .iter()
            .filter(|(character, _)| !character.is_control() && !character.is_whitespace());
        visible.map(|(character, x)| {
            let (face, id) = self.font.face.find_glyph(*character);
            (Glyph { face, id }, *x)
        })
    }

    /// The factor for the widths of letters.
    pub(crate) fn width(&self) -> f64 {
        self.em * self.stretch * self.font.width_share
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
        SHIFTJIS_CHARSET => encoding_rs::SHIFT_JIS,
        HANGUL_CHARSET | JOHAB_CHARSET => encoding_rs::EUC_KR,
        GB2312_CHARSET => encoding_rs::GBK,
        CHINESEBIG5_CHARSET => encoding_rs::BIG5,
        GREEK_CHARSET => encoding_rs::WINDOWS_1253,
        TURKISH_CHARSET => encoding_rs::WINDOWS_1254,
        VIETNAMESE_CHARSET => encoding_rs::WINDOWS_1258,
        HEBREW_CHARSET => encoding_rs::WINDOWS_1255,
        ARABIC_CHARSET => encoding_rs::WINDOWS_1256,
        BALTIC_CHARSET => encoding_rs::WINDOWS_1257,
        RUSSIAN_CHARSET => encoding_rs::WINDOWS_1251,
        THAI_CHARSET => encoding_rs::WINDOWS_874,
        EASTEUROPE_CHARSET => encoding_rs::WINDOWS_1250,
        _ => encoding_rs::WINDOWS_1252,
    }
}
