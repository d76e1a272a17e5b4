//! Windows metafiles ([MS-WMF]), played on a canvas.
//!
//! Programs hide an enhanced metafile of the same picture in comments; where it is whole it is drawn in
//! their place, for it says more.

use resvg::tiny_skia::Pixmap;

use crate::{
    bitmap,
    canvas::Canvas,
    draw::DrawOptions,
    emf,
    error::DrawError,
    font::FontRequest,
    gdi::{
        ArcKind, Blit, Brush, ClipMode, EllipticArc, Font, GdiObject, Pen, Player, TextOut,
        blend_mode_of, color_from_colorref,
    },
    geometry::{Matrix, Point},
    labels::TextRun,
    picture_format::PictureFormat,
    reader::Record,
};

const PLACEABLE_HEADER_BYTES: usize = 22;
const HEADER_BYTES: usize = 18;
/// Records of the longest file that is played.
const MOST_RECORDS: usize = 1_000_000;
const SET_WINDOW_ORIGIN: u16 = 0x020b;
const SET_WINDOW_EXTENT: u16 = 0x020c;
const ESCAPE: u16 = 0x0626;
/// The head of a comment that holds a part of an enhanced metafile.
const ENHANCED_COMMENT_HEAD_BYTES: usize = 34;

/// Draws a file, and reads the words in it.
pub(crate) fn draw_wmf(
    bytes: &[u8],
    options: &DrawOptions,
) -> Result<(Pixmap, Vec<TextRun>), DrawError> {
    let damaged = |detail: &str| DrawError::damaged("WMF", detail);
    let is_placeable = bytes.starts_with(&[0xd7, 0xcd, 0xc6, 0x9a]);
    let first = HEADER_BYTES + if is_placeable { PLACEABLE_HEADER_BYTES } else { 0 };
    let body = bytes.get(first..).ok_or_else(|| damaged("the header is cut off"))?;
    if let Some(enhanced) = extract_enhanced_metafile(body) {
        return emf::draw_emf(&enhanced, options);
    }
    let placed = is_placeable.then(|| read_placeable_window(Record(bytes))).flatten();
    let window = find_first_window(body);
    let (origin, extent) =
        placed.or(window).ok_or_else(|| damaged("nothing says how large the picture is"))?;
    let size = (extent.0.abs(), extent.1.abs());
    let (scale, width, height) = options.fit_size(size).ok_or(DrawError::TooMuch)?;
    let canvas = Canvas::new(width, height).ok_or(DrawError::TooMuch)?;
    let mut player = Player::new(canvas, Matrix::from_scale(scale, scale));
    let mapping = &mut player.context.mapping;
    mapping.mode = 8;
    (mapping.window_origin, mapping.window_extent) = (origin, extent);
    mapping.viewport_extent = size;
    for (kind, record) in iter_records(body) {
        if kind == 0 || player.canvas.is_spent() {
            break;
        }
        // A record that is cut off or wants what cannot be does nothing.
        let _: Option<()> = play_record(kind, record, &mut player);
    }
    if player.canvas.is_spent() {
        return Err(DrawError::TooMuch);
    }
    Ok((player.canvas.into_pixmap(), player.runs))
}

/// Records with their types; sizes are in words of 16 bits.
fn iter_records(body: &[u8]) -> impl Iterator<Item = (u16, Record<'_>)> {
    let mut rest = body;
    let records = std::iter::from_fn(move || {
        let head = Record(rest);
        let (size, kind) = (head.size_at(0)?.checked_mul(2)?, head.u16_at(4)?);
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
fn read_placeable_window(header: Record<'_>) -> Option<(Point, Point)> {
    let (from, to) = (header.small_point_at(6)?, header.small_point_at(10)?);
    let extent = (to.0 - from.0, to.1 - from.1);
    (extent.0 != 0.0 && extent.1 != 0.0).then_some((from, extent))
}

/// The first window of a file that is not placeable.
fn find_first_window(body: &[u8]) -> Option<(Point, Point)> {
    let find = |wanted: u16| {
        let (_, record) = iter_records(body).find(|(kind, _)| *kind == wanted)?;
        read_reversed_point(record, 0)
    };
    let extent = find(SET_WINDOW_EXTENT).filter(|(x, y)| *x != 0.0 && *y != 0.0)?;
    Some((find(SET_WINDOW_ORIGIN).unwrap_or((0.0, 0.0)), extent))
}

/// The enhanced metafile in the comments of a file, if it is there whole.
fn extract_enhanced_metafile(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    let mut wanted = None;
    for (kind, record) in iter_records(body) {
        if kind != ESCAPE || record.u16_at(0) != Some(15) || record.bytes_at(4, 4) != Some(b"WMFC")
        {
            continue;
        }
        let size = record.size_at(22 + 4)?;
        wanted = Some(record.size_at(30 + 4)?);
        whole.extend(record.bytes_at(ENHANCED_COMMENT_HEAD_BYTES + 4, size)?);
    }
    (wanted == Some(whole.len())
        && PictureFormat::detect_format(&whole) == Some(PictureFormat::Emf))
    .then_some(whole)
}

/// A point whose y is stored before its x, as parameters are.
fn read_reversed_point(record: Record<'_>, at: usize) -> Option<Point> {
    Some((record.short_at(at + 2)?, record.short_at(at)?))
}

/// Corners stored from the last parameter to the first.
fn read_rectangle(record: Record<'_>, at: usize) -> Option<(Point, Point)> {
    Some((read_reversed_point(record, at + 4)?, read_reversed_point(record, at)?))
}

fn read_points(record: Record<'_>, at: usize, count: usize) -> Option<Vec<Point>> {
    record.bytes_at(at, count.checked_mul(4)?)?;
    (0..count).map(|place| record.small_point_at(at + 4 * place)).collect()
}

fn play_record(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        0x0103 | 0x020b..=0x0211 | 0x0410 | 0x0412 => set_mapping(kind, record, player),
        0x001e => player.save_context(),
        0x0127 => player.restore_context(record.i16_at(0)?.into()),
        0x012d => player.select_object(record.u16_at(0)?.into()),
        0x01f0 => player.objects.remove(record.u16_at(0)?.into()),
        0x02fa..=0x02fc | 0x00f7 | 0x0142 | 0x01f9 | 0x06ff => create_object(kind, record, player),
        0x0102 => player.context.is_opaque = record.u16_at(0)? == 2,
        0x0104 => player.set_raster_operation(u32::from(record.u16_at(0)?)),
        0x0106 => player.context.fills_winding = record.u16_at(0)? == 2,
        0x012e => player.context.text_align = record.u16_at(0)?.into(),
        0x0201 => player.context.back_color = color_from_colorref(record.u32_at(0)?),
        0x0209 => player.context.text_color = color_from_colorref(record.u32_at(0)?),
        0x012c => player.reset_clip(),
        0x0415 => player.clip_to_rectangle(read_rectangle(record, 0)?, ClipMode::Without),
        0x0416 => player.clip_to_rectangle(read_rectangle(record, 0)?, ClipMode::And),
        0x0521 | 0x0a32 => draw_text(kind, record, player)?,
        0x0940 | 0x0b41 | 0x0f43 | 0x0d33 | 0x061d => draw_bitmap_record(kind, record, player)?,
        _ => draw_shape(kind, record, player)?,
    }
    Some(())
}

fn set_mapping(kind: u16, record: Record<'_>, player: &mut Player) {
    let mapping = &mut player.context.mapping;
    let Some(point) = read_reversed_point(record, 0) else { return };
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

fn create_object(kind: u16, record: Record<'_>, player: &mut Player) {
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
    let wanted = FontRequest {
        name: &name,
        bold: record.i16_at(8)? >= 600,
        italic: record.u8_at(10)? != 0,
        pitch_and_family: record.u8_at(17)?,
    };
    let font = Font::new(record.short_at(0)?, &wanted);
    Some(Font {
        width: record.short_at(2)?.abs(),
        rise: record.short_at(4)? / 10.0,
        underlined: record.u8_at(11)? != 0,
        struck_out: record.u8_at(12)? != 0,
        char_set,
        ..font
    })
}

fn draw_shape(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        0x0213 => player.lines_to(&[read_reversed_point(record, 0)?]),
        0x0214 => player.move_to(read_reversed_point(record, 0)?),
        0x0324 => {
            let points = read_points(record, 2, record.u16_at(0)?.into())?;
            player.draw_polygons([points.as_slice()].into_iter());
        }
        0x0325 => {
            let points = read_points(record, 2, record.u16_at(0)?.into())?;
            player.draw_polylines([points.as_slice()].into_iter());
        }
        0x0538 => {
            let count = usize::from(record.u16_at(0)?);
            let mut at = 2 + 2 * count;
            let mut polygons = Vec::with_capacity(count);
            for place in 0..count {
                let size = usize::from(record.u16_at(2 + 2 * place)?);
                polygons.push(read_points(record, at, size)?);
                at += 4 * size;
            }
            player.draw_polygons(polygons.iter().map(Vec::as_slice));
        }
        0x0418 => player.draw_ellipse(read_rectangle(record, 0)?),
        0x041b => player.draw_rectangle(read_rectangle(record, 0)?),
        0x061c => {
            let size = read_reversed_point(record, 0)?;
            player.draw_round_rectangle(read_rectangle(record, 4)?, size);
        }
        0x0817 | 0x0830 | 0x081a => {
            let (to, from) = (read_reversed_point(record, 0)?, read_reversed_point(record, 4)?);
            let arc = EllipticArc { rectangle: read_rectangle(record, 8)?, from, to };
            let kind = match kind {
                0x0817 => ArcKind::Open,
                0x0830 => ArcKind::Chord,
                _ => ArcKind::Pie,
            };
            player.draw_arc(arc, kind);
        }
        0x041f => {
            let at = read_reversed_point(record, 4)?;
            let pixel = Brush::Plain(color_from_colorref(record.u32_at(0)?));
            let before = std::mem::replace(&mut player.context.brush, pixel);
            player.fill_rectangle((at, (at.0 + 1.0, at.1 + 1.0)));
            player.context.brush = before;
        }
        _ => return None,
    }
    Some(())
}

fn draw_text(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let char_set = player.context.font.char_set;
    let (at, bytes, filled, advances) = if kind == 0x0521 {
        let count = usize::from(record.u16_at(0)?);
        let bytes = record.bytes_at(2, count)?;
        (read_reversed_point(record, 2 + count.next_multiple_of(2))?, bytes, None, Vec::new())
    } else {
        let (count, options) = (usize::from(record.u16_at(4)?), record.u16_at(6)?);
        let has_rectangle = options & 6 != 0;
        let from = if has_rectangle { 16 } else { 8 };
        let bytes = record.bytes_at(from, count)?;
        let area = match has_rectangle && options & 2 != 0 {
            true => Some((record.small_point_at(8)?, record.small_point_at(12)?)),
            false => None,
        };
        let distances = from + count.next_multiple_of(2);
        let advances = (0..count).map_while(|place| record.short_at(distances + 2 * place));
        (read_reversed_point(record, 0)?, bytes, area, advances.collect::<Vec<f64>>())
    };
    let (characters, advances) = decode_characters(bytes, char_set, &advances);
    player.write_text(TextOut { at, characters, advances, filled });
    Some(())
}

/// The characters of bytes in a code page; one of two bytes has the advances of both.
fn decode_characters(bytes: &[u8], char_set: u8, advances: &[f64]) -> (Vec<char>, Vec<f64>) {
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
fn decode_packed_bitmap(bytes: &[u8], player: &mut Player) -> Option<bitmap::Bitmap> {
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

fn draw_bitmap_record(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let operation = record.u32_at(0)?;
    if kind == 0x061d {
        let (size, at) = (read_reversed_point(record, 4)?, read_reversed_point(record, 8)?);
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
        let point = read_reversed_point(record, at);
        at += 4;
        point
    };
    let source_size = if is_stretched { Some(next()?) } else { None };
    let source_at = next()?;
    // The form without a bitmap has two bytes that mean nothing here.
    if record.0.len() == 2 * usize::from(kind >> 8) {
        let at = if is_stretched { 14 } else { 10 };
        let (size, place) =
            (read_reversed_point(record, at)?, read_reversed_point(record, at + 4)?);
        player.blit_pattern(operation, (place, size));
        return Some(());
    }
    let (size, place) = (next()?, next()?);
    let Some(bitmap) = record.0.get(at..).and_then(|bytes| decode_packed_bitmap(bytes, player))
    else {
        player.blit_pattern(operation, (place, size));
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
        target: (place, size),
        blend,
    });
    Some(())
}
