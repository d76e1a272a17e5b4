//! Draws with a device context.

use resvg::tiny_skia::{BlendMode, Color, FillRule, Path, PathBuilder, Stroke, StrokeDash};

use super::{
    context::Context,
    objects::{Brush, Line, Object, Objects, stock},
};
use crate::{
    canvas::{Canvas, Fill},
    geometry::{Matrix, Point},
    labels::Run,
};

/// Contexts that may be saved; more are an endless loop of a broken program. Each may hold two
/// masks of the size of the canvas.
const MOST_SAVED: usize = 32;
/// Pixels of the thinnest line: the pictures are looked at, not printed.
const THINNEST: f64 = 1.1;
/// Bytes of text that one picture may have.
const MOST_TEXT: usize = 4 << 20;
/// Runs of text that one picture may have.
const MOST_RUNS: usize = 100_000;

/// A device context on a canvas, with the objects that it can select.
pub(crate) struct Player {
    pub canvas: Canvas,
    pub context: Context,
    pub objects: Objects,
    /// Text as it was written, in the order in which it was written.
    pub runs: Vec<Run>,
    noted: usize,
    saved: Vec<Context>,
    /// From coordinates of the device to pixels.
    view: Matrix,
    /// The path that is made between BeginPath and EndPath, and stays until it is used.
    path: PathBuilder,
    is_path_open: bool,
    /// The colour by which everything is inverted for a while.
    pub(super) inverted: Option<Color>,
}

/// What is done with an outline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    pub fill: bool,
    pub stroke: bool,
}

/// How a new area and the clip make the next clip: RegionMode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClipMode {
    And,
    Without,
    Instead,
}

impl ClipMode {
    /// Modes that would make the clip larger by a part are not followed.
    pub(crate) fn of(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::And),
            4 => Some(Self::Without),
            5 => Some(Self::Instead),
            _ => None,
        }
    }
}

impl Player {
    pub(crate) fn new(canvas: Canvas, view: Matrix) -> Self {
        let context = Context::new(canvas.whole());
        Self {
            canvas,
            context,
            objects: Objects::default(),
            runs: Vec::new(),
            noted: 0,
            saved: Vec::new(),
            view,
            path: PathBuilder::new(),
            is_path_open: false,
            inverted: None,
        }
    }

    /// From logical coordinates to pixels.
    pub(crate) fn to_pixels(&self) -> Matrix {
        self.context.world.then(self.context.mapping.matrix()).then(self.view)
    }

    /// From coordinates of the device to pixels, for regions.
    pub(crate) fn device_rectangle(&self, (from, to): (Point, Point)) -> Vec<Point> {
        [from, (to.0, from.1), to, (from.0, to.1)].map(|corner| self.view.apply(corner)).into()
    }

    pub(crate) fn save(&mut self) {
        if self.saved.len() < MOST_SAVED {
            self.saved.push(self.context.clone());
        }
    }

    /// Goes back to a saved context: the last but so many if negative, else the one of this number.
    pub(crate) fn restore(&mut self, which: i32) {
        let keep = match usize::try_from(which) {
            Ok(number) => number.saturating_sub(1),
            Err(_) => self.saved.len().saturating_sub(which.unsigned_abs() as usize),
        };
        if keep < self.saved.len() {
            self.saved.truncate(keep + 1);
            self.context = self.saved.pop().unwrap_or_else(|| self.context.clone());
        }
    }

    /// Selects an object of the file, or one that every device has.
    pub(crate) fn select(&mut self, number: u32) {
        let object = match number & 0x8000_0000 {
            0 => self.objects.get(number).cloned(),
            _ => stock(number & 0x7fff_ffff),
        };
        match object {
            Some(Object::Pen(pen)) => self.context.pen = pen,
            Some(Object::Brush(brush)) => self.context.brush = brush,
            Some(Object::Font(font)) => self.context.font = font,
            Some(Object::Other) | None => {}
        }
    }

    pub(crate) fn begin_path(&mut self) {
        self.path = PathBuilder::new();
        self.is_path_open = true;
    }

    pub(crate) fn end_path(&mut self) {
        self.is_path_open = false;
    }

    pub(crate) fn abort_path(&mut self) {
        self.begin_path();
        self.end_path();
    }

    pub(crate) fn close_figure(&mut self) {
        self.path.close();
    }

    /// Draws the path that was made, and forgets it.
    pub(crate) fn use_path(&mut self, paint: Paint) {
        self.end_path();
        let path = std::mem::take(&mut self.path).finish();
        if let Some(path) = path {
            self.paint(&path, paint);
        }
    }

    /// Makes the path that was made part of the clip, and forgets it.
    pub(crate) fn clip_to_path(&mut self, mode: ClipMode) {
        self.end_path();
        let path = std::mem::take(&mut self.path).finish();
        self.clip(path.as_ref(), mode);
    }

    /// An outline made of commands in logical coordinates: drawn, or added to the open path.
    pub(super) fn outline(&mut self, paint: Paint, build: impl FnOnce(&mut Outline<'_>)) {
        let place = self.to_pixels();
        if self.is_path_open {
            build(&mut Outline::new(&mut self.path, place));
            return;
        }
        let mut path = PathBuilder::new();
        build(&mut Outline::new(&mut path, place));
        if let Some(path) = path.finish() {
            self.paint(&path, paint);
        }
    }

    pub(super) fn is_path_open(&self) -> bool {
        self.is_path_open
    }

    pub(super) fn is_path_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Changes the clip by rectangles in coordinates of pixels.
    pub(crate) fn clip_to_polygons(&mut self, polygons: &[Vec<Point>], mode: ClipMode) {
        let mut path = PathBuilder::new();
        let mut outline = Outline::new(&mut path, Matrix::IDENTITY);
        polygons.iter().for_each(|polygon| outline.polygon(polygon));
        self.clip(path.finish().as_ref(), mode);
    }

    /// The same by a rectangle in logical coordinates.
    pub(crate) fn clip_to_rectangle(&mut self, (from, to): (Point, Point), mode: ClipMode) {
        let place = self.to_pixels();
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        let corners = corners.map(|corner| place.apply(corner)).to_vec();
        self.clip_to_polygons(&[corners], mode);
    }

    /// Narrows the clip, unless the last narrowing had the same numbers: what records a metafile
    /// within another one gives its clip twice, and the second time means the units of the first.
    pub(crate) fn clip_once(&mut self, rectangle: (Point, Point)) {
        if self.context.last_clip != Some(rectangle) {
            self.clip_to_rectangle(rectangle, ClipMode::And);
            self.context.last_clip = Some(rectangle);
        }
    }

    /// Lets everything be drawn.
    pub(crate) fn unclip(&mut self) {
        self.context.last_clip = None;
        self.context.clip = self.canvas.whole();
    }

    fn clip(&mut self, path: Option<&Path>, mode: ClipMode) {
        self.context.last_clip = None;
        if mode == ClipMode::Instead {
            self.unclip();
        }
        let Some(path) = path else { return };
        let (rule, budget) = (self.rule(), self.canvas.budget());
        match mode {
            ClipMode::And | ClipMode::Instead => self.context.clip.intersect(path, rule, budget),
            ClipMode::Without => self.context.clip.exclude(path, budget),
        }
    }

    fn rule(&self) -> FillRule {
        if self.context.fills_winding { FillRule::Winding } else { FillRule::EvenOdd }
    }

    /// Fills and draws a path of pixels with the brush and the pen.
    fn paint(&mut self, path: &Path, paint: Paint) {
        if self.context.draws_nothing {
            return;
        }
        let (rule, context) = (self.rule(), &self.context);
        if paint.fill {
            let fill = match &context.brush {
                Brush::Nothing => None,
                Brush::Plain(color) => Some(Fill::Plain(self.let_through(*color))),
                Brush::Tile(tile) => Some(Fill::Tile(tile.clone())),
            };
            if let Some(fill) = fill {
                self.canvas.fill(path, rule, &fill, BlendMode::SourceOver, &context.clip);
            }
        }
        if paint.stroke && context.pen.line != Line::Nothing {
            let stroke = self.stroke();
            self.canvas.stroke(path, stroke, context.pen.color, &context.clip);
        }
    }

    /// The colour to fill with. One that lets through what is below is written as three steps: all
    /// is inverted by the colour, a pattern of dots masks the area, all is inverted back. The dots
    /// keep what was there, the places between them become the colour.
    fn let_through(&self, shade: Color) -> Color {
        match self.inverted {
            Some(mut color) if self.context.masks => {
                color.set_alpha(1.0 - (shade.red() + shade.green() + shade.blue()) / 3.0);
                color
            }
            _ => shade,
        }
    }

    /// Takes a mode of SetROP2: 9 masks, 11 draws nothing, all others are taken as 13, which
    /// paints.
    pub(crate) fn draws_by(&mut self, mode: u32) {
        self.context.masks = mode == 9;
        self.context.draws_nothing = mode == 11;
    }

    /// Notes text that was written.
    pub(crate) fn note(&mut self, run: Run) {
        self.noted += run.text.len();
        if self.runs.len() < MOST_RUNS && self.noted < MOST_TEXT {
            self.runs.push(run);
        }
    }

    /// Whether more text can be noted.
    pub(crate) fn has_room(&self) -> bool {
        self.runs.len() < MOST_RUNS && self.noted < MOST_TEXT
    }

    fn stroke(&self) -> Stroke {
        let pen = &self.context.pen;
        let width = (pen.width * self.to_pixels().growth()).max(THINNEST) as f32;
        let dash = match &pen.line {
            // Dashes shorter than this run into each other.
            Line::Dashes(dashes) => {
                let unit = width.max(1.5);
                let mut lengths: Vec<f32> = dashes.iter().map(|dash| dash * unit).collect();
                if !lengths.len().is_multiple_of(2) {
                    lengths.extend_from_within(..);
                }
                StrokeDash::new(lengths, 0.0)
            }
            Line::Nothing | Line::Solid => None,
        };
        let (line_cap, line_join) = (pen.cap, pen.join);
        Stroke { width, miter_limit: 10.0, line_cap, line_join, dash }
    }
}

/// A path of pixels, made of commands in other coordinates.
pub(super) struct Outline<'a> {
    path: &'a mut PathBuilder,
    place: Matrix,
}

impl<'a> Outline<'a> {
    pub(super) fn new(path: &'a mut PathBuilder, place: Matrix) -> Self {
        Self { path, place }
    }

    fn at(&self, point: Point) -> (f32, f32) {
        let (x, y) = self.place.apply(point);
        (x as f32, y as f32)
    }

    pub(super) fn move_to(&mut self, point: Point) {
        let (x, y) = self.at(point);
        self.path.move_to(x, y);
    }

    pub(super) fn line_to(&mut self, point: Point) {
        let (x, y) = self.at(point);
        self.path.line_to(x, y);
    }

    pub(super) fn curve_to(&mut self, [first, second, end]: [Point; 3]) {
        let (first, second, end) = (self.at(first), self.at(second), self.at(end));
        self.path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }

    pub(super) fn close(&mut self) {
        self.path.close();
    }

    pub(super) fn polygon(&mut self, points: &[Point]) {
        let Some((first, others)) = points.split_first() else { return };
        self.move_to(*first);
        others.iter().for_each(|point| self.line_to(*point));
        self.close();
    }
}
