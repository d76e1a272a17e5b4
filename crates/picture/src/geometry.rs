//! Plane transformations in 64 bits: 32 would lose the hundredths of millimetres in metafiles.

/// An affine transformation: `x' = a x + c y + e`, `y' = b x + d y + f`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Matrix {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
    pub f: f64,
}

/// A point; the unit depends on the user.
pub(crate) type Point = (f64, f64);

impl Matrix {
    pub(crate) const IDENTITY: Self = Self::from_scale(1.0, 1.0);

    pub(crate) const fn from_scale(x: f64, y: f64) -> Self {
        Self { a: x, b: 0.0, c: 0.0, d: y, e: 0.0, f: 0.0 }
    }

    pub(crate) const fn from_translation(x: f64, y: f64) -> Self {
        Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: x, f: y }
    }

    /// Maps the unit square to the parallelogram of three corners: its upper left, upper right and lower
    /// left one.
    pub(crate) fn from_corners([origin, right, below]: [Point; 3]) -> Self {
        Self {
            a: right.0 - origin.0,
            b: right.1 - origin.1,
            c: below.0 - origin.0,
            d: below.1 - origin.1,
            e: origin.0,
            f: origin.1,
        }
    }

    /// Rotates by an angle, from the x axis towards the y axis.
    pub(crate) fn from_rotation(radians: f64) -> Self {
        let (sin, cos) = radians.sin_cos();
        Self { a: cos, b: sin, c: -sin, d: cos, e: 0.0, f: 0.0 }
    }

    /// Composes two transformations: this one first, then the other.
    pub(crate) fn then(self, next: Self) -> Self {
        Self {
            a: self.a * next.a + self.b * next.c,
            b: self.a * next.b + self.b * next.d,
            c: self.c * next.a + self.d * next.c,
            d: self.c * next.b + self.d * next.d,
            e: self.e * next.a + self.f * next.c + next.e,
            f: self.e * next.b + self.f * next.d + next.f,
        }
    }

    pub(crate) fn map_point(&self, (x, y): Point) -> Point {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }

    pub(crate) fn determinant(&self) -> f64 {
        self.a * self.d - self.b * self.c
    }

    /// The geometric mean of the scales in both directions.
    pub(crate) fn mean_scale(&self) -> f64 {
        self.determinant().abs().sqrt()
    }

    pub(crate) fn is_usable(&self) -> bool {
        [self.a, self.b, self.c, self.d, self.e, self.f].iter().all(|number| number.is_finite())
    }

    /// As `tiny_skia` expects it.
    pub(crate) fn to_skia(self) -> resvg::tiny_skia::Transform {
        resvg::tiny_skia::Transform::from_row(
            self.a as f32,
            self.b as f32,
            self.c as f32,
            self.d as f32,
            self.e as f32,
            self.f as f32,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_applied_first() {
        let moved_then_scaled =
            Matrix::from_translation(1.0, 2.0).then(Matrix::from_scale(10.0, 100.0));
        assert_eq!(moved_then_scaled.map_point((1.0, 1.0)), (20.0, 300.0));
        let rotated = Matrix::from_rotation(std::f64::consts::FRAC_PI_2).map_point((1.0, 0.0));
        assert!((rotated.0.abs() < 1e-12) && (rotated.1 - 1.0).abs() < 1e-12);
    }
}
