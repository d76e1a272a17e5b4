//! Windows metafiles ([MS-WMF]), played on a canvas.
//!
//! Programs put an enhanced metafile of the same picture into comments; if it is complete it is
//! drawn instead, because it contains more.

mod bitmaps;
mod equation;
mod objects;
mod record_types;

pub use equation::{EquationPicture, read_equation_picture};

use bitmaps::draw_bitmap_record;
use objects::create_object;
use record_types::*;

use crate::{
    canvas::Canvas,
    emf,
    error::DrawError,
    gdi::{
        ArcKind, Brush, ClipMode, EllipticArc, MM_ANISOTROPIC, Player, TextOut, color_from_colorref,
    },
    geometry::{Matrix, Point},
    options::DrawOptions,
    painted::PaintedPicture,
    picture_format::PictureFormat,
    reader::Record,
    text::{
        CHINESEBIG5_CHARSET, GB2312_CHARSET, HANGUL_CHARSET, SHIFTJIS_CHARSET, SYMBOL_CHARSET,
        code_page,
    },
};

const PLACEABLE_HEADER_BYTES: usize = 22;
const HEADER_BYTES: usize = 18;
/// The header of a record: its size and its type.
const RECORD_HEADER_BYTES: usize = 6;
/// Maximum number of records that are played. Records that draw nothing cost nothing of the budget, and a file of 64
/// MiB can have eleven million.
const MAX_RECORDS: usize = 1_000_000;
/// Where the data of an escape record begins, after its function and its size.
const ESCAPE_DATA_OFFSET: usize = 4;
/// The header of a comment with a part of an enhanced metafile: [MS-WMF] 2.3.6.1,
/// META_ESCAPE_ENHANCED_METAFILE.
const ENHANCED_COMMENT_HEADER_BYTES: usize = 34;
/// [MS-WMF] 2.1.1.17, MetafileEscapes: MFCOMMENT.
const MFCOMMENT: u16 = 15;
/// [MS-WMF] 2.1.1.20, MixMode.
const OPAQUE: u16 = 2;
/// [MS-WMF] 2.1.1.25, PolyFillMode.
const WINDING: u16 = 2;
/// [MS-WMF] 2.1.2.2, ExtTextOutOptions.
const ETO_OPAQUE: u16 = 2;
const ETO_CLIPPED: u16 = 4;

/// Draws a file and reads the text in it.
pub(crate) fn draw_wmf(bytes: &[u8], options: &DrawOptions) -> Result<PaintedPicture, DrawError> {
    let damaged = |detail: &str| DrawError::damaged("WMF", detail);
    let is_placeable = bytes.starts_with(&[0xd7, 0xcd, 0xc6, 0x9a]);
    let first = HEADER_BYTES + if is_placeable { PLACEABLE_HEADER_BYTES } else { 0 };
    let body = bytes.get(first..).ok_or_else(|| damaged("the header is truncated"))?;
    if let Some(enhanced) = extract_enhanced_metafile(body) {
        return emf::draw_emf(&enhanced, options);
    }
    let placeable = is_placeable.then(|| read_placeable_window(Record(bytes))).flatten();
    let window = find_first_window(body);
    let (origin, extent) =
        placeable.or(window).ok_or_else(|| damaged("the picture size is missing"))?;
    let size = (extent.0.abs(), extent.1.abs());
    let ((left, top), (right, bottom)) = options.crop.crop_rectangle(((0.0, 0.0), size));
    let shown = (right - left, bottom - top);
    let (scale, width, height) = options.fit_size(shown).ok_or(DrawError::TooMuch)?;
    let canvas = Canvas::new(width, height).ok_or(DrawError::TooMuch)?;
    let canvas = canvas.recording(options.keeps_drawing);
    let view = Matrix::from_translation(-left, -top).then(Matrix::from_scale(scale, scale));
    let mut player = Player::new(canvas, view);
    let mapping = &mut player.context.mapping;
    mapping.mode = MM_ANISOTROPIC;
    (mapping.window_origin, mapping.window_extent) = (origin, extent);
    mapping.viewport_extent = size;
    for (kind, record) in iter_records(body) {
        if kind == META_EOF || player.canvas.is_spent() {
            break;
        }
        // A record that is cut off or refers to something missing does nothing.
        let _: Option<()> = play_record(kind, record, &mut player);
    }
    PaintedPicture::from_canvas(player.canvas, player.runs)
}

/// Iterates over record types and records; the sizes in the file are in words of 16 bits.
fn iter_records(body: &[u8]) -> impl Iterator<Item = (u16, Record<'_>)> {
    let mut rest = body;
    let records = std::iter::from_fn(move || {
        let head = Record(rest);
        let (size, kind) = (head.size_at(0)?.checked_mul(2)?, head.u16_at(4)?);
        if size < RECORD_HEADER_BYTES || size > rest.len() {
            return None;
        }
        let record = Record(&rest[RECORD_HEADER_BYTES..size]);
        rest = &rest[size..];
        Some((kind, record))
    });
    records.take(MAX_RECORDS)
}

/// The origin and the extent of a placeable file.
fn read_placeable_window(header: Record<'_>) -> Option<(Point, Point)> {
    let (from, to) = (header.small_point_at(6)?, header.small_point_at(10)?);
    let extent = (to.0 - from.0, to.1 - from.1);
    (extent.0 != 0.0 && extent.1 != 0.0).then_some((from, extent))
}

/// The first window of a file that is not placeable.
fn find_first_window(body: &[u8]) -> Option<(Point, Point)> {
    let find = |record_type: u16| {
        let (_, record) = iter_records(body).find(|(kind, _)| *kind == record_type)?;
        record.reversed_point_at(0)
    };
    let extent = find(META_SETWINDOWEXT).filter(|(x, y)| *x != 0.0 && *y != 0.0)?;
    Some((find(META_SETWINDOWORG).unwrap_or((0.0, 0.0)), extent))
}

/// The enhanced metafile in the comments of a file, if it is complete. Part of one would show part of the picture.
fn extract_enhanced_metafile(body: &[u8]) -> Option<Vec<u8>> {
    let mut metafile = Vec::new();
    let mut expected_size = None;
    for (kind, record) in iter_records(body) {
        if kind != META_ESCAPE
            || record.u16_at(0) != Some(MFCOMMENT)
            || record.bytes_at(ESCAPE_DATA_OFFSET, 4) != Some(b"WMFC")
        {
            continue;
        }
        let size = record.size_at(ESCAPE_DATA_OFFSET + 22)?;
        expected_size = Some(record.size_at(ESCAPE_DATA_OFFSET + 30)?);
        let data_offset = ESCAPE_DATA_OFFSET + ENHANCED_COMMENT_HEADER_BYTES;
        metafile.extend(record.bytes_at(data_offset, size)?);
    }
    (expected_size == Some(metafile.len())
        && PictureFormat::detect_format(&metafile) == Some(PictureFormat::Emf))
    .then_some(metafile)
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
        // The viewport and the mapping mode depend on a device that the file does not know: they are
        // ignored.
        META_SETWINDOWORG | META_SETWINDOWEXT | META_OFFSETWINDOWORG => {
            set_mapping(kind, record, player)?;
        }
        META_SAVEDC => player.save_context(),
        META_RESTOREDC => player.restore_context(record.i16_at(0)?.into()),
        META_SELECTOBJECT => player.select_object(record.u16_at(0)?.into()),
        META_DELETEOBJECT => player.objects.remove(record.u16_at(0)?.into()),
        META_CREATEPENINDIRECT
        | META_CREATEFONTINDIRECT
        | META_CREATEBRUSHINDIRECT
        | META_CREATEPALETTE
        | META_DIBCREATEPATTERNBRUSH
        | META_CREATEPATTERNBRUSH
        | META_CREATEREGION => create_object(kind, record, player),
        META_SETBKMODE => player.context.is_opaque = record.u16_at(0)? == OPAQUE,
        META_SETROP2 => player.set_raster_operation(u32::from(record.u16_at(0)?)),
        META_SETPOLYFILLMODE => player.context.fills_winding = record.u16_at(0)? == WINDING,
        META_SETTEXTALIGN => player.context.text_align = record.u16_at(0)?.into(),
        META_SETBKCOLOR => player.context.back_color = color_from_colorref(record.u32_at(0)?),
        META_SETTEXTCOLOR => player.context.text_color = color_from_colorref(record.u32_at(0)?),
        META_SELECTCLIPREGION => player.reset_clip(),
        META_EXCLUDECLIPRECT => {
            player.clip_to_rectangle(read_rectangle(record, 0)?, ClipMode::Without);
        }
        META_INTERSECTCLIPRECT => {
            player.clip_to_rectangle(read_rectangle(record, 0)?, ClipMode::And);
        }
        META_TEXTOUT | META_EXTTEXTOUT => draw_text(kind, record, player)?,
        META_DIBBITBLT | META_DIBSTRETCHBLT | META_STRETCHDIB | META_SETDIBTODEV | META_PATBLT => {
            draw_bitmap_record(kind, record, player)?;
        }
        _ => draw_shape(kind, record, player)?,
    }
    Some(())
}

fn set_mapping(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let mapping = &mut player.context.mapping;
    let point = record.reversed_point_at(0)?;
    match kind {
        META_SETWINDOWORG => mapping.window_origin = point,
        META_SETWINDOWEXT => mapping.window_extent = point,
        _ => {
            mapping.window_origin.0 += point.0;
            mapping.window_origin.1 += point.1;
        }
    }
    Some(())
}

fn draw_shape(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    match kind {
        META_LINETO => player.lines_to(&[record.reversed_point_at(0)?]),
        META_MOVETO => player.move_to(record.reversed_point_at(0)?),
        META_POLYGON => {
            let points = read_points(record, 2, record.u16_at(0)?.into())?;
            player.draw_polygons([points.as_slice()].into_iter());
        }
        META_POLYLINE => {
            let points = read_points(record, 2, record.u16_at(0)?.into())?;
            player.draw_polylines([points.as_slice()].into_iter());
        }
        META_POLYPOLYGON => {
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
        META_ELLIPSE => player.draw_ellipse(read_rectangle(record, 0)?),
        META_RECTANGLE => player.draw_rectangle(read_rectangle(record, 0)?),
        META_ROUNDRECT => {
            let size = record.reversed_point_at(0)?;
            player.draw_round_rectangle(read_rectangle(record, 4)?, size);
        }
        META_ARC | META_CHORD | META_PIE => {
            let (to, from) = (record.reversed_point_at(0)?, record.reversed_point_at(4)?);
            let arc = EllipticArc { rectangle: read_rectangle(record, 8)?, from, to };
            let kind = match kind {
                META_ARC => ArcKind::Open,
                META_CHORD => ArcKind::Chord,
                _ => ArcKind::Pie,
            };
            player.draw_arc(arc, kind);
        }
        META_SETPIXEL => {
            let corner = record.reversed_point_at(4)?;
            let pixel = Brush::Plain(color_from_colorref(record.u32_at(0)?));
            let before = std::mem::replace(&mut player.context.brush, pixel);
            player.fill_rectangle((corner, (corner.0 + 1.0, corner.1 + 1.0)));
            player.context.brush = before;
        }
        _ => return None,
    }
    Some(())
}

fn draw_text(kind: u16, record: Record<'_>, player: &mut Player) -> Option<()> {
    let char_set = player.context.font.char_set;
    let (reference_point, bytes, filled, advances) = if kind == META_TEXTOUT {
        let count = usize::from(record.u16_at(0)?);
        let bytes = record.bytes_at(2, count)?;
        (record.reversed_point_at(2 + count.next_multiple_of(2))?, bytes, None, Vec::new())
    } else {
        let (count, options) = (usize::from(record.u16_at(4)?), record.u16_at(6)?);
        let has_rectangle = options & (ETO_OPAQUE | ETO_CLIPPED) != 0;
        let text_offset = if has_rectangle { 16 } else { 8 };
        let bytes = record.bytes_at(text_offset, count)?;
        let area = if has_rectangle && options & ETO_OPAQUE != 0 {
            Some((record.small_point_at(8)?, record.small_point_at(12)?))
        } else {
            None
        };
        let advances_offset = text_offset + count.next_multiple_of(2);
        let advances = (0..count).map_while(|index| record.short_at(advances_offset + 2 * index));
        (record.reversed_point_at(0)?, bytes, area, advances.collect::<Vec<f64>>())
    };
    let (characters, advances) = decode_characters(bytes, char_set, &advances);
    player.write_text(TextOut { reference_point, characters, advances, filled });
    Some(())
}

/// Decodes bytes in the code page of a character set; a character of two bytes has the advances of
/// both.
fn decode_characters(bytes: &[u8], char_set: u8, advances: &[f64]) -> (Vec<char>, Vec<f64>) {
    let has_advances = advances.len() == bytes.len();
    if char_set == SYMBOL_CHARSET {
        let advances = if has_advances { advances.to_vec() } else { Vec::new() };
        return (bytes.iter().map(|byte| char::from(*byte)).collect(), advances);
    }
    let page = code_page(char_set);
    let is_double_byte = matches!(
        char_set,
        SHIFTJIS_CHARSET | HANGUL_CHARSET | GB2312_CHARSET | CHINESEBIG5_CHARSET
    );
    let (mut characters, mut steps, mut start) = (Vec::new(), Vec::new(), 0);
    while start < bytes.len() {
        let length =
            if is_double_byte && bytes[start] >= 0x81 && start + 1 < bytes.len() { 2 } else { 1 };
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
