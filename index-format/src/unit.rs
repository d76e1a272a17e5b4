//! Vectors prepared for storing and comparing: scaled to length 1, and quantised to 8-bit codes.

use crate::MAX_DIMENSION;
use crate::error::VectorError;

/// The largest code; -128 is not used, so that codes are symmetric about zero.
const MAX_CODE: f32 = 127.0;

/// Writes the vector, scaled to length 1, at the front of `unit` and zeroes the rest.
///
/// `unit` is at least `dimension` long.
pub(crate) fn normalise_vector(
    vector: &[f32],
    dimension: u32,
    unit: &mut [f32],
) -> Result<(), VectorError> {
    if vector.len() != dimension as usize {
        return Err(VectorError::Length { expected: dimension, found: vector.len() });
    }
    // In f64 the squares of the largest and of the smallest f32 neither overflow nor vanish.
    let squares = sum_of_squares(vector);
    if !squares.is_finite() {
        let position = vector.iter().position(|component| !component.is_finite());
        return Err(VectorError::NotFinite { position: position.unwrap_or_default() });
    }
    if squares == 0.0 {
        return Err(VectorError::Zero);
    }
    let factor = 1.0 / squares.sqrt();
    let (front, back) = unit.split_at_mut(vector.len());
    for (out, component) in front.iter_mut().zip(vector) {
        *out = (f64::from(*component) * factor) as f32;
    }
    back.fill(0.0);
    Ok(())
}

/// Independent sums, so that additions do not wait for each other.
const LANES: usize = 16;

fn sum_of_squares(vector: &[f32]) -> f64 {
    let mut sums = [0.0; LANES];
    for components in vector.chunks(LANES) {
        for (sum, component) in sums.iter_mut().zip(components) {
            *sum += f64::from(*component) * f64::from(*component);
        }
    }
    sums.iter().sum()
}

/// Writes the codes of a row and returns its scale: a component is about its code times the scale.
pub(crate) fn quantize_vector(components: &[f32], codes: &mut [i8]) -> f32 {
    let mut largest = [0.0_f32; LANES];
    for components in components.chunks(LANES) {
        for (largest, component) in largest.iter_mut().zip(components) {
            *largest = if component.abs() > *largest { component.abs() } else { *largest };
        }
    }
    let scale = largest.into_iter().fold(0.0, f32::max) / MAX_CODE;
    for (code, component) in codes.iter_mut().zip(components) {
        // At most the largest code, except for rounding; NaN if all components are zero.
        let steps = (component / scale).clamp(-MAX_CODE, MAX_CODE);
        // To the nearest, halves away from zero, by instructions that every processor has.
        let whole = steps as i32;
        let rest = steps - whole as f32;
        *code = (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i8;
    }
    scale
}

/// Checks a dimension that a caller asked for.
pub(crate) fn check_dimension(dimension: u32) -> Result<(), VectorError> {
    if (1..=MAX_DIMENSION).contains(&dimension) {
        Ok(())
    } else {
        Err(VectorError::DimensionOutOfRange { dimension })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_small_and_very_large_vectors_keep_their_direction() {
        for size in [f32::MIN_POSITIVE / 1024.0, 1.0, f32::MAX / 2.0] {
            let mut unit = [7.0; 4];
            normalise_vector(&[size, -size], 2, &mut unit).expect("a direction");
            assert!((unit[0] - 0.5_f32.sqrt()).abs() < 1e-6, "{unit:?}");
            assert_eq!(unit[1], -unit[0]);
            assert_eq!(unit[2..], [0.0, 0.0]);
        }
    }

    #[test]
    fn vectors_without_direction_are_refused() {
        let refusal = |vector: &[f32]| normalise_vector(vector, 2, &mut [0.0; 2]);
        assert_eq!(refusal(&[0.0, -0.0]), Err(VectorError::Zero));
        assert_eq!(refusal(&[1.0, f32::NAN]), Err(VectorError::NotFinite { position: 1 }));
        assert_eq!(refusal(&[f32::INFINITY, 1.0]), Err(VectorError::NotFinite { position: 0 }));
        assert_eq!(refusal(&[1.0]), Err(VectorError::Length { expected: 2, found: 1 }));
    }

    #[test]
    fn codes_reach_127_and_round_to_nearest() {
        let mut codes = [0; 4];
        let scale = quantize_vector(&[-0.5, 0.25, 0.001, 0.0], &mut codes);
        assert_eq!(codes, [-127, 64, 0, 0]);
        assert!((scale - 0.5 / 127.0).abs() < 1e-9);
    }
}
