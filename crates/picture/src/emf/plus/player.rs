//! Executes each EMF+ record.

use std::collections::HashMap;

use super::{
    PlusRecord,
    objects::{
        PlusObject, PlusPathSegment, color_from_argb, read_object, read_points, read_rectangle,
    },
    record_types::*,
};
use crate::{
    bitmap,
    canvas::Canvas,
    gdi::{ArcKind, Brush, ClipMode, DeviceContext, EllipticArc, PaintMode, Player},
    geometry::{Matrix, Point},
    labels::TextRun,
    reader::Record,
};

/// Maximum number of nested metafiles that are drawn; each may take as long as the whole picture.
const MAX_NESTED_METAFILES: usize = 4;
/// Maximum number of saved states, for the memory of their clips, as in GDI.
const MAX_SAVED_STATES: usize = 32;
/// Maximum bytes of an object that is split over several records; more than the largest picture cannot be complete.
const MAX_OBJECT_BYTES: usize = 64 << 20;

/// [MS-EMFPLUS] CombineMode.
const COMBINE_MODE_REPLACE: u16 = 0;
const COMBINE_MODE_INTERSECT: u16 = 1;
const COMBINE_MODE_EXCLUDE: u16 = 4;
/// [MS-EMFPLUS] UnitType.
const UNIT_TYPE_POINT: u16 = 3;
const UNIT_TYPE_INCH: u16 = 4;
const UNIT_TYPE_DOCUMENT: u16 = 5;
const UNIT_TYPE_MILLIMETER: u16 = 6;

const FILL: PaintMode = PaintMode { fill: true, stroke: false };
const STROKE: PaintMode = PaintMode { fill: false, stroke: true };

/// A player of EMF+ records.
pub(super) struct PlusPlayer {
    pub(super) player: Player,
    pub(super) objects: HashMap<u16, PlusObject>,
    world: Matrix,
    page: Matrix,
    saved_states: Vec<SavedState>,
    /// The parts so far of an object that is split over several records.
    pending_object: Vec<u8>,
    is_new: bool,
    /// Nested metafiles that may still be drawn.
    pub(super) nested_left: usize,
    /// Whether one of them could not be drawn.
    pub(super) is_incomplete: bool,
}

/// What a Save or BeginContainer record saves.
struct SavedState {
    /// The number by which the record names it.
    number: u32,
    context: DeviceContext,
    world: Matrix,
    page: Matrix,
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
            nested_left: if is_nested { 0 } else { MAX_NESTED_METAFILES },
            is_incomplete: false,
        }
    }

    /// Runs a closure with another canvas in use.
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

    /// Plays a record; one that cannot be read is skipped.
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
            OBJECT => self.store_object(record),
            FILL_RECTS..=DRAW_BEZIERS => self.draw_shape(record),
            DRAW_IMAGE | DRAW_IMAGE_POINTS => self.draw_image(record),
            DRAW_STRING => self.draw_string(record),
            DRAW_DRIVER_STRING => self.draw_driver_string(record),
            SAVE | BEGIN_CONTAINER_NO_PARAMS => self.save_state(data.u32_at(0)?),
            RESTORE | END_CONTAINER => self.restore_state(data.u32_at(0)?),
            SET_WORLD_TRANSFORM..=SET_PAGE_TRANSFORM => self.change_transform(record),
            RESET_CLIP => {
                self.player.reset_clip();
                Some(())
            }
            SET_CLIP_RECT..=SET_CLIP_REGION => self.change_clip(record),
            _ => None,
        }
    }

    fn store_object(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let (number, kind) = (record.flags & 0xff, record.flags >> 8 & 0x7f);
        let is_continued = record.flags & CONTINUED_FLAG != 0;
        // A part begins with the size of the whole object.
        let part = if is_continued { record.data.0.get(4..)? } else { record.data.0 };
        if self.pending_object.len() + part.len() > MAX_OBJECT_BYTES {
            self.pending_object.clear();
            return None;
        }
        self.pending_object.extend(part);
        if is_continued && self.pending_object.len() < record.data.size_at(0)? {
            return Some(());
        }
        let object = std::mem::take(&mut self.pending_object);
        if kind == OBJECT_TYPE_IMAGE && !self.player.canvas.try_spend(bitmap::PACKED_DECODE_WORK) {
            return None;
        }
        match read_object(kind, Record(&object)) {
            Some(object) => drop(self.objects.insert(number, object)),
            None => drop(self.objects.remove(&number)),
        }
        Some(())
    }

    /// Selects the brush that a record names by number, or a brush of its colour.
    pub(super) fn select_brush(&mut self, flags: u16, number: u32) -> Option<()> {
        self.player.context.brush = if flags & SOLID_COLOR_FLAG != 0 {
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

    /// Fills or strokes the path that a closure builds.
    fn paint_path(&mut self, paint: PaintMode, build: impl FnOnce(&mut Player)) {
        self.player.begin_path();
        build(&mut self.player);
        self.player.draw_path(paint);
    }

    fn draw_shape(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let PlusRecord { kind, flags, data } = record;
        let fills = matches!(
            kind,
            FILL_RECTS | FILL_POLYGON | FILL_ELLIPSE | FILL_PIE | FILL_REGION | FILL_PATH
        );
        let paint = if fills { FILL } else { STROKE };
        match kind {
            DRAW_PATH => self.select_pen(data.u32_at(0)? as u16)?,
            _ if fills => self.select_brush(flags, data.u32_at(0)?)?,
            _ => self.select_pen(flags)?,
        }
        let after_brush = if fills { 4 } else { 0 };
        match kind {
            FILL_RECTS | DRAW_RECTS => {
                let count = data.size_at(after_brush)?;
                let size = if flags & COMPRESSED_FLAG != 0 { 8 } else { 16 };
                let rectangle = |index| read_rectangle(data, after_brush + 4 + size * index, flags);
                let rectangles: Vec<_> = (0..count).map_while(rectangle).collect();
                self.paint_path(paint, |player| {
                    rectangles.iter().for_each(|rectangle| player.draw_rectangle(*rectangle));
                });
            }
            FILL_POLYGON | DRAW_LINES | DRAW_BEZIERS => {
                let points = read_points(data, after_brush + 4, data.size_at(after_brush)?, flags)?;
                let is_closed = kind == FILL_POLYGON || flags & CLOSED_FLAG != 0;
                self.paint_path(paint, |player| match (kind, is_closed) {
                    (DRAW_BEZIERS, _) => player.draw_curves(&points),
                    (_, true) => player.draw_polygons([points.as_slice()].into_iter()),
                    (_, false) => player.draw_polylines([points.as_slice()].into_iter()),
                });
            }
            FILL_ELLIPSE | DRAW_ELLIPSE => {
                let rectangle = read_rectangle(data, after_brush, flags)?;
                self.paint_path(paint, |player| player.draw_ellipse(rectangle));
            }
            FILL_PIE | DRAW_PIE | DRAW_ARC => {
                let (begin, sweep) = (data.float_at(after_brush)?, data.float_at(after_brush + 4)?);
                let rectangle = read_rectangle(data, after_brush + 8, flags)?;
                let kind = if kind == DRAW_ARC { ArcKind::Open } else { ArcKind::Pie };
                self.paint_path(paint, |player| draw_arc(player, rectangle, begin, sweep, kind));
            }
            FILL_PATH | DRAW_PATH => {
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
        let is_post_multiplied = flags & POST_MULTIPLIED_FLAG != 0;
        let change = match kind {
            SET_WORLD_TRANSFORM | MULTIPLY_WORLD_TRANSFORM => data.matrix_at(0)?,
            TRANSLATE_WORLD_TRANSFORM => {
                Matrix::from_translation(data.float_at(0)?, data.float_at(4)?)
            }
            SCALE_WORLD_TRANSFORM => Matrix::from_scale(data.float_at(0)?, data.float_at(4)?),
            ROTATE_WORLD_TRANSFORM => Matrix::from_rotation(data.float_at(0)?.to_radians()),
            _ => Matrix::IDENTITY,
        };
        match kind {
            SET_WORLD_TRANSFORM | RESET_WORLD_TRANSFORM => self.world = change,
            SET_PAGE_TRANSFORM => {
                let scale = data.float_at(0)? * pixels_per_unit(flags & 0xff);
                self.page = Matrix::from_scale(scale, scale);
            }
            _ if is_post_multiplied => self.world = self.world.then(change),
            _ => self.world = change.then(self.world),
        }
        self.player.context.world = self.world.then(self.page);
        Some(())
    }

    fn save_state(&mut self, number: u32) -> Option<()> {
        if self.saved_states.len() < MAX_SAVED_STATES {
            let context = self.player.context.clone();
            let (world, page) = (self.world, self.page);
            self.saved_states.push(SavedState { number, context, world, page });
        }
        Some(())
    }

    fn restore_state(&mut self, number: u32) -> Option<()> {
        let index = self.saved_states.iter().rposition(|state| state.number == number)?;
        self.saved_states.truncate(index + 1);
        let state = self.saved_states.pop()?;
        self.player.context = state.context;
        (self.world, self.page) = (state.world, state.page);
        Some(())
    }

    fn change_clip(&mut self, record: PlusRecord<'_>) -> Option<()> {
        let mode = match record.flags >> 8 & 15 {
            COMBINE_MODE_REPLACE => ClipMode::Instead,
            COMBINE_MODE_INTERSECT => ClipMode::And,
            COMBINE_MODE_EXCLUDE => ClipMode::Without,
            _ => return None,
        };
        match record.kind {
            SET_CLIP_RECT => {
                let rectangle = read_rectangle(record.data, 0, 0)?;
                self.player.clip_to_rectangle(rectangle, mode);
            }
            SET_CLIP_PATH => {
                let Some(PlusObject::Path(path)) = self.objects.get(&(record.flags & 0xff)) else {
                    return None;
                };
                let path = path.clone();
                self.player.begin_path();
                trace_path(&mut self.player, &path);
                self.player.clip_to_path(mode);
            }
            // Regions combine rectangles and paths; without them more is visible, not less.
            _ if mode == ClipMode::Instead => self.player.reset_clip(),
            _ => {}
        }
        Some(())
    }
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

/// The pixels of a unit of the page, at 96 pixels to the inch.
fn pixels_per_unit(unit: u16) -> f64 {
    match unit {
        UNIT_TYPE_POINT => 96.0 / 72.0,
        UNIT_TYPE_INCH => 96.0,
        UNIT_TYPE_DOCUMENT => 96.0 / 300.0,
        UNIT_TYPE_MILLIMETER => 96.0 / 25.4,
        _ => 1.0,
    }
}
