//! Windows metafiles ([MS-WMF]), played on a canvas.
//!
//! Programs hide an enhanced metafile of the same picture in comments; where it is whole it is drawn
//! instead, because it says more.

mod bitmaps;
mod objects;

use bitmaps::draw_bitmap_record;
use objects::create_object;
use resvg::tiny_skia::Pixmap;

use crate::{
    canvas::Canvas,
    emf,
    error::DrawError,
    gdi::{ArcKind, Brush, ClipMode, EllipticArc, Player, TextOut, color_from_colorref},
    geometry::{Matrix, Point},
    labels::TextRun,
    options::DrawOptions,
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
    let placeable = is_placeable.then(|| read_placeable_window(Record(bytes))).flatten();
    let window = find_first_window(body);
    let (origin, extent) =
        placeable.or(window).ok_or_else(|| damaged("nothing says how large the picture is"))?;
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
        // A record that is cut off or refers to something missing does nothing.
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
    let find = |wanted_kind: u16| {
        let (_, record) = iter_records(body).find(|(kind, _)| *kind == wanted_kind)?;
        record.reversed_point_at(0)
    };
    let extent = find(SET_WINDOW_EXTENT).filter(|(x, y)| *x != 0.0 && *y != 0.0)?;
    Some((find(SET_WINDOW_ORIGIN).unwrap_or((0.0, 0.0)), extent))
}

/// The enhanced metafile in the comments of a file, if it is there whole.
fn extract_enhanced_metafile(body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    let mut expected_size = None;
    for (kind, record) in iter_records(body) {
        if kind != ESCAPE || record.u16_at(0) != Some(15) || record.bytes_at(4, 4) != Some(b"WMFC")
        {
            continue;
        }
        let size = record.size_at(22 + 4)?;
        expected_size = Some(record.size_at(30 + 4)?);
        whole.extend(record.bytes_at(ENHANCED_COMMENT_HEAD_BYTES + 4, size)?);
    }
    (expected_size == Some(whole.len())
        && PictureFormat::detect_format(&whole) == Some(PictureFormat::Emf))
    .then_some(whole)
}

/// Corners stored from the last parameter to the first.
fn read_rectangle(record: Record<'_>, at: usize) -> Option<(Point, Point)> {
    Some((record.reversed_point_at(at + 4)?, record.reversed_point_at(at)?))
}

fn read_points(record: Record<'_>, at: usize, count: usize) -> Option<Vec<Point>> {
    record.bytes_at(at, count.checked_mul(4)?)?;
    (0..count).map(|index| record.small_point_at(at + 4 * index)).collect()
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
    let Some(point) = record.reversed_point_at(0) else { return };
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

fn draw_shape(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        0x0213 => player.lines_to(&[record.reversed_point_at(0)?]),
        0x0214 => player.move_to(record.reversed_point_at(0)?),
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
            for index in 0..count {
                let size = usize::from(record.u16_at(2 + 2 * index)?);
                polygons.push(read_points(record, at, size)?);
                at += 4 * size;
            }
            player.draw_polygons(polygons.iter().map(Vec::as_slice));
        }
        0x0418 => player.draw_ellipse(read_rectangle(record, 0)?),
        0x041b => player.draw_rectangle(read_rectangle(record, 0)?),
        0x061c => {
            let size = record.reversed_point_at(0)?;
            player.draw_round_rectangle(read_rectangle(record, 4)?, size);
        }
        0x0817 | 0x0830 | 0x081a => {
            let (to, from) = (record.reversed_point_at(0)?, record.reversed_point_at(4)?);
            let arc = EllipticArc { rectangle: read_rectangle(record, 8)?, from, to };
            let kind = match kind {
                0x0817 => ArcKind::Open,
                0x0830 => ArcKind::Chord,
                _ => ArcKind::Pie,
            };
            player.draw_arc(arc, kind);
        }
        0x041f => {
            let at = record.reversed_point_at(4)?;
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
        (record.reversed_point_at(2 + count.next_multiple_of(2))?, bytes, None, Vec::new())
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
        let advances = (0..count).map_while(|index| record.short_at(distances + 2 * index));
        (record.reversed_point_at(0)?, bytes, area, advances.collect::<Vec<f64>>())
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
    let (mut characters, mut steps, mut start) = (Vec::new(), Vec::new(), 0);
    while start < bytes.len() {
        let length =
            if is_double && bytes[start] >= 0x81 && start + 1 < bytes.len() { 2 } else { 1 };
        let (decoded, _, _) = page.decode(&bytes[start..start + length]);
        for (index, character) in decoded.chars().enumerate() {
            characters.push(character);
            if has_advances {
                let whole = advances[start..start + length].iter().sum();
                steps.push(if index == 0 { whole } else { 0.0 });
            }
        }
        start += length;
    }
    (characters, steps)
}
