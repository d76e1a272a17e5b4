//! Keys and values of one attention head as right operands of products.

use crate::aligned::AlignedBuffer;

use super::{
    format::{ACTIVATION_LIMIT, PANEL, pair_limit},
    lanes::SimdLanes,
    product::{ColumnShape, ColumnTerms, RightOperand},
    rows,
};
use crate::Precision;

/// The numbers of one head within rows of a wider table.
#[derive(Clone, Copy)]
pub(crate) struct HeadStrip<'a> {
    /// The table, from its first number.
    pub(crate) table: &'a [f32],
    /// Numbers from one row to the next.
    pub(crate) stride: usize,
    /// The first number of the strip in each row.
    pub(crate) start: usize,
    /// Numbers of the strip in each row.
    pub(crate) width: usize,
    /// How many rows.
    pub(crate) rows: usize,
}

impl<'a> HeadStrip<'a> {
    /// The strip's part of one row.
    pub(crate) fn row(&self, row: usize) -> &'a [f32] {
        &self.table[row * self.stride + self.start..][..self.width]
    }
}

/// Packed keys: a column for each token.
#[derive(Default)]
pub(crate) struct PackedKeys {
    words: AlignedBuffer<u32>,
    scales: AlignedBuffer<f32>,
    row: Vec<u32>,
    depth: usize,
    columns: usize,
}

/// Packed values: a column for each number of the head.
#[derive(Default)]
pub(crate) struct PackedValues {
    words: AlignedBuffer<u32>,
    scales: AlignedBuffer<f32>,
    factors: Vec<f32>,
    depth: usize,
}

impl PackedKeys {
    pub(crate) fn right_operand(&self, format: Precision) -> RightOperand<'_> {
        let scales: &[f32] = if format.is_integer() { &self.scales } else { &[] };
        let shape = ColumnShape { format, columns: self.columns, depth: self.depth };
        RightOperand {
            shape,
            words: &self.words,
            terms: ColumnTerms { scales, ..ColumnTerms::default() },
        }
    }
}

impl PackedValues {
    pub(crate) fn right_operand(&self, format: Precision) -> RightOperand<'_> {
        let scales: &[f32] = if format.is_integer() { &self.scales } else { &[] };
        let shape = ColumnShape { format, columns: self.scales.len(), depth: self.depth };
        RightOperand {
            shape,
            words: &self.words,
            terms: ColumnTerms { scales, ..ColumnTerms::default() },
        }
    }
}

/// Packs the keys; columns after the last token stay zero.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn pack_keys<L: SimdLanes>(
    format: Precision,
    strip: HeadStrip<'_>,
    keys: &mut PackedKeys,
) {
    keys.depth = strip.width.div_ceil(format.numbers_per_word());
    keys.columns = strip.rows.next_multiple_of(PANEL);
    keys.words.reset(keys.columns * keys.depth);
    keys.scales.reset(keys.columns);
    keys.row.clear();
    keys.row.resize(keys.depth, 0);
    let limit = pair_limit(strip.width);
    for token in 0..strip.rows {
        // SAFETY: the caller promises the instructions.
        keys.scales[token] =
            unsafe { rows::encode_row::<L>(format, strip.row(token), limit, &mut keys.row) };
        let panel = &mut keys.words[token / PANEL * PANEL * keys.depth..][..PANEL * keys.depth];
        for (words, word) in panel.chunks_exact_mut(PANEL).zip(&keys.row) {
            words[token % PANEL] = *word;
        }
    }
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn pack_values<L: SimdLanes>(
    format: Precision,
    strip: HeadStrip<'_>,
    values: &mut PackedValues,
) {
    assert!(strip.width.is_multiple_of(PANEL), "a head is whole panels");
    let group = format.numbers_per_word();
    values.depth = strip.rows.div_ceil(group);
    values.words.reset(strip.width * values.depth);
    values.scales.reset(strip.width);
    // SAFETY: the caller promises the instructions.
    unsafe { compute_value_scales::<L>(format, strip, values) };
    let zeros = [0.0; PANEL];
    for start in (0..strip.width).step_by(PANEL) {
        let panel = &mut values.words[start * values.depth..][..PANEL * values.depth];
        let part = |token: usize| {
            if token < strip.rows { &strip.row(token)[start..start + PANEL] } else { &zeros }
        };
        let factors = &values.factors[start..start + PANEL];
        for (index, words) in panel.chunks_exact_mut(PANEL).enumerate() {
            let pair = [part(index * group), part(index * group + group - 1)];
            // SAFETY: the caller promises the instructions; all slices are one panel wide.
            unsafe { join_words::<L>(format, pair, factors, words) };
        }
    }
}

/// Computes the scales of the columns and their reciprocals.
///
/// # Safety
/// The processor has the instructions of `L`; the strip's width is whole panels.
#[inline(always)]
unsafe fn compute_value_scales<L: SimdLanes>(
    format: Precision,
    strip: HeadStrip<'_>,
    values: &mut PackedValues,
) {
    values.factors.clear();
    values.factors.resize(strip.width, 1.0);
    if !format.is_integer() {
        return;
    }
    for token in 0..strip.rows {
        let row = strip.row(token);
        for at in (0..strip.width).step_by(L::WIDTH) {
            // SAFETY: a panel is whole vectors, and both slices are as long as the strip is wide.
            unsafe {
                let spot = values.scales.as_mut_ptr().add(at);
                let magnitude = rows::absolute_value::<L>(L::load_floats(row.as_ptr().add(at)));
                L::store_floats(spot, L::max(L::load_floats(spot), magnitude));
            }
        }
    }
    // Up to here the scales hold the largest magnitude of each column.
    for (scale, factor) in values.scales.iter_mut().zip(&mut values.factors) {
        *scale = rows::quantization_scale(*scale, ACTIVATION_LIMIT);
        *factor = 1.0 / *scale;
    }
}

/// Writes the numbers of one token, or of two beside each other, as words.
///
/// # Safety
/// The processor has the instructions of `L`; all slices are one panel wide.
#[inline(always)]
unsafe fn join_words<L: SimdLanes>(
    format: Precision,
    pair: [&[f32]; 2],
    factors: &[f32],
    words: &mut [u32],
) {
    for at in (0..PANEL).step_by(L::WIDTH) {
        // SAFETY: a panel is whole vectors.
        unsafe {
            let [first, second] = pair.map(|row| L::load_floats(row.as_ptr().add(at)));
            let factor = L::load_floats(factors.as_ptr().add(at));
            let whole = |floats| L::round_to_words(L::mul(floats, factor));
            let both = |first, second| {
                let low = L::and(first, L::splat_word(0xffff));
                L::or(low, L::shift_left::<16>(second))
            };
            let joined = match format {
                Precision::F32 => L::to_bits(first),
                Precision::Bf16 => {
                    both(rows::round_to_bf16::<L>(first), rows::round_to_bf16::<L>(second))
                }
                Precision::Int16 => both(whole(first), whole(second)),
                Precision::Int8 => unreachable!("attention has no byte format"),
            };
            L::store_words(words.as_mut_ptr().add(at), joined);
        }
    }
}
