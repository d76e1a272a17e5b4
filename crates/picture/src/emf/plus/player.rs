//! What each record of EMF+ does.

use std::{collections::HashMap, rc::Rc};

use resvg::tiny_skia::BlendMode;

use super::{
    PlusRecord,
    objects::{Format, Nested, Picture, PlusObject, Segment, argb, object, points},
};
use crate::{
    bitmap::{self, Bitmap},
    canvas::Canvas,
    draw::Options,
    emf::draw_scaled,
    gdi::{Arc, ArcKind, Blit, Brush, ClipMode, Context, Font, Paint, Player, TextOut},
    geometry::{Matrix, Point},
    kind::Kind,
    labels::Run,
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

const FILL: Paint = Paint { fill: true, stroke: false };
const STROKE: Paint = Paint { fill: false, stroke: true };

/// A player of EMF+ records.
pub(super) struct PlusPlayer {
    player: Player,
    objects: HashMap<u16, PlusObject>,
    world: Matrix,
    page: Matrix,
    saved: Vec<(u32, Context, Matrix, Matrix)>,
    /// The parts of an object that has not come whole.
    parts: Vec<u8>,
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
            saved: Vec::new(),
            parts: Vec::new(),
            is_new: true,
            nested_left: if is_nested { 0 } else { MOST_NESTED },
            is_incomplete: false,
        }
    }

    /// Does something on another canvas.
    pub(super) fn on(&mut self, canvas: &mut Canvas, act: impl FnOnce(&mut Self)) {
        std::mem::swap(&mut self.player.canvas, canvas);
        if self.is_new {
            // The clip of a player is as large as its canvas.
            self.player.unclip();
            self.is_new = false;
        }
        act(self);
        std::mem::swap(&mut self.player.canvas, canvas);
    }

    /// Plays a record; one that cannot be read is left out.
    pub(super) fn play(&mut self, record: PlusRecord<'_>) {
        let _: Option<()> = self.step(record);
    }

    pub(super) fn is_spent(&self) -> bool {
        self.player.canvas.is_spent()
    }

    pub(super) fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }

    pub(super) fn into_runs(self) -> Vec<Run> {
        self.player.runs
    }

    fn step(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let data = record.data;
        match record.kind {
            0x4008 => self.store(record),
            0x400a..=0x4019 => self.shape(record),
            0x401a | 0x401b => self.image(record),
            0x401c => self.string(record),
            0x4036 => self.driver_string(record),
            0x4025 | 0x4028 => self.save(data.u32(0)?),
            0x4026 | 0x4029 => self.restore(data.u32(0)?),
            0x402a..=0x4030 => self.transform(record),
            0x4031 => {
                self.player.unclip();
                Some(())
            }
            0x4032..=0x4034 => self.clip(record),
            _ => None,
        }
    }

    fn store(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let (number, kind) = (record.flags & 0xff, record.flags >> 8 & 0x7f);
        let is_continued = record.flags & 0x8000 != 0;
        // A part begins with the size of the whole.
        let part = if is_continued { record.data.0.get(4..)? } else { record.data.0 };
        if self.parts.len() + part.len() > LONGEST_OBJECT {
            self.parts.clear();
            return None;
        }
        self.parts.extend(part);
        if is_continued && self.parts.len() < record.data.size(0)? {
            return Some(());
        }
        let whole = std::mem::take(&mut self.parts);
        if kind == IMAGE && !self.player.canvas.spend(bitmap::PACKED_WORK) {
            return None;
        }
        match object(kind, Record(&whole)) {
            Some(object) => drop(self.objects.insert(number, object)),
            None => drop(self.objects.remove(&number)),
        }
        Some(())
    }

    /// Takes the brush that a record names by number, or its colour.
    fn take_brush(&mut self, flags: u16, number: u32) -> Option<()> {
        self.player.context.brush = if flags & 0x8000 != 0 {
            Brush::Plain(argb(number))
        } else {
            match self.objects.get(&(number as u16 & 0xff))? {
                PlusObject::Brush(brush) => brush.clone(),
                _ => return None,
            }
        };
        Some(())
    }

    fn take_pen(&mut self, number: u16) -> Option<()> {
        let Some(PlusObject::Pen(pen)) = self.objects.get(&(number & 0xff)) else { return None };
        self.player.context.pen = pen.clone();
        Some(())
    }

    /// Draws what some commands add to a path.
    fn paint(&mut self, paint: Paint, build: impl FnOnce(&mut Player)) {
        self.player.begin_path();
        build(&mut self.player);
        self.player.use_path(paint);
    }

    fn shape(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let fills = matches!(kind, 0x400a | 0x400c | 0x400e | 0x4010 | 0x4013 | 0x4014);
        let paint = if fills { FILL } else { STROKE };
        match kind {
            0x4014 => self.take_brush(flags, data.u32(0)?)?,
            0x4015 => self.take_pen(data.u32(0)? as u16)?,
            _ if fills => self.take_brush(flags, data.u32(0)?)?,
            _ => self.take_pen(flags)?,
        }
        let after_brush = if fills { 4 } else { 0 };
        match kind {
            0x400a | 0x400b => {
                let count = data.size(after_brush)?;
                let size = if flags & 0x4000 != 0 { 8 } else { 16 };
                let rectangle = |place| rectangle(data, after_brush + 4 + size * place, flags);
                let rectangles: Vec<_> = (0..count).map_while(rectangle).collect();
                self.paint(paint, |player| {
                    rectangles.iter().for_each(|rectangle| player.rectangle(*rectangle));
                });
            }
            0x400c | 0x400d | 0x4019 => {
                let points = points(data, after_brush + 4, data.size(after_brush)?, flags)?;
                let is_closed = kind == 0x400c || flags & 0x2000 != 0;
                self.paint(paint, |player| match (kind, is_closed) {
                    (0x4019, _) => player.curves(&points),
                    (_, true) => player.polygons([points.as_slice()].into_iter()),
                    (_, false) => player.polylines([points.as_slice()].into_iter()),
                });
            }
            0x400e | 0x400f => {
                let rectangle = rectangle(data, after_brush, flags)?;
                self.paint(paint, |player| player.ellipse(rectangle));
            }
            0x4010..=0x4012 => {
                let (begin, sweep) = (data.float(after_brush)?, data.float(after_brush + 4)?);
                let rectangle = rectangle(data, after_brush + 8, flags)?;
                let kind = if kind == 0x4012 { ArcKind::Open } else { ArcKind::Pie };
                self.paint(paint, |player| arc(player, rectangle, begin, sweep, kind));
            }
            0x4014 | 0x4015 => {
                let Some(PlusObject::Path(path)) = self.objects.get(&(flags & 0xff)) else {
                    return None;
                };
                let path = path.clone();
                self.player.context.fills_winding = false;
                self.paint(paint, |player| follow(player, &path));
            }
            _ => return None,
        }
        Some(())
    }

    fn transform(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let is_after = flags & 0x2000 != 0;
        let change = match kind {
            0x402a | 0x402c => data.matrix(0)?,
            0x402d => Matrix::shift(data.float(0)?, data.float(4)?),
            0x402e => Matrix::scale(data.float(0)?, data.float(4)?),
            0x402f => Matrix::turn(data.float(0)?.to_radians()),
            _ => Matrix::IDENTITY,
        };
        match kind {
            0x402a | 0x402b => self.world = change,
            0x4030 => {
                let scale = data.float(0)? * pixels_of_unit(flags & 0xff);
                self.page = Matrix::scale(scale, scale);
            }
            _ if is_after => self.world = self.world.then(change),
            _ => self.world = change.then(self.world),
        }
        self.player.context.world = self.world.then(self.page);
        Some(())
    }

    fn save(&mut self, number: u32) -> Option<()> {
        if self.saved.len() < MOST_SAVED {
            let context = self.player.context.clone();
            self.saved.push((number, context, self.world, self.page));
        }
        Some(())
    }

    fn restore(&mut self, number: u32) -> Option<()> {
        let place = self.saved.iter().rposition(|(saved, ..)| *saved == number)?;
        self.saved.truncate(place + 1);
        let (_, context, world, page) = self.saved.pop()?;
        self.player.context = context;
        (self.world, self.page) = (world, page);
        Some(())
    }

    fn clip(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let mode = match record.flags >> 8 & 15 {
            0 => ClipMode::Instead,
            1 => ClipMode::And,
            4 => ClipMode::Without,
            _ => return None,
        };
        match record.kind {
            0x4032 => {
                let rectangle = rectangle(record.data, 0, 0)?;
                self.player.clip_to_rectangle(rectangle, mode);
            }
            0x4033 => {
                let Some(PlusObject::Path(path)) = self.objects.get(&(record.flags & 0xff)) else {
                    return None;
                };
                let path = path.clone();
                self.player.begin_path();
                follow(&mut self.player, &path);
                self.player.clip_to_path(mode);
            }
            // Regions are joins of the others; without them more is seen, not less.
            _ if mode == ClipMode::Instead => self.player.unclip(),
            _ => {}
        }
        Some(())
    }

    fn image(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let number = flags & 0xff;
        let Some(PlusObject::Image(picture)) = self.objects.get(&number) else { return None };
        let picture = match picture.clone() {
            Picture::Metafile(bytes) => {
                let nested = self.nested(&bytes);
                self.is_incomplete |= nested.is_none();
                let drawn = Picture::Drawn(Rc::new(nested?));
                self.objects.insert(number, PlusObject::Image(drawn.clone()));
                drawn
            }
            other => other,
        };
        let (bitmap, scale) = match &picture {
            Picture::Bitmap(bitmap) => (&**bitmap, 1.0),
            Picture::Drawn(nested) => (&nested.bitmap, nested.scale),
            Picture::Metafile(_) => return None,
        };
        let area = u64::from(bitmap.pixels.width()) * u64::from(bitmap.pixels.height());
        if !self.player.canvas.spend(area) {
            return None;
        }
        let (from, to) = rectangle(data, 8, 0)?;
        let (width, height) = ((to.0 - from.0) * scale, (to.1 - from.1) * scale);
        let source = ((from.0 * scale, from.1 * scale), (width, height));
        let blend = BlendMode::SourceOver;
        let place = if kind == 0x401a {
            let (from, to) = rectangle(data, 24, flags)?;
            Matrix::scale(to.0 - from.0, to.1 - from.1).then(Matrix::shift(from.0, from.1))
        } else {
            let corners = points(data, 28, data.size(24)?, flags)?;
            Matrix::of_corners(*corners.first_chunk()?)
        };
        let before = self.player.context.world;
        self.player.context.world = place.then(before);
        let target = ((0.0, 0.0), (1.0, 1.0));
        self.player.blit(&Blit { bitmap, source, target, blend });
        if let Picture::Drawn(nested) = &picture {
            let to_canvas = self.player.to_pixels();
            let moved = |(x, y): Point| {
                to_canvas.apply(((x - source.0.0) / width, (y - source.0.1) / height))
            };
            for run in &nested.runs {
                if !self.player.has_room() {
                    break;
                }
                self.player.note(Run {
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
    fn nested(&mut self, bytes: &[u8]) -> Option<Nested> {
        self.nested_left = self.nested_left.checked_sub(1)?;
        if Kind::of(bytes) != Some(Kind::Emf) {
            return None;
        }
        let (pixels, runs, scale) = draw_scaled(bytes, &Options::default(), true).ok()?;
        Some(Nested { bitmap: Bitmap { pixels, is_bottom_up: false }, runs, scale })
    }

    /// Takes font and colour for text.
    fn take_text(&mut self, record: PlusRecord<'_>) -> Option<Font> {
        let number = record.data.u32(0)?;
        self.take_brush(record.flags, number)?;
        if let Brush::Plain(color) = self.player.context.brush {
            self.player.context.text_color = color;
        }
        match self.objects.get(&(record.flags & 0xff))? {
            PlusObject::Font(font) => Some(font.clone()),
            _ => None,
        }
    }

    fn string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.take_text(record)?;
        let data = record.data;
        let format = match self.objects.get(&(data.u32(4)? as u16 & 0xff)) {
            Some(PlusObject::Format(format)) => *format,
            _ => Format::default(),
        };
        let (from, to) = rectangle(data, 12, 0)?;
        let units = data.utf16(28, data.size(8)?)?;
        let text = String::from_utf16_lossy(&units);
        let lines: Vec<&str> = text.lines().collect();
        let pitch = font.em * (font.chosen.face.ascent() + font.chosen.face.descent());
        let height = pitch * lines.len() as f64;
        let top = match format.down {
            1 => (from.1 + to.1 - height) / 2.0,
            2 => to.1 - height,
            _ => from.1,
        };
        let (x, align) = match format.across {
            1 => ((from.0 + to.0) / 2.0, 6),
            2 => (to.0, 2),
            _ => (from.0, 0),
        };
        self.player.context.font = font;
        self.player.context.text_align = align;
        for (place, line) in lines.iter().enumerate() {
            let at = (x, top + pitch * place as f64);
            let characters = line.chars().collect();
            self.player.write(TextOut { at, characters, advances: Vec::new(), filled: None });
        }
        Some(())
    }

    fn driver_string(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let font = self.take_text(record)?;
        let data = record.data;
        let (options, has_matrix) = (data.u32(4)?, data.u32(8)? != 0);
        let count = data.size(12)?;
        let units = data.utf16(16, count)?;
        // Without this flag they are numbers of glyphs.
        if options & 1 == 0 || units.is_empty() {
            return None;
        }
        let at = 16 + 2 * count;
        let places = points(data, at, if options & 4 != 0 { 1 } else { count }, 0)?;
        let before = self.player.context.world;
        if has_matrix {
            let own = data.matrix(at + 8 * places.len())?;
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
        self.player.write(TextOut { at, characters, advances, filled: None });
        self.player.context.world = before;
        Some(())
    }
}

/// Corners of a rectangle that is stored with its size.
fn rectangle(data: Record<'_>, at: usize, flags: u16) -> Option<(Point, Point)> {
    let (from, size) = if flags & 0x4000 != 0 {
        (data.small_point(at)?, data.small_point(at + 4)?)
    } else {
        let number = |place: usize| data.float(at + 4 * place);
        ((number(0)?, number(1)?), (number(2)?, number(3)?))
    };
    Some((from, (from.0 + size.0, from.1 + size.1)))
}

/// An arc by angles in degrees, clockwise.
fn arc(player: &mut Player, rectangle: (Point, Point), begin: f64, sweep: f64, kind: ArcKind) {
    let (from, to) = rectangle;
    let centre = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let radii = ((to.0 - from.0) / 2.0, (to.1 - from.1) / 2.0);
    let ray = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        (centre.0 + radii.0 * cos, centre.1 + radii.1 * sin)
    };
    player.context.is_clockwise = sweep > 0.0;
    player.arc(Arc { rectangle, from: ray(begin), to: ray(begin + sweep) }, kind);
    player.context.is_clockwise = false;
}

fn follow(player: &mut Player, path: &[Segment]) {
    if !player.canvas.spend(50 * path.len() as u64) {
        return;
    }
    for segment in path {
        match segment {
            Segment::Move(point) => player.move_to(*point),
            Segment::Line(point) => player.lines_to(&[*point]),
            Segment::Curve(points) => player.curves_to(points),
            Segment::Close => player.close_figure(),
        }
    }
}

/// Units of a page in pixels at 96 to the inch.
fn pixels_of_unit(unit: u16) -> f64 {
    match unit {
        3 => 96.0 / 72.0,
        4 => 96.0,
        5 => 96.0 / 300.0,
        6 => 96.0 / 25.4,
        _ => 1.0,
    }
}
