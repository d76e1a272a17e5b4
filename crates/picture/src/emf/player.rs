//! What each record does.

use resvg::tiny_skia::BlendMode;

use super::records::{color_at, font, points, records, rows_of_points};
use crate::{
    bitmap,
    gdi::{Arc, ArcKind, Blit, Brush, ClipMode, Object, Paint, Pen, Player, TextOut, blend_of},
    geometry::{Matrix, Point},
    reader::Record,
};

/// Rectangles of a region that are taken.
const MOST_RECTANGLES: usize = 4096;
/// Characters of one text that are taken.
const MOST_CHARACTERS: usize = 65_536;

/// The last record.
pub(super) const END: u32 = 14;

/// Plays the records of a file. One that cannot be read is left out, as Windows does.
pub(super) fn play(bytes: &[u8], player: &mut Player) {
    for (kind, record) in records(bytes) {
        if kind == END || player.canvas.is_spent() {
            break;
        }
        play_record(kind, record, player);
    }
}

/// Plays a record. One that is cut off or wants what cannot be does nothing.
pub(super) fn play_record(kind: u32, record: Record<'_>, player: &mut Player) {
    let _: Option<()> = step(kind, record, player);
}

fn step(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        2..=8 | 85..=91 => poly(kind, record, player),
        9..=13 | 17 | 31 | 32 | 35 | 36 => mapping(kind, record, player),
        18..=25 | 57 | 33 | 34 | 37..=40 | 82 | 93..=95 | 48 | 49 | 58 | 98 => {
            state(kind, record, player)
        }
        15 => {
            let (at, color) = (record.point(8)?, color_at(record, 16)?);
            let before = std::mem::replace(&mut player.context.brush, Brush::Plain(color));
            player.fill_rectangle((at, (at.0 + 1.0, at.1 + 1.0)));
            player.context.brush = before;
            Some(())
        }
        26 | 28 | 29 | 30 | 67 | 75 => clip(kind, record, player),
        27 | 41..=47 | 54..=56 | 92 => shape(kind, record, player),
        59..=68 => path(kind, record, player),
        76..=81 | 114 | 116 => bitmap_record(kind, record, player),
        71 | 74 => region(kind, record, player),
        83 | 84 => text(kind == 84, record, 36, player),
        96 | 97 => texts(kind == 97, record, player),
        108 => small_text(record, player),
        118 => gradient(record, player),
        _ => None,
    }
}

fn poly(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let are_small = kind >= 85;
    match if are_small { kind - 83 } else { kind } {
        kind @ 2..=6 => {
            let points = points(record, 28, record.size(24)?, are_small)?;
            match kind {
                2 => player.curves(&points),
                3 => player.polygons([points.as_slice()].into_iter()),
                4 => player.polylines([points.as_slice()].into_iter()),
                5 => player.curves_to(&points),
                _ => player.lines_to(&points),
            }
        }
        kind => {
            let rows = rows_of_points(record, are_small)?;
            let rows = rows.iter().map(Vec::as_slice);
            if kind == 7 { player.polylines(rows) } else { player.polygons(rows) }
        }
    }
    Some(())
}

fn mapping(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let context = &mut player.context;
    let scaled = |(x, y): Point| {
        let ratio = |above: f64, below: f64| if below == 0.0 { 1.0 } else { above / below };
        let by_x = ratio(record.long(8)?, record.long(12)?);
        let by_y = ratio(record.long(16)?, record.long(20)?);
        Some((x * by_x, y * by_y))
    };
    match kind {
        9 => context.mapping.window_extent = record.point(8)?,
        10 => context.mapping.window_origin = record.point(8)?,
        11 => context.mapping.viewport_extent = record.point(8)?,
        12 => context.mapping.viewport_origin = record.point(8)?,
        17 => context.mapping.mode = record.u32(8)?,
        31 => context.mapping.viewport_extent = scaled(context.mapping.viewport_extent)?,
        32 => context.mapping.window_extent = scaled(context.mapping.window_extent)?,
        35 | 36 => {
            let matrix = record.matrix(8)?;
            let mode = if kind == 35 { 4 } else { record.u32(32)? };
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

fn state(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let number = || record.u32(8);
    match kind {
        18 => player.context.is_opaque = number()? == 2,
        19 => player.context.fills_winding = number()? == 2,
        20 => player.draws_by(number()?),
        22 => player.context.text_align = number()?,
        24 => player.context.text_color = color_at(record, 8)?,
        25 => player.context.back_color = color_at(record, 8)?,
        33 => player.save(),
        34 => player.restore(record.i32(8)?),
        37 => player.select(number()?),
        38 => {
            let pen =
                Pen::of_style(record.u32(12)?, record.long(16)?, color_at(record, 24)?, Vec::new());
            player.objects.insert(number()?, Object::Pen(pen));
        }
        39 => {
            let brush = Brush::of_style(record.u32(12)?, color_at(record, 16)?, record.u32(20)?);
            player.objects.insert(number()?, Object::Brush(brush));
        }
        40 => player.objects.remove(number()?),
        49 => player.objects.insert(number()?, Object::Other),
        57 => player.context.is_clockwise = number()? == 2,
        82 => player.objects.insert(number()?, Object::Font(font(record, 12)?)),
        93 | 94 => {
            let tile = stored_bitmap(record, 16, false, player);
            let grey = Brush::Plain(crate::gdi::color(0x00d0_d0d0));
            let brush = tile.map_or(grey, |tile| Brush::of_tile(tile.pixels));
            player.objects.insert(number()?, Object::Brush(brush));
        }
        95 => player.objects.insert(number()?, Object::Pen(extended_pen(record)?)),
        _ => {}
    }
    Some(())
}

fn extended_pen(record: Record<'_>) -> Option<Pen> {
    let (style, width) = (record.u32(28)?, f64::from(record.u32(32)?));
    let is_geometric = style & 0x1_0000 != 0;
    let count = record.size(48)?.min(16);
    // Lengths of a geometric pen are in logical units, as its width is.
    let unit = if is_geometric { width.max(1.0) } else { 1.0 };
    let dashes =
        (0..count).map_while(|place| Some((f64::from(record.u32(52 + 4 * place)?) / unit) as f32));
    let width = if is_geometric { width } else { 0.0 };
    // BS_NULL: a pen that draws nothing.
    let style = if record.u32(36)? == 1 { style & !15 | 5 } else { style };
    Some(Pen::of_style(style, width, color_at(record, 40)?, dashes.collect()))
}

fn clip(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        // Moves of the clip are rare and small.
        26 | 28 => {}
        29 => player.clip_to_rectangle(record.rectangle(8)?, ClipMode::Without),
        30 => player.clip_once(record.rectangle(8)?),
        67 => match ClipMode::of(record.u32(8)?) {
            Some(mode) => player.clip_to_path(mode),
            None => player.abort_path(),
        },
        _ => {
            let (size, mode) = (record.size(8)?, ClipMode::of(record.u32(12)?)?);
            if size < 32 {
                if mode == ClipMode::Instead {
                    player.unclip();
                }
                return Some(());
            }
            let polygons = rectangles(record, 16, player)?;
            player.clip_to_polygons(&polygons, mode);
        }
    }
    Some(())
}

/// The rectangles of a region, in pixels. The region is in coordinates of the device.
fn rectangles(record: Record<'_>, at: usize, player: &Player) -> Option<Vec<Vec<Point>>> {
    let count = record.size(at + 8)?.min(MOST_RECTANGLES);
    let rectangles = (0..count).map_while(|place| record.rectangle(at + 32 + 16 * place));
    Some(rectangles.map(|rectangle| player.device_rectangle(rectangle)).collect())
}

/// Areas filled by their region.
fn region(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let at = if kind == 71 { 32 } else { 28 };
    let before = player.context.brush.clone();
    if kind == 71 {
        player.select(record.u32(28)?);
    }
    let count = record.size(at + 8)?.min(MOST_RECTANGLES);
    for place in 0..count {
        if let Some(rectangle) = record.rectangle(at + 32 + 16 * place) {
            player.fill_rectangle(rectangle);
        }
    }
    player.context.brush = before;
    Some(())
}

fn shape(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        27 => player.move_to(record.point(8)?),
        41 => {
            let (centre, radius) = (record.point(8)?, f64::from(record.u32(16)?));
            let (begin, sweep) = (record.float(20)?, record.float(24)?);
            let ray = |degrees: f64| {
                let angle = -degrees.to_radians();
                (centre.0 + radius * angle.cos(), centre.1 + radius * angle.sin())
            };
            let rectangle =
                ((centre.0 - radius, centre.1 - radius), (centre.0 + radius, centre.1 + radius));
            let was_clockwise = player.context.is_clockwise;
            player.context.is_clockwise = sweep < 0.0;
            let arc = Arc { rectangle, from: ray(begin), to: ray(begin + sweep) };
            player.arc(arc, ArcKind::Joined);
            player.context.is_clockwise = was_clockwise;
        }
        42 => player.ellipse(record.rectangle(8)?),
        43 => player.rectangle(record.rectangle(8)?),
        44 => player.round_rectangle(record.rectangle(8)?, record.point(24)?),
        45 | 46 | 47 | 55 => {
            let (from, to) = (record.point(24)?, record.point(32)?);
            let arc = Arc { rectangle: record.rectangle(8)?, from, to };
            let kind = match kind {
                45 => ArcKind::Open,
                46 => ArcKind::Chord,
                47 => ArcKind::Pie,
                _ => ArcKind::Joined,
            };
            player.arc(arc, kind);
        }
        54 => player.lines_to(&[record.point(8)?]),
        _ => return poly_draw(record, kind == 92, player),
    }
    Some(())
}

/// PolyDraw: points with a byte each that says what is drawn to them.
fn poly_draw(record: Record<'_>, are_small: bool, player: &mut Player) -> Option<()> {
    let count = record.size(24)?;
    let points = points(record, 28, count, are_small)?;
    let kinds = record.bytes(28 + count * if are_small { 4 } else { 8 }, count)?;
    let mut place = 0;
    while let (Some(point), Some(kind)) = (points.get(place), kinds.get(place)) {
        match kind & 6 {
            6 => player.move_to(*point),
            4 => {
                player.curves_to(points.get(place..place + 3)?);
                place += 2;
            }
            _ => player.lines_to(&[*point]),
        }
        place += 1;
    }
    Some(())
}

fn path(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        59 => player.begin_path(),
        60 => player.end_path(),
        61 => player.close_figure(),
        62 => player.use_path(Paint { fill: true, stroke: false }),
        63 => player.use_path(Paint { fill: true, stroke: true }),
        64 => player.use_path(Paint { fill: false, stroke: true }),
        67 => return clip(kind, record, player),
        68 => player.abort_path(),
        // Flattening changes nothing that can be seen; widening is not met.
        _ => {}
    }
    Some(())
}

/// The bitmap whose four offsets and sizes begin at a place of the record.
fn stored_bitmap(
    record: Record<'_>,
    at: usize,
    has_alpha: bool,
    player: &mut Player,
) -> Option<bitmap::Bitmap> {
    let info = record.bytes(record.size(at)?, record.size(at + 4)?)?;
    let bits = record.bytes(record.size(at + 8)?, record.size(at + 12)?)?;
    if !player.canvas.spend(bitmap::work(info)) {
        return None;
    }
    bitmap::decode(info, bits, has_alpha)
}

fn bitmap_record(kind: u32, record: Record<'_>, player: &mut Player) -> Option<()> {
    let at = record.point(24)?;
    let (target_size, offsets, operation) = match kind {
        80 => ((0.0, 0.0), 48, 0x00cc_0020),
        81 => (record.point(72)?, 48, record.u32(68)?),
        79 => return parallelogram(record, player),
        114 | 116 => (record.point(32)?, 84, 0x00cc_0020),
        _ => (record.point(32)?, 84, record.u32(40)?),
    };
    let (bits_size, source_at) = match kind {
        80 | 81 => (record.size(60)?, record.point(32)?),
        _ => (record.size(96)?, record.point(44)?),
    };
    if bits_size == 0 {
        player.pattern_blit(operation, (at, target_size));
        return Some(());
    }
    let blend = blend_of(operation)?;
    let has_alpha = kind == 114 && record.u8(43)? & 1 != 0;
    let mut bitmap = stored_bitmap(record, offsets, has_alpha, player)?;
    let (columns, rows) = (f64::from(bitmap.pixels.width()), f64::from(bitmap.pixels.height()));
    let source_size = match kind {
        80 | 81 => record.point(40)?,
        76 | 78 => target_size,
        _ => record.point(100)?,
    };
    match kind {
        114 => bitmap.fade(record.u8(42)?),
        116 => bitmap.hide(record.u32(40)?),
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
    player.blit(&Blit { bitmap: &bitmap, source, target: (at, target_size), blend });
    Some(())
}

/// PlgBlt: a bitmap put into a parallelogram of three corners; its mask is not followed.
fn parallelogram(record: Record<'_>, player: &mut Player) -> Option<()> {
    let place = Matrix::of_corners([record.point(24)?, record.point(32)?, record.point(40)?]);
    let bitmap = stored_bitmap(record, 96, false, player)?;
    let (source_at, source_size) = (record.point(48)?, record.point(56)?);
    let before = player.context.world;
    player.context.world = place.then(before);
    let target = ((0.0, 0.0), (1.0, 1.0));
    let blend = BlendMode::SourceOver;
    player.blit(&Blit { bitmap: &bitmap, source: (source_at, source_size), target, blend });
    player.context.world = before;
    Some(())
}

/// Writes a text whose fields begin at a place of the record; offsets count from its beginning.
fn text(is_wide: bool, record: Record<'_>, at: usize, player: &mut Player) -> Option<()> {
    let position = record.point(at)?;
    let (count, offset) = (record.size(at + 8)?, record.size(at + 12)?);
    let options = record.u32(at + 16)?;
    if count > MOST_CHARACTERS {
        return None;
    }
    let (from, to) = record.rectangle(at + 20)?;
    let is_area = to.0 > from.0 && to.1 > from.1;
    let filled = (options & 2 != 0 && is_area).then_some((from, to));
    let has_pairs = options & 0x2000 != 0;
    let distances = record.size(at + 36)?;
    let step = if has_pairs { 8 } else { 4 };
    let advance = |unit: usize| record.long(distances.checked_add(unit * step)?);
    let advances: Vec<f64> = match distances {
        0 => Vec::new(),
        _ => (0..count).map_while(advance).collect(),
    };
    let are_glyphs = options & 0x10 != 0;
    let units = match (are_glyphs, is_wide) {
        // Those that are not known leave their room.
        (true, _) => {
            let glyphs = record.utf16(offset, count)?.into_iter();
            let known = glyphs.map(|glyph| crate::symbols::glyph_char(glyph).unwrap_or(' '));
            known.map(|known| known as u16).collect()
        }
        (false, true) => record.utf16(offset, count)?,
        (false, false) => narrow(record.bytes(offset, count)?, player.context.font.char_set),
    };
    let (characters, advances) = characters(&units, &advances);
    player.write(TextOut { at: position, characters, advances, filled });
    Some(())
}

/// Text of one byte for each character, in the code page of the font.
fn narrow(bytes: &[u8], char_set: u8) -> Vec<u16> {
    if char_set == 2 {
        return bytes.iter().map(|byte| u16::from(*byte)).collect();
    }
    let (text, _, _) = crate::text::code_page(char_set).decode(bytes);
    text.encode_utf16().collect()
}

/// Characters with their advances, of which every unit of UTF-16 has one.
fn characters(units: &[u16], advances: &[f64]) -> (Vec<char>, Vec<f64>) {
    let (mut characters, mut steps) = (Vec::new(), Vec::new());
    let has_advances = advances.len() == units.len();
    let mut place = 0;
    for decoded in char::decode_utf16(units.iter().copied()) {
        // A half of a pair alone is one unit, too.
        let character = decoded.unwrap_or('\u{fffd}');
        let length = character.len_utf16();
        characters.push(character);
        if has_advances {
            steps.push(advances[place..place + length].iter().sum());
        }
        place += length;
    }
    (characters, steps)
}

fn texts(is_wide: bool, record: Record<'_>, player: &mut Player) -> Option<()> {
    let count = record.size(36)?.min(MOST_CHARACTERS);
    for place in 0..count {
        if player.canvas.is_spent() {
            break;
        }
        text(is_wide, record, 40 + 40 * place, player)?;
    }
    Some(())
}

fn small_text(record: Record<'_>, player: &mut Player) -> Option<()> {
    let (at, count, options) = (record.point(8)?, record.size(16)?, record.u32(20)?);
    if count > MOST_CHARACTERS {
        return None;
    }
    let has_no_rectangle = options & 0x100 != 0;
    let offset = if has_no_rectangle { 36 } else { 52 };
    let units = if options & 0x200 != 0 {
        record.bytes(offset, count)?.iter().map(|byte| u16::from(*byte)).collect()
    } else {
        record.utf16(offset, count)?
    };
    let (characters, advances) = characters(&units, &[]);
    player.write(TextOut { at, characters, advances, filled: None });
    Some(())
}

/// Rectangles from one colour to another; triangles are filled with the mean of their corners.
fn gradient(record: Record<'_>, player: &mut Player) -> Option<()> {
    let (vertices, meshes, mode) = (record.size(24)?, record.size(28)?, record.u32(32)?);
    let vertex = |number: usize| {
        let at = number.checked_mul(16)?.checked_add(36)?;
        (number < vertices).then_some(())?;
        let part = |place: usize| record.u16(at + 8 + 2 * place).map(|part| (part >> 8) as u8);
        Some((record.point(at)?, [part(0)?, part(1)?, part(2)?]))
    };
    let at = vertices.checked_mul(16)?.checked_add(36)?;
    for mesh in 0..meshes.min(MOST_RECTANGLES) {
        if mode == 2 {
            let corner = |place: usize| vertex(record.size(at + 12 * mesh + 4 * place)?);
            let corners = [corner(0)?, corner(1)?, corner(2)?];
            player.fill_mean(&corners.map(|(point, _)| point), &corners.map(|(_, color)| color));
        } else {
            let first = vertex(record.size(at + 8 * mesh)?)?;
            let last = vertex(record.size(at + 8 * mesh + 4)?)?;
            player.fill_gradient((first.0, last.0), [first.1, last.1], mode == 1);
        }
    }
    Some(())
}
