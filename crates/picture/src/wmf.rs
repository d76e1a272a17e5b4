//! Windows metafiles ([MS-WMF]), played on a canvas.
//!
//! Programs hide an enhanced metafile of the same picture in comments; where it is whole it is drawn in
//! their place, for it says more.

use resvg::tiny_skia::Pixmap;

use crate::{
    bitmap,
    canvas::Canvas,
    draw::Options,
    emf,
    error::DrawError,
    font::Wanted,
    gdi::{
        Arc, ArcKind, Blit, Brush, ClipMode, Font, Object, Pen, Player, TextOut, blend_of, color,
    },
    geometry::{Matrix, Point},
    kind::Kind,
    labels::Run,
    reader::Record,
};

const PLACEABLE: usize = 22;
const HEADER: usize = 18;
/// Records of the longest file that is played.
const MOST_RECORDS: usize = 1_000_000;
const SET_WINDOW_ORIGIN: u16 = 0x020b;
const SET_WINDOW_EXTENT: u16 = 0x020c;
const ESCAPE: u16 = 0x0626;
/// The head of a comment that holds a part of an enhanced metafile.
const ENHANCED: usize = 34;

/// Draws a file, and reads the words in it.
pub(crate) fn draw(bytes: &[u8], options: &Options) -> Result<(Pixmap, Vec<Run>), DrawError> {
    let damaged = |detail: &str| DrawError::damaged("WMF", detail);
    let is_placeable = bytes.starts_with(&[0xd7, 0xcd, 0xc6, 0x9a]);
    let first = HEADER + if is_placeable { PLACEABLE } else { 0 };
    let body = bytes.get(first..).ok_or_else(|| damaged("the header is cut off"))?;
    if let Some(enhanced) = enhanced(body) {
        return emf::draw(&enhanced, options);
    }
    let placed = is_placeable.then(|| placeable(Record(bytes))).flatten();
    let window = window(body);
    let (origin, extent) =
        placed.or(window).ok_or_else(|| damaged("nothing says how large the picture is"))?;
    let size = (extent.0.abs(), extent.1.abs());
    let (scale, width, height) = options.fit(size).ok_or(DrawError::TooMuch)?;
    let canvas = Canvas::new(width, height).ok_or(DrawError::TooMuch)?;
    let mut player = Player::new(canvas, Matrix::scale(scale, scale));
    let mapping = &mut player.context.mapping;
    mapping.mode = 8;
    (mapping.window_origin, mapping.window_extent) = (origin, extent);
    mapping.viewport_extent = size;
    for (kind, record) in records(body) {
        if kind == 0 || player.canvas.is_spent() {
            break;
        }
        // A record that is cut off or wants what cannot be does nothing.
        let _: Option<()> = step(kind, record, &mut player);
    }
    if player.canvas.is_spent() {
        return Err(DrawError::TooMuch);
    }
    Ok((player.canvas.into_pixmap(), player.runs))
}

/// Records with their types; sizes are in words of 16 bits.
fn records(body: &[u8]) -> impl Iterator<Item = (u16, Record<'_>)> {
    let mut rest = body;
    let records = std::iter::from_fn(move || {
        let head = Record(rest);
        let (size, kind) = (head.size(0)?.checked_mul(2)?, head.u16(4)?);
        if size < 6 || size > rest.len() {
            return None;
        }
        let record = Record(&rest[6..size]);
        rest = &rest[size..];
        Some((kind, record))
    });
    records.take(MOST_RECORDS)
}

/// The origin and the extent of a placeable file.
fn placeable(header: Record<'_>) -> Option<(Point, Point)> {
    let (from, to) = (header.small_point(6)?, header.small_point(10)?);
    let extent = (to.0 - from.0, to.1 - from.1);
    (extent.0 != 0.0 && extent.1 != 0.0).then_some((from, extent))
}

/// The first window of a file that is not placeable.
fn window(body: &[u8]) -> Option<(Point, Point)> {
    let find = |wanted: u16| {
        let (_, record) = records(body).find(|(kind, _)| *kind == wanted)?;
        reversed(record, 0)
    };
    let extent = find(SET_WINDOW_EXTENT).filter(|(x, y)| *x != 0.0 && *y != 0.0)?;
    Some((find(SET_WINDOW_ORIGIN).unwrap_or((0.0, 0.0)), extent))
}

/// The enhanced metafile in the comments of a file, if it is there whole.
fn enhanced(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    let mut wanted = None;
    for (kind, record) in records(body) {
        if kind != ESCAPE || record.u16(0) != Some(15) || record.bytes(4, 4) != Some(b"WMFC") {
            continue;
        }
        let size = record.size(22 + 4)?;
        wanted = Some(record.size(30 + 4)?);
        whole.extend(record.bytes(ENHANCED + 4, size)?);
    }
    (wanted == Some(whole.len()) && Kind::of(&whole) == Some(Kind::Emf)).then_some(whole)
}

/// A point whose y is stored before its x, as parameters are.
fn reversed(record: Record<'_>, at: usize) -> Option<Point> {
    Some((record.short(at + 2)?, record.short(at)?))
}

/// Corners stored from the last parameter to the first.
fn rectangle(record: Record<'_>, at: usize) -> Option<(Point, Point)> {
    Some((reversed(record, at + 4)?, reversed(record, at)?))
}

fn points(record: Record<'_>, at: usize, count: usize) -> Option<Vec<Point>> {
    record.bytes(at, count.checked_mul(4)?)?;
    (0..count).map(|place| record.small_point(at + 4 * place)).collect()
}

fn step(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        0x0103 | 0x020b..=0x0211 | 0x0410 | 0x0412 => mapping(kind, record, player),
        0x001e => player.save(),
        0x0127 => player.restore(record.i16(0)?.into()),
        0x012d => player.select(record.u16(0)?.into()),
        0x01f0 => player.objects.remove(record.u16(0)?.into()),
        0x02fa..=0x02fc | 0x00f7 | 0x0142 | 0x01f9 | 0x06ff => create(kind, record, player),
        0x0102 => player.context.is_opaque = record.u16(0)? == 2,
        0x0104 => player.draws_by(u32::from(record.u16(0)?)),
        0x0106 => player.context.fills_winding = record.u16(0)? == 2,
        0x012e => player.context.text_align = record.u16(0)?.into(),
        0x0201 => player.context.back_color = color(record.u32(0)?),
        0x0209 => player.context.text_color = color(record.u32(0)?),
        0x012c => player.unclip(),
        0x0415 => player.clip_to_rectangle(rectangle(record, 0)?, ClipMode::Without),
        0x0416 => player.clip_to_rectangle(rectangle(record, 0)?, ClipMode::And),
        0x0521 | 0x0a32 => text(kind, record, player)?,
        0x0940 | 0x0b41 | 0x0f43 | 0x0d33 | 0x061d => bitmap_record(kind, record, player)?,
        _ => shape(kind, record, player)?,
    }
    Some(())
}

fn mapping(kind: u16, record: Record<'_>, player: &mut Player) {
    let mapping = &mut player.context.mapping;
    let Some(point) = reversed(record, 0) else { return };
    match kind {
        0x020b => mapping.window_origin = point,
        0x020c => mapping.window_extent = point,
        0x020f => {
            mapping.window_origin.0 += point.0;
            mapping.window_origin.1 += point.1;
        }
        // What device there is, the file does not know: its own viewport is not followed.
        _ => {}
    }
}

fn create(kind: u16, record: Record<'_>, player: &mut Player) {
    let object = match kind {
        0x02fa => pen(record).map(Object::Pen),
        0x02fb => font(record).map(Object::Font),
        0x02fc => brush(record).map(Object::Brush),
        0x0142 | 0x01f9 => Some(Object::Brush(tile(record, player))),
        _ => None,
    };
    // Its number is taken even where it cannot be read.
    player.objects.add(object.unwrap_or(Object::Other));
}

fn pen(record: Record<'_>) -> Option<Pen> {
    let (style, width) = (record.u16(0)?, record.short(2)?);
    Some(Pen::of_style(style.into(), width, color(record.u32(6)?), Vec::new()))
}

fn brush(record: Record<'_>) -> Option<Brush> {
    Some(Brush::of_style(record.u16(0)?.into(), color(record.u32(2)?), record.u16(6)?.into()))
}

fn tile(record: Record<'_>, player: &mut Player) -> Brush {
    let bitmap = record.0.get(4..).and_then(|bytes| packed(bytes, player));
    bitmap.map_or(Brush::Plain(color(0x00d0_d0d0)), |bitmap| Brush::of_tile(bitmap.pixels))
}

fn font(record: Record<'_>) -> Option<Font> {
    let char_set = record.u8(13)?;
    let name = record.0.get(18..)?;
    let end = name.iter().take(32).position(|byte| *byte == 0).unwrap_or(name.len().min(32));
    let (name, _, _) = crate::text::code_page(char_set).decode(&name[..end]);
    let wanted = Wanted {
        name: &name,
        bold: record.i16(8)? >= 600,
        italic: record.u8(10)? != 0,
        pitch_and_family: record.u8(17)?,
    };
    let font = Font::new(record.short(0)?, &wanted);
    Some(Font {
        width: record.short(2)?.abs(),
        rise: record.short(4)? / 10.0,
        underlined: record.u8(11)? != 0,
        struck_out: record.u8(12)? != 0,
        char_set,
        ..font
    })
}

fn shape(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        0x0213 => player.lines_to(&[reversed(record, 0)?]),
        0x0214 => player.move_to(reversed(record, 0)?),
        0x0324 => {
            let points = points(record, 2, record.u16(0)?.into())?;
            player.polygons([points.as_slice()].into_iter());
        }
        0x0325 => {
            let points = points(record, 2, record.u16(0)?.into())?;
            player.polylines([points.as_slice()].into_iter());
        }
        0x0538 => {
            let count = usize::from(record.u16(0)?);
            let mut at = 2 + 2 * count;
            let mut polygons = Vec::with_capacity(count);
            for place in 0..count {
                let size = usize::from(record.u16(2 + 2 * place)?);
                polygons.push(points(record, at, size)?);
                at += 4 * size;
            }
            player.polygons(polygons.iter().map(Vec::as_slice));
        }
        0x0418 => player.ellipse(rectangle(record, 0)?),
        0x041b => player.rectangle(rectangle(record, 0)?),
        0x061c => {
            let size = reversed(record, 0)?;
            player.round_rectangle(rectangle(record, 4)?, size);
        }
        0x0817 | 0x0830 | 0x081a => {
            let (to, from) = (reversed(record, 0)?, reversed(record, 4)?);
            let arc = Arc { rectangle: rectangle(record, 8)?, from, to };
            let kind = match kind {
                0x0817 => ArcKind::Open,
                0x0830 => ArcKind::Chord,
                _ => ArcKind::Pie,
            };
            player.arc(arc, kind);
        }
        0x041f => {
            let at = reversed(record, 4)?;
            let pixel = Brush::Plain(color(record.u32(0)?));
            let before = std::mem::replace(&mut player.context.brush, pixel);
            player.fill_rectangle((at, (at.0 + 1.0, at.1 + 1.0)));
            player.context.brush = before;
        }
        _ => return None,
    }
    Some(())
}

fn text(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let char_set = player.context.font.char_set;
    let (at, bytes, filled, advances) = if kind == 0x0521 {
        let count = usize::from(record.u16(0)?);
        let bytes = record.bytes(2, count)?;
        (reversed(record, 2 + count.next_multiple_of(2))?, bytes, None, Vec::new())
    } else {
        let (count, options) = (usize::from(record.u16(4)?), record.u16(6)?);
        let has_rectangle = options & 6 != 0;
        let from = if has_rectangle { 16 } else { 8 };
        let bytes = record.bytes(from, count)?;
        let area = match has_rectangle && options & 2 != 0 {
            true => Some((record.small_point(8)?, record.small_point(12)?)),
            false => None,
        };
        let distances = from + count.next_multiple_of(2);
        let advances = (0..count).map_while(|place| record.short(distances + 2 * place));
        (reversed(record, 0)?, bytes, area, advances.collect::<Vec<f64>>())
    };
    let (characters, advances) = characters(bytes, char_set, &advances);
    player.write(TextOut { at, characters, advances, filled });
    Some(())
}

/// The characters of bytes in a code page; one of two bytes has the advances of both.
fn characters(bytes: &[u8], char_set: u8, advances: &[f64]) -> (Vec<char>, Vec<f64>) {
    let has_advances = advances.len() == bytes.len();
    if char_set == 2 {
        let advances = if has_advances { advances.to_vec() } else { Vec::new() };
        return (bytes.iter().map(|byte| char::from(*byte)).collect(), advances);
    }
    let page = crate::text::code_page(char_set);
    let is_double = [128, 129, 134, 136].contains(&char_set);
    let (mut characters, mut steps, mut place) = (Vec::new(), Vec::new(), 0);
    while place < bytes.len() {
        let length =
            if is_double && bytes[place] >= 0x81 && place + 1 < bytes.len() { 2 } else { 1 };
        let (decoded, _, _) = page.decode(&bytes[place..place + length]);
        for (index, character) in decoded.chars().enumerate() {
            characters.push(character);
            if has_advances {
                let whole = advances[place..place + length].iter().sum();
                steps.push(if index == 0 { whole } else { 0.0 });
            }
        }
        place += length;
    }
    (characters, steps)
}

/// A bitmap with its header and its bits in a row.
fn packed(bytes: &[u8], player: &mut Player) -> Option<bitmap::Bitmap> {
    if !player.canvas.spend(bitmap::work(bytes)) {
        return None;
    }
    let record = Record(bytes);
    let size = record.size(0)?;
    let (depth, used, masks) = if size == 12 {
        (record.u16(10)?, 0, 0)
    } else {
        let masks = if record.u32(16)? == 3 && size == 40 { 12 } else { 0 };
        (record.u16(14)?, record.size(32)?, masks)
    };
    let most = if depth <= 8 { 1_usize << depth } else { 0 };
    let colors = if used == 0 { most } else { used.min(most.max(256)) };
    let entry = if size == 12 { 3 } else { 4 };
    let head = size.checked_add(masks)?.checked_add(colors * entry)?;
    bitmap::decode(bytes.get(..head)?, bytes.get(head..)?, false)
}

fn bitmap_record(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let operation = record.u32(0)?;
    if kind == 0x061d {
        let (size, at) = (reversed(record, 4)?, reversed(record, 8)?);
        player.pattern_blit(operation, (at, size));
        return Some(());
    }
    // StretchDIB says how its colours are meant, and both the stretched ones a size of the source.
    let mut at = if kind == 0x0f43 { 6 } else { 4 };
    let is_stretched = matches!(kind, 0x0b41 | 0x0f43);
    if kind == 0x0d33 {
        return None;
    }
    let mut next = || {
        let point = reversed(record, at);
        at += 4;
        point
    };
    let source_size = if is_stretched { Some(next()?) } else { None };
    let source_at = next()?;
    // The form without a bitmap has two bytes that mean nothing here.
    if record.0.len() == 2 * usize::from(kind >> 8) {
        let at = if is_stretched { 14 } else { 10 };
        let (size, place) = (reversed(record, at)?, reversed(record, at + 4)?);
        player.pattern_blit(operation, (place, size));
        return Some(());
    }
    let (size, place) = (next()?, next()?);
    let Some(bitmap) = record.0.get(at..).and_then(|bytes| packed(bytes, player)) else {
        player.pattern_blit(operation, (place, size));
        return Some(());
    };
    let rows = f64::from(bitmap.pixels.height());
    let source_size = source_size.unwrap_or(size);
    let source_at = if bitmap.is_bottom_up && kind == 0x0f43 {
        (source_at.0, (rows - source_at.1 - source_size.1).max(0.0))
    } else {
        source_at
    };
    let blend = blend_of(operation)?;
    player.blit(&Blit {
        bitmap: &bitmap,
        source: (source_at, source_size),
        target: (place, size),
        blend,
    });
    Some(())
}
