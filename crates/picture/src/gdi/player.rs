//! Draws in a device context.

use resvg::tiny_skia::{BlendMode, Color, FillRule, Path, PathBuilder, Stroke};

use super::{
    context::DeviceContext,
    objects::{Brush, GdiObject, GdiObjectTable, LineStyle, stock_object},
};
use crate::{
    canvas::Canvas,
    geometry::{Matrix, Point},
    labels::TextRun,
    paint::{Fill, Line},
};

/// Maximum number of saved contexts; more come from a broken program. Each may have two masks of the size of the
/// canvas: at 1,200 by 4,000 pixels, 32 contexts take 307 MB.
const MAX_SAVED_CONTEXTS: usize = 32;
/// Width in pixels of the thinnest line: the pictures are for screens, not for print.
const MIN_LINE_WIDTH: f64 = 1.1;
/// Length in pixels of the smallest unit of dashes; shorter ones would look like a solid grey line.
const MIN_DASH_UNIT: f32 = 1.5;
/// Maximum bytes of text in one picture. A nested metafile adds its text each time that it is drawn, so the size of the
/// file does not bound it.
const MAX_TEXT_BYTES: usize = 4 << 20;
/// Maximum number of text runs in one picture, for the same reason.
const MAX_TEXT_RUNS: usize = 100_000;

/// [MS-EMF] RegionMode.
const RGN_AND: u32 = 1;
const RGN_DIFF: u32 = 4;
const RGN_COPY: u32 = 5;
/// [MS-WMF] BinaryRasterOperation.
const R2_MASKPEN: u32 = 9;
const R2_NOP: u32 = 11;
/// The bit of object numbers that refer to stock objects.
const STOCK_OBJECT_BIT: u32 = 0x8000_0000;

/// A device context on a canvas, with the objects that it can select.
pub(crate) struct Player {
    pub canvas: Canvas,
    pub context: DeviceContext,
    pub objects: GdiObjectTable,
    /// Text in the order in which it was written.
    pub runs: Vec<TextRun>,
    text_bytes: usize,
    saved_contexts: Vec<DeviceContext>,
    /// From coordinates of the device to pixels.
    view: Matrix,
    /// The path that is built between BeginPath and EndPath and stays until it is used.
    path: PathBuilder,
    is_path_open: bool,
    /// The colour by which the destination is inverted until the next PATINVERT with it.
    pub(super) inverted: Option<Color>,
}

/// Whether an outline is filled, stroked or both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaintMode {
    pub fill: bool,
    pub stroke: bool,
}

/// How a new area is combined with the clip: RegionMode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClipMode {
    And,
    Without,
    Instead,
}

impl ClipMode {
    /// Modes that would enlarge the clip by a part (RGN_OR, RGN_XOR) are ignored.
    pub(crate) fn from_region_mode(number: u32) -> Option<Self> {
        match number {
            RGN_AND => Some(Self::And),
            RGN_DIFF => Some(Self::Without),
            RGN_COPY => Some(Self::Instead),
            _ => None,
        }
    }
}

impl Player {
    pub(crate) fn new(canvas: Canvas, view: Matrix) -> Self {
        let context = DeviceContext::new(canvas.full_clip());
        Self {
            canvas,
            context,
            objects: GdiObjectTable::default(),
            runs: Vec::new(),
            text_bytes: 0,
            saved_contexts: Vec::new(),
            view,
            path: PathBuilder::new(),
            is_path_open: false,
            inverted: None,
        }
    }

    /// From logical coordinates to pixels.
    pub(crate) fn to_pixels(&self) -> Matrix {
        self.context.world.then(self.context.mapping.device_matrix()).then(self.view)
    }

    /// From coordinates of the device to pixels, for regions.
    pub(crate) fn device_rectangle(&self, (from, to): (Point, Point)) -> Vec<Point> {
        [from, (to.0, from.1), to, (from.0, to.1)].map(|corner| self.view.map_point(corner)).into()
    }

    pub(crate) fn save_context(&mut self) {
        if self.saved_contexts.len() < MAX_SAVED_CONTEXTS {
            self.saved_contexts.push(self.context.clone());
        }
    }

    /// Restores a saved context: relative to the last one if negative, otherwise by number.
    pub(crate) fn restore_context(&mut self, number: i32) {
        let index = match usize::try_from(number) {
            Ok(position) => position.saturating_sub(1),
            Err(_) => self.saved_contexts.len().saturating_sub(number.unsigned_abs() as usize),
        };
        if index < self.saved_contexts.len() {
            self.saved_contexts.truncate(index + 1);
            self.context = self.saved_contexts.pop().unwrap_or_else(|| self.context.clone());
        }
    }

    /// Selects an object of the file, or one that every device has.
    pub(crate) fn select_object(&mut self, number: u32) {
        let object = match number & STOCK_OBJECT_BIT {
            0 => self.objects.get(number).cloned(),
            _ => stock_object(number & !STOCK_OBJECT_BIT),
        };
        match object {
            Some(GdiObject::Pen(pen)) => self.context.pen = pen,
            Some(GdiObject::Brush(brush)) => self.context.brush = brush,
            Some(GdiObject::Font(font)) => self.context.font = font,
            Some(GdiObject::Other) | None => {}
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

    /// Draws the current path and discards it.
    pub(crate) fn draw_path(&mut self, paint: PaintMode) {
        self.end_path();
        let path = std::mem::take(&mut self.path).finish();
        if let Some(path) = path {
            self.paint_path(&path, paint);
        }
    }

    /// Combines the clip with the current path and discards the path.
    pub(crate) fn clip_to_path(&mut self, mode: ClipMode) {
        self.end_path();
        let path = std::mem::take(&mut self.path).finish();
        self.apply_clip(path.as_ref(), mode);
    }

    /// Builds an outline in logical coordinates, and draws it or adds it to the open path.
    pub(super) fn draw_outline(
        &mut self,
        paint: PaintMode,
        build: impl FnOnce(&mut TransformedPath<'_>),
    ) {
        let to_pixels = self.to_pixels();
        if self.is_path_open {
            build(&mut TransformedPath::new(&mut self.path, to_pixels));
            return;
        }
        let mut path = PathBuilder::new();
        build(&mut TransformedPath::new(&mut path, to_pixels));
        if let Some(path) = path.finish() {
            self.paint_path(&path, paint);
        }
    }

    pub(super) fn is_path_open(&self) -> bool {
        self.is_path_open
    }

    pub(super) fn is_path_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Changes the clip by polygons in pixels.
    pub(crate) fn clip_to_polygons(&mut self, polygons: &[Vec<Point>], mode: ClipMode) {
        let mut path = PathBuilder::new();
        let mut outline = TransformedPath::new(&mut path, Matrix::IDENTITY);
        polygons.iter().for_each(|polygon| outline.add_polygon(polygon));
        self.apply_clip(path.finish().as_ref(), mode);
    }

    /// Changes the clip by a rectangle in logical coordinates.
    pub(crate) fn clip_to_rectangle(&mut self, (from, to): (Point, Point), mode: ClipMode) {
        let to_pixels = self.to_pixels();
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        let corners = corners.map(|corner| to_pixels.map_point(corner)).to_vec();
        self.clip_to_polygons(&[corners], mode);
    }

    /// Narrows the clip, unless the last narrowing had the same numbers: programs that embed a metafile
    /// in another one write its clip twice, and the second time still in the units of the first.
    pub(crate) fn clip_once(&mut self, rectangle: (Point, Point)) {
        if self.context.last_clip != Some(rectangle) {
            self.clip_to_rectangle(rectangle, ClipMode::And);
            self.context.last_clip = Some(rectangle);
        }
    }

    /// Removes the clip.
    pub(crate) fn reset_clip(&mut self) {
        self.context.last_clip = None;
        self.context.clip = self.canvas.full_clip();
    }

    fn apply_clip(&mut self, path: Option<&Path>, mode: ClipMode) {
        self.context.last_clip = None;
        if mode == ClipMode::Instead {
            self.reset_clip();
        }
        let Some(path) = path else { return };
        let (rule, budget) = (self.fill_rule(), self.canvas.budget_mut());
        match mode {
            ClipMode::And | ClipMode::Instead => {
                self.context.clip.intersect_path(path, rule, budget)
            }
            ClipMode::Without => self.context.clip.exclude_path(path, budget),
        }
    }

    fn fill_rule(&self) -> FillRule {
        if self.context.fills_winding { FillRule::Winding } else { FillRule::EvenOdd }
    }

    /// Fills and draws a path of pixels with the brush and the pen.
    fn paint_path(&mut self, path: &Path, paint: PaintMode) {
        if self.context.draws_nothing {
            return;
        }
        let (rule, context) = (self.fill_rule(), &self.context);
        if paint.fill {
            let fill = match &context.brush {
                Brush::Nothing => None,
                Brush::Plain(color) => Some(Fill::Plain(self.fill_color(*color))),
                Brush::Tile(tile) => Some(Fill::Tile(tile.clone())),
            };
            if let Some(fill) = fill {
                self.canvas.fill_path(path, rule, &fill, BlendMode::SourceOver, &context.clip);
            }
        }
        if paint.stroke && context.pen.line != LineStyle::Nothing {
            let line = self.pen_line();
            self.canvas.stroke_path(path, line, context.pen.color, &context.clip);
        }
    }

    /// The colour to fill with. Programs write a translucent area in three steps: they invert the
    /// destination by the colour, mask the area with a pattern of dots, and invert it back. The dots
    /// keep the destination, the gaps between them take the colour.
    fn fill_color(&self, shade: Color) -> Color {
        match self.inverted {
            Some(mut color) if self.context.masks => {
                color.set_alpha(1.0 - (shade.red() + shade.green() + shade.blue()) / 3.0);
                color
            }
            _ => shade,
        }
    }

    /// Sets the mode of SetROP2: R2_MASKPEN masks, R2_NOP draws nothing, all others paint.
    pub(crate) fn set_raster_operation(&mut self, mode: u32) {
        self.context.masks = mode == R2_MASKPEN;
        self.context.draws_nothing = mode == R2_NOP;
    }

    /// Records a run of text, unless the picture has too much text.
    pub(crate) fn record_run(&mut self, run: TextRun) {
        self.text_bytes += run.text.len();
        if self.runs.len() < MAX_TEXT_RUNS && self.text_bytes < MAX_TEXT_BYTES {
            self.runs.push(run);
        }
    }

    /// Whether more text can be recorded.
    pub(crate) fn has_text_room(&self) -> bool {
        self.runs.len() < MAX_TEXT_RUNS && self.text_bytes < MAX_TEXT_BYTES
    }

    fn pen_line(&self) -> Line {
        let pen = &self.context.pen;
        let width = (pen.width * self.to_pixels().mean_scale()).max(MIN_LINE_WIDTH) as f32;
        let dashes = match &pen.line {
            LineStyle::Dashes(dashes) => {
                // Shorter dashes would run into each other.
                let unit = width.max(MIN_DASH_UNIT);
                let mut lengths: Vec<f32> = dashes.iter().map(|dash| dash * unit).collect();
                if !lengths.len().is_multiple_of(2) {
                    lengths.extend_from_within(..);
                }
                lengths
            }
            LineStyle::Nothing | LineStyle::Solid => Vec::new(),
        };
        let (line_cap, line_join) = (pen.cap, pen.join);
        let stroke = Stroke { width, miter_limit: 10.0, line_cap, line_join, dash: None };
        Line { stroke, dashes }
    }
}

/// Builds a path in pixels from commands in other coordinates.
pub(super) struct TransformedPath<'a> {
    path: &'a mut PathBuilder,
    transform: Matrix,
}

impl<'a> TransformedPath<'a> {
    pub(super) fn new(path: &'a mut PathBuilder, transform: Matrix) -> Self {
        Self { path, transform }
    }

    fn map_point(&self, point: Point) -> (f32, f32) {
        let (x, y) = self.transform.map_point(point);
        (x as f32, y as f32)
    }

    pub(super) fn move_to(&mut self, point: Point) {
        let (x, y) = self.map_point(point);
        self.path.move_to(x, y);
    }

    pub(super) fn line_to(&mut self, point: Point) {
        let (x, y) = self.map_point(point);
        self.path.line_to(x, y);
    }

    pub(super) fn curve_to(&mut self, [first, second, end]: [Point; 3]) {
        let (first, second, end) =
            (self.map_point(first), self.map_point(second), self.map_point(end));
        self.path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }

    pub(super) fn close(&mut self) {
        self.path.close();
    }

    pub(super) fn add_polygon(&mut self, points: &[Point]) {
        let Some((first, others)) = points.split_first() else { return };
        self.move_to(*first);
        others.iter().for_each(|point| self.line_to(*point));
        self.close();
    }
}
