//! Executes each record.

use super::{
    bitmaps::{draw_bitmap_record, read_stored_bitmap},
    records::{color_at, iter_records, read_logical_font, read_point_rows, read_points},
    text::{draw_small_text, draw_text, draw_texts},
};
use crate::{
    gdi::{ArcKind, Brush, ClipMode, EllipticArc, GdiObject, PaintMode, Pen, Player},
    geometry::{Matrix, Point},
    reader::Record,
};

/// Maximum number of rectangles read from a region.
const MOST_RECTANGLES: usize = 4096;

/// The last record.
pub(super) const EMR_EOF: u32 = 14;

/// Plays the records of a file. A record that cannot be read is skipped, as Windows does.
pub(super) fn play_records(bytes: &[u8], player: &mut Player) {
    for (kind, record) in iter_records(bytes) {
        if kind == EMR_EOF || player.canvas.is_spent() {
            break;
        }
        play_record(kind, record, player);
    }
}

/// Plays a record. One that is cut off or refers to something missing does nothing.
pub(super) fn play_record(kind: u32, record: Record<'_>, player: &mut Player) {
    let _: Option<()> = dispatch_record(kind, record, player);
}

fn dispatch_record(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        2..=8 | 85..=91 => draw_poly(kind, record, player),
        9..=13 | 17 | 31 | 32 | 35 | 36 => set_mapping(kind, record, player),
        18..=25 | 57 | 33 | 34 | 37..=40 | 82 | 93..=95 | 48 | 49 | 58 | 98 => {
            set_state(kind, record, player)
        }
        15 => {
            let (at, color) = (record.point_at(8)?, color_at(record, 16)?);
            let before = std::mem::replace(&mut player.context.brush, Brush::Plain(color));
            player.fill_rectangle((at, (at.0 + 1.0, at.1 + 1.0)));
            player.context.brush = before;
            Some(())
        }
        26 | 28 | 29 | 30 | 67 | 75 => change_clip(kind, record, player),
        27 | 41..=47 | 54..=56 | 92 => draw_shape(kind, record, player),
        59..=68 => change_path(kind, record, player),
        76..=81 | 114 | 116 => draw_bitmap_record(kind, record, player),
        71 | 74 => fill_region(kind, record, player),
        83 | 84 => draw_text(kind == 84, record, 36, player),
        96 | 97 => draw_texts(kind == 97, record, player),
        108 => draw_small_text(record, player),
        118 => fill_gradient(record, player),
        _ => None,
    }
}

fn draw_poly(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let are_small = kind >= 85;
    match if are_small { kind - 83 } else { kind } {
        kind @ 2..=6 => {
            let points = read_points(record, 28, record.size_at(24)?, are_small)?;
            match kind {
                2 => player.draw_curves(&points),
                3 => player.draw_polygons([points.as_slice()].into_iter()),
                4 => player.draw_polylines([points.as_slice()].into_iter()),
                5 => player.curves_to(&points),
                _ => player.lines_to(&points),
            }
        }
        kind => {
            let rows = read_point_rows(record, are_small)?;
            let rows = rows.iter().map(Vec::as_slice);
            if kind == 7 { player.draw_polylines(rows) } else { player.draw_polygons(rows) }
        }
    }
    Some(())
}

fn set_mapping(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let context = &mut player.context;
    let scaled = |(x, y): Point| {
        let ratio = |above: f64, below: f64| if below == 0.0 { 1.0 } else { above / below };
        let by_x = ratio(record.long_at(8)?, record.long_at(12)?);
        let by_y = ratio(record.long_at(16)?, record.long_at(20)?);
        Some((x * by_x, y * by_y))
    };
    match kind {
        9 => context.mapping.window_extent = record.point_at(8)?,
        10 => context.mapping.window_origin = record.point_at(8)?,
        11 => context.mapping.viewport_extent = record.point_at(8)?,
        12 => context.mapping.viewport_origin = record.point_at(8)?,
        17 => context.mapping.mode = record.u32_at(8)?,
        31 => context.mapping.viewport_extent = scaled(context.mapping.viewport_extent)?,
        32 => context.mapping.window_extent = scaled(context.mapping.window_extent)?,
        35 | 36 => {
            let matrix = record.matrix_at(8)?;
            let mode = if kind == 35 { 4 } else { record.u32_at(32)? };
            context.world = match mode {
                1 => Matrix::IDENTITY,
                2 => matrix.then(context.world),
                3 => context.world.then(matrix),
                _ => matrix,
            };
        }
        _ => {}
    }
    Some(())
}

fn set_state(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let number = || record.u32_at(8);
    match kind {
        18 => player.context.is_opaque = number()? == 2,
        19 => player.context.fills_winding = number()? == 2,
        20 => player.set_raster_operation(number()?),
        22 => player.context.text_align = number()?,
        24 => player.context.text_color = color_at(record, 8)?,
        25 => player.context.back_color = color_at(record, 8)?,
        33 => player.save_context(),
        34 => player.restore_context(record.i32_at(8)?),
        37 => player.select_object(number()?),
        38 => {
            let pen = Pen::from_style(
                record.u32_at(12)?,
                record.long_at(16)?,
                color_at(record, 24)?,
                Vec::new(),
            );
            player.objects.insert(number()?, GdiObject::Pen(pen));
        }
        39 => {
            let brush =
                Brush::from_style(record.u32_at(12)?, color_at(record, 16)?, record.u32_at(20)?);
            player.objects.insert(number()?, GdiObject::Brush(brush));
        }
        40 => player.objects.remove(number()?),
        49 => player.objects.insert(number()?, GdiObject::Other),
        57 => player.context.is_clockwise = number()? == 2,
        82 => player.objects.insert(number()?, GdiObject::Font(read_logical_font(record, 12)?)),
        93 | 94 => {
            let tile = read_stored_bitmap(record, 16, false, player);
            let grey = Brush::Plain(crate::gdi::color_from_colorref(0x00d0_d0d0));
            let brush = tile.map_or(grey, |tile| Brush::from_tile(tile.pixels));
            player.objects.insert(number()?, GdiObject::Brush(brush));
        }
        95 => player.objects.insert(number()?, GdiObject::Pen(read_extended_pen(record)?)),
        _ => {}
    }
    Some(())
}

fn read_extended_pen(record: Record<'_>) -> Option<Pen> {
    let (style, width) = (record.u32_at(28)?, f64::from(record.u32_at(32)?));
    let is_geometric = style & 0x1_0000 != 0;
    let count = record.size_at(48)?.min(16);
    // Lengths of a geometric pen are in logical units, as its width is.
    let unit = if is_geometric { width.max(1.0) } else { 1.0 };
    let dashes = (0..count)
        .map_while(|index| Some((f64::from(record.u32_at(52 + 4 * index)?) / unit) as f32));
    let width = if is_geometric { width } else { 0.0 };
    // BS_NULL: a pen that draws nothing.
    let style = if record.u32_at(36)? == 1 { style & !15 | 5 } else { style };
    Some(Pen::from_style(style, width, color_at(record, 40)?, dashes.collect()))
}

fn change_clip(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        // Moves of the clip are rare and small.
        26 | 28 => {}
        29 => player.clip_to_rectangle(record.rectangle_at(8)?, ClipMode::Without),
        30 => player.clip_once(record.rectangle_at(8)?),
        67 => match ClipMode::from_region_mode(record.u32_at(8)?) {
            Some(mode) => player.clip_to_path(mode),
            None => player.abort_path(),
        },
        _ => {
            let (size, mode) =
                (record.size_at(8)?, ClipMode::from_region_mode(record.u32_at(12)?)?);
            if size < 32 {
                if mode == ClipMode::Instead {
                    player.reset_clip();
                }
                return Some(());
            }
            let polygons = region_rectangles(record, 16, player)?;
            player.clip_to_polygons(&polygons, mode);
        }
    }
    Some(())
}

/// The rectangles of a region, in pixels. The region is in coordinates of the device.
fn region_rectangles(record: Record<'_>, at: usize, player: &Player) -> Option<Vec<Vec<Point>>> {
    let count = record.size_at(at + 8)?.min(MOST_RECTANGLES);
    let rectangles = (0..count).map_while(|index| record.rectangle_at(at + 32 + 16 * index));
    Some(rectangles.map(|rectangle| player.device_rectangle(rectangle)).collect())
}

/// FillRgn and PaintRgn: fills the rectangles of a region.
fn fill_region(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let at = if kind == 71 { 32 } else { 28 };
    let before = player.context.brush.clone();
    if kind == 71 {
        player.select_object(record.u32_at(28)?);
    }
    let count = record.size_at(at + 8)?.min(MOST_RECTANGLES);
    for index in 0..count {
        if let Some(rectangle) = record.rectangle_at(at + 32 + 16 * index) {
            player.fill_rectangle(rectangle);
        }
    }
    player.context.brush = before;
    Some(())
}

fn draw_shape(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        27 => player.move_to(record.point_at(8)?),
        41 => {
            let (centre, radius) = (record.point_at(8)?, f64::from(record.u32_at(16)?));
            let (begin, sweep) = (record.float_at(20)?, record.float_at(24)?);
            let ray = |degrees: f64| {
                let angle = -degrees.to_radians();
                (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
            };
            let rectangle =
                ((centre.0 - radius, centre.1 - radius), (centre.0 + radius, centre.1 + radius));
            let was_clockwise = player.context.is_clockwise;
            player.context.is_clockwise = sweep < 0.0;
            let arc = EllipticArc { rectangle, from: ray(begin), to: ray(begin + sweep) };
            player.draw_arc(arc, ArcKind::Joined);
            player.context.is_clockwise = was_clockwise;
        }
        42 => player.draw_ellipse(record.rectangle_at(8)?),
        43 => player.draw_rectangle(record.rectangle_at(8)?),
        44 => player.draw_round_rectangle(record.rectangle_at(8)?, record.point_at(24)?),
        45 | 46 | 47 | 55 => {
            let (from, to) = (record.point_at(24)?, record.point_at(32)?);
            let arc = EllipticArc { rectangle: record.rectangle_at(8)?, from, to };
            let kind = match kind {
                45 => ArcKind::Open,
                46 => ArcKind::Chord,
                47 => ArcKind::Pie,
                _ => ArcKind::Joined,
            };
            player.draw_arc(arc, kind);
        }
        54 => player.lines_to(&[record.point_at(8)?]),
        _ => return poly_draw(record, kind == 92, player),
    }
    Some(())
}

/// PolyDraw: points with a byte each that says what is drawn to them.
fn poly_draw(record: Record<'_>, are_small: bool, player: &mut Player) -> Option<()> {
    let count = record.size_at(24)?;
    let points = read_points(record, 28, count, are_small)?;
    let kinds = record.bytes_at(28 + count * if are_small { 4 } else { 8 }, count)?;
    let mut index = 0;
    while let (Some(point), Some(kind)) = (points.get(index), kinds.get(index)) {
        match kind & 6 {
            6 => player.move_to(*point),
            4 => {
                player.curves_to(points.get(index..index + 3)?);
                index += 2;
            }
            _ => player.lines_to(&[*point]),
        }
        index += 1;
    }
    Some(())
}

fn change_path(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        59 => player.begin_path(),
        60 => player.end_path(),
        61 => player.close_figure(),
        62 => player.draw_path(PaintMode { fill: true, stroke: false }),
        63 => player.draw_path(PaintMode { fill: true, stroke: true }),
        64 => player.draw_path(PaintMode { fill: false, stroke: true }),
        67 => return change_clip(kind, record, player),
        68 => player.abort_path(),
        // Flattening changes nothing that can be seen; widening is not met.
        _ => {}
    }
    Some(())
}

/// Rectangles from one colour to another; triangles are filled with the mean of their corners.
fn fill_gradient(record: Record<'_>, player: &mut Player) -> Option<()> {
    let (vertices, meshes, mode) = (record.size_at(24)?, record.size_at(28)?, record.u32_at(32)?);
    let vertex = |number: usize| {
        let at = number.checked_mul(16)?.checked_add(36)?;
        (number < vertices).then_some(())?;
        let part = |index: usize| record.u16_at(at + 8 + 2 * index).map(|part| (part >> 8) as u8);
        Some((record.point_at(at)?, [part(0)?, part(1)?, part(2)?]))
    };
    let at = vertices.checked_mul(16)?.checked_add(36)?;
    for mesh in 0..meshes.min(MOST_RECTANGLES) {
        if mode == 2 {
            let corner = |index: usize| vertex(record.size_at(at + 12 * mesh + 4 * index)?);
            let corners = [corner(0)?, corner(1)?, corner(2)?];
            player.fill_mean_color(
                &corners.map(|(point, _)| point),
                &corners.map(|(_, color)| color),
            );
        } else {
            let first = vertex(record.size_at(at + 8 * mesh)?)?;
            let last = vertex(record.size_at(at + 8 * mesh + 4)?)?;
            player.fill_gradient((first.0, last.0), [first.1, last.1], mode == 1);
        }
    }
    Some(())
}
