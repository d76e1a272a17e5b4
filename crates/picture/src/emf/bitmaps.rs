//! The records that draw bitmaps.

use resvg::tiny_skia::BlendMode;

use super::record_types::{
    EMR_ALPHABLEND, EMR_BITBLT, EMR_MASKBLT, EMR_PLGBLT, EMR_SETDIBITSTODEVICE, EMR_STRETCHDIBITS,
    EMR_TRANSPARENTBLT,
};
use crate::{
    bitmap,
    gdi::{Blit, Player, SRCCOPY, blend_mode_of},
    geometry::Matrix,
    reader::Record,
};

/// AlphaFormat of EMR_ALPHABLEND ([MS-EMF] 2.3.1.1): each pixel has an opacity of its own.
const AC_SRC_ALPHA: u8 = 1;

/// Reads the bitmap whose four offsets and sizes begin at `start` of the record.
pub(super) fn read_stored_bitmap(
    record: Record<'_>,
    start: usize,
    has_alpha: bool,
    player: &mut Player,
) -> Option<bitmap::Bitmap> {
    let info = record.bytes_at(record.size_at(start)?, record.size_at(start + 4)?)?;
    let bits = record.bytes_at(record.size_at(start + 8)?, record.size_at(start + 12)?)?;
    if !player.canvas.try_spend(bitmap::estimate_decode_work(info)) {
        return None;
    }
    bitmap::decode_bitmap(info, bits, has_alpha)
}

pub(super) fn draw_bitmap_record(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let target_at = record.point_at(24)?;
    let (target_size, offsets, operation) = match kind {
        // Its target is as large as its source.
        EMR_SETDIBITSTODEVICE => ((0.0, 0.0), 48, SRCCOPY),
        EMR_STRETCHDIBITS => (record.point_at(72)?, 48, record.u32_at(68)?),
        EMR_PLGBLT => return draw_parallelogram(record, player),
        EMR_ALPHABLEND | EMR_TRANSPARENTBLT => (record.point_at(32)?, 84, SRCCOPY),
        _ => (record.point_at(32)?, 84, record.u32_at(40)?),
    };
    let (bits_size, source_at) = match kind {
        EMR_SETDIBITSTODEVICE | EMR_STRETCHDIBITS => (record.size_at(60)?, record.point_at(32)?),
        _ => (record.size_at(96)?, record.point_at(44)?),
    };
    if bits_size == 0 {
        player.blit_pattern(operation, (target_at, target_size));
        return Some(());
    }
    let blend = blend_mode_of(operation)?;
    let has_alpha = kind == EMR_ALPHABLEND && record.u8_at(43)? & AC_SRC_ALPHA != 0;
    let mut bitmap = read_stored_bitmap(record, offsets, has_alpha, player)?;
    let (columns, rows) = (f64::from(bitmap.pixels.width()), f64::from(bitmap.pixels.height()));
    let source_size = match kind {
        EMR_SETDIBITSTODEVICE | EMR_STRETCHDIBITS => record.point_at(40)?,
        EMR_BITBLT | EMR_MASKBLT => target_size,
        _ => record.point_at(100)?,
    };
    match kind {
        EMR_ALPHABLEND => bitmap.apply_opacity(record.u8_at(42)?),
        EMR_TRANSPARENTBLT => bitmap.clear_color(record.u32_at(40)?),
        _ => {}
    }
    let target_size = if kind == EMR_SETDIBITSTODEVICE { source_size } else { target_size };
    // SetDIBitsToDevice and StretchDIBits count the rows of the source from the first stored one.
    let source_at =
        if bitmap.is_bottom_up && matches!(kind, EMR_SETDIBITSTODEVICE | EMR_STRETCHDIBITS) {
            (source_at.0, (rows - source_at.1 - source_size.1).max(0.0))
        } else {
            source_at
        };
    let source = (source_at, (source_size.0.abs().min(columns), source_size.1.abs().min(rows)));
    player.blit_bitmap(&Blit {
        bitmap: &bitmap,
        drawing: None,
        source,
        target: (target_at, target_size),
        blend,
    });
    Some(())
}

/// PlgBlt: a bitmap drawn into a parallelogram of three corners; its mask is ignored.
fn draw_parallelogram(record: Record<'_>, player: &mut Player) -> Option<()> {
    let to_corners =
        Matrix::from_corners([record.point_at(24)?, record.point_at(32)?, record.point_at(40)?]);
    let bitmap = read_stored_bitmap(record, 96, false, player)?;
    let (source_at, source_size) = (record.point_at(48)?, record.point_at(56)?);
    let before = player.context.world;
    player.context.world = to_corners.then(before);
    let target = ((0.0, 0.0), (1.0, 1.0));
    let blend = BlendMode::SourceOver;
    player.blit_bitmap(&Blit {
        bitmap: &bitmap,
        drawing: None,
        source: (source_at, source_size),
        target,
        blend,
    });
    player.context.world = before;
    Some(())
}
