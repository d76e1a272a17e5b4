//! The records that create pens, brushes and fonts.

use super::{
    bitmaps::decode_packed_bitmap,
    record_types::{
        META_CREATEBRUSHINDIRECT, META_CREATEFONTINDIRECT, META_CREATEPATTERNBRUSH,
        META_CREATEPENINDIRECT, META_DIBCREATEPATTERNBRUSH,
    },
};
use crate::{
    font::{FontRequest, MIN_BOLD_WEIGHT},
    gdi::{Brush, Font, GdiObject, Pen, Player, UNREADABLE_PATTERN_COLOR, color_from_colorref},
    reader::Record,
};

/// Bytes of the name of a font ([MS-WMF] 2.2.1.2, Font).
const MAX_FACE_NAME_BYTES: usize = 32;

pub(super) fn create_object(kind: u16, record: Record<'_>, player: &mut Player) {
    let object = match kind {
        META_CREATEPENINDIRECT => read_pen(record).map(GdiObject::Pen),
        META_CREATEFONTINDIRECT => read_font(record).map(GdiObject::Font),
        META_CREATEBRUSHINDIRECT => read_brush(record).map(GdiObject::Brush),
        META_DIBCREATEPATTERNBRUSH | META_CREATEPATTERNBRUSH => {
            Some(GdiObject::Brush(read_tile_brush(record, player)))
        }
        _ => None,
    };
    // An object that cannot be read also occupies its number: later records refer to objects by number.
    player.objects.insert_at_lowest_free(object.unwrap_or(GdiObject::Other));
}

fn read_pen(record: Record<'_>) -> Option<Pen> {
    let (style, width) = (record.u16_at(0)?, record.short_at(2)?);
    Some(Pen::from_style(style.into(), width, color_from_colorref(record.u32_at(6)?), Vec::new()))
}

fn read_brush(record: Record<'_>) -> Option<Brush> {
    Some(Brush::from_style(
        record.u16_at(0)?.into(),
        color_from_colorref(record.u32_at(2)?),
        record.u16_at(6)?.into(),
    ))
}

fn read_tile_brush(record: Record<'_>, player: &mut Player) -> Brush {
    let bitmap = record.0.get(4..).and_then(|bytes| decode_packed_bitmap(bytes, player));
    let grey = Brush::Plain(color_from_colorref(UNREADABLE_PATTERN_COLOR));
    bitmap.map_or(grey, |bitmap| Brush::from_tile(bitmap.pixels))
}

fn read_font(record: Record<'_>) -> Option<Font> {
    let char_set = record.u8_at(13)?;
    let name = record.0.get(18..)?;
    let name = &name[..name.len().min(MAX_FACE_NAME_BYTES)];
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    let (name, _, _) = crate::text::code_page(char_set).decode(&name[..end]);
    let request = FontRequest {
        name: &name,
        bold: i32::from(record.i16_at(8)?) >= MIN_BOLD_WEIGHT,
        italic: record.u8_at(10)? != 0,
        pitch_and_family: record.u8_at(17)?,
    };
    let font = Font::new(record.short_at(0)?, &request);
    Some(Font {
        width: record.short_at(2)?.abs(),
        rise: record.short_at(4)? / 10.0,
        underlined: record.u8_at(11)? != 0,
        struck_out: record.u8_at(12)? != 0,
        char_set,
        ..font
    })
}
