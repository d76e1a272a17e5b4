//! Brushes, pens, fonts, paths and images of EMF+.

use std::rc::Rc;

use resvg::tiny_skia::{Color, LineCap, LineJoin};

use super::record_types::{
    COMPRESSED_FLAG, OBJECT_TYPE_BRUSH, OBJECT_TYPE_FONT, OBJECT_TYPE_IMAGE, OBJECT_TYPE_PATH,
    OBJECT_TYPE_PEN, OBJECT_TYPE_STRING_FORMAT, RELATIVE_FLAG,
};
use crate::{
    bitmap::{self, Bitmap},
    font::FontRequest,
    gdi::{Brush, Font, LineStyle, Pen, UNREADABLE_PATTERN_COLOR, color_from_colorref},
    geometry::Point,
    labels::TextRun,
    raster,
    reader::Record,
};

/// [MS-EMFPLUS] BrushType.
const BRUSH_TYPE_SOLID_COLOR: u32 = 0;
const BRUSH_TYPE_HATCH_FILL: u32 = 1;
const BRUSH_TYPE_PATH_GRADIENT: u32 = 3;
const BRUSH_TYPE_LINEAR_GRADIENT: u32 = 4;
/// [MS-EMFPLUS] PenData flags: which optional fields a pen has, in this order.
const PEN_TRANSFORM: u32 = 0x1;
const PEN_START_CAP: u32 = 0x2;
const PEN_END_CAP: u32 = 0x4;
const PEN_JOIN: u32 = 0x8;
const PEN_MITER_LIMIT: u32 = 0x10;
const PEN_LINE_STYLE: u32 = 0x20;
const PEN_DASHED_LINE_CAP: u32 = 0x40;
const PEN_DASHED_LINE_OFFSET: u32 = 0x80;
const PEN_DASHED_LINE: u32 = 0x100;
const PEN_NON_CENTER: u32 = 0x200;
const PEN_COMPOUND_LINE: u32 = 0x400;
const PEN_CUSTOM_START_CAP: u32 = 0x800;
const PEN_CUSTOM_END_CAP: u32 = 0x1000;
/// [MS-EMFPLUS] LineCapType, LineJoinType and LineStyle.
const LINE_CAP_SQUARE: u32 = 1;
const LINE_CAP_ROUND: u32 = 2;
const LINE_JOIN_BEVEL: u32 = 1;
const LINE_JOIN_ROUND: u32 = 2;
const LINE_STYLE_DASH: u32 = 1;
const LINE_STYLE_DOT: u32 = 2;
const LINE_STYLE_DASH_DOT: u32 = 3;
const LINE_STYLE_DASH_DOT_DOT: u32 = 4;
/// Maximum number of dashes and gaps of a pen, as in EMF.
const MAX_DASHES: usize = 16;
/// [MS-EMFPLUS] PathPointType and its flags.
const PATH_POINT_TYPE_MASK: u8 = 7;
const PATH_POINT_TYPE_START: u8 = 0;
const PATH_POINT_TYPE_BEZIER: u8 = 3;
const CLOSE_SUBPATH_FLAG: u8 = 0x80;
/// [MS-EMFPLUS] ImageDataType, BitmapDataType, and the flag of PixelFormat for an opacity.
const IMAGE_DATA_TYPE_BITMAP: u32 = 1;
const BITMAP_DATA_TYPE_COMPRESSED: u32 = 1;
const PIXEL_FORMAT_ALPHA: u32 = 0x0004_0000;
/// [MS-EMFPLUS] FontStyle flags.
const FONT_STYLE_BOLD: u32 = 1;
const FONT_STYLE_ITALIC: u32 = 2;
const FONT_STYLE_UNDERLINE: u32 = 4;
const FONT_STYLE_STRIKEOUT: u32 = 8;
/// [MS-EMFPLUS] UnitType.
const UNIT_TYPE_POINT: u32 = 3;

/// An object of the table.
#[derive(Clone)]
pub(super) enum PlusObject {
    Brush(Brush),
    Pen(Pen),
    Path(Rc<[PlusPathSegment]>),
    Image(PlusImage),
    Font(Font),
    Format(StringFormat),
}

/// A picture within the picture.
#[derive(Clone)]
pub(super) enum PlusImage {
    Bitmap(Rc<Bitmap>),
    /// A nested metafile that is not drawn yet.
    Metafile(Rc<[u8]>),
    /// A metafile that has been drawn.
    Drawn(Rc<NestedMetafile>),
}

/// A drawn nested metafile.
pub(super) struct NestedMetafile {
    pub bitmap: Bitmap,
    /// What was painted as elements, if it is kept.
    pub drawing: Option<crate::drawing::VectorDrawing>,
    /// The words in it, in pixels.
    pub runs: Vec<TextRun>,
    /// Pixels per unit of the metafile.
    pub scale: f64,
}

/// How text is aligned in its rectangle: two StringAlignments.
#[derive(Clone, Copy, Default)]
pub(super) struct StringFormat {
    pub horizontal_alignment: u32,
    pub vertical_alignment: u32,
}

/// A part of a path.
#[derive(Clone, Copy)]
pub(super) enum PlusPathSegment {
    Move(Point),
    Line(Point),
    Curve([Point; 3]),
    Close,
}

/// Maximum number of points of a path. A point of 4 bytes takes 16 when it is read, and as a line 56.
const MAX_POINTS: usize = 1_000_000;

/// Reads an object of the type in its record's flags.
pub(super) fn read_object(kind: u16, data: Record<'_>) -> Option<PlusObject> {
    match kind {
        OBJECT_TYPE_BRUSH => Some(PlusObject::Brush(read_brush(data)?)),
        OBJECT_TYPE_PEN => Some(PlusObject::Pen(read_pen(data)?)),
        OBJECT_TYPE_PATH => Some(PlusObject::Path(read_path(data)?.into())),
        OBJECT_TYPE_IMAGE => Some(PlusObject::Image(read_image(data)?)),
        OBJECT_TYPE_FONT => Some(PlusObject::Font(read_font(data)?)),
        OBJECT_TYPE_STRING_FORMAT => Some(PlusObject::Format(StringFormat {
            horizontal_alignment: data.u32_at(12)?,
            vertical_alignment: data.u32_at(16)?,
        })),
        _ => None,
    }
}

/// A colour with its opacity in the highest byte.
pub(super) fn color_from_argb(number: u32) -> Color {
    let [blue, green, red, alpha] = number.to_le_bytes();
    Color::from_rgba8(red, green, blue, alpha)
}

fn read_brush(data: Record<'_>) -> Option<Brush> {
    match data.u32_at(4)? {
        BRUSH_TYPE_SOLID_COLOR => Some(Brush::Plain(color_from_argb(data.u32_at(8)?))),
        // Hatching is painted in its foreground colour.
        BRUSH_TYPE_HATCH_FILL => Some(Brush::Plain(color_from_argb(data.u32_at(12)?))),
        // Gradients are painted in the mean of their ends, or in the colour of their centre.
        BRUSH_TYPE_LINEAR_GRADIENT => Some(Brush::Plain(mean_color(
            color_from_argb(data.u32_at(32)?),
            color_from_argb(data.u32_at(36)?),
        ))),
        BRUSH_TYPE_PATH_GRADIENT => Some(Brush::Plain(color_from_argb(data.u32_at(16)?))),
        _ => Some(Brush::Plain(color_from_colorref(UNREADABLE_PATTERN_COLOR))),
    }
}

fn mean_color(a: Color, b: Color) -> Color {
    let middle = |a: f32, b: f32| (a + b) / 2.0;
    Color::from_rgba(
        middle(a.red(), b.red()),
        middle(a.green(), b.green()),
        middle(a.blue(), b.blue()),
        middle(a.alpha(), b.alpha()),
    )
    .unwrap_or(a)
}

fn read_pen(data: Record<'_>) -> Option<Pen> {
    let flags = data.u32_at(8)?;
    let width = data.float_at(16)?;
    let mut offset = 20;
    let mut pen = Pen {
        line: LineStyle::Solid,
        width: width.abs(),
        color: Color::BLACK,
        cap: LineCap::Butt,
        join: LineJoin::Miter,
    };
    if flags & PEN_TRANSFORM != 0 {
        offset += 24;
    }
    let cap = |number: u32| match number {
        LINE_CAP_SQUARE => LineCap::Square,
        LINE_CAP_ROUND => LineCap::Round,
        _ => LineCap::Butt,
    };
    for flag in [PEN_START_CAP, PEN_END_CAP] {
        if flags & flag != 0 {
            pen.cap = cap(data.u32_at(offset)?);
            offset += 4;
        }
    }
    if flags & PEN_JOIN != 0 {
        pen.join = match data.u32_at(offset)? {
            LINE_JOIN_BEVEL => LineJoin::Bevel,
            LINE_JOIN_ROUND => LineJoin::Round,
            _ => LineJoin::Miter,
        };
        offset += 4;
    }
    if flags & PEN_MITER_LIMIT != 0 {
        offset += 4;
    }
    if flags & PEN_LINE_STYLE != 0 {
        pen.line = match data.u32_at(offset)? {
            LINE_STYLE_DASH => LineStyle::Dashes(vec![3.0, 1.0]),
            LINE_STYLE_DOT => LineStyle::Dashes(vec![1.0, 1.0]),
            LINE_STYLE_DASH_DOT => LineStyle::Dashes(vec![3.0, 1.0, 1.0, 1.0]),
            LINE_STYLE_DASH_DOT_DOT => LineStyle::Dashes(vec![3.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
            _ => LineStyle::Solid,
        };
        offset += 4;
    }
    for flag in [PEN_DASHED_LINE_CAP, PEN_DASHED_LINE_OFFSET] {
        if flags & flag != 0 {
            offset += 4;
        }
    }
    if flags & PEN_DASHED_LINE != 0 {
        let count = data.size_at(offset)?.min(MAX_DASHES);
        let dashes = (0..count).map_while(|index| data.float_at(offset + 4 + 4 * index));
        let dashes: Vec<f32> = dashes.map(|length| length as f32).collect();
        if dashes.len() > 1 {
            pen.line = LineStyle::Dashes(dashes);
        }
        offset = offset.checked_add(4)?.checked_add(data.size_at(offset)?.checked_mul(4)?)?;
    }
    if flags & PEN_NON_CENTER != 0 {
        offset += 4;
    }
    // Compound lines and custom caps are preceded by their size, in floats and in bytes.
    for (flag, unit) in [(PEN_COMPOUND_LINE, 4), (PEN_CUSTOM_START_CAP, 1), (PEN_CUSTOM_END_CAP, 1)]
    {
        if flags & flag != 0 {
            offset =
                offset.checked_add(4)?.checked_add(data.size_at(offset)?.checked_mul(unit)?)?;
        }
    }
    if let Brush::Plain(color) = read_brush(Record(data.0.get(offset..)?))? {
        pen.color = color;
    }
    Some(pen)
}

/// Reads points: floats or 16-bit integers; relative ones are not supported.
pub(super) fn read_points(
    data: Record<'_>,
    at: usize,
    count: usize,
    flags: u16,
) -> Option<Vec<Point>> {
    if count > MAX_POINTS || flags & RELATIVE_FLAG != 0 {
        return None;
    }
    let point = |index: usize| {
        if flags & COMPRESSED_FLAG != 0 {
            data.small_point_at(at + 4 * index)
        } else {
            Some((data.float_at(at + 8 * index)?, data.float_at(at + 8 * index + 4)?))
        }
    };
    (0..count).map(point).collect()
}

/// Corners of a rectangle that is stored with its size.
pub(super) fn read_rectangle(data: Record<'_>, at: usize, flags: u16) -> Option<(Point, Point)> {
    let (from, size) = if flags & COMPRESSED_FLAG != 0 {
        (data.small_point_at(at)?, data.small_point_at(at + 4)?)
    } else {
        let number = |index: usize| data.float_at(at + 4 * index);
        ((number(0)?, number(1)?), (number(2)?, number(3)?))
    };
    Some((from, (from.0 + size.0, from.1 + size.1)))
}

fn read_path(data: Record<'_>) -> Option<Vec<PlusPathSegment>> {
    let (count, flags) = (data.size_at(4)?, data.u32_at(8)? as u16);
    let points = read_points(data, 12, count, flags)?;
    let point_size = if flags & COMPRESSED_FLAG != 0 { 4 } else { 8 };
    let types = data.bytes_at(12 + count * point_size, count)?;
    let mut segments = Vec::with_capacity(count);
    let mut index = 0;
    while let (Some(point), Some(kind)) = (points.get(index), types.get(index)) {
        match kind & PATH_POINT_TYPE_MASK {
            PATH_POINT_TYPE_START => segments.push(PlusPathSegment::Move(*point)),
            PATH_POINT_TYPE_BEZIER => {
                let curve = points.get(index..index + 3)?;
                segments.push(PlusPathSegment::Curve([curve[0], curve[1], curve[2]]));
                index += 2;
            }
            _ => segments.push(PlusPathSegment::Line(*point)),
        }
        if types.get(index).is_some_and(|kind| kind & CLOSE_SUBPATH_FLAG != 0) {
            segments.push(PlusPathSegment::Close);
        }
        index += 1;
    }
    Some(segments)
}

fn read_image(data: Record<'_>) -> Option<PlusImage> {
    if data.u32_at(4)? != IMAGE_DATA_TYPE_BITMAP {
        let size = data.size_at(12)?;
        return Some(PlusImage::Metafile(data.0.get(16..16 + size)?.into()));
    }
    let (width, height, stride) = (data.i32_at(8)?, data.i32_at(12)?, data.i32_at(16)?);
    let bits = data.0.get(28..)?;
    if data.u32_at(24)? == BITMAP_DATA_TYPE_COMPRESSED {
        return raster::decode_raster(bits, bitmap::MAX_EMBEDDED_PIXELS)
            .ok()
            .map(|pixels| PlusImage::Bitmap(Rc::new(Bitmap { pixels, is_bottom_up: false })));
    }
    // Uncompressed pixels: drawing programs write those of 24 and 32 bits.
    let format = data.u32_at(20)?;
    let depth = format >> 8 & 0xff;
    if !matches!(depth, 24 | 32) || stride <= 0 {
        return None;
    }
    let mut info = vec![0; 40];
    info[0] = 40;
    info[4..8].copy_from_slice(&width.to_le_bytes());
    info[8..12].copy_from_slice(&height.checked_neg()?.to_le_bytes());
    info[14..16].copy_from_slice(&(depth as u16).to_le_bytes());
    let has_alpha = format & PIXEL_FORMAT_ALPHA != 0;
    bitmap::decode_bitmap(&info, bits, has_alpha).map(|bitmap| PlusImage::Bitmap(Rc::new(bitmap)))
}

fn read_font(data: Record<'_>) -> Option<Font> {
    let (size, unit, style) = (data.float_at(4)?, data.u32_at(8)?, data.u32_at(12)?);
    let name = String::from_utf16_lossy(&data.utf16_at(24, data.size_at(20)?.min(64))?);
    let (bold, italic) = (style & FONT_STYLE_BOLD != 0, style & FONT_STYLE_ITALIC != 0);
    let request = FontRequest { name: &name, bold, italic, pitch_and_family: 0 };
    // Points at 96 dots per inch; all other units are units of the drawing.
    let em = if unit == UNIT_TYPE_POINT { size * 96.0 / 72.0 } else { size };
    let font = Font::new(-em.abs().max(0.01), &request);
    Some(Font {
        underlined: style & FONT_STYLE_UNDERLINE != 0,
        struck_out: style & FONT_STYLE_STRIKEOUT != 0,
        ..font
    })
}
