//! Characters of a Word 97 file that are in symbol fonts, or are inserted symbols: the library reads only some of them.

use picture::SymbolFont;

use super::binary::{Character, WordStreams, read_operand, read_u16};
use crate::run_fonts::{UnknownSymbols, resolve_symbol};

/// [MS-DOC] 2.5.6: where the offset and length of the table of fonts are.
const FONT_TABLE: usize = 0x112;
/// [MS-DOC] 2.9.286: maximum number of fonts.
const MAX_FONTS: usize = 0x7ff0;
/// [MS-DOC] 2.9.87: bytes of a font before its name.
const FONT_HEAD_BYTES: usize = 39;
/// Longest name of a font that is read, in characters.
const MAX_NAME_CHARS: usize = 64;

/// What the modifiers of a run say about its fonts.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct RunSymbols {
    /// The fonts of characters up to U+007F, and of others: indexes in the table of fonts.
    ascii: Option<u16>,
    other: Option<u16>,
    /// An inserted symbol: its font and its character.
    inserted: Option<(u16, u16)>,
}

/// A character with the sign that it means.
pub(super) struct SymbolCharacter {
    pub(super) character: Character,
    pub(super) sign: char,
}

/// The characters of the main text that mean other signs than their codes, in the order of the text; `None` if the file is
/// damaged.
pub(super) fn find_symbols(
    streams: &WordStreams,
    unknown: &mut UnknownSymbols,
) -> Option<Vec<SymbolCharacter>> {
    let names = read_font_names(streams.table_part(FONT_TABLE).unwrap_or_default());
    let fonts: Vec<Option<SymbolFont>> =
        names.iter().map(|name| SymbolFont::from_name(name)).collect();
    let font_of = |index: Option<u16>| fonts.get(usize::from(index?)).copied().flatten();
    let mut runs = Vec::new();
    streams.visit_runs(&mut |bytes, modifiers| {
        let run = read_run(modifiers);
        if run.inserted.is_some() || font_of(run.ascii).is_some() || font_of(run.other).is_some() {
            runs.push((bytes, run));
        }
    });
    runs.sort_by_key(|(bytes, _)| bytes.start);
    let ranges: Vec<_> = runs.iter().map(|(bytes, _)| bytes.clone()).collect();
    let mut found = Vec::new();
    for (index, character) in streams.characters_in(&ranges)? {
        let Some((_, run)) = runs.get(index) else { continue };
        let sign = match run.inserted {
            Some((font, code)) => {
                let name = names.get(usize::from(font)).map_or("", String::as_str);
                char::from_u32(code.into()).and_then(|stored| resolve_symbol(name, stored, unknown))
            }
            None => read_sign(character, font_of(run.ascii), font_of(run.other), unknown),
        };
        found.extend(sign.map(|sign| SymbolCharacter { character, sign }));
    }
    Some(found)
}

/// The sign of a character in these fonts; `None` if it means itself.
fn read_sign(
    character: Character,
    ascii: Option<SymbolFont>,
    other: Option<SymbolFont>,
    unknown: &mut UnknownSymbols,
) -> Option<char> {
    let stored =
        char::from_u32(character.code.into()).filter(|c| *c > ' ' && !c.is_whitespace())?;
    let font = if stored.is_ascii() { ascii } else { other }?;
    let sign = font.read_character(stored).unwrap_or_else(|| unknown.count(font.name()));
    (sign != stored).then_some(sign)
}

/// [MS-DOC] 2.6.1: the modifiers of a run that concern fonts.
fn read_run(mut modifiers: &[u8]) -> RunSymbols {
    const ASCII_FONT: u16 = 0x4A4F;
    const OTHER_FONT: u16 = 0x4A51;
    const SYMBOL: u16 = 0x6A09;
    let mut run = RunSymbols::default();
    while let Some(modifier) = read_u16(modifiers, 0) {
        let Some(operand) = read_operand(modifier, &modifiers[2..]) else { break };
        match modifier {
            ASCII_FONT => run.ascii = read_u16(operand, 0),
            OTHER_FONT => run.other = read_u16(operand, 0),
            SYMBOL => run.inserted = read_u16(operand, 0).zip(read_u16(operand, 2)),
            _ => {}
        }
        modifiers = &modifiers[2 + operand.len()..];
    }
    run
}

/// [MS-DOC] 2.9.286: the names of the fonts; those of a damaged table end early.
fn read_font_names(table: &[u8]) -> Vec<String> {
    let count = read_u16(table, 0).map_or(0, usize::from).min(MAX_FONTS);
    let extra = read_u16(table, 2).map_or(0, usize::from);
    let mut rest = table.get(4..).unwrap_or_default();
    let mut names = Vec::new();
    while names.len() < count {
        let Some((length, after)) = rest.split_first() else { break };
        let Some(font) = after.get(..usize::from(*length)) else { break };
        let name = font.get(FONT_HEAD_BYTES..).unwrap_or_default();
        let units = name.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        let units: Vec<u16> = units.take_while(|unit| *unit != 0).take(MAX_NAME_CHARS).collect();
        names.push(String::from_utf16_lossy(&units));
        rest = after.get(usize::from(*length) + extra..).unwrap_or_default();
    }
    names
}
