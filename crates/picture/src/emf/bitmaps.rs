//! The records of bitmaps.

use resvg::tiny_skia::BlendMode;

use crate::{
    bitmap,
    gdi::{Blit, Player, blend_mode_of},
    geometry::Matrix,
    reader::Record,
};

/// The bitmap whose four offsets and sizes begin at an offset of the record.
pub(super) fn read_stored_bitmap(
    record: Record<'_>,
    at: usize,
    has_alpha: bool,
    player: &mut Player,
) -> Option<bitmap::Bitmap> {
    let info = record.bytes_at(record.size_at(at)?, record.size_at(at + 4)?)?;
    let bits = record.bytes_at(record.size_at(at + 8)?, record.size_at(at + 12)?)?;
    if !player.canvas.try_spend(bitmap::estimate_decode_work(info)) {
        return None;
    }
    bitmap::decode_bitmap(info, bits, has_alpha)
}

pub(super) fn draw_bitmap_record(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let at = record.point_at(24)?;
    let (target_size, offsets, operation) = match kind {
        80 => ((0.0, 0.0), 48, 0x00cc_0020),
        81 => (record.point_at(72)?, 48, record.u32_at(68)?),
        79 => return draw_parallelogram(record, player),
        114 | 116 => (record.point_at(32)?, 84, 0x00cc_0020),
        _ => (record.point_at(32)?, 84, record.u32_at(40)?),
    };
    let (bits_size, source_at) = match kind {
        80 | 81 => (record.size_at(60)?, record.point_at(32)?),
        _ => (record.size_at(96)?, record.point_at(44)?),
    };
    if bits_size == 0 {
        player.blit_pattern(operation, (at, target_size));
        return Some(());
    }
    let blend = blend_mode_of(operation)?;
    let has_alpha = kind == 114 && record.u8_at(43)? & 1 != 0;
    let mut bitmap = read_stored_bitmap(record, offsets, has_alpha, player)?;
    let (columns, rows) = (f64::from(bitmap.pixels.width()), f64::from(bitmap.pixels.height()));
    let source_size = match kind {
        80 | 81 => record.point_at(40)?,
        76 | 78 => target_size,
        _ => record.point_at(100)?,
    };
    match kind {
        114 => bitmap.apply_opacity(record.u8_at(42)?),
        116 => bitmap.clear_color(record.u32_at(40)?),
        _ => {}
    }
    let target_size = if kind == 80 { source_size } else { target_size };
    // Offsets into a bitmap that is sent alone are counted from its first stored row.
    let source_at = if bitmap.is_bottom_up && matches!(kind, 80 | 81) {
        (source_at.0, (rows - source_at.1 - source_size.1).max(0.0))
    } else {
        source_at
    };
    let source = (source_at, (source_size.0.abs().min(columns), source_size.1.abs().min(rows)));
    player.blit_bitmap(&Blit { bitmap: &bitmap, source, target: (at, target_size), blend });
    Some(())
}

/// PlgBlt: a bitmap put into a parallelogram of three corners; its mask is not followed.
fn draw_parallelogram(record: Record<'_>, player: &mut Player) -> Option<()> {
    let to_corners =
        Matrix::from_corners([record.point_at(24)?, record.point_at(32)?, record.point_at(40)?]);
    let bitmap = read_stored_bitmap(record, 96, false, player)?;
    let (source_at, source_size) = (record.point_at(48)?, record.point_at(56)?);
    let before = player.context.world;
    player.context.world = to_corners.then(before);
    let target = ((0.0, 0.0), (1.0, 1.0));
    let blend = BlendMode::SourceOver;
    player.blit_bitmap(&Blit { bitmap: &bitmap, source: (source_at, source_size), target, blend });
    player.context.world = before;
    Some(())
}
