//! The formats of the numbers in a product: 32-bit words of one, two or four numbers.

/// Columns that are interleaved in packed weights: two vectors of the widest instruction set.
pub(crate) const PANEL: usize = 32;

/// The largest magnitude of activations as 16-bit integers: twelve bits, so that weights can have about
/// as many without a sum of a few thousand products overflowing 32 bits.
pub(crate) const ACTIVATION_LIMIT: f32 = 4095.0;

/// Added to 8-bit activations, because the instructions multiply unsigned bytes with signed ones.
pub(crate) const INT8_OFFSET: i32 = 128;

/// Lower bound of the largest magnitude in a row: with it, the reciprocal of the scale is finite.
pub(crate) const MIN_MAGNITUDE: f32 = f32::MIN_POSITIVE * 65_536.0;

/// The greatest magnitude of 16-bit integers for which the sum of `terms` products fits in 32 bits.
pub(crate) fn pair_limit(terms: usize) -> f32 {
    let bound = f64::from(i32::MAX) / terms.max(1) as f64;
    bound.sqrt().floor().min(f64::from(i16::MAX)) as f32
}
