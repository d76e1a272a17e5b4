//! Operations on single rows: normalisation, softmax, activations, and encoding as words.

use super::{
    format::{INT8_OFFSET, MIN_MAGNITUDE, PANEL},
    lanes::SimdLanes,
};
use crate::Precision;

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn layer_norm<L: SimdLanes>(
    row: &mut [f32],
    gain: &[f32],
    shift: &[f32],
    epsilon: f32,
) {
    assert!(row.len().is_multiple_of(L::WIDTH), "rows are whole vectors");
    assert!(gain.len() == row.len() && shift.len() == row.len(), "one factor for each number");
    let count = row.len() as f32;
    // SAFETY: every vector starts at a multiple of its width below the common length.
    unsafe {
        let mut sum = L::splat_float(0.0);
        for at in (0..row.len()).step_by(L::WIDTH) {
            sum = L::add(sum, L::load_floats(row.as_ptr().add(at)));
        }
        let mean = L::splat_float(L::reduce_sum(sum) / count);
        let mut squares = L::splat_float(0.0);
        for at in (0..row.len()).step_by(L::WIDTH) {
            let difference = L::sub(L::load_floats(row.as_ptr().add(at)), mean);
            squares = L::fma(difference, difference, squares);
        }
        let scale = L::splat_float(1.0 / (L::reduce_sum(squares) / count + epsilon).sqrt());
        for at in (0..row.len()).step_by(L::WIDTH) {
            let normal = L::mul(L::sub(L::load_floats(row.as_ptr().add(at)), mean), scale);
            let gain = L::load_floats(gain.as_ptr().add(at));
            let shift = L::load_floats(shift.as_ptr().add(at));
            L::store_floats(row.as_mut_ptr().add(at), L::fma(normal, gain, shift));
        }
    }
}

/// The greatest magnitude in a row of whole panels.
///
/// # Safety
/// The processor has the instructions of `L`; `row` consists of whole panels, and so of pairs of vectors.
#[inline(always)]
unsafe fn max_magnitude<L: SimdLanes>(row: &[f32]) -> f32 {
    // SAFETY: every vector starts at a multiple of its width below the length.
    unsafe {
        let mut greatest = [L::splat_float(0.0); 2];
        for at in (0..row.len()).step_by(2 * L::WIDTH) {
            let start = row.as_ptr().add(at);
            greatest[0] = L::max(greatest[0], absolute_value::<L>(L::load_floats(start)));
            greatest[1] =
                L::max(greatest[1], absolute_value::<L>(L::load_floats(start.add(L::WIDTH))));
        }
        L::reduce_max(L::max(greatest[0], greatest[1]))
    }
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn absolute_value<L: SimdLanes>(floats: L::Floats) -> L::Floats {
    // SAFETY: the caller promises the instructions.
    unsafe { L::from_bits(L::and(L::to_bits(floats), L::splat_word(0x7fff_ffff))) }
}

/// The scale with which `max_magnitude` becomes `limit`; that of a row of zeros does not matter.
pub(super) fn quantization_scale(max_magnitude: f32, limit: f32) -> f32 {
    max_magnitude.max(MIN_MAGNITUDE) / limit
}

/// Encodes a row and returns its scale. The largest magnitude of 16-bit integers is `limit`.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn encode_row<L: SimdLanes>(
    format: Precision,
    row: &[f32],
    limit: f32,
    out: &mut [u32],
) -> f32 {
    assert!(row.len().is_multiple_of(PANEL), "rows are whole panels");
    assert!(out.len() * format.numbers_per_word() >= row.len(), "the output takes the row");
    // SAFETY: every vector starts at a multiple of its width below the length.
    unsafe {
        let scale = match format {
            Precision::F32 | Precision::Bf16 => 1.0,
            Precision::Int16 => quantization_scale(max_magnitude::<L>(row), limit),
            Precision::Int8 => quantization_scale(max_magnitude::<L>(row), f32::from(i8::MAX)),
        };
        write_words::<L>(format, row, 1.0 / scale, out);
        scale
    }
}

/// Writes a row of whole vectors times `factor` as words.
///
/// # Safety
/// The processor has the instructions of `L`; `row` consists of whole vectors, and `out` has room for
/// them.
#[inline(always)]
unsafe fn write_words<L: SimdLanes>(format: Precision, row: &[f32], factor: f32, out: &mut [u32]) {
    // SAFETY: every vector starts at a multiple of its width below the length, and takes as many
    // numbers of the output's format there.
    unsafe {
        let factor = L::splat_float(factor);
        for at in (0..row.len()).step_by(L::WIDTH) {
            let floats = L::load_floats(row.as_ptr().add(at));
            match format {
                Precision::F32 => L::store_words(out.as_mut_ptr().add(at), L::to_bits(floats)),
                Precision::Bf16 => {
                    L::store_16(out.as_mut_ptr().cast::<u16>().add(at), round_to_bf16::<L>(floats));
                }
                Precision::Int16 => {
                    let whole = L::round_to_words(L::mul(floats, factor));
                    L::store_16(out.as_mut_ptr().cast::<u16>().add(at), whole);
                }
                Precision::Int8 => {
                    let whole = L::round_to_words(L::mul(floats, factor));
                    let offset = L::add_words(whole, L::splat_word(INT8_OFFSET as u32));
                    L::store_8(out.as_mut_ptr().cast::<u8>().add(at), offset);
                }
            }
        }
    }
}

/// The nearest bfloat16 numbers, ties to even, in the low 16 bits.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn round_to_bf16<L: SimdLanes>(floats: L::Floats) -> L::Words {
    // SAFETY: the caller promises the instructions.
    unsafe {
        let bits = L::to_bits(floats);
        let odd = L::and(L::shift_right::<16>(bits), L::splat_word(1));
        let rounding = L::add_words(odd, L::splat_word(0x7fff));
        L::shift_right::<16>(L::add_words(bits, rounding))
    }
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn softmax<L: SimdLanes>(
    format: Precision,
    scores: &mut [f32],
    count: usize,
    out: &mut [u32],
) -> f32 {
    assert!(scores.len().is_multiple_of(PANEL), "rows are whole panels");
    assert!(out.len() * format.numbers_per_word() >= scores.len(), "the output takes the row");
    scores[count..].fill(f32::MIN);
    // SAFETY: every vector starts at a multiple of its width below the length.
    unsafe {
        let mut greatest = [L::splat_float(f32::MIN); 2];
        for at in (0..scores.len()).step_by(2 * L::WIDTH) {
            let start = scores.as_ptr().add(at);
            greatest[0] = L::max(greatest[0], L::load_floats(start));
            greatest[1] = L::max(greatest[1], L::load_floats(start.add(L::WIDTH)));
        }
        let greatest = L::splat_float(L::reduce_max(L::max(greatest[0], greatest[1])));
        let mut sum = L::splat_float(0.0);
        for at in (0..scores.len()).step_by(L::WIDTH) {
            let spot = scores.as_mut_ptr().add(at);
            let power = exp::<L>(L::sub(L::load_floats(spot), greatest));
            sum = L::add(sum, power);
            L::store_floats(spot, power);
        }
        let sum = L::reduce_sum(sum);
        let scale = if format == Precision::Int16 { 1.0 / weight_limit(sum, count) } else { 1.0 };
        write_words::<L>(format, scores, 1.0 / scale, out);
        scale / sum
    }
}

/// The integer of the greatest weight, one: as large as the product with values of
/// [`super::ACTIVATION_LIMIT`] allows within 32 bits. Rounding adds at most a half to each weight.
fn weight_limit(sum: f32, count: usize) -> f32 {
    let bound = (i32::MAX as f32 / (super::ACTIVATION_LIMIT + 1.0)).floor() - count as f32;
    (bound / sum).clamp(1.0, f32::from(i16::MAX))
}

/// The least exponent of e: the result is near the smallest normal 32-bit float.
const MIN_EXPONENT: f32 = -87.0;

/// e to the power of each lane, which is at most about 88. Below -87, the result is that of -87.
///
/// Two to the power of the integer part is exact; that of the fraction is a polynomial of degree 5 with
/// the minimax relative error between minus a half and a half, about 2e-7 in 32 bits.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn exp<L: SimdLanes>(floats: L::Floats) -> L::Floats {
    const COEFFICIENTS: [f32; 5] = [9.675_541e-3, 5.550_713e-2, 0.240_221_2, 0.693_146_94, 1.0];
    // SAFETY: the caller promises the instructions.
    unsafe {
        let clamped = L::max(floats, L::splat_float(MIN_EXPONENT));
        let powers = L::mul(clamped, L::splat_float(std::f32::consts::LOG2_E));
        let integer_part = L::round_to_floats(powers);
        let fraction = L::sub(powers, integer_part);
        let mut polynomial = L::splat_float(1.327_647_1e-3);
        for coefficient in COEFFICIENTS {
            polynomial = L::fma(polynomial, fraction, L::splat_float(coefficient));
        }
        L::scale_by_power(polynomial, integer_part)
    }
}

/// `x * (1 + erf(x / sqrt(2))) / 2`, with erf by formula 7.1.26 of Abramowitz and Stegun, whose
/// error is below 2e-7.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn gelu<L: SimdLanes>(floats: L::Floats) -> L::Floats {
    const COEFFICIENTS: [f32; 4] = [-1.453_152_1, 1.421_413_8, -0.284_496_72, 0.254_829_6];
    // SAFETY: the caller promises the instructions.
    unsafe {
        let scaled = L::mul(floats, L::splat_float(std::f32::consts::FRAC_1_SQRT_2));
        let magnitude = absolute_value::<L>(scaled);
        let one = L::splat_float(1.0);
        let t = L::div(one, L::fma(magnitude, L::splat_float(0.327_591_1), one));
        let mut polynomial = L::splat_float(1.061_405_4);
        for coefficient in COEFFICIENTS {
            polynomial = L::fma(polynomial, t, L::splat_float(coefficient));
        }
        let power = exp::<L>(L::sub(L::splat_float(0.0), L::mul(scaled, scaled)));
        let erf = L::sub(one, L::mul(L::mul(polynomial, t), power));
        let half = L::mul(floats, L::splat_float(0.5));
        L::fma(absolute_value::<L>(half), erf, half)
    }
}

/// `x / (1 + e^-x)`.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn silu<L: SimdLanes>(floats: L::Floats) -> L::Floats {
    // SAFETY: the caller promises the instructions.
    unsafe {
        // e^87 is finite; the quotient is then nearly zero.
        let clamped = L::max(floats, L::splat_float(MIN_EXPONENT));
        let power = exp::<L>(L::sub(L::splat_float(0.0), clamped));
        L::div(floats, L::add(L::splat_float(1.0), power))
    }
}
