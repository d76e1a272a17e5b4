//! The records of text.

use super::enumerations::{ETO_GLYPH_INDEX, ETO_NO_RECT, ETO_OPAQUE, ETO_PDY, ETO_SMALL_CHARS};
use crate::{
    gdi::{Player, TextOut},
    reader::Record,
    text::SYMBOL_CHARSET,
};

/// Maximum number of characters of one text, and of texts of one record. They are decoded before the budget counts
/// them, and a record of 64 MiB can have 33 million.
const MAX_CHARACTERS: usize = 65_536;

/// Writes a text whose fields begin at `start` of the record. The offsets in the fields count from the
/// beginning of the record.
pub(super) fn draw_text(
    is_wide: bool,
    record: Record<'_>,
    start: usize,
    player: &mut Player,
) -> Option<()> {
    let reference_point = record.point_at(start)?;
    let (count, offset) = (record.size_at(start + 8)?, record.size_at(start + 12)?);
    let options = record.u32_at(start + 16)?;
    if count > MAX_CHARACTERS {
        return None;
    }
    let (from, to) = record.rectangle_at(start + 20)?;
    let is_area = to.0 > from.0 && to.1 > from.1;
    let filled = (options & ETO_OPAQUE != 0 && is_area).then_some((from, to));
    // Each advance is a pair of x and y.
    let has_pairs = options & ETO_PDY != 0;
    let distances = record.size_at(start + 36)?;
    let step = if has_pairs { 8 } else { 4 };
    let advance = |unit: usize| record.long_at(distances.checked_add(unit * step)?);
    let advances: Vec<f64> = match distances {
        0 => Vec::new(),
        _ => (0..count).map_while(advance).collect(),
    };
    let are_glyphs = options & ETO_GLYPH_INDEX != 0;
    let units = match (are_glyphs, is_wide) {
        // Unknown glyphs become blanks.
        (true, _) => {
            let glyphs = record.utf16_at(offset, count)?.into_iter();
            let known = glyphs.map(|glyph| crate::glyph_numbers::glyph_char(glyph).unwrap_or(' '));
            known.map(|known| known as u16).collect()
        }
        (false, true) => record.utf16_at(offset, count)?,
        (false, false) => {
            decode_narrow_text(record.bytes_at(offset, count)?, player.context.font.char_set)
        }
    };
    let (characters, advances) = decode_characters(&units, &advances);
    player.write_text(TextOut { reference_point, characters, advances, filled });
    Some(())
}

/// Text of bytes, in the code page of the font. Codes of symbol fonts have no code page.
fn decode_narrow_text(bytes: &[u8], char_set: u8) -> Vec<u16> {
    if char_set == SYMBOL_CHARSET {
        return bytes.iter().map(|byte| u16::from(*byte)).collect();
    }
    let (text, _, _) = crate::text::code_page(char_set).decode(bytes);
    text.encode_utf16().collect()
}

/// Characters with their advances, of which every unit of UTF-16 has one.
fn decode_characters(units: &[u16], advances: &[f64]) -> (Vec<char>, Vec<f64>) {
    let (mut characters, mut steps) = (Vec::new(), Vec::new());
    let has_advances = advances.len() == units.len();
    let mut unit = 0;
    for decoded in char::decode_utf16(units.iter().copied()) {
        // An unpaired surrogate is one unit, too.
        let character = decoded.unwrap_or('\u{fffd}');
        let length = character.len_utf16();
        characters.push(character);
        if has_advances {
            steps.push(advances[unit..unit + length].iter().sum());
        }
        unit += length;
    }
    (characters, steps)
}

pub(super) fn draw_texts(is_wide: bool, record: Record<'_>, player: &mut Player) -> Option<()> {
    let count = record.size_at(36)?.min(MAX_CHARACTERS);
    for index in 0..count {
        if player.canvas.is_spent() {
            break;
        }
        draw_text(is_wide, record, 40 + 40 * index, player)?;
    }
    Some(())
}

pub(super) fn draw_small_text(record: Record<'_>, player: &mut Player) -> Option<()> {
    let reference_point = record.point_at(8)?;
    let (count, options) = (record.size_at(16)?, record.u32_at(20)?);
    if count > MAX_CHARACTERS {
        return None;
    }
    let has_no_rectangle = options & ETO_NO_RECT != 0;
    let offset = if has_no_rectangle { 36 } else { 52 };
    let units = if options & ETO_SMALL_CHARS != 0 {
        record.bytes_at(offset, count)?.iter().map(|byte| u16::from(*byte)).collect()
    } else {
        record.utf16_at(offset, count)?
    };
    let (characters, advances) = decode_characters(&units, &[]);
    player.write_text(TextOut { reference_point, characters, advances, filled: None });
    Some(())
}
