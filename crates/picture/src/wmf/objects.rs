//! The records that create pens, brushes and fonts.

use super::bitmaps::decode_packed_bitmap;
use crate::{
    font::FontRequest,
    gdi::{Brush, Font, GdiObject, Pen, Player, color_from_colorref},
    reader::Record,
};

pub(super) fn create_object(kind: u16, record: Record<'_>, player: &mut Player) {
    let object = match kind {
        0x02fa => read_pen(record).map(GdiObject::Pen),
        0x02fb => read_font(record).map(GdiObject::Font),
        0x02fc => read_brush(record).map(GdiObject::Brush),
        0x0142 | 0x01f9 => Some(GdiObject::Brush(read_tile_brush(record, player))),
        _ => None,
    };
    // Its number is taken even where it cannot be read.
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
    bitmap.map_or(Brush::Plain(color_from_colorref(0x00d0_d0d0)), |bitmap| {
        Brush::from_tile(bitmap.pixels)
    })
}

fn read_font(record: Record<'_>) -> Option<Font> {
    let char_set = record.u8_at(13)?;
    let name = record.0.get(18..)?;
    let end = name.iter().take(32).position(|byte| *byte == 0).unwrap_or(name.len().min(32));
    let (name, _, _) = crate::text::code_page(char_set).decode(&name[..end]);
    let request = FontRequest {
        name: &name,
        bold: record.i16_at(8)? >= 600,
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
