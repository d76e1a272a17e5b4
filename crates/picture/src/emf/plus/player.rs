//! What each record of EMF+ does.

use std::{collections::HashMap, rc::Rc};

use resvg::tiny_skia::BlendMode;

use super::{
    PlusRecord,
    objects::{
        NestedMetafile, PlusImage, PlusObject, PlusPathSegment, StringFormat, color_from_argb,
        read_object, read_points,
    },
};
use crate::{
    bitmap::{self, Bitmap},
    canvas::Canvas,
    draw::DrawOptions,
    emf::draw_scaled_emf,
    gdi::{
        ArcKind, Blit, Brush, ClipMode, DeviceContext, EllipticArc, Font, PaintMode, Player,
        TextOut,
    },
    geometry::{Matrix, Point},
    labels::TextRun,
    picture_format::PictureFormat,
    reader::Record,
};

/// Metafiles within a metafile that are drawn; each may take as long as the whole.
const MOST_NESTED: usize = 4;
/// Contexts that may be saved.
const MOST_SAVED: usize = 32;
/// Bytes of an object that comes in parts.
const LONGEST_OBJECT: usize = 64 << 20;

/// The type of objects that are pictures.
const IMAGE: u16 = 5;

const FILL: PaintMode = PaintMode { fill: true, stroke: false };
const STROKE: PaintMode = PaintMode { fill: false, stroke: true };

/// A player of EMF+ records.
pub(super) struct PlusPlayer {
    player: Player,
    objects: HashMap<u16, PlusObject>,
    world: Matrix,
    page: Matrix,
    saved_states: Vec<(u32, DeviceContext, Matrix, Matrix)>,
    /// The parts of an object that has not come whole.
    pending_object: Vec<u8>,
    is_new: bool,
    /// Metafiles within that may still be drawn.
    nested_left: usize,
    /// Whether one of them could not.
    is_incomplete: bool,
}

impl PlusPlayer {
    pub(super) fn new(canvas: Canvas, view: Matrix, is_nested: bool) -> Self {
        let mut player = Player::new(canvas, view);
        player.context.is_opaque = false;
        Self {
            player,
            objects: HashMap::new(),
            world: Matrix::IDENTITY,
            page: Matrix::IDENTITY,
            saved_states: Vec::new(),
            pending_object: Vec::new(),
            is_new: true,
            nested_left: if is_nested { 0 } else { MOST_NESTED },
            is_incomplete: false,
        }
    }

    /// Does something on another canvas.
    pub(super) fn with_canvas(&mut self, canvas: &mut Canvas, act: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.player.canvas, canvas);
        if self.is_new {
            // The clip of a player is as large as its canvas.
            self.player.reset_clip();
            self.is_new = false;
        }
        act(self);
        std::mem::swap(&mut self.player.canvas, canvas);
    }

    /// Plays a record; one that cannot be read is left out.
    pub(super) fn play_record(&mut self, record: PlusRecord<'_>) {
        let _: Option<()> = self.dispatch_record(record);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.player.canvas.is_spent()
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    pub(super) fn into_runs(self) -> Vec<TextRun> {
        self.player.runs
    }

    fn dispatch_record(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let data = record.data;
        match record.kind {
            0x4008 => self.store_object(record),
            0x400a..=0x4019 => self.draw_shape(record),
            0x401a | 0x401b => self.draw_image(record),
            0x401c => self.draw_string(record),
            0x4036 => self.draw_driver_string(record),
            0x4025 | 0x4028 => self.save_state(data.u32_at(0)?),
            0x4026 | 0x4029 => self.restore_state(data.u32_at(0)?),
            0x402a..=0x4030 => self.change_transform(record),
            0x4031 => {
                self.player.reset_clip();
                Some(())
            }
            0x4032..=0x4034 => self.change_clip(record),
            _ => None,
        }
    }

    fn store_object(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let (number, kind) = (record.flags & 0xff, record.flags >> 8 & 0x7f);
        let is_continued = record.flags & 0x8000 != 0;
        // A part begins with the size of the whole.
        let part = if is_continued { record.data.0.get(4..)? } else { record.data.0 };
        if self.pending_object.len() + part.len() > LONGEST_OBJECT {
            self.pending_object.clear();
            return None;
        }
        self.pending_object.extend(part);
        if is_continued && self.pending_object.len() < record.data.size_at(0)? {
            return Some(());
        }
        let whole = std::mem::take(&mut self.pending_object);
        if kind == IMAGE && !self.player.canvas.try_spend(bitmap::PACKED_DECODE_WORK) {
            return None;
        }
        match read_object(kind, Record(&whole)) {
            Some(object) => drop(self.objects.insert(number, object)),
            None => drop(self.objects.remove(&number)),
        }
        Some(())
    }

    /// Takes the brush that a record names by number, or its colour.
    fn select_brush(&mut self, flags: u16, number: u32) -> Option<()> {
        self.player.context.brush = if flags & 0x8000 != 0 {
            Brush::Plain(color_from_argb(number))
        } else {
            match self.objects.get(&(number as u16 & 0xff))? {
                PlusObject::Brush(brush) => brush.clone(),
                _ => return None,
            }
        };
        Some(())
    }

    fn select_pen(&mut self, number: u16) -> Option<()> {
        let Some(PlusObject::Pen(pen)) = self.objects.get(&(number & 0xff)) else { return None };
        self.player.context.pen = pen.clone();
        Some(())
    }

    /// Draws what some commands add to a path.
    fn paint_path(&mut self, paint: PaintMode, build: impl FnOnce(&mut Player)) {
        self.player.begin_path();
        build(&mut self.player);
        self.player.draw_path(paint);
    }

    fn draw_shape(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let fills = matches!(kind, 0x400a | 0x400c | 0x400e | 0x4010 | 0x4013 | 0x4014);
        let paint = if fills { FILL } else { STROKE };
        match kind {
            0x4014 => self.select_brush(flags, data.u32_at(0)?)?,
            0x4015 => self.select_pen(data.u32_at(0)? as u16)?,
            _ if fills => self.select_brush(flags, data.u32_at(0)?)?,
            _ => self.select_pen(flags)?,
        }
        let after_brush = if fills { 4 } else { 0 };
        match kind {
            0x400a | 0x400b => {
                let count = data.size_at(after_brush)?;
                let size = if flags & 0x4000 != 0 { 8 } else { 16 };
                let rectangle = |place| read_rectangle(data, after_brush + 4 + size * place, flags);
                let rectangles: Vec<_> = (0..count).map_while(rectangle).collect();
                self.paint_path(paint, |player| {
                    rectangles.iter().for_each(|rectangle| player.draw_rectangle(*rectangle));
                });
            }
            0x400c | 0x400d | 0x4019 => {
                let points = read_points(data, after_brush + 4, data.size_at(after_brush)?, flags)?;
                let is_closed = kind == 0x400c || flags & 0x2000 != 0;
                self.paint_path(paint, |player| match (kind, is_closed) {
                    (0x4019, _) => player.draw_curves(&points),
                    (_, true) => player.draw_polygons([points.as_slice()].into_iter()),
                    (_, false) => player.draw_polylines([points.as_slice()].into_iter()),
                });
            }
            0x400e | 0x400f => {
                let rectangle = read_rectangle(data, after_brush, flags)?;
                self.paint_path(paint, |player| player.draw_ellipse(rectangle));
            }
            0x4010..=0x4012 => {
                let (begin, sweep) = (data.float_at(after_brush)?, data.float_at(after_brush + 4)?);
                let rectangle = read_rectangle(data, after_brush + 8, flags)?;
                let kind = if kind == 0x4012 { ArcKind::Open } else { ArcKind::Pie };
                self.paint_path(paint, |player| draw_arc(player, rectangle, begin, sweep, kind));
            }
            0x4014 | 0x4015 => {
                let Some(PlusObject::Path(path)) = self.objects.get(&(flags & 0xff)) else {
                    return None;
                };
                let path = path.clone();
                self.player.context.fills_winding = false;
                self.paint_path(paint, |player| trace_path(player, &path));
            }
            _ => return None,
        }
        Some(())
    }

    fn change_transform(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let is_after = flags & 0x2000 != 0;
        let change = match kind {
            0x402a | 0x402c => data.matrix_at(0)?,
            0x402d => Matrix::from_translation(data.float_at(0)?, data.float_at(4)?),
            0x402e => Matrix::from_scale(data.float_at(0)?, data.float_at(4)?),
            0x402f => Matrix::from_rotation(data.float_at(0)?.to_radians()),
            _ => Matrix::IDENTITY,
        };
        match kind {
            0x402a | 0x402b => self.world = change,
            0x4030 => {
                let scale = data.float_at(0)? * pixels_per_unit(flags & 0xff);
                self.page = Matrix::from_scale(scale, scale);
            }
            _ if is_after => self.world = self.world.then(change),
            _ => self.world = change.then(self.world),
        }
        self.player.context.world = self.world.then(self.page);
        Some(())
    }

    fn save_state(&mut self, number: u32) -> Option<()> {
        if self.saved_states.len() < MOST_SAVED {
            let context = self.player.context.clone();
            self.saved_states.push((number, context, self.world, self.page));
        }
        Some(())
    }

    fn restore_state(&mut self, number: u32) -> Option<()> {
        let place = self.saved_states.iter().rposition(|(saved, ..)| *saved == number)?;
        self.saved_states.truncate(place + 1);
        let (_, context, world, page) = self.saved_states.pop()?;
        self.player.context = context;
        (self.world, self.page) = (world, page);
        Some(())
    }

    fn change_clip(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let mode = match record.flags >> 8 & 15 {
            0 => ClipMode::Instead,
            1 => ClipMode::And,
            4 => ClipMode::Without,
            _ => return None,
        };
        match record.kind {
            0x4032 => {
                let rectangle = read_rectangle(record.data, 0, 0)?;
                self.player.clip_to_rectangle(rectangle, mode);
            }
            0x4033 => {
                let Some(PlusObject::Path(path)) = self.objects.get(&(record.flags & 0xff)) else {
                    return None;
                };
                let path = path.clone();
                self.player.begin_path();
                trace_path(&mut self.player, &path);
                self.player.clip_to_path(mode);
            }
            // Regions are joins of the others; without them more is seen, not less.
            _ if mode == ClipMode::Instead => self.player.reset_clip(),
            _ => {}
        }
        Some(())
    }

    fn draw_image(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let number = flags & 0xff;
        let Some(PlusObject::Image(picture)) = self.objects.get(&number) else { return None };
        let picture = match picture.clone() {
            PlusImage::Metafile(bytes) => {
                let nested = self.draw_nested_metafile(&bytes);
                self.is_incomplete |= nested.is_none();
                let drawn = PlusImage::Drawn(Rc::new(nested?));
                self.objects.insert(number, PlusObject::Image(drawn.clone()));
                drawn
            }
            other => other,
        };
        let (bitmap, scale) = match &picture {
            PlusImage::Bitmap(bitmap) => (&**bitmap, 1.0),
            PlusImage::Drawn(nested) => (&nested.bitmap, nested.scale),
            PlusImage::Metafile(_) => return None,
        };
        let area = u64::from(bitmap.pixels.width()) * u64::from(bitmap.pixels.height());
        if !self.player.canvas.try_spend(area) {
            return None;
        }
        let (from, to) = read_rectangle(data, 8, 0)?;
        let (width, height) = ((to.0 - from.0) * scale, (to.1 - from.1) * scale);
        let source = ((from.0 * scale, from.1 * scale), (width, height));
        let blend = BlendMode::SourceOver;
        let place = if kind == 0x401a {
            let (from, to) = read_rectangle(data, 24, flags)?;
            Matrix::from_scale(to.0 - from.0, to.1 - from.1)
                .then(Matrix::from_translation(from.0, from.1))
        } else {
            let corners = read_points(data, 28, data.size_at(24)?, flags)?;
            Matrix::from_corners(*corners.first_chunk()?)
        };
        let before = self.player.context.world;
        self.player.context.world = place.then(before);
        let target = ((0.0, 0.0), (1.0, 1.0));
        self.player.blit_bitmap(&Blit { bitmap, source, target, blend });
        if let PlusImage::Drawn(nested) = &picture {
            let to_canvas = self.player.to_pixels();
            let moved = |(x, y): Point| {
                to_canvas.map_point(((x - source.0.0) / width, (y - source.0.1) / height))
            };
            for run in &nested.runs {
                if !self.player.has_text_room() {
                    break;
                }
                self.player.record_run(TextRun {
                    text: run.text.clone(),
                    start: moved(run.start),
                    end: moved(run.end),
                    em: run.em / width * to_canvas.a.hypot(to_canvas.b),
                });
            }
        }
        self.player.context.world = before;
        Some(())
    }

    /// Draws a metafile that lies within this one.
    fn draw_nested_metafile(&mut self, bytes: &[u8]) -> Option<NestedMetafile> {
        self.nested_left = self.nested_left.checked_sub(1)?;
        if PictureFormat::detect_format(bytes) != Some(PictureFormat::Emf) {
            return None;
        }
        let (pixels, runs, scale) = draw_scaled_emf(bytes, &DrawOptions::default(), true).ok()?;
        Some(NestedMetafile { bitmap: Bitmap { pixels, is_bottom_up: false }, runs, scale })
    }

    /// Takes font and colour for text.
    fn select_text_font(&mut self, record: PlusRecord<'_>) -> Option<Font> {
        let number = record.data.u32_at(0)?;
        self.select_brush(record.flags, number)?;
        if let Brush::Plain(color) = self.player.context.brush {
            self.player.context.text_color = color;
        }
        match self.objects.get(&(record.flags & 0xff))? {
            PlusObject::Font(font) => Some(font.clone()),
            _ => None,
        }
    }

    fn draw_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.select_text_font(record)?;
        let data = record.data;
        let format = match self.objects.get(&(data.u32_at(4)? as u16 & 0xff)) {
            Some(PlusObject::Format(format)) => *format,
            _ => StringFormat::default(),
        };
        let (from, to) = read_rectangle(data, 12, 0)?;
        let units = data.utf16_at(28, data.size_at(8)?)?;
        let text = String::from_utf16_lossy(&units);
        let lines: Vec<&str> = text.lines().collect();
        let pitch = font.em * (font.substitute.face.ascent() + font.substitute.face.descent());
        let height = pitch * lines.len() as f64;
        let top = match format.vertical_alignment {
            1 => (from.1 + to.1 - height) / 2.0,
            2 => to.1 - height,
            _ => from.1,
        };
        let (x, align) = match format.horizontal_alignment {
            1 => ((from.0 + to.0) / 2.0, 6),
            2 => (to.0, 2),
            _ => (from.0, 0),
        };
        self.player.context.font = font;
        self.player.context.text_align = align;
        for (place, line) in lines.iter().enumerate() {
            let at = (x, top + pitch * place as f64);
            let characters = line.chars().collect();
            self.player.write_text(TextOut { at, characters, advances: Vec::new(), filled: None });
        }
        Some(())
    }

    fn draw_driver_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.select_text_font(record)?;
        let data = record.data;
        let (options, has_matrix) = (data.u32_at(4)?, data.u32_at(8)? != 0);
        let count = data.size_at(12)?;
        let units = data.utf16_at(16, count)?;
        // Without this flag they are numbers of glyphs.
        if options & 1 == 0 || units.is_empty() {
            return None;
        }
        let at = 16 + 2 * count;
        let places = read_points(data, at, if options & 4 != 0 { 1 } else { count }, 0)?;
        let before = self.player.context.world;
        if has_matrix {
            let own = data.matrix_at(at + 8 * places.len())?;
            self.player.context.world = own.then(before);
        }
        let steps = places.windows(2).map(|pair| pair[1].0 - pair[0].0);
        let mut advances: Vec<f64> = steps.collect();
        let mean = advances.iter().sum::<f64>() / advances.len().max(1) as f64;
        advances.push(if advances.is_empty() { font.em / 2.0 } else { mean });
        self.player.context.font = font;
        self.player.context.text_align = 24;
        let characters: Vec<char> =
            units.iter().map(|unit| char::from_u32((*unit).into()).unwrap_or('\u{fffd}')).collect();
        if advances.len() != characters.len() {
            advances.clear();
        }
        let at = *places.first()?;
        self.player.write_text(TextOut { at, characters, advances, filled: None });
        self.player.context.world = before;
        Some(())
    }
}

/// Corners of a rectangle that is stored with its size.
fn read_rectangle(data: Record<'_>, at: usize, flags: u16) -> Option<(Point, Point)> {
    let (from, size) = if flags & 0x4000 != 0 {
        (data.small_point_at(at)?, data.small_point_at(at + 4)?)
    } else {
        let number = |place: usize| data.float_at(at + 4 * place);
        ((number(0)?, number(1)?), (number(2)?, number(3)?))
    };
    Some((from, (from.0 + size.0, from.1 + size.1)))
}

/// An arc by angles in degrees, clockwise.
fn draw_arc(player: &mut Player, rectangle: (Point, Point), begin: f64, sweep: f64, kind: ArcKind) {
    let (from, to) = rectangle;
    let centre = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let radii = ((to.0 - from.0) / 2.0, (to.1 - from.1) / 2.0);
    let ray = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        (centre.0 + radii.0 * cos, centre.1 + radii.1 * sin)
    };
    player.context.is_clockwise = sweep > 0.0;
    player.draw_arc(EllipticArc { rectangle, from: ray(begin), to: ray(begin + sweep) }, kind);
    player.context.is_clockwise = false;
}

fn trace_path(player: &mut Player, path: &[PlusPathSegment]) {
    if !player.canvas.try_spend(50 * path.len() as u64) {
        return;
    }
    for segment in path {
        match segment {
            PlusPathSegment::Move(point) => player.move_to(*point),
            PlusPathSegment::Line(point) => player.lines_to(&[*point]),
            PlusPathSegment::Curve(points) => player.curves_to(points),
            PlusPathSegment::Close => player.close_figure(),
        }
    }
}

/// Units of a page in pixels at 96 to the inch.
fn pixels_per_unit(unit: u16) -> f64 {
    match unit {
        3 => 96.0 / 72.0,
        4 => 96.0,
        5 => 96.0 / 300.0,
        6 => 96.0 / 25.4,
        _ => 1.0,
    }
}
