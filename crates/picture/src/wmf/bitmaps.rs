//! The records that draw bitmaps.

use super::record_types::{META_DIBSTRETCHBLT, META_PATBLT, META_SETDIBTODEV, META_STRETCHDIB};
use crate::{
    bitmap::{self, BI_BITFIELDS, CORE_HEADER_BYTES, INFO_HEADER_BYTES, MASKS_BYTES},
    gdi::{Blit, Player, blend_mode_of},
    reader::Record,
};

/// Decodes a bitmap whose bits follow its header.
pub(super) fn decode_packed_bitmap(bytes: &[u8], player: &mut Player) -> Option<bitmap::Bitmap> {
    if !player.canvas.try_spend(bitmap::estimate_decode_work(bytes)) {
        return None;
    }
    let record = Record(bytes);
    let header_size = record.size_at(0)?;
    let is_core = header_size == CORE_HEADER_BYTES;
    let (depth, used, masks_size) = if is_core {
        (record.u16_at(10)?, 0, 0)
    } else {
        let has_masks = record.u32_at(16)? == BI_BITFIELDS && header_size == INFO_HEADER_BYTES;
        let masks_size = if has_masks { MASKS_BYTES } else { 0 };
        (record.u16_at(14)?, record.size_at(32)?, masks_size)
    };
    let max_colors = if depth <= 8 { 1_usize << depth } else { 0 };
    let colors = if used == 0 { max_colors } else { used.min(max_colors.max(256)) };
    let entry_size = if is_core { 3 } else { 4 };
    let info_size = header_size.checked_add(masks_size)?.checked_add(colors * entry_size)?;
    bitmap::decode_bitmap(bytes.get(..info_size)?, bytes.get(info_size..)?, false)
}

pub(super) fn draw_bitmap_record(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    // SetDIBitsToDevice has no raster operation and other parameters: it is not drawn.
    if kind == META_SETDIBTODEV {
        return None;
    }
    let operation = record.u32_at(0)?;
    if kind == META_PATBLT {
        let (size, target_at) = (record.reversed_point_at(4)?, record.reversed_point_at(8)?);
        player.blit_pattern(operation, (target_at, size));
        return Some(());
    }
    // StretchDIB has a ColorUsage before its points, and both stretched records a size of the source.
    let mut offset = if kind == META_STRETCHDIB { 6 } else { 4 };
    let is_stretched = matches!(kind, META_DIBSTRETCHBLT | META_STRETCHDIB);
    let mut next_point = || {
        let point = record.reversed_point_at(offset);
        offset += 4;
        point
    };
    let source_size = if is_stretched { Some(next_point()?) } else { None };
    let source_at = next_point()?;
    // A record without a bitmap has as many words as the high byte of its type says, two reserved bytes
    // among them.
    if record.0.len() == 2 * usize::from(kind >> 8) {
        let offset = if is_stretched { 14 } else { 10 };
        let size = record.reversed_point_at(offset)?;
        let target_at = record.reversed_point_at(offset + 4)?;
        player.blit_pattern(operation, (target_at, size));
        return Some(());
    }
    let (size, target_at) = (next_point()?, next_point()?);
    let Some(bitmap) = record.0.get(offset..).and_then(|bytes| decode_packed_bitmap(bytes, player))
    else {
        player.blit_pattern(operation, (target_at, size));
        return Some(());
    };
    let rows = f64::from(bitmap.pixels.height());
    let source_size = source_size.unwrap_or(size);
    let source_at = if bitmap.is_bottom_up && kind == META_STRETCHDIB {
        (source_at.0, (rows - source_at.1 - source_size.1).max(0.0))
    } else {
        source_at
    };
    let blend = blend_mode_of(operation)?;
    player.blit_bitmap(&Blit {
        bitmap: &bitmap,
        drawing: None,
        source: (source_at, source_size),
        target: (target_at, size),
        blend,
    });
    Some(())
}
