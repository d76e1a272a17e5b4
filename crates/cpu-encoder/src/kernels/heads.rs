//! Keys and values of one attention head as right sides of products.

use crate::aligned::Aligned;

use super::{
    format::{ACTIVATION_LIMIT, Format, PANEL, pair_limit},
    lanes::Lanes,
    product::Right,
    rows,
};

/// The numbers of one head within rows of a wider table.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a> {
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

impl<'a> Strip<'a> {
    /// The strip's part of one row.
    pub(crate) fn row(&self, row: usize) -> &'a [f32] {
        &self.table[row * self.stride + self.start..][..self.width]
    }
}

/// Packed keys: a column for each token.
#[derive(Default)]
pub(crate) struct Keys {
    words: Aligned<u32>,
    units: Aligned<f32>,
    row: Vec<u32>,
    depth: usize,
    columns: usize,
}

/// Packed values: a column for each number of the head.
#[derive(Default)]
pub(crate) struct Values {
    words: Aligned<u32>,
    units: Aligned<f32>,
    factors: Vec<f32>,
    depth: usize,
}

impl Keys {
    pub(crate) fn right(&self, format: Format) -> Right<'_> {
        let units: &[f32] = if format.is_integer() { &self.units } else { &[] };
        let (columns, depth) = (self.columns, self.depth);
        Right { format, columns, depth, words: &self.words, bias: &[], units, offsets: &[] }
    }
}

impl Values {
    pub(crate) fn right(&self, format: Format) -> Right<'_> {
        let units: &[f32] = if format.is_integer() { &self.units } else { &[] };
        let (columns, depth) = (self.units.len(), self.depth);
        Right { format, columns, depth, words: &self.words, bias: &[], units, offsets: &[] }
    }
}

/// Columns after the last token stay zero.
///
/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn pack_keys<L: Lanes>(format: Format, strip: Strip<'_>, keys: &mut Keys) {
    keys.depth = strip.width.div_ceil(format.group());
    keys.columns = strip.rows.next_multiple_of(PANEL);
    keys.words.reset(keys.columns * keys.depth);
    keys.units.reset(keys.columns);
    keys.row.clear();
    keys.row.resize(keys.depth, 0);
    let limit = pair_limit(strip.width);
    for token in 0..strip.rows {
        // SAFETY: the caller promises the instructions.
        keys.units[token] =
            unsafe { rows::encode::<L>(format, strip.row(token), limit, &mut keys.row) };
        let panel = &mut keys.words[token / PANEL * PANEL * keys.depth..][..PANEL * keys.depth];
        for (words, word) in panel.chunks_exact_mut(PANEL).zip(&keys.row) {
            words[token % PANEL] = *word;
        }
    }
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn pack_values<L: Lanes>(format: Format, strip: Strip<'_>, values: &mut Values) {
    assert!(strip.width.is_multiple_of(PANEL), "a head is whole panels");
    let group = format.group();
    values.depth = strip.rows.div_ceil(group);
    values.words.reset(strip.width * values.depth);
    values.units.reset(strip.width);
    // SAFETY: the caller promises the instructions.
    unsafe { value_units::<L>(format, strip, values) };
    let nothing = [0.0; PANEL];
    for start in (0..strip.width).step_by(PANEL) {
        let panel = &mut values.words[start * values.depth..][..PANEL * values.depth];
        let part = |token: usize| {
            if token < strip.rows { &strip.row(token)[start..start + PANEL] } else { &nothing }
        };
        let factors = &values.factors[start..start + PANEL];
        for (at, words) in panel.chunks_exact_mut(PANEL).enumerate() {
            let pair = [part(at * group), part(at * group + group - 1)];
            // SAFETY: the caller promises the instructions; all slices are one panel wide.
            unsafe { join::<L>(format, pair, factors, words) };
        }
    }
}

/// Fills in the units of the columns and their reciprocals.
///
/// # Safety
/// The processor has the instructions of `L`; the strip's width is whole panels.
#[inline(always)]
unsafe fn value_units<L: Lanes>(format: Format, strip: Strip<'_>, values: &mut Values) {
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
                let spot = values.units.as_mut_ptr().add(at);
                let magnitude = rows::absolute::<L>(L::load(row.as_ptr().add(at)));
                L::store(spot, L::max(L::load(spot), magnitude));
            }
        }
    }
    for (unit, factor) in values.units.iter_mut().zip(&mut values.factors) {
        *unit = rows::unit(*unit, ACTIVATION_LIMIT);
        *factor = 1.0 / *unit;
    }
}

/// Writes the numbers of one token, or of two beside each other, as words.
///
/// # Safety
/// The processor has the instructions of `L`; all slices are one panel wide.
#[inline(always)]
unsafe fn join<L: Lanes>(format: Format, pair: [&[f32]; 2], factors: &[f32], words: &mut [u32]) {
    for at in (0..PANEL).step_by(L::WIDTH) {
        // SAFETY: a panel is whole vectors.
        unsafe {
            let [first, second] = pair.map(|row| L::load(row.as_ptr().add(at)));
            let factor = L::load(factors.as_ptr().add(at));
            let whole = |floats| L::round(L::mul(floats, factor));
            let both = |first, second| {
                let low = L::and(first, L::splat_word(0xffff));
                L::or(low, L::shift_left::<16>(second))
            };
            let joined = match format {
                Format::F32 => L::bits(first),
                Format::Bf16 => {
                    both(rows::rounded_half::<L>(first), rows::rounded_half::<L>(second))
                }
                Format::Int16 => both(whole(first), whole(second)),
                Format::Int8 => unreachable!("attention has no byte format"),
            };
            L::store_words(words.as_mut_ptr().add(at), joined);
        }
    }
}
