//! The fonts in this crate, and which of them replaces a font that a picture names.
//!
//! Liberation has the widths of Arial, Times New Roman and Courier New, Carlito those of Calibri,
//! Caladea those of Cambria; DejaVu Sans has the symbols, Droid the characters of East Asia. Their
//! licences are in the same folders.

use std::{cell::RefCell, collections::HashMap, rc::Rc, sync::LazyLock};

use resvg::tiny_skia::{Path, PathBuilder};
use skrifa::{
    FontRef, GlyphId, MetadataProvider,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen},
    raw::TableProvider,
};

use crate::symbol_font::{SymbolFont, UNKNOWN_SYMBOL, private_code};

macro_rules! fonts {
    ($($file:literal)*) => { [$(include_bytes!(concat!("../fonts/", $file))),*] };
}

/// By family: regular, bold, italic, bold italic; Mono and DejaVu Sans have no italics, Droid one file. `FontFamily`
/// and the fallbacks are indexes in this order.
pub(crate) static FONT_FILES: [&[u8]; 21] = fonts! {
    "liberation/LiberationSans-Regular.ttf" "liberation/LiberationSans-Bold.ttf"
    "liberation/LiberationSans-Italic.ttf" "liberation/LiberationSans-BoldItalic.ttf"
    "liberation/LiberationSerif-Regular.ttf" "liberation/LiberationSerif-Bold.ttf"
    "liberation/LiberationSerif-Italic.ttf" "liberation/LiberationSerif-BoldItalic.ttf"
    "carlito/Carlito-Regular.ttf" "carlito/Carlito-Bold.ttf"
    "carlito/Carlito-Italic.ttf" "carlito/Carlito-BoldItalic.ttf"
    "caladea/Caladea-Regular.ttf" "caladea/Caladea-Bold.ttf"
    "caladea/Caladea-Italic.ttf" "caladea/Caladea-BoldItalic.ttf"
    "liberation/LiberationMono-Regular.ttf" "liberation/LiberationMono-Bold.ttf"
    "dejavu/DejaVuSans.ttf" "dejavu/DejaVuSans-Bold.ttf"
    "droid/DroidSansFallback.ttf"
};

/// Maximum number of glyph outlines that each thread caches. A hostile picture can use all 49,775 glyphs of Droid
/// alone.
const MAX_CACHED_GLYPHS: usize = 4096;
/// PitchAndFamily, [MS-WMF] 2.2.2.14: the pitch in the low bits, the family in the high ones.
const PITCH_MASK: u8 = 0x03;
const FIXED_PITCH: u8 = 1;
const FAMILY_MASK: u8 = 0xf0;
const FF_DONTCARE: u8 = 0x00;
const FF_ROMAN: u8 = 0x10;
const FF_MODERN: u8 = 0x30;
/// The minimum weight (`lfWeight`) of a font that is drawn bold: FW_SEMIBOLD, for which this crate has no font.
/// FW_BOLD is 700.
pub(crate) const MIN_BOLD_WEIGHT: i32 = 600;
/// Arial Narrow has this share of the widths of Arial. This crate has no narrow font, and letters of Arial would
/// overlap.
const NARROW_WIDTH_SHARE: f64 = 0.82;

/// A font of this crate: its index among the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Face(usize);

/// A font as a picture requests it.
#[derive(Debug, Clone, Default)]
pub(crate) struct FontRequest<'a> {
    pub name: &'a str,
    pub bold: bool,
    pub italic: bool,
    /// PitchAndFamily of a logical font; 0 if it is unknown.
    pub pitch_and_family: u8,
}

/// The font of this crate that replaces a requested one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FontSubstitute {
    pub face: Face,
    /// Share of the widths of the face.
    pub width_share: f64,
    /// The symbol font whose codes the text has; `None` for Unicode.
    pub symbols: Option<SymbolFont>,
}

#[derive(Clone, Copy)]
enum FontFamily {
    Sans = 0,
    Serif = 4,
    Calibri = 8,
    Cambria = 12,
    Mono = 16,
    Symbols = 18,
}

struct LoadedFace {
    font: FontRef<'static>,
    units_per_em: f64,
    ascent: f64,
    descent: f64,
    average_width: f64,
}

static LOADED_FACES: LazyLock<Vec<LoadedFace>> =
    LazyLock::new(|| FONT_FILES.iter().map(|f| load_face(f)).collect());

/// Outlines by font and glyph; `None` for blanks.
type GlyphCache = HashMap<(Face, GlyphId), Option<Rc<Path>>>;

thread_local! {
    static GLYPH_CACHE: RefCell<GlyphCache> = RefCell::default();
}

fn load_face(bytes: &'static [u8]) -> LoadedFace {
    let font = FontRef::new(bytes).expect("a font of this crate");
    let units = f64::from(font.head().expect("a font of this crate").units_per_em());
    let os2 = font.os2().expect("a font of this crate");
    let average_width = f64::from(os2.x_avg_char_width()) / units;
    let ascent = f64::from(os2.us_win_ascent()) / units;
    LoadedFace {
        ascent,
        descent: f64::from(os2.us_win_descent()) / units,
        units_per_em: units,
        average_width,
        font,
    }
}

/// Finds the font that replaces a requested one.
pub(crate) fn substitute_font(request: &FontRequest<'_>) -> FontSubstitute {
    let name = request.name.trim_start_matches('@').trim().to_lowercase();
    let symbols = SymbolFont::from_name(&name);
    let family = match symbols {
        Some(SymbolFont::Symbol | SymbolFont::MtExtra) => FontFamily::Serif,
        Some(_) => FontFamily::Symbols,
        None => match_family(&name, request.pitch_and_family),
    };
    let style = match family {
        FontFamily::Mono | FontFamily::Symbols => usize::from(request.bold),
        _ => usize::from(request.bold) + 2 * usize::from(request.italic),
    };
    let is_narrow = ["narrow", "condensed"].iter().any(|word| name.contains(word));
    let width_share = if is_narrow { NARROW_WIDTH_SHARE } else { 1.0 };
    FontSubstitute { face: Face(family as usize + style), width_share, symbols }
}

/// Selects a family by the font's name, or else by its PitchAndFamily.
fn match_family(name: &str, pitch_and_family: u8) -> FontFamily {
    let is_one_of = |names: &[&str]| names.iter().any(|known| name.contains(known));
    if is_one_of(&["calibri", "carlito", "aptos", "candara", "corbel"]) {
        FontFamily::Calibri
    } else if is_one_of(&["cambria", "caladea", "constantia"]) {
        FontFamily::Cambria
    } else if is_one_of(&["courier", "consolas", "mono", "lucida console", "terminal", "fixed"]) {
        FontFamily::Mono
    } else if is_one_of(&["arial", "helvet", "sans", "tahoma", "verdana", "segoe", "system"]) {
        FontFamily::Sans
    } else if is_one_of(&["times", "serif", "roman", "tms", "georgia", "garamond", "century"])
        || is_one_of(&["palatino", "bookman", "book antiqua", "mincho", "mt extra", "euclid"])
    {
        FontFamily::Serif
    } else {
        match (pitch_and_family & FAMILY_MASK, pitch_and_family & PITCH_MASK) {
            (FF_ROMAN, _) => FontFamily::Serif,
            (FF_MODERN, _) | (FF_DONTCARE, FIXED_PITCH) => FontFamily::Mono,
            _ => FontFamily::Sans,
        }
    }
}

impl FontSubstitute {
    /// The character of a code in the picture's font.
    pub(crate) fn character_of_code(&self, code: char) -> char {
        match (self.symbols, private_code(code)) {
            (Some(font), _) => font.read_character(code).unwrap_or(UNKNOWN_SYMBOL),
            // Windows writes private codes only for symbol fonts; without a name, the most frequent one is assumed.
            (None, Some(private)) => SymbolFont::Symbol.character_of_code(private).unwrap_or(code),
            (None, None) => code,
        }
    }
}

impl Face {
    /// Its index among the files.
    pub(crate) fn file_index(self) -> usize {
        self.0
    }

    fn loaded_face(self) -> &'static LoadedFace {
        &LOADED_FACES[self.0]
    }

    /// From the baseline to the upper edge of a line, for an em of 1.
    pub(crate) fn ascent(self) -> f64 {
        self.loaded_face().ascent
    }

    /// From the baseline to the lower edge of a line, for an em of 1.
    pub(crate) fn descent(self) -> f64 {
        self.loaded_face().descent
    }

    /// The mean width of characters, for an em of 1.
    pub(crate) fn average_width(self) -> f64 {
        self.loaded_face().average_width
    }

    /// The font and the glyph for a character: this font, or a fallback if it has no such glyph.
    pub(crate) fn find_glyph(self, character: char) -> (Face, GlyphId) {
        let fallbacks = [self, Face(FontFamily::Symbols as usize), Face(FONT_FILES.len() - 1)];
        let fallback = fallbacks.into_iter().find_map(|face| {
            let glyph = face.loaded_face().font.charmap().map(character)?;
            (glyph != GlyphId::NOTDEF).then_some((face, glyph))
        });
        fallback.unwrap_or((self, GlyphId::NOTDEF))
    }

    /// How far a glyph moves the next one, for an em of 1.
    pub(crate) fn glyph_advance(self, glyph: GlyphId) -> f64 {
        let loaded = self.loaded_face();
        let metrics = loaded.font.glyph_metrics(Size::unscaled(), LocationRef::default());
        metrics.advance_width(glyph).map_or(0.0, |width| f64::from(width) / loaded.units_per_em)
    }

    /// The outline of a glyph for an em of 1, y upwards; `None` for a blank.
    pub(crate) fn glyph_outline(self, glyph: GlyphId) -> Option<Rc<Path>> {
        GLYPH_CACHE.with_borrow_mut(|glyphs| {
            if glyphs.len() >= MAX_CACHED_GLYPHS {
                glyphs.clear();
            }
            glyphs
                .entry((self, glyph))
                .or_insert_with(|| self.build_outline(glyph).map(Rc::new))
                .clone()
        })
    }

    fn build_outline(self, glyph: GlyphId) -> Option<Path> {
        let loaded = self.loaded_face();
        let outline = loaded.font.outline_glyphs().get(glyph)?;
        let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
        let mut pen =
            GlyphPen { path: PathBuilder::new(), scale: (1.0 / loaded.units_per_em) as f32 };
        outline.draw(settings, &mut pen).ok()?;
        pen.path.finish()
    }
}

struct GlyphPen {
    path: PathBuilder,
    scale: f32,
}

impl OutlinePen for GlyphPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(x * self.scale, y * self.scale);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(x * self.scale, y * self.scale);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let k = self.scale;
        self.path.quad_to(cx * k, cy * k, x * k, y * k);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let k = self.scale;
        self.path.cubic_to(cx0 * k, cy0 * k, cx1 * k, cy1 * k, x * k, y * k);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_of_the_crate_can_be_read_and_has_letters() {
        for (index, loaded) in LOADED_FACES.iter().enumerate() {
            assert!(loaded.ascent > 0.5 && loaded.ascent < 1.5, "{index}");
            assert!(Face(index).glyph_outline(Face(index).find_glyph('A').1).is_some(), "{index}");
        }
    }

    #[test]
    fn fonts_are_known_by_name_then_by_family() {
        let face = |name, bold, italic, pitch_and_family| {
            substitute_font(&FontRequest { name, bold, italic, pitch_and_family }).face.0
        };
        assert_eq!(face("Arial", false, false, 0), 0);
        assert_eq!(face("Times New Roman", true, true, 0), 7);
        assert_eq!(face("Calibri Light", false, true, 0), 10);
        assert_eq!(face("Courier New", false, true, 0), 16);
        assert_eq!(face("Nobody's", true, false, 0x12), 5);
        assert_eq!(face("", false, false, 0), 0);
        assert!(
            substitute_font(&FontRequest { name: "Arial Narrow", ..Default::default() })
                .width_share
                < 1.0
        );
    }

    #[test]
    fn codes_of_symbol_fonts_become_their_characters() {
        let symbol = substitute_font(&FontRequest { name: "Symbol", ..Default::default() });
        assert_eq!(
            (symbol.character_of_code('a'), symbol.character_of_code('\u{f062}')),
            ('\u{3b1}', '\u{3b2}')
        );
        let wingdings = substitute_font(&FontRequest { name: "Wingdings", ..Default::default() });
        assert_eq!(wingdings.character_of_code('\u{f0e0}'), '\u{2192}');
        let arial = substitute_font(&FontRequest { name: "Arial", ..Default::default() });
        assert_eq!(arial.character_of_code('a'), 'a');
    }

    #[test]
    fn characters_that_a_font_lacks_come_from_another() {
        let arial = Face(0);
        assert_eq!(arial.find_glyph('A').0, arial);
        assert_ne!(arial.find_glyph('\u{2713}').1, GlyphId::NOTDEF);
        assert_eq!(arial.find_glyph('\u{4e2d}').0, Face(FONT_FILES.len() - 1));
    }
}
