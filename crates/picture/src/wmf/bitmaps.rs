//! The records of bitmaps.

use crate::{
    bitmap,
    gdi::{Blit, Player, blend_mode_of},
    reader::Record,
};

/// A bitmap with its header and its bits in a row.
pub(super) fn decode_packed_bitmap(bytes: &[u8], player: &mut Player) -> Option<bitmap::Bitmap> {
    if !player.canvas.try_spend(bitmap::estimate_decode_work(bytes)) {
        return None;
    }
    let record = Record(bytes);
    let size = record.size_at(0)?;
    let (depth, used, masks) = if size == 12 {
        (record.u16_at(10)?, 0, 0)
    } else {
        let masks = if record.u32_at(16)? == 3 && size == 40 { 12 } else { 0 };
        (record.u16_at(14)?, record.size_at(32)?, masks)
    };
    let most = if depth <= 8 { 1_usize << depth } else { 0 };
    let colors = if used == 0 { most } else { used.min(most.max(256)) };
    let entry = if size == 12 { 3 } else { 4 };
    let head = size.checked_add(masks)?.checked_add(colors * entry)?;
    bitmap::decode_bitmap(bytes.get(..head)?, bytes.get(head..)?, false)
}

pub(super) fn draw_bitmap_record(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let operation = record.u32_at(0)?;
    if kind == 0x061d {
        let (size, at) = (record.reversed_point_at(4)?, record.reversed_point_at(8)?);
        player.blit_pattern(operation, (at, size));
        return Some(());
    }
    // StretchDIB says how its colours are meant, and both the stretched ones a size of the source.
    let mut at = if kind == 0x0f43 { 6 } else { 4 };
    let is_stretched = matches!(kind, 0x0b41 | 0x0f43);
    if kind == 0x0d33 {
        return None;
    }
    let mut next = || {
        let point = record.reversed_point_at(at);
        at += 4;
        point
    };
    let source_size = if is_stretched { Some(next()?) } else { None };
    let source_at = next()?;
    // The form without a bitmap has two bytes that mean nothing here.
    if record.0.len() == 2 * usize::from(kind >> 8) {
        let at = if is_stretched { 14 } else { 10 };
        let (size, target_at) = (record.reversed_point_at(at)?, record.reversed_point_at(at + 4)?);
        player.blit_pattern(operation, (target_at, size));
        return Some(());
    }
    let (size, target_at) = (next()?, next()?);
    let Some(bitmap) = record.0.get(at..).and_then(|bytes| decode_packed_bitmap(bytes, player))
    else {
        player.blit_pattern(operation, (target_at, size));
        return Some(());
    };
    let rows = f64::from(bitmap.pixels.height());
    let source_size = source_size.unwrap_or(size);
    let source_at = if bitmap.is_bottom_up && kind == 0x0f43 {
        (source_at.0, (rows - source_at.1 - source_size.1).max(0.0))
    } else {
        source_at
    };
    let blend = blend_mode_of(operation)?;
    player.blit_bitmap(&Blit {
        bitmap: &bitmap,
        source: (source_at, source_size),
        target: (target_at, size),
        blend,
    });
    Some(())
}
