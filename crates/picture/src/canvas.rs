//! The canvas on which pictures are painted: pixels and a budget of work.

use resvg::tiny_skia::{
    BlendMode, Color, FillRule, FilterQuality, Paint, Path, PathBuilder, Pattern, Pixmap,
    PixmapPaint, Rect, Shader, SpreadMode, StrokeDash, Transform,
};

use crate::{
    budget::DrawBudget,
    clip::{ClipRegion, ClipVisibility, is_within_reach},
    drawing::{DrawingRecorder, VectorDrawing},
    geometry::Matrix,
    paint::{Fill, Line},
    text::GlyphRun,
};

/// Maximum length in pixels of a dashed line; longer ones are drawn solid. Each dash becomes an outline of its own,
/// and in this length there may be tens of thousands.
const MAX_DASHED_LENGTH: f32 = 100_000.0;

/// Pixels, painted one shape after another.
pub(crate) struct Canvas {
    pixmap: Pixmap,
    budget: DrawBudget,
    /// What was painted, if it is also kept as a drawing.
    recorder: Option<DrawingRecorder>,
}

impl Canvas {
    /// A white canvas; `None` if the size is too large.
    pub(crate) fn new(width: u32, height: u32) -> Option<Self> {
        let mut canvas = Self::new_transparent(width, height)?;
        canvas.pixmap.fill(Color::WHITE);
        Some(canvas)
    }

    /// A transparent canvas; `None` if the size is too large.
    pub(crate) fn new_transparent(width: u32, height: u32) -> Option<Self> {
        let (budget, recorder) = (DrawBudget::new(), None);
        Some(Self { pixmap: Pixmap::new(width, height)?, budget, recorder })
    }

    /// The same canvas, still empty, which records what is painted on it if `is_kept`.
    pub(crate) fn recording(self, is_kept: bool) -> Self {
        let size = (self.pixmap.width(), self.pixmap.height());
        let is_on_white = self.pixmap.pixel(0, 0).is_some_and(|pixel| pixel.alpha() > 0);
        let recorder = is_kept.then(|| DrawingRecorder::new(size, is_on_white));
        Self { recorder, ..self }
    }

    pub(crate) fn full_clip(&self) -> ClipRegion {
        ClipRegion::full_canvas(self.pixmap.width(), self.pixmap.height())
    }

    /// Whether it records what is painted on it.
    pub(crate) fn is_recording(&self) -> bool {
        self.recorder.is_some()
    }

    /// The work that the picture may still cost.
    pub(crate) fn budget_mut(&mut self) -> &mut DrawBudget {
        &mut self.budget
    }

    /// Spends work that is done elsewhere; returns false if the budget does not allow it.
    pub(crate) fn try_spend(&mut self, pixels: u64) -> bool {
        self.budget.try_spend(pixels)
    }

    /// Whether the picture was too much work to be drawn to its end.
    pub(crate) fn is_spent(&self) -> bool {
        self.budget.is_spent()
    }

    /// The pixels, and the drawing if it was recorded and is worth keeping.
    pub(crate) fn finish(self) -> (Pixmap, Option<VectorDrawing>) {
        (self.pixmap, self.recorder.and_then(DrawingRecorder::finish))
    }

    /// Fills a path.
    pub(crate) fn fill_path(
        &mut self,
        path: &Path,
        rule: FillRule,
        fill: &Fill,
        blend: BlendMode,
        clip: &ClipRegion,
    ) {
        let is_visible = self.paint_path(path, rule, fill, blend, clip);
        if is_visible && let Some(recorder) = &mut self.recorder {
            recorder.fill_path(path, rule, fill, blend, &clip.outline_around(path.bounds()));
        }
    }

    /// Writes letters; `transform` maps the space of the baseline to the canvas.
    pub(crate) fn write_glyphs(
        &mut self,
        run: &GlyphRun<'_>,
        transform: Matrix,
        color: Color,
        clip: &ClipRegion,
    ) {
        let Some(path) = run.to_path(transform) else { return };
        let (rule, fill) = (FillRule::Winding, Fill::Plain(color));
        let is_visible = self.paint_path(&path, rule, &fill, BlendMode::SourceOver, clip);
        if is_visible && let Some(recorder) = &mut self.recorder {
            recorder.fill_glyphs(run, transform, color, &clip.outline_around(path.bounds()));
        }
    }

    /// Paints the area of a path; returns whether it may be visible.
    fn paint_path(
        &mut self,
        path: &Path,
        rule: FillRule,
        fill: &Fill,
        blend: BlendMode,
        clip: &ClipRegion,
    ) -> bool {
        let bounds = path.bounds();
        if !self.budget.try_spend(self.estimate_fill_work(&bounds, path))
            || !is_within_reach(&bounds)
        {
            return false;
        }
        let shader = match fill {
            Fill::Plain(color) => Shader::SolidColor(*color),
            Fill::Tile(tile) => Pattern::new(
                Pixmap::as_ref(tile),
                SpreadMode::Repeat,
                FilterQuality::Nearest,
                1.0,
                Transform::identity(),
            ),
            Fill::Gradient { from, to, colors } => gradient_shader(*from, *to, *colors),
        };
        let paint = Paint { shader, blend_mode: blend, anti_alias: true, ..Paint::default() };
        let mask = match clip.visibility_of(bounds, &mut self.budget) {
            ClipVisibility::Hidden => return false,
            ClipVisibility::Visible => None,
            ClipVisibility::Masked(mask) => Some(mask),
        };
        self.pixmap.fill_path(path, &paint, rule, Transform::identity(), mask);
        true
    }

    /// Strokes a path.
    pub(crate) fn stroke_path(
        &mut self,
        path: &Path,
        mut line: Line,
        color: Color,
        clip: &ClipRegion,
    ) {
        let stroke = &mut line.stroke;
        let bounds = path.bounds();
        let Some(bounds) = bounds.outset(stroke.width, stroke.width).or(Some(bounds)) else {
            return;
        };
        let length = measure_path(path);
        let dash_share = if line.dashes.is_empty() { 0.0 } else { 100.0 };
        let dashes = length.min(MAX_DASHED_LENGTH) * dash_share;
        let joints = path.len() as f32 * stroke.width.clamp(1.0, 2000.0) * 8.0;
        let work = (length * stroke.width.max(2.0) + dashes + joints) as u64;
        let work = work + 2 * self.count_edge_steps(path) + path.len() as u64 * 50;
        if !self.budget.try_spend(work) || !is_within_reach(&bounds) {
            return;
        }
        if length > MAX_DASHED_LENGTH {
            line.dashes.clear();
        }
        stroke.dash = StrokeDash::new(line.dashes.clone(), 0.0);
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        paint.set_color(color);
        let mask = match clip.visibility_of(bounds, &mut self.budget) {
            ClipVisibility::Hidden => return,
            ClipVisibility::Visible => None,
            ClipVisibility::Masked(mask) => Some(mask),
        };
        self.pixmap.stroke_path(path, &paint, stroke, Transform::identity(), mask);
        if let Some(recorder) = &mut self.recorder {
            recorder.stroke_path(path, &line, color, &clip.outline_around(bounds));
        }
    }

    /// Draws a picture, which may show a drawing; `transform` maps its pixels to pixels of the canvas.
    pub(crate) fn draw_image(
        &mut self,
        (image, drawing): (&Pixmap, Option<&VectorDrawing>),
        transform: Matrix,
        blend: BlendMode,
        clip: &ClipRegion,
    ) {
        let (width, height) = (f64::from(image.width()), f64::from(image.height()));
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        let mut outline = PathBuilder::new();
        for (index, corner) in corners.into_iter().enumerate() {
            let (x, y) = transform.map_point(corner);
            match index {
                0 => outline.move_to(x as f32, y as f32),
                _ => outline.line_to(x as f32, y as f32),
            }
        }
        let Some(outline) = outline.finish() else { return };
        let bounds = outline.bounds();
        if !self.budget.try_spend(2 * self.estimate_fill_work(&bounds, &outline))
            || !is_within_reach(&bounds)
        {
            return;
        }
        let mask = match clip.visibility_of(bounds, &mut self.budget) {
            ClipVisibility::Hidden => return,
            ClipVisibility::Visible => None,
            ClipVisibility::Masked(mask) => Some(mask),
        };
        let quality = FilterQuality::Bilinear;
        let paint = PixmapPaint { opacity: 1.0, blend_mode: blend, quality };
        self.pixmap.draw_pixmap(0, 0, image.as_ref(), &paint, transform.to_skia(), mask);
        if let Some(recorder) = &mut self.recorder {
            recorder.draw_image((image, drawing), transform, blend, &clip.outline_around(bounds));
        }
    }

    /// Steps along the edges of a path: `tiny_skia` takes four for each row of pixels.
    fn count_edge_steps(&self, path: &Path) -> u64 {
        let height = self.pixmap.height() as f32;
        let rows = path.points().windows(2).map(|pair| {
            let inside = |y: f32| y.clamp(0.0, height);
            (inside(pair[0].y) - inside(pair[1].y)).abs()
        });
        4 * rows.sum::<f32>() as u64
    }

    /// The approximate number of pixels that filling a path touches.
    fn estimate_fill_work(&self, bounds: &Rect, path: &Path) -> u64 {
        let width = bounds.width().min(self.pixmap.width() as f32);
        let height = bounds.height().min(self.pixmap.height() as f32);
        (width * height) as u64 + self.count_edge_steps(path) + path.len() as u64 * 50 + 100
    }
}

fn gradient_shader(from: (f32, f32), to: (f32, f32), [first, last]: [Color; 2]) -> Shader<'static> {
    use resvg::tiny_skia::{GradientStop, LinearGradient, Point};
    let stops = vec![GradientStop::new(0.0, first), GradientStop::new(1.0, last)];
    let (from, to) = (Point::from_xy(from.0, from.1), Point::from_xy(to.0, to.1));
    LinearGradient::new(from, to, stops, SpreadMode::Pad, Transform::identity())
        .unwrap_or(Shader::SolidColor(first))
}

/// The length of the polygon through a path's points.
fn measure_path(path: &Path) -> f32 {
    path.points().windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}
