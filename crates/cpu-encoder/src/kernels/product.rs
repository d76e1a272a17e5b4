//! The product of rows with packed columns, computed tile by tile in registers, and the epilogue of
//! each sum: scales, bias, activation, residual.

use super::{
    format::PANEL,
    lanes::SimdLanes,
    rows::{gelu, silu},
};
use crate::Precision;

/// Rows of activations, each a run of words.
#[derive(Clone, Copy)]
pub(crate) struct LeftOperand<'a> {
    /// The rows, one after the other.
    pub(crate) words: &'a [u32],
    /// Words from one row to the next.
    pub(crate) stride: usize,
    /// How many rows.
    pub(crate) rows: usize,
    /// The quantization scale of each row; empty means 1.
    pub(crate) scales: &'a [f32],
}

/// The shape of packed columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnShape {
    /// What the words hold.
    pub(crate) format: Precision,
    /// Columns, a multiple of [`PANEL`].
    pub(crate) columns: usize,
    /// Words in a column.
    pub(crate) depth: usize,
}

/// Packed columns: in each panel of [`PANEL`] columns, word `w` of all its columns is contiguous.
#[derive(Clone, Copy)]
pub(crate) struct RightOperand<'a> {
    /// Their shape.
    pub(crate) shape: ColumnShape,
    /// The panels.
    pub(crate) words: &'a [u32],
    /// What is applied to the sums.
    pub(crate) terms: ColumnTerms<'a>,
}

/// What the epilogue applies to the sums of each column.
#[derive(Clone, Copy, Default)]
pub(crate) struct ColumnTerms<'a> {
    /// Added to each column's sums; empty means 0.
    pub(crate) bias: &'a [f32],
    /// The quantization scale of each column; integers only.
    pub(crate) scales: &'a [f32],
    /// What the offset of the left side adds to each column's sums; `Int8` only.
    pub(crate) offsets: &'a [u32],
}

/// The operation on a finished sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Epilogue {
    /// It is stored.
    Store,
    /// It is added to the stored number.
    Add,
    /// Its GELU is stored.
    Gelu,
    /// Vectors of columns come in pairs, up and gate: `up * silu(gate)` is stored, so that the
    /// output has half as many columns.
    GatedSilu,
}

/// How words are multiplied; the markers below make a copy of the loops for each format.
trait Dot {
    const FORMAT: Precision;
    /// # Safety
    /// As for the methods of [`SimdLanes`].
    unsafe fn dot<L: SimdLanes>(sum: L::Words, a: L::Words, b: L::Words) -> L::Words;
}

macro_rules! dots {
    ($($marker:ident $format:ident |$lanes:ident, $sum:ident, $a:ident, $b:ident| $body:expr;)*) => { $(
        struct $marker;
        impl Dot for $marker {
            const FORMAT: Precision = Precision::$format;
            #[inline(always)]
            unsafe fn dot<$lanes: SimdLanes>(
                $sum: $lanes::Words, $a: $lanes::Words, $b: $lanes::Words,
            ) -> $lanes::Words {
                // SAFETY: the caller promises the instructions.
                unsafe { $body }
            }
        }
    )* };
}

dots! {
    DotF32 F32 |L, sum, a, b| L::to_bits(L::fma(L::from_bits(a), L::from_bits(b), L::from_bits(sum)));
    DotBf16 Bf16 |L, sum, a, b| L::dot_bf16(sum, a, b);
    DotInt16 Int16 |L, sum, a, b| L::dot_i16(sum, a, b);
    DotInt8 Int8 |L, sum, a, b| L::dot_i8(sum, a, b);
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn multiply_rows<L: SimdLanes>(
    left: LeftOperand<'_>,
    right: RightOperand<'_>,
    finish: Epilogue,
    out: &mut [f32],
    stride: usize,
) {
    check_operands(&left, &right, finish, out, stride);
    let job = MatrixProduct { left, right, epilogue: finish, out: out.as_mut_ptr(), stride };
    // SAFETY: the caller promises the instructions, `check_operands` the lengths.
    unsafe {
        match right.shape.format {
            Precision::F32 => job.compute_tiles::<L, DotF32>(),
            Precision::Bf16 => job.compute_tiles::<L, DotBf16>(),
            Precision::Int16 => job.compute_tiles::<L, DotInt16>(),
            Precision::Int8 => job.compute_tiles::<L, DotInt8>(),
        }
    }
}

/// Everything the pointers rely on.
fn check_operands(
    left: &LeftOperand<'_>,
    right: &RightOperand<'_>,
    finish: Epilogue,
    out: &[f32],
    stride: usize,
) {
    let spans = |length: usize, stride: usize, row: usize| {
        left.rows == 0 || (row <= stride && (left.rows - 1) * stride + row <= length)
    };
    let per_column =
        |length: usize, needed: bool| length == if needed { right.shape.columns } else { 0 };
    let written =
        if finish == Epilogue::GatedSilu { right.shape.columns / 2 } else { right.shape.columns };
    assert!(right.shape.columns.is_multiple_of(PANEL), "columns come in panels");
    assert!(right.words.len() == right.shape.columns * right.shape.depth, "every column is whole");
    assert!(
        spans(left.words.len(), left.stride, right.shape.depth),
        "every row is as long as a column"
    );
    assert!(left.scales.is_empty() || left.scales.len() >= left.rows, "every row has its unit");
    assert!(
        right.terms.bias.is_empty() || right.terms.bias.len() == right.shape.columns,
        "all or no bias"
    );
    assert!(
        per_column(right.terms.scales.len(), right.shape.format.is_integer()),
        "integers have units"
    );
    assert!(
        per_column(right.terms.offsets.len(), right.shape.format == Precision::Int8),
        "bytes have offsets"
    );
    assert!(spans(out.len(), stride, written), "the output takes every row");
}

struct MatrixProduct<'a> {
    left: LeftOperand<'a>,
    right: RightOperand<'a>,
    epilogue: Epilogue,
    out: *mut f32,
    stride: usize,
}

impl MatrixProduct<'_> {
    /// # Safety
    /// The processor has the instructions of `L`, and [`check_operands`] has passed.
    #[inline(always)]
    unsafe fn compute_tiles<L: SimdLanes, D: Dot>(&self) {
        for column in (0..self.right.shape.columns).step_by(2 * L::WIDTH) {
            let mut row = 0;
            while row < self.left.rows {
                // SAFETY: the caller's promise; no tile reaches past the rows or columns.
                row += unsafe {
                    match self.left.rows - row {
                        12.. if L::ROWS >= 12 => self.compute_tile::<L, D, 12>(row, column),
                        8.. if L::ROWS >= 8 => self.compute_tile::<L, D, 8>(row, column),
                        6.. if L::ROWS >= 6 => self.compute_tile::<L, D, 6>(row, column),
                        4.. => self.compute_tile::<L, D, 4>(row, column),
                        2.. => self.compute_tile::<L, D, 2>(row, column),
                        _ => self.compute_tile::<L, D, 1>(row, column),
                    }
                };
            }
        }
    }

    /// Computes a tile of `ROWS` rows and two vectors of columns; returns `ROWS`.
    ///
    /// # Safety
    /// As for [`MatrixProduct::compute_tiles`]; the tile is within the rows and columns.
    #[expect(clippy::needless_range_loop, reason = "indexed by constants, sums stay in registers")]
    #[inline(always)]
    unsafe fn compute_tile<L: SimdLanes, D: Dot, const ROWS: usize>(
        &self,
        row: usize,
        column: usize,
    ) -> usize {
        // SAFETY: the words of a row and of a panel are within the slices that `check_operands` checked.
        unsafe {
            let depth = self.right.shape.depth;
            let left = self.left.words.as_ptr().add(row * self.left.stride);
            let panel = self.right.words.as_ptr().add(column / PANEL * PANEL * depth);
            let mut right = panel.add(column % PANEL);
            // Weights come from slow memory: the tiles of a panel together prefetch the next panel.
            let share = |rows: usize| PANEL * size_of::<u32>() * rows / self.left.rows;
            let mut next = panel.add(PANEL * depth).cast::<u8>().wrapping_add(depth * share(row));
            let mut sums = [[L::splat_word(0); 2]; ROWS];
            for word in 0..depth {
                let columns = [L::load_words(right), L::load_words(right.add(L::WIDTH))];
                right = right.add(PANEL);
                L::prefetch_line(next);
                next = next.wrapping_add(share(ROWS));
                for row in 0..ROWS {
                    let activation = L::splat_word(*left.add(row * self.left.stride + word));
                    for half in 0..2 {
                        sums[row][half] = D::dot::<L>(sums[row][half], activation, columns[half]);
                    }
                }
            }
            self.apply_epilogue::<L, D, ROWS>(row, column, sums);
        }
        ROWS
    }

    /// Applies scales, offsets and bias to the sums, and stores them as the epilogue says.
    ///
    /// # Safety
    /// As for [`MatrixProduct::compute_tile`].
    #[expect(clippy::needless_range_loop, reason = "indexed by constants, sums stay in registers")]
    #[inline(always)]
    unsafe fn apply_epilogue<L: SimdLanes, D: Dot, const ROWS: usize>(
        &self,
        row: usize,
        column: usize,
        sums: [[L::Words; 2]; ROWS],
    ) {
        // SAFETY: `check_operands` has checked that the output takes every row and column written here.
        unsafe {
            let columns = [column, column + L::WIDTH];
            let scales =
                [self.load_scales::<L, D>(columns[0]), self.load_scales::<L, D>(columns[1])];
            let offsets =
                [self.load_offsets::<L, D>(columns[0]), self.load_offsets::<L, D>(columns[1])];
            let bias = [self.load_bias::<L>(columns[0]), self.load_bias::<L>(columns[1])];
            for index in 0..ROWS {
                let row_scale = self.left.scales.get(row + index).copied().unwrap_or(1.0);
                let mut numbers = [L::splat_float(row_scale); 2];
                for half in 0..2 {
                    let sum = if D::FORMAT.is_integer() {
                        L::mul(
                            L::to_floats(L::sub_words(sums[index][half], offsets[half])),
                            scales[half],
                        )
                    } else {
                        L::from_bits(sums[index][half])
                    };
                    numbers[half] = L::fma(sum, numbers[half], bias[half]);
                }
                self.store_row::<L>(row + index, column, numbers);
            }
        }
    }

    /// # Safety
    /// As for [`MatrixProduct::compute_tile`].
    #[inline(always)]
    unsafe fn load_scales<L: SimdLanes, D: Dot>(&self, column: usize) -> L::Floats {
        // SAFETY: `check_operands` has checked that integers have a unit for each column.
        unsafe {
            if D::FORMAT.is_integer() {
                L::load_floats(self.right.terms.scales.as_ptr().add(column))
            } else {
                L::splat_float(1.0)
            }
        }
    }

    /// # Safety
    /// As for [`MatrixProduct::compute_tile`].
    #[inline(always)]
    unsafe fn load_offsets<L: SimdLanes, D: Dot>(&self, column: usize) -> L::Words {
        // SAFETY: `check_operands` has checked that bytes have an offset for each column.
        unsafe {
            match D::FORMAT {
                Precision::Int8 => L::load_words(self.right.terms.offsets.as_ptr().add(column)),
                Precision::F32 | Precision::Bf16 | Precision::Int16 => L::splat_word(0),
            }
        }
    }

    /// # Safety
    /// As for [`MatrixProduct::compute_tile`].
    #[inline(always)]
    unsafe fn load_bias<L: SimdLanes>(&self, column: usize) -> L::Floats {
        // SAFETY: `check_operands` has checked that there is a bias for each column or none.
        unsafe {
            if self.right.terms.bias.is_empty() {
                L::splat_float(0.0)
            } else {
                L::load_floats(self.right.terms.bias.as_ptr().add(column))
            }
        }
    }

    /// Stores the numbers of one row of a tile as the epilogue says.
    ///
    /// # Safety
    /// As for [`MatrixProduct::compute_tile`].
    #[inline(always)]
    unsafe fn store_row<L: SimdLanes>(&self, row: usize, column: usize, numbers: [L::Floats; 2]) {
        let [first, second] = numbers;
        // SAFETY: `check_operands` has checked that the output takes every row and column written here.
        unsafe {
            let start = self.out.add(row * self.stride);
            let spot = start.add(column);
            match self.epilogue {
                Epilogue::Store => {
                    L::store_floats(spot, first);
                    L::store_floats(spot.add(L::WIDTH), second);
                }
                Epilogue::Add => {
                    L::store_floats(spot, L::add(L::load_floats(spot), first));
                    let beside = spot.add(L::WIDTH);
                    L::store_floats(beside, L::add(L::load_floats(beside), second));
                }
                Epilogue::Gelu => {
                    L::store_floats(spot, gelu::<L>(first));
                    L::store_floats(spot.add(L::WIDTH), gelu::<L>(second));
                }
                Epilogue::GatedSilu => {
                    L::store_floats(start.add(column / 2), L::mul(first, silu::<L>(second)));
                }
            }
        }
    }
}
