//! Brushes, pens, fonts, paths and images of EMF+.

use std::rc::Rc;

use resvg::tiny_skia::{Color, LineCap, LineJoin};

use crate::{
    bitmap::{self, Bitmap},
    font::FontRequest,
    gdi::{Brush, Font, LineStyle, Pen},
    geometry::Point,
    labels::TextRun,
    raster,
    reader::Record,
};

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
    /// The words in it, in pixels.
    pub runs: Vec<TextRun>,
    /// Pixels per unit of the metafile.
    pub scale: f64,
}

/// How text lies in its rectangle: 0 at its beginning, 1 in the middle, 2 at its end.
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

/// Points of the longest path.
const MOST_POINTS: usize = 1_000_000;

/// An object by the type that its record's flags say.
pub(super) fn read_object(kind: u16, data: Record<'_>) -> Option<PlusObject> {
    match kind {
        1 => Some(PlusObject::Brush(read_brush(data)?)),
        2 => Some(PlusObject::Pen(read_pen(data)?)),
        3 => Some(PlusObject::Path(read_path(data)?.into())),
        5 => Some(PlusObject::Image(read_image(data)?)),
        6 => Some(PlusObject::Font(read_font(data)?)),
        7 => Some(PlusObject::Format(StringFormat {
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
        0 => Some(Brush::Plain(color_from_argb(data.u32_at(8)?))),
        // Hatching in its foreground, which is what can be seen of it.
        1 => Some(Brush::Plain(color_from_argb(data.u32_at(12)?))),
        // Gradients in the mean of their ends.
        4 => Some(Brush::Plain(mean_color(
            color_from_argb(data.u32_at(32)?),
            color_from_argb(data.u32_at(36)?),
        ))),
        3 => Some(Brush::Plain(color_from_argb(data.u32_at(16)?))),
        _ => Some(Brush::Plain(Color::from_rgba8(0xd0, 0xd0, 0xd0, 0xff))),
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
    let mut at = 20;
    let mut pen = Pen {
        line: LineStyle::Solid,
        width: width.abs(),
        color: Color::BLACK,
        cap: LineCap::Butt,
        join: LineJoin::Miter,
    };
    if flags & 1 != 0 {
        at += 24;
    }
    let cap = |number: u32| match number {
        1 => LineCap::Square,
        2 => LineCap::Round,
        _ => LineCap::Butt,
    };
    for bit in [2, 4] {
        if flags & bit != 0 {
            pen.cap = cap(data.u32_at(at)?);
            at += 4;
        }
    }
    if flags & 8 != 0 {
        pen.join = match data.u32_at(at)? {
            1 => LineJoin::Bevel,
            2 => LineJoin::Round,
            _ => LineJoin::Miter,
        };
        at += 4;
    }
    if flags & 0x10 != 0 {
        at += 4;
    }
    if flags & 0x20 != 0 {
        pen.line = match data.u32_at(at)? {
            1 => LineStyle::Dashes(vec![3.0, 1.0]),
            2 => LineStyle::Dashes(vec![1.0, 1.0]),
            3 => LineStyle::Dashes(vec![3.0, 1.0, 1.0, 1.0]),
            4 => LineStyle::Dashes(vec![3.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
            _ => LineStyle::Solid,
        };
        at += 4;
    }
    for bit in [0x40, 0x80] {
        if flags & bit != 0 {
            at += 4;
        }
    }
    if flags & 0x100 != 0 {
        let count = data.size_at(at)?.min(16);
        let dashes = (0..count).map_while(|index| data.float_at(at + 4 + 4 * index));
        let dashes: Vec<f32> = dashes.map(|length| length as f32).collect();
        if dashes.len() > 1 {
            pen.line = LineStyle::Dashes(dashes);
        }
        at = at.checked_add(4)?.checked_add(data.size_at(at)?.checked_mul(4)?)?;
    }
    if flags & 0x200 != 0 {
        at += 4;
    }
    // Compound lines and caps of their own have their size before them.
    for (bit, unit) in [(0x400, 4), (0x800, 1), (0x1000, 1)] {
        if flags & bit != 0 {
            at = at.checked_add(4)?.checked_add(data.size_at(at)?.checked_mul(unit)?)?;
        }
    }
    if let Brush::Plain(color) = read_brush(Record(data.0.get(at..)?))? {
        pen.color = color;
    }
    Some(pen)
}

/// Points of a record: floating, whole of 16 bits, or each from the one before.
pub(super) fn read_points(
    data: Record<'_>,
    at: usize,
    count: usize,
    flags: u16,
) -> Option<Vec<Point>> {
    if count > MOST_POINTS || flags & 0x0800 != 0 {
        return None;
    }
    let point = |index: usize| match flags & 0x4000 != 0 {
        true => data.small_point_at(at + 4 * index),
        false => Some((data.float_at(at + 8 * index)?, data.float_at(at + 8 * index + 4)?)),
    };
    (0..count).map(point).collect()
}

/// Corners of a rectangle that is stored with its size.
pub(super) fn read_rectangle(data: Record<'_>, at: usize, flags: u16) -> Option<(Point, Point)> {
    let (from, size) = if flags & 0x4000 != 0 {
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
    let types = data.bytes_at(12 + count * if flags & 0x4000 != 0 { 4 } else { 8 }, count)?;
    let mut segments = Vec::with_capacity(count);
    let mut index = 0;
    while let (Some(point), Some(kind)) = (points.get(index), types.get(index)) {
        match kind & 7 {
            0 => segments.push(PlusPathSegment::Move(*point)),
            3 => {
                let curve = points.get(index..index + 3)?;
                segments.push(PlusPathSegment::Curve([curve[0], curve[1], curve[2]]));
                index += 2;
            }
            _ => segments.push(PlusPathSegment::Line(*point)),
        }
        if types.get(index).is_some_and(|kind| kind & 0x80 != 0) {
            segments.push(PlusPathSegment::Close);
        }
        index += 1;
    }
    Some(segments)
}

fn read_image(data: Record<'_>) -> Option<PlusImage> {
    if data.u32_at(4)? != 1 {
        let size = data.size_at(12)?;
        return Some(PlusImage::Metafile(data.0.get(16..16 + size)?.into()));
    }
    let (width, height, stride) = (data.i32_at(8)?, data.i32_at(12)?, data.i32_at(16)?);
    let bits = data.0.get(28..)?;
    if data.u32_at(24)? == 1 {
        return raster::decode_raster(bits, bitmap::MAX_EMBEDDED_PIXELS)
            .ok()
            .map(|pixels| PlusImage::Bitmap(Rc::new(Bitmap { pixels, is_bottom_up: false })));
    }
    // Pixels as they are in memory: of 24 or 32 bits, which is what drawing programs write.
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
    let has_alpha = format & 0x0004_0000 != 0;
    bitmap::decode_bitmap(&info, bits, has_alpha).map(|bitmap| PlusImage::Bitmap(Rc::new(bitmap)))
}

fn read_font(data: Record<'_>) -> Option<Font> {
    let (size, unit, style) = (data.float_at(4)?, data.u32_at(8)?, data.u32_at(12)?);
    let name = String::from_utf16_lossy(&data.utf16_at(24, data.size_at(20)?.min(64))?);
    let (bold, italic) = (style & 1 != 0, style & 2 != 0);
    let request = FontRequest { name: &name, bold, italic, pitch_and_family: 0 };
    // Points at 96 dots an inch; the other units are those of the drawing.
    let em = if unit == 3 { size * 96.0 / 72.0 } else { size };
    let font = Font::new(-em.abs().max(0.01), &request);
    Some(Font { underlined: style & 4 != 0, struck_out: style & 8 != 0, ..font })
}
