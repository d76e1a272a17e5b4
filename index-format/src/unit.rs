//! Vectors made ready to store or to compare: scaled to length 1, and cut down to 8-bit codes.

use crate::MAX_DIMENSION;
use crate::error::VectorError;

/// The largest code; -128 is not used, so that codes are symmetric about zero.
const MAX_CODE: f32 = 127.0;

/// Writes the vector, scaled to length 1, at the front of `unit` and zeroes the rest.
///
/// `unit` is at least `dimension` long.
pub(crate) fn normalise(
    vector: &[f32],
    dimension: u32,
    unit: &mut [f32],
) -> Result<(), VectorError> {
    if vector.len() != dimension as usize {
        return Err(VectorError::Length { expected: dimension, found: vector.len() });
    }
    if let Some(position) = vector.iter().position(|component| !component.is_finite()) {
        return Err(VectorError::NotFinite { position });
    }
    // In f64 the squares of the largest and of the smallest f32 neither overflow nor vanish.
    let squares: f64 = vector.iter().map(|component| f64::from(*component).powi(2)).sum();
    if squares == 0.0 {
        return Err(VectorError::Zero);
    }
    let norm = squares.sqrt();
    unit.fill(0.0);
    for (out, component) in unit.iter_mut().zip(vector) {
        *out = (f64::from(*component) / norm) as f32;
    }
    Ok(())
}

/// Writes the codes of a row and returns its scale: a component is about its code times the scale.
pub(crate) fn quantise(components: &[f32], codes: &mut [i8]) -> f32 {
    let largest = components.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
    let scale = largest / MAX_CODE;
    for (code, component) in codes.iter_mut().zip(components) {
        *code = (component / scale).round().clamp(-MAX_CODE, MAX_CODE) as i8;
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
            normalise(&[size, -size], 2, &mut unit).expect("a direction");
            assert!((unit[0] - 0.5_f32.sqrt()).abs() < 1e-6, "{unit:?}");
            assert_eq!(unit[1], -unit[0]);
            assert_eq!(unit[2..], [0.0, 0.0]);
        }
    }

    #[test]
    fn vectors_without_direction_are_refused() {
        let refusal = |vector: &[f32]| normalise(vector, 2, &mut [0.0; 2]);
        assert_eq!(refusal(&[0.0, -0.0]), Err(VectorError::Zero));
        assert_eq!(refusal(&[1.0, f32::NAN]), Err(VectorError::NotFinite { position: 1 }));
        assert_eq!(refusal(&[f32::INFINITY, 1.0]), Err(VectorError::NotFinite { position: 0 }));
        assert_eq!(refusal(&[1.0]), Err(VectorError::Length { expected: 2, found: 1 }));
    }

    #[test]
    fn codes_reach_127_and_round_to_nearest() {
        let mut codes = [0; 4];
        let scale = quantise(&[-0.5, 0.25, 0.001, 0.0], &mut codes);
        assert_eq!(codes, [-127, 64, 0, 0]);
        assert!((scale - 0.5 / 127.0).abs() < 1e-9);
    }
}
