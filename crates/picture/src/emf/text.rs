//! The records of text.

use crate::{
    gdi::{Player, TextOut},
    reader::Record,
};

/// Characters of one text, and texts of one record, that are read.
const MOST_CHARACTERS: usize = 65_536;

/// Writes a text whose fields begin at an offset of the record; offsets count from its beginning.
pub(super) fn draw_text(
    is_wide: bool,
    record: Record<'_>,
    at: usize,
    player: &mut Player,
) -> Option<()> {
    let position = record.point_at(at)?;
    let (count, offset) = (record.size_at(at + 8)?, record.size_at(at + 12)?);
    let options = record.u32_at(at + 16)?;
    if count > MOST_CHARACTERS {
        return None;
    }
    let (from, to) = record.rectangle_at(at + 20)?;
    let is_area = to.0 > from.0 && to.1 > from.1;
    let filled = (options & 2 != 0 && is_area).then_some((from, to));
    let has_pairs = options & 0x2000 != 0;
    let distances = record.size_at(at + 36)?;
    let step = if has_pairs { 8 } else { 4 };
    let advance = |unit: usize| record.long_at(distances.checked_add(unit * step)?);
    let advances: Vec<f64> = match distances {
        0 => Vec::new(),
        _ => (0..count).map_while(advance).collect(),
    };
    let are_glyphs = options & 0x10 != 0;
    let units = match (are_glyphs, is_wide) {
        // Those that are not known leave their room.
        (true, _) => {
            let glyphs = record.utf16_at(offset, count)?.into_iter();
            let known = glyphs.map(|glyph| crate::symbols::glyph_char(glyph).unwrap_or(' '));
            known.map(|known| known as u16).collect()
        }
        (false, true) => record.utf16_at(offset, count)?,
        (false, false) => {
            decode_narrow_text(record.bytes_at(offset, count)?, player.context.font.char_set)
        }
    };
    let (characters, advances) = decode_characters(&units, &advances);
    player.write_text(TextOut { at: position, characters, advances, filled });
    Some(())
}

/// Text of one byte for each character, in the code page of the font.
fn decode_narrow_text(bytes: &[u8], char_set: u8) -> Vec<u16> {
    if char_set == 2 {
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
        // A half of a pair alone is one unit, too.
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
    let count = record.size_at(36)?.min(MOST_CHARACTERS);
    for index in 0..count {
        if player.canvas.is_spent() {
            break;
        }
        draw_text(is_wide, record, 40 + 40 * index, player)?;
    }
    Some(())
}

pub(super) fn draw_small_text(record: Record<'_>, player: &mut Player) -> Option<()> {
    let (at, count, options) = (record.point_at(8)?, record.size_at(16)?, record.u32_at(20)?);
    if count > MOST_CHARACTERS {
        return None;
    }
    let has_no_rectangle = options & 0x100 != 0;
    let offset = if has_no_rectangle { 36 } else { 52 };
    let units = if options & 0x200 != 0 {
        record.bytes_at(offset, count)?.iter().map(|byte| u16::from(*byte)).collect()
    } else {
        record.utf16_at(offset, count)?
    };
    let (characters, advances) = decode_characters(&units, &[]);
    player.write_text(TextOut { at, characters, advances, filled: None });
    Some(())
}
