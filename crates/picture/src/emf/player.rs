//! Executes each record.

use super::{
    bitmaps::{draw_bitmap_record, read_stored_bitmap},
    enumerations::*,
    record_types::*,
    records::{color_at, iter_records, read_logical_font, read_point_rows, read_points},
    text::{draw_small_text, draw_text, draw_texts},
};
use crate::{
    gdi::{
        ArcKind, Brush, ClipMode, EllipticArc, GdiObject, PS_NULL, PS_STYLE_MASK, PaintMode, Pen,
        Player, UNREADABLE_PATTERN_COLOR, color_from_colorref,
    },
    geometry::{Matrix, Point},
    reader::Record,
};

/// Maximum number of rectangles read from a region or a gradient, of which a record of 64 MiB can have four million.
const MAX_RECTANGLES: usize = 4096;
/// Maximum number of dashes and gaps of a pen; Windows allows no more.
const MAX_DASHES: usize = 16;
/// The header of a region before its rectangles.
const REGION_HEADER_BYTES: usize = 32;

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
        EMR_POLYBEZIER..=EMR_POLYPOLYGON | EMR_POLYBEZIER16..=EMR_POLYPOLYGON16 => {
            draw_poly(kind, record, player)
        }
        EMR_SETWINDOWEXTEX..=EMR_SETVIEWPORTORGEX
        | EMR_SETMAPMODE
        | EMR_SCALEVIEWPORTEXTEX
        | EMR_SCALEWINDOWEXTEX
        | EMR_SETWORLDTRANSFORM
        | EMR_MODIFYWORLDTRANSFORM => set_mapping(kind, record, player),
        EMR_SETBKMODE..=EMR_SETBKCOLOR | EMR_SETARCDIRECTION | EMR_SAVEDC | EMR_RESTOREDC => {
            set_state(kind, record, player)
        }
        EMR_SELECTOBJECT..=EMR_DELETEOBJECT
        | EMR_CREATEPALETTE
        | EMR_EXTCREATEFONTINDIRECTW
        | EMR_CREATEMONOBRUSH..=EMR_EXTCREATEPEN => manage_objects(kind, record, player),
        EMR_SETPIXELV => draw_pixel(record, player),
        // Offsets of the clip are rare and small: they are not applied.
        EMR_EXCLUDECLIPRECT | EMR_INTERSECTCLIPRECT | EMR_SELECTCLIPPATH | EMR_EXTSELECTCLIPRGN => {
            change_clip(kind, record, player)
        }
        EMR_MOVETOEX | EMR_ANGLEARC..=EMR_PIE | EMR_LINETO..=EMR_POLYDRAW | EMR_POLYDRAW16 => {
            draw_shape(kind, record, player)
        }
        EMR_BEGINPATH..=EMR_ABORTPATH => change_path(kind, player),
        EMR_BITBLT..=EMR_STRETCHDIBITS | EMR_ALPHABLEND | EMR_TRANSPARENTBLT => {
            draw_bitmap_record(kind, record, player)
        }
        EMR_FILLRGN | EMR_PAINTRGN => fill_region(kind, record, player),
        EMR_EXTTEXTOUTA | EMR_EXTTEXTOUTW => draw_text(kind == EMR_EXTTEXTOUTW, record, 36, player),
        EMR_POLYTEXTOUTA | EMR_POLYTEXTOUTW => draw_texts(kind == EMR_POLYTEXTOUTW, record, player),
        EMR_SMALLTEXTOUT => draw_small_text(record, player),
        EMR_GRADIENTFILL => fill_gradient(record, player),
        _ => None,
    }
}

fn draw_pixel(record: Record<'_>, player: &mut Player) -> Option<()> {
    let (corner, color) = (record.point_at(8)?, color_at(record, 16)?);
    let before = std::mem::replace(&mut player.context.brush, Brush::Plain(color));
    player.fill_rectangle((corner, (corner.0 + 1.0, corner.1 + 1.0)));
    player.context.brush = before;
    Some(())
}

fn draw_poly(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let are_small = kind >= EMR_POLYBEZIER16;
    // The records with points of 16 bits are in the order of those with 32.
    match if are_small { kind - EMR_POLYBEZIER16 + EMR_POLYBEZIER } else { kind } {
        kind @ EMR_POLYBEZIER..=EMR_POLYLINETO => {
            let points = read_points(record, 28, record.size_at(24)?, are_small)?;
            match kind {
                EMR_POLYBEZIER => player.draw_curves(&points),
                EMR_POLYGON => player.draw_polygons([points.as_slice()].into_iter()),
                EMR_POLYLINE => player.draw_polylines([points.as_slice()].into_iter()),
                EMR_POLYBEZIERTO => player.curves_to(&points),
                _ => player.lines_to(&points),
            }
        }
        kind => {
            let rows = read_point_rows(record, are_small)?;
            let rows = rows.iter().map(Vec::as_slice);
            if kind == EMR_POLYPOLYLINE {
                player.draw_polylines(rows)
            } else {
                player.draw_polygons(rows)
            }
        }
    }
    Some(())
}

fn set_mapping(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let context = &mut player.context;
    let scaled = |(x, y): Point| {
        let ratio = |numerator: f64, denominator: f64| {
            if denominator == 0.0 { 1.0 } else { numerator / denominator }
        };
        let scale_x = ratio(record.long_at(8)?, record.long_at(12)?);
        let scale_y = ratio(record.long_at(16)?, record.long_at(20)?);
        Some((x * scale_x, y * scale_y))
    };
    match kind {
        EMR_SETWINDOWEXTEX => context.mapping.window_extent = record.point_at(8)?,
        EMR_SETWINDOWORGEX => context.mapping.window_origin = record.point_at(8)?,
        EMR_SETVIEWPORTEXTEX => context.mapping.viewport_extent = record.point_at(8)?,
        EMR_SETVIEWPORTORGEX => context.mapping.viewport_origin = record.point_at(8)?,
        EMR_SETMAPMODE => context.mapping.mode = record.u32_at(8)?,
        EMR_SCALEVIEWPORTEXTEX => {
            context.mapping.viewport_extent = scaled(context.mapping.viewport_extent)?;
        }
        EMR_SCALEWINDOWEXTEX => {
            context.mapping.window_extent = scaled(context.mapping.window_extent)?;
        }
        EMR_SETWORLDTRANSFORM | EMR_MODIFYWORLDTRANSFORM => {
            let matrix = record.matrix_at(8)?;
            let mode = if kind == EMR_SETWORLDTRANSFORM { MWT_SET } else { record.u32_at(32)? };
            context.world = match mode {
                MWT_IDENTITY => Matrix::IDENTITY,
                MWT_LEFTMULTIPLY => matrix.then(context.world),
                MWT_RIGHTMULTIPLY => context.world.then(matrix),
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
        EMR_SETBKMODE => player.context.is_opaque = number()? == OPAQUE,
        EMR_SETPOLYFILLMODE => player.context.fills_winding = number()? == WINDING,
        EMR_SETROP2 => player.set_raster_operation(number()?),
        EMR_SETTEXTALIGN => player.context.text_align = number()?,
        EMR_SETTEXTCOLOR => player.context.text_color = color_at(record, 8)?,
        EMR_SETBKCOLOR => player.context.back_color = color_at(record, 8)?,
        EMR_SETARCDIRECTION => player.context.is_clockwise = number()? == AD_CLOCKWISE,
        EMR_SAVEDC => player.save_context(),
        EMR_RESTOREDC => player.restore_context(record.i32_at(8)?),
        _ => {}
    }
    Some(())
}

/// Creates, selects and deletes pens, brushes and fonts.
fn manage_objects(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let number = record.u32_at(8)?;
    match kind {
        EMR_SELECTOBJECT => player.select_object(number),
        EMR_CREATEPEN => {
            let pen = Pen::from_style(
                record.u32_at(12)?,
                record.long_at(16)?,
                color_at(record, 24)?,
                Vec::new(),
            );
            player.objects.insert(number, GdiObject::Pen(pen));
        }
        EMR_CREATEBRUSHINDIRECT => {
            let brush =
                Brush::from_style(record.u32_at(12)?, color_at(record, 16)?, record.u32_at(20)?);
            player.objects.insert(number, GdiObject::Brush(brush));
        }
        EMR_DELETEOBJECT => player.objects.remove(number),
        EMR_CREATEPALETTE => player.objects.insert(number, GdiObject::Other),
        EMR_EXTCREATEFONTINDIRECTW => {
            player.objects.insert(number, GdiObject::Font(read_logical_font(record, 12)?));
        }
        EMR_CREATEMONOBRUSH | EMR_CREATEDIBPATTERNBRUSHPT => {
            let tile = read_stored_bitmap(record, 16, false, player);
            let grey = Brush::Plain(color_from_colorref(UNREADABLE_PATTERN_COLOR));
            let brush = tile.map_or(grey, |tile| Brush::from_tile(tile.pixels));
            player.objects.insert(number, GdiObject::Brush(brush));
        }
        EMR_EXTCREATEPEN => {
            player.objects.insert(number, GdiObject::Pen(read_extended_pen(record)?));
        }
        _ => {}
    }
    Some(())
}

fn read_extended_pen(record: Record<'_>) -> Option<Pen> {
    let (style, width) = (record.u32_at(28)?, f64::from(record.u32_at(32)?));
    let is_geometric = style & PS_GEOMETRIC != 0;
    let count = record.size_at(48)?.min(MAX_DASHES);
    // Lengths of a geometric pen are in logical units, as its width is.
    let unit = if is_geometric { width.max(1.0) } else { 1.0 };
    let dashes = (0..count)
        .map_while(|index| Some((f64::from(record.u32_at(52 + 4 * index)?) / unit) as f32));
    let width = if is_geometric { width } else { 0.0 };
    // A pen of an empty brush draws nothing.
    let style =
        if record.u32_at(36)? == BS_NULL { style & !PS_STYLE_MASK | PS_NULL } else { style };
    Some(Pen::from_style(style, width, color_at(record, 40)?, dashes.collect()))
}

fn change_clip(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        EMR_EXCLUDECLIPRECT => player.clip_to_rectangle(record.rectangle_at(8)?, ClipMode::Without),
        EMR_INTERSECTCLIPRECT => player.clip_once(record.rectangle_at(8)?),
        EMR_SELECTCLIPPATH => match ClipMode::from_region_mode(record.u32_at(8)?) {
            Some(mode) => player.clip_to_path(mode),
            None => player.abort_path(),
        },
        _ => {
            let (size, mode) =
                (record.size_at(8)?, ClipMode::from_region_mode(record.u32_at(12)?)?);
            if size < REGION_HEADER_BYTES {
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
    let count = record.size_at(at + 8)?.min(MAX_RECTANGLES);
    let rectangles =
        (0..count).map_while(|index| record.rectangle_at(at + REGION_HEADER_BYTES + 16 * index));
    Some(rectangles.map(|rectangle| player.device_rectangle(rectangle)).collect())
}

/// FillRgn and PaintRgn: fills the rectangles of a region.
fn fill_region(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let region_offset = if kind == EMR_FILLRGN { 32 } else { 28 };
    let before = player.context.brush.clone();
    if kind == EMR_FILLRGN {
        player.select_object(record.u32_at(28)?);
    }
    let count = record.size_at(region_offset + 8)?.min(MAX_RECTANGLES);
    for index in 0..count {
        let rectangle_offset = region_offset + REGION_HEADER_BYTES + 16 * index;
        if let Some(rectangle) = record.rectangle_at(rectangle_offset) {
            player.fill_rectangle(rectangle);
        }
    }
    player.context.brush = before;
    Some(())
}

fn draw_shape(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        EMR_MOVETOEX => player.move_to(record.point_at(8)?),
        EMR_ANGLEARC => {
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
        EMR_ELLIPSE => player.draw_ellipse(record.rectangle_at(8)?),
        EMR_RECTANGLE => player.draw_rectangle(record.rectangle_at(8)?),
        EMR_ROUNDRECT => {
            player.draw_round_rectangle(record.rectangle_at(8)?, record.point_at(24)?);
        }
        EMR_ARC | EMR_CHORD | EMR_PIE | EMR_ARCTO => {
            let (from, to) = (record.point_at(24)?, record.point_at(32)?);
            let arc = EllipticArc { rectangle: record.rectangle_at(8)?, from, to };
            let kind = match kind {
                EMR_ARC => ArcKind::Open,
                EMR_CHORD => ArcKind::Chord,
                EMR_PIE => ArcKind::Pie,
                _ => ArcKind::Joined,
            };
            player.draw_arc(arc, kind);
        }
        EMR_LINETO => player.lines_to(&[record.point_at(8)?]),
        _ => return poly_draw(record, kind == EMR_POLYDRAW16, player),
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
        match kind & PT_MASK {
            PT_MOVETO => player.move_to(*point),
            PT_BEZIERTO => {
                player.curves_to(points.get(index..index + 3)?);
                index += 2;
            }
            _ => player.lines_to(&[*point]),
        }
        index += 1;
    }
    Some(())
}

fn change_path(kind: u32, player: &mut Player) -> Option<()> {
    match kind {
        EMR_BEGINPATH => player.begin_path(),
        EMR_ENDPATH => player.end_path(),
        EMR_CLOSEFIGURE => player.close_figure(),
        EMR_FILLPATH => player.draw_path(PaintMode { fill: true, stroke: false }),
        EMR_STROKEANDFILLPATH => player.draw_path(PaintMode { fill: true, stroke: true }),
        EMR_STROKEPATH => player.draw_path(PaintMode { fill: false, stroke: true }),
        EMR_ABORTPATH => player.abort_path(),
        // Flattening changes nothing visible; no known file widens a path.
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
    for mesh in 0..meshes.min(MAX_RECTANGLES) {
        if mode == GRADIENT_FILL_TRIANGLE {
            let corner = |index: usize| vertex(record.size_at(at + 12 * mesh + 4 * index)?);
            let corners = [corner(0)?, corner(1)?, corner(2)?];
            player.fill_mean_color(
                &corners.map(|(point, _)| point),
                &corners.map(|(_, color)| color),
            );
        } else {
            let first = vertex(record.size_at(at + 8 * mesh)?)?;
            let last = vertex(record.size_at(at + 8 * mesh + 4)?)?;
            player.fill_gradient(
                (first.0, last.0),
                [first.1, last.1],
                mode == GRADIENT_FILL_RECT_V,
            );
        }
    }
    Some(())
}
