//! Draws lines, polygons, curves and arcs.

use std::f64::consts::{FRAC_PI_2, TAU};

use resvg::tiny_skia::{BlendMode, Color, FillRule, PathBuilder};

use super::player::{PaintMode, Player, TransformedPath};
use crate::{geometry::Point, paint::Fill};

/// An arc of the ellipse in a rectangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EllipticArc {
    pub rectangle: (Point, Point),
    /// Points on the rays from the centre at which the arc begins and ends.
    pub from: Point,
    pub to: Point,
}

/// How an arc is joined and closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArcKind {
    Open,
    Chord,
    Pie,
    /// Open, with a line from the current position to its beginning.
    Joined,
}

const BOTH: PaintMode = PaintMode { fill: true, stroke: true };
const LINE: PaintMode = PaintMode { fill: false, stroke: true };
const AREA: PaintMode = PaintMode { fill: true, stroke: false };

impl Player {
    pub(crate) fn move_to(&mut self, point: Point) {
        self.context.position = point;
        if self.is_path_open() {
            self.draw_outline(LINE, |outline| outline.move_to(point));
        }
    }

    /// Lines from the current position, which moves to their end.
    pub(crate) fn lines_to(&mut self, points: &[Point]) {
        self.draw_from_position(points.last(), |outline| {
            points.iter().for_each(|point| outline.line_to(*point));
        });
    }

    /// Curves of three points each from the current position, which moves to their end.
    pub(crate) fn curves_to(&mut self, points: &[Point]) {
        self.draw_from_position(points.last(), |outline| {
            points.as_chunks().0.iter().for_each(|curve| outline.curve_to(*curve));
        });
    }

    fn draw_from_position(
        &mut self,
        end: Option<&Point>,
        build: impl FnOnce(&mut TransformedPath<'_>),
    ) {
        let Some(end) = end else { return };
        let begins = !self.is_path_open() || self.is_path_empty();
        let position = self.context.position;
        self.draw_outline(LINE, |outline| {
            if begins {
                outline.move_to(position);
            }
            build(outline);
        });
        self.context.position = *end;
    }

    /// Lines through each of several lists of points.
    pub(crate) fn draw_polylines<'a>(&mut self, lines: impl Iterator<Item = &'a [Point]>) {
        self.draw_outline(LINE, |outline| {
            for points in lines {
                let Some((first, others)) = points.split_first() else { continue };
                outline.move_to(*first);
                others.iter().for_each(|point| outline.line_to(*point));
            }
        });
    }

    pub(crate) fn draw_curves(&mut self, points: &[Point]) {
        let Some((first, others)) = points.split_first() else { return };
        self.draw_outline(LINE, |outline| {
            outline.move_to(*first);
            others.as_chunks().0.iter().for_each(|curve| outline.curve_to(*curve));
        });
    }

    /// Areas with their edges; the fill mode decides if they overlap.
    pub(crate) fn draw_polygons<'a>(&mut self, polygons: impl Iterator<Item = &'a [Point]>) {
        self.draw_outline(BOTH, |outline| polygons.for_each(|points| outline.add_polygon(points)));
    }

    pub(crate) fn draw_rectangle(&mut self, (from, to): (Point, Point)) {
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        self.draw_outline(BOTH, |outline| outline.add_polygon(&corners));
    }

    /// A rectangle without its edge.
    pub(crate) fn fill_rectangle(&mut self, (from, to): (Point, Point)) {
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        self.draw_outline(AREA, |outline| outline.add_polygon(&corners));
    }

    /// A rectangle from one colour to another, downwards or to the right.
    pub(crate) fn fill_gradient(
        &mut self,
        (from, to): (Point, Point),
        colors: [[u8; 3]; 2],
        is_downwards: bool,
    ) {
        let to_pixels = self.to_pixels();
        let end = if is_downwards { (from.0, to.1) } else { (to.0, from.1) };
        let pixel = |point: Point| {
            let (x, y) = to_pixels.map_point(point);
            (x as f32, y as f32)
        };
        let colors = colors.map(|[red, green, blue]| Color::from_rgba8(red, green, blue, 255));
        let fill = Fill::Gradient { from: pixel(from), to: pixel(end), colors };
        let corners = [from, (to.0, from.1), to, (from.0, to.1)];
        self.fill_with(&corners, &fill);
    }

    /// A polygon in the mean of some colours.
    pub(crate) fn fill_mean_color(&mut self, points: &[Point], colors: &[[u8; 3]; 3]) {
        let mean = |part: usize| {
            (colors.iter().map(|color| u16::from(color[part])).sum::<u16>() / 3) as u8
        };
        let color = Color::from_rgba8(mean(0), mean(1), mean(2), 255);
        self.fill_with(points, &Fill::Plain(color));
    }

    fn fill_with(&mut self, points: &[Point], fill: &Fill) {
        let mut path = PathBuilder::new();
        TransformedPath::new(&mut path, self.to_pixels()).add_polygon(points);
        if let Some(path) = path.finish() {
            let (rule, blend) = (FillRule::Winding, BlendMode::SourceOver);
            self.canvas.fill_path(&path, rule, fill, blend, &self.context.clip);
        }
    }

    /// A rectangle whose corners are quarters of an ellipse of the given width and height.
    pub(crate) fn draw_round_rectangle(&mut self, (from, to): (Point, Point), size: Point) {
        let (left, right) = (from.0.min(to.0), from.0.max(to.0));
        let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
        let x = (size.0.abs() / 2.0).min((right - left) / 2.0);
        let y = (size.1.abs() / 2.0).min((bottom - top) / 2.0);
        let centres = [
            (right - x, bottom - y, 0.0),
            (left + x, bottom - y, FRAC_PI_2),
            (left + x, top + y, 2.0 * FRAC_PI_2),
            (right - x, top + y, 3.0 * FRAC_PI_2),
        ];
        self.draw_outline(BOTH, |outline| {
            outline.move_to((right, bottom - y));
            for (centre_x, centre_y, angle) in centres {
                let centre = (centre_x, centre_y);
                let begin = point_on_ellipse(centre, (x, y), angle);
                outline.line_to(begin);
                add_elliptic_curves(outline, centre, (x, y), angle, angle + FRAC_PI_2);
            }
            outline.close();
        });
    }

    pub(crate) fn draw_ellipse(&mut self, (from, to): (Point, Point)) {
        let size = ((to.0 - from.0).abs(), (to.1 - from.1).abs());
        self.draw_round_rectangle((from, to), size);
    }

    pub(crate) fn draw_arc(&mut self, arc: EllipticArc, kind: ArcKind) {
        let ((left, top), (right, bottom)) = arc.rectangle;
        let centre = ((left + right) / 2.0, (top + bottom) / 2.0);
        let radii = ((right - left).abs() / 2.0, (bottom - top).abs() / 2.0);
        // Points on a line have no angles.
        if radii.0 == 0.0 || radii.1 == 0.0 {
            return;
        }
        let angle =
            |point: Point| ((point.1 - centre.1) / radii.1).atan2((point.0 - centre.0) / radii.0);
        let (begin, mut end) = (angle(arc.from), angle(arc.to));
        // Angles grow clockwise, because y grows downwards.
        if self.context.is_clockwise {
            while end <= begin {
                end += TAU;
            }
        } else {
            while end >= begin {
                end -= TAU;
            }
        }
        let position = self.context.position;
        let continues = kind == ArcKind::Joined && self.is_path_open() && !self.is_path_empty();
        let paint = if matches!(kind, ArcKind::Chord | ArcKind::Pie) { BOTH } else { LINE };
        let first = point_on_ellipse(centre, radii, begin);
        self.draw_outline(paint, |outline| {
            match kind {
                ArcKind::Joined if continues => outline.line_to(first),
                ArcKind::Joined => {
                    outline.move_to(position);
                    outline.line_to(first);
                }
                ArcKind::Open | ArcKind::Chord | ArcKind::Pie => outline.move_to(first),
            }
            add_elliptic_curves(outline, centre, radii, begin, end);
            if kind == ArcKind::Pie {
                outline.line_to(centre);
            }
            if matches!(kind, ArcKind::Chord | ArcKind::Pie) {
                outline.close();
            }
        });
        if kind == ArcKind::Joined {
            self.context.position = point_on_ellipse(centre, radii, end);
        }
    }
}

fn point_on_ellipse(centre: Point, radii: Point, angle: f64) -> Point {
    (centre.0 + radii.0 * angle.cos(), centre.1 + radii.1 * angle.sin())
}

/// Adds Bezier curves along an ellipse from one angle to another: at most a quarter each, which is
/// exact to a thousandth.
fn add_elliptic_curves(
    outline: &mut TransformedPath<'_>,
    centre: Point,
    radii: Point,
    begin: f64,
    end: f64,
) {
    let parts = ((end - begin).abs() / FRAC_PI_2).ceil().clamp(1.0, 8.0);
    let step = (end - begin) / parts;
    let handle = 4.0 / 3.0 * (step / 4.0).tan();
    let control_point = |angle: f64, by: f64| {
        let (sin, cos) = angle.sin_cos();
        (centre.0 + radii.0 * (cos - by * sin), centre.1 + radii.1 * (sin + by * cos))
    };
    let mut angle = begin;
    for _ in 0..parts as u32 {
        let next = angle + step;
        let end = point_on_ellipse(centre, radii, next);
        outline.curve_to([control_point(angle, handle), control_point(next, -handle), end]);
        angle = next;
    }
}
