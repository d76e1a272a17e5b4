//! The symbol fonts of a run: from its own properties, its styles, the defaults of the document, and the theme.
//!
//! A run names four fonts, and each of its characters is in one of them (ECMA-376 part 1, 17.3.2.26).

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::events::BytesStart;

use picture::{SymbolFont, UNKNOWN_SYMBOL};

use super::theme::ThemeFonts;
use super::xml::{attribute_value, is_on};

/// Longest name of a symbol font outside the table that warnings print, in characters.
const MAX_NAME_CHARS: usize = 40;
/// Maximum number of such fonts that are counted each by its name; a hostile file could name millions.
const MAX_NAMED_FONTS: usize = 16;

/// The font of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotFont {
    /// A font whose text is Unicode.
    Text,
    Symbol(SymbolFont),
}

impl From<Option<SymbolFont>> for SlotFont {
    fn from(font: Option<SymbolFont>) -> Self {
        font.map_or(Self::Text, Self::Symbol)
    }
}

/// One of the four fonts of a run.
#[derive(Debug, Clone, Copy)]
enum FontSlot {
    Ascii,
    HighAnsi,
    EastAsia,
    Complex,
}

/// The fonts that a run, a style or the defaults set; `None` for what they do not set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RunFonts {
    /// In the order of [`FontSlot`].
    slots: [Option<SlotFont>; 4],
    /// Whether characters that are in several scripts are East Asian (`w:hint`).
    hints_east_asia: Option<bool>,
    /// Whether all characters are in the font for complex scripts (`w:cs`, `w:rtl`).
    is_complex: Option<bool>,
}

impl RunFonts {
    /// Applies an element of run properties; returns false for elements that do not concern fonts.
    pub(super) fn apply_property(&mut self, start: &BytesStart<'_>, theme: &ThemeFonts) -> bool {
        /// The attributes with a font and with a font of the theme, in the order of [`FontSlot`].
        const ATTRIBUTES: [(&str, &str); 4] = [
            ("w:ascii", "w:asciiTheme"),
            ("w:hAnsi", "w:hAnsiTheme"),
            ("w:eastAsia", "w:eastAsiaTheme"),
            ("w:cs", "w:cstheme"),
        ];
        match start.name().as_ref() {
            "w:rFonts" => {
                for (slot, (named, themed)) in self.slots.iter_mut().zip(ATTRIBUTES) {
                    // The font of the theme takes precedence over a name in the same element.
                    let named =
                        || attribute_value(start, named).map(|name| SymbolFont::from_name(&name));
                    let font = attribute_value(start, themed)
                        .map(|key| theme.font_of(&key))
                        .or_else(named);
                    *slot = font.map(SlotFont::from).or(*slot);
                }
                if let Some(hint) = attribute_value(start, "w:hint") {
                    self.hints_east_asia = Some(hint == "eastAsia");
                }
            }
            "w:cs" | "w:rtl" => self.is_complex = Some(is_on(start)),
            _ => return false,
        }
        true
    }

    /// These fonts, and those of `below` where these set none.
    pub(super) fn or(self, below: &Self) -> Self {
        let mut slots = self.slots;
        slots.iter_mut().zip(below.slots).for_each(|(slot, below)| *slot = slot.or(below));
        Self {
            slots,
            hints_east_asia: self.hints_east_asia.or(below.hints_east_asia),
            is_complex: self.is_complex.or(below.is_complex),
        }
    }

    /// Whether one of the fonts is a symbol font.
    pub(super) fn has_symbols(&self) -> bool {
        self.slots.iter().any(|slot| matches!(slot, Some(SlotFont::Symbol(_))))
    }

    /// The symbol font of a character; `None` if it is in another font.
    fn symbol_font_of(&self, character: char) -> Option<SymbolFont> {
        match self.slots.get(self.slot_of(character) as usize).copied().flatten()? {
            SlotFont::Symbol(font) => Some(font),
            SlotFont::Text => None,
        }
    }

    fn slot_of(&self, character: char) -> FontSlot {
        if self.is_complex == Some(true) {
            return FontSlot::Complex;
        }
        let hints_east_asia = self.hints_east_asia == Some(true);
        match u32::from(character) {
            0..=0x7f => FontSlot::Ascii,
            // The characters up to U+00FF that the hint moves; others of this block depend on the language, too.
            0xa1
            | 0xa4
            | 0xa7
            | 0xa8
            | 0xaa
            | 0xad
            | 0xaf..=0xb4
            | 0xb6..=0xba
            | 0xbc..=0xbf
            | 0xd7
            | 0xf7
                if hints_east_asia =>
            {
                FontSlot::EastAsia
            }
            0xe000..=0xf8ff if hints_east_asia => FontSlot::EastAsia,
            0x1100..=0x11ff
            | 0x2e80..=0xd7ff
            | 0xf900..=0xfaff
            | 0xfe30..=0xfe6f
            | 0xff00..=0xffef => FontSlot::EastAsia,
            _ => FontSlot::HighAnsi,
        }
    }

    /// The text of a run, with the characters that its symbol fonts mean.
    pub(super) fn read_text<'t>(
        &self,
        text: &'t str,
        unknown: &mut UnknownSymbols,
    ) -> Cow<'t, str> {
        if !self.has_symbols() {
            return Cow::Borrowed(text);
        }
        let read = |character| match self.symbol_font_of(character) {
            Some(font) => {
                font.read_character(character).unwrap_or_else(|| unknown.count(font.name()))
            }
            None => character,
        };
        Cow::Owned(text.chars().map(read).collect())
    }
}

/// The characters of symbol fonts that no table names, counted by font.
#[derive(Debug, Default)]
pub(super) struct UnknownSymbols {
    by_font: BTreeMap<String, u32>,
}

impl UnknownSymbols {
    /// Counts one. Returns the character that stands for it.
    pub(super) fn count(&mut self, font: &str) -> char {
        let name: String = font.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
        let is_new = !self.by_font.contains_key(&name);
        let name = if is_new && self.by_font.len() >= MAX_NAMED_FONTS {
            "other fonts".to_owned()
        } else {
            name
        };
        let count = self.by_font.entry(name).or_default();
        *count = count.saturating_add(1);
        UNKNOWN_SYMBOL
    }

    /// One warning for each font; `name` is the file.
    pub(super) fn into_warnings(self, name: &str) -> impl Iterator<Item = String> {
        self.by_font.into_iter().map(move |(font, count)| {
            let (characters, are) =
                if count == 1 { ("character", "is") } else { ("characters", "are") };
            format!(
                "'{name}': {count} {characters} of the symbol font {font} could not be read and {are} shown as {UNKNOWN_SYMBOL}"
            )
        })
    }
}

/// The character of a `w:sym` element: its font and its hexadecimal code. `None` if the element has no character.
pub(super) fn read_symbol(start: &BytesStart<'_>, unknown: &mut UnknownSymbols) -> Option<char> {
    let name = attribute_value(start, "w:font").unwrap_or_default();
    let code = attribute_value(start, "w:char").unwrap_or_default();
    let code = u32::from_str_radix(code.trim(), 16).ok()?;
    resolve_symbol(&name, char::from_u32(code)?, unknown)
}

/// The character of a code in a named font. `None` if it has no character.
pub(super) fn resolve_symbol(
    name: &str,
    stored: char,
    unknown: &mut UnknownSymbols,
) -> Option<char> {
    if let Some(font) = SymbolFont::from_name(name) {
        let name = if font == SymbolFont::Other { name } else { font.name() };
        return Some(font.read_character(stored).unwrap_or_else(|| unknown.count(name)));
    }
    match picture::private_code(stored) {
        // A code of a font that is not known: which sign it draws cannot be said.
        Some(_) if !name.trim().is_empty() => Some(unknown.count(name)),
        Some(code) => Some(
            SymbolFont::Symbol.character_of_code(code).unwrap_or_else(|| unknown.count("Symbol")),
        ),
        None => Some(stored).filter(|stored| *stored >= ' '),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_decides_what_a_code_means() {
        for (font, stored, expected) in [
            ("Symbol", '\u{f0b3}', '\u{2265}'),
            ("Symbol", '\u{b3}', '\u{2265}'),
            ("Wingdings", '\u{f0e0}', '\u{2192}'),
            ("MT Extra", '\u{f04c}', '\u{22ef}'),
            ("Arial", 'A', 'A'),
            ("Mathematica1", '\u{f06d}', UNKNOWN_SYMBOL),
            ("Wingdings", '\u{f0ff}', UNKNOWN_SYMBOL),
            ("", '\u{f06d}', '\u{3bc}'),
        ] {
            let read = resolve_symbol(font, stored, &mut UnknownSymbols::default());
            assert_eq!(read, Some(expected), "{font} {stored:?}");
        }
    }

    #[test]
    fn unknown_symbols_are_counted_by_font() {
        let mut unknown = UnknownSymbols::default();
        for font in ["Wingdings", "Marlett", "Wingdings"] {
            unknown.count(font);
        }
        let warnings: Vec<String> = unknown.into_warnings("t.docx").collect();
        assert_eq!(warnings.len(), 2);
        assert!(warnings[1].contains("2 characters of the symbol font Wingdings"), "{warnings:?}");
    }
}
