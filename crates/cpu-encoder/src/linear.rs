//! Weights of a linear layer, packed once for the products they are used in.

use crate::{
    aligned::Aligned,
    kernels::{ACTIVATION_LIMIT, Finish, Format, Left, Level, PANEL, Right},
};

/// A packed linear layer.
pub(crate) struct Linear {
    format: Format,
    depth: usize,
    words: Aligned<u32>,
    bias: Vec<f32>,
    units: Vec<f32>,
    offsets: Vec<u32>,
    columns: usize,
}

impl Linear {
    /// Packs weights of one row for each of `columns` outputs; `columns` is a multiple of
    /// [`PANEL`], a row of four, and `bias` is empty or has a number for each column.
    pub(crate) fn new(format: Format, weights: &[f32], columns: usize, bias: Vec<f32>) -> Self {
        let terms = weights.len() / columns;
        let depth = terms / format.group();
        let mut words = Aligned::default();
        words.reset(columns * depth);
        let mut packed =
            Self { format, depth, words, bias, units: Vec::new(), offsets: Vec::new(), columns };
        for (column, row) in weights.chunks_exact(terms).enumerate() {
            let start = column / PANEL * PANEL * depth + column % PANEL;
            let words = packed.words[start..].iter_mut().step_by(PANEL);
            let unit = unit(format, row);
            for (word, group) in words.zip(row.chunks_exact(format.group())) {
                *word = word_of(format, group, unit);
            }
            if format.is_integer() {
                packed.units.push(unit);
            }
            if format == Format::Int8 {
                let sum: i32 = row.iter().map(|weight| (weight / unit).round() as i32).sum();
                packed.offsets.push((128 * sum).cast_unsigned());
            }
        }
        packed
    }

    /// What its inputs are encoded in.
    pub(crate) fn format(&self) -> Format {
        self.format
    }

    /// Applies the layer to encoded rows.
    pub(crate) fn apply(
        &self,
        level: Level,
        rows: &EncodedRows,
        finish: Finish,
        out: &mut [f32],
        stride: usize,
    ) {
        let right = Right {
            format: self.format,
            columns: self.columns,
            depth: self.depth,
            words: &self.words,
            bias: &self.bias,
            units: &self.units,
            offsets: &self.offsets,
        };
        level.multiply(rows.left(), right, finish, out, stride);
    }
}

/// Rows of activations, written as the left side of products.
#[derive(Default)]
pub(crate) struct EncodedRows {
    words: Aligned<u32>,
    units: Vec<f32>,
    stride: usize,
}

impl EncodedRows {
    /// Encodes rows of `width` numbers that stand one after the other.
    pub(crate) fn fill(&mut self, level: Level, format: Format, rows: &[f32], width: usize) {
        self.begin(format, rows.len() / width, width);
        for (at, row) in rows.chunks_exact(width).enumerate() {
            self.set(level, format, at, row, ACTIVATION_LIMIT);
        }
    }

    /// Makes room for rows that are then [`set`](Self::set) one by one.
    pub(crate) fn begin(&mut self, format: Format, rows: usize, width: usize) {
        self.stride = width / format.group();
        self.words.resize(rows * self.stride);
        self.units.clear();
        if format.is_integer() {
            self.units.resize(rows, 1.0);
        }
    }

    /// Encodes one row; 16-bit integers reach to `limit`.
    pub(crate) fn set(&mut self, level: Level, format: Format, at: usize, row: &[f32], limit: f32) {
        let words = &mut self.words[at * self.stride..][..self.stride];
        let unit = level.encode(format, row, limit, words);
        if let Some(slot) = self.units.get_mut(at) {
            *slot = unit;
        }
    }

    /// Writes the softmax of each row of scores, of which `count` are valid.
    pub(crate) fn fill_softmax(
        &mut self,
        level: Level,
        format: Format,
        scores: &mut [f32],
        width: usize,
        count: usize,
    ) {
        let rows = scores.len() / width;
        self.begin(format, rows, width);
        self.units.resize(rows, 1.0);
        for (at, row) in scores.chunks_exact_mut(width).enumerate() {
            let words = &mut self.words[at * self.stride..][..self.stride];
            self.units[at] = level.softmax(format, row, count, words);
        }
    }

    pub(crate) fn left(&self) -> Left<'_> {
        let rows = self.words.len().checked_div(self.stride).unwrap_or(0);
        Left { words: &self.words, stride: self.stride, rows, units: &self.units }
    }
}

/// The value of one unit in a column of weights. The products of 16-bit weights with activations of
/// [`ACTIVATION_LIMIT`] add up within 32 bits; rounding adds at most a half to each weight.
fn unit(format: Format, row: &[f32]) -> f32 {
    let greatest = row.iter().fold(f32::MIN_POSITIVE * 65_536.0, |a, b| a.max(b.abs()));
    match format {
        Format::F32 | Format::Bf16 => 1.0,
        Format::Int8 => greatest / 127.0,
        Format::Int16 => {
            let total: f64 = row.iter().map(|weight| f64::from(weight.abs())).sum();
            let bound = f64::from(i32::MAX) / f64::from(ACTIVATION_LIMIT) - row.len() as f64;
            (greatest / f32::from(i16::MAX)).max((total / bound.max(1.0)) as f32)
        }
    }
}

fn word_of(format: Format, group: &[f32], unit: f32) -> u32 {
    let joined = |bits: u32, of: &dyn Fn(f32) -> u32| {
        group.iter().rev().fold(0_u32, |word, &weight| word.wrapping_shl(bits) | of(weight))
    };
    match format {
        Format::F32 => group[0].to_bits(),
        Format::Bf16 => joined(16, &nearest_half),
        Format::Int16 => {
            joined(16, &|weight| u32::from(((weight / unit).round() as i16).cast_unsigned()))
        }
        Format::Int8 => {
            joined(8, &|weight| u32::from(((weight / unit).round() as i8).cast_unsigned()))
        }
    }
}

/// The nearest bfloat16 number, ties to even.
fn nearest_half(weight: f32) -> u32 {
    let bits = weight.to_bits();
    (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
}
