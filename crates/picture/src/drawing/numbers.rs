//! Numbers of an SVG: whole tenths of a pixel, paths relative from point to point.

use std::fmt::Write;

use resvg::tiny_skia::{Path, PathSegment, Point};

use crate::geometry::Matrix;

/// Units of the view in a pixel of the canvas. Tenths are exact enough when a page enlarges the drawing, and whole
/// numbers are shorter than decimals.
pub(super) const UNITS_PER_PIXEL: f64 = 10.0;

/// A length in units of the view.
pub(super) fn units(pixels: f64) -> i64 {
    (pixels * UNITS_PER_PIXEL).round() as i64
}

/// The data of a path on the canvas.
pub(super) fn push_path(out: &mut String, path: &Path) {
    push_scaled_path(out, path, UNITS_PER_PIXEL);
}

/// The data of a path whose points are multiplied by a factor.
pub(super) fn push_scaled_path(out: &mut String, path: &Path, factor: f64) {
    let mut pen = PathWriter { out, factor, at: (0, 0), start: (0, 0), last: ' ' };
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                pen.write('m', &[to]);
                pen.start = pen.at;
            }
            PathSegment::LineTo(to) => pen.write('l', &[to]),
            PathSegment::QuadTo(control, to) => pen.write('q', &[control, to]),
            PathSegment::CubicTo(first, second, to) => pen.write('c', &[first, second, to]),
            PathSegment::Close => {
                pen.out.push('z');
                (pen.at, pen.last) = (pen.start, 'z');
            }
        }
    }
}

/// Writes points relative to the one before. Rounding comes first, so that errors do not add up.
struct PathWriter<'a> {
    out: &'a mut String,
    factor: f64,
    at: (i64, i64),
    start: (i64, i64),
    last: char,
}

impl PathWriter<'_> {
    fn write(&mut self, command: char, points: &[Point]) {
        let round = |part: f32| (f64::from(part) * self.factor).round() as i64;
        let points: Vec<(i64, i64)> =
            points.iter().map(|point| (round(point.x), round(point.y))).collect();
        let Some(end) = points.last() else { return };
        let is_straight = command == 'l' && (end.0 == self.at.0 || end.1 == self.at.1);
        let command = match command {
            'l' if is_straight && end.1 == self.at.1 => 'h',
            'l' if is_straight => 'v',
            other => other,
        };
        // A pair after a move is a line, so that only other commands may be left out.
        if command != self.last || command == 'm' {
            self.out.push(command);
        }
        let mut is_first = command != self.last || command == 'm';
        let mut number = |out: &mut String, value: i64| {
            if !is_first && value >= 0 {
                out.push(' ');
            }
            is_first = false;
            let _ = write!(out, "{value}");
        };
        for (x, y) in &points {
            if command != 'v' {
                number(self.out, x - self.at.0);
            }
            if command != 'h' {
                number(self.out, y - self.at.1);
            }
        }
        (self.at, self.last) = (*end, command);
    }
}

/// The function of a transformation.
pub(super) fn push_matrix(out: &mut String, matrix: Matrix) {
    let Matrix { a, b, c, d, e, f } = matrix;
    out.push_str("matrix(");
    for factor in [a, b, c, d] {
        push_number(out, factor, 5);
        out.push(' ');
    }
    push_number(out, e, 1);
    out.push(' ');
    push_number(out, f, 1);
    out.push(')');
}

/// A number without zeros at its end.
pub(super) fn push_number(out: &mut String, number: f64, decimals: usize) {
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    out.push_str(if text == "-0" { "0" } else { text });
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::PathBuilder;

    use super::*;

    #[test]
    fn paths_are_relative_and_their_rounding_does_not_add_up() {
        let mut builder = PathBuilder::new();
        builder.move_to(1.0, 2.0);
        for step in 1..=30 {
            builder.line_to(1.0 + 0.14 * step as f32, 2.0);
        }
        builder.close();
        builder.move_to(0.0, 0.0);
        builder.cubic_to(1.0, 0.0, 1.0, 1.0, -0.5, 1.0);
        let mut out = String::new();
        push_path(&mut out, &builder.finish().expect("a path"));
        let steps = out.split_once('h').expect("lines").1.split_once('z').expect("closed").0;
        let sum: i64 = steps.split(' ').map(|step| step.parse::<i64>().expect("a number")).sum();
        assert_eq!(sum, 42, "{out}");
        assert!(out.starts_with("m10 20h") && out.ends_with("zm-10-20c10 0 10 10-5 10"), "{out}");
    }

    #[test]
    fn a_matrix_has_no_needless_digits() {
        let mut out = String::new();
        push_matrix(&mut out, Matrix { a: 10.0, b: -0.000_000_1, c: 0.0, d: 0.5, e: 3.04, f: 7.0 });
        assert_eq!(out, "matrix(10 0 0 0.5 3 7)");
    }
}
