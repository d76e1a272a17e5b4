//! The product of rows with packed columns, computed tile by tile in registers, and what follows
//! each sum: units, bias, activation, residual.

use super::{
    format::{Format, PANEL},
    lanes::Lanes,
    rows::{gelu, silu},
};

/// Rows of activations, each a run of words.
#[derive(Clone, Copy)]
pub(crate) struct Left<'a> {
    /// The rows, one after the other.
    pub(crate) words: &'a [u32],
    /// Words from one row to the next.
    pub(crate) stride: usize,
    /// How many rows.
    pub(crate) rows: usize,
    /// The value of one unit in each row; empty means 1.
    pub(crate) units: &'a [f32],
}

/// Packed columns: for each panel of [`PANEL`] columns, word `w` of all its columns stands together.
#[derive(Clone, Copy)]
pub(crate) struct Right<'a> {
    /// What the words hold.
    pub(crate) format: Format,
    /// Columns, a multiple of [`PANEL`].
    pub(crate) columns: usize,
    /// Words in a column.
    pub(crate) depth: usize,
    /// The panels.
    pub(crate) words: &'a [u32],
    /// Added to each column's sums; empty means 0.
    pub(crate) bias: &'a [f32],
    /// The value of one unit in each column; integers only.
    pub(crate) units: &'a [f32],
    /// What the offset of the left side adds to each column's sums; `Int8` only.
    pub(crate) offsets: &'a [u32],
}

/// What is done with a finished sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It is stored.
    Store,
    /// It is added to what is there.
    Add,
    /// Its GELU is stored.
    Gelu,
    /// Vectors of columns come in pairs, up and gate: `up * silu(gate)` is stored, so that the
    /// output has half as many columns.
    GatedSilu,
}

/// How words are multiplied; the markers below make a copy of the loops for each format.
trait Dot {
    const FORMAT: Format;
    /// # Safety
    /// As for the methods of [`Lanes`].
    unsafe fn dot<L: Lanes>(sum: L::Words, a: L::Words, b: L::Words) -> L::Words;
}

macro_rules! dots {
    ($($marker:ident $format:ident |$lanes:ident, $sum:ident, $a:ident, $b:ident| $body:expr;)*) => { $(
        struct $marker;
        impl Dot for $marker {
            const FORMAT: Format = Format::$format;
            #[inline(always)]
            unsafe fn dot<$lanes: Lanes>(
                $sum: $lanes::Words, $a: $lanes::Words, $b: $lanes::Words,
            ) -> $lanes::Words {
                // SAFETY: the caller promises the instructions.
                unsafe { $body }
            }
        }
    )* };
}

dots! {
    DotF32 F32 |L, sum, a, b| L::bits(L::fma(L::from_bits(a), L::from_bits(b), L::from_bits(sum)));
    DotBf16 Bf16 |L, sum, a, b| L::dot_bf16(sum, a, b);
    DotInt16 Int16 |L, sum, a, b| L::dot_i16(sum, a, b);
    DotInt8 Int8 |L, sum, a, b| L::dot_i8(sum, a, b);
}

/// # Safety
/// The processor has the instructions of `L`.
#[inline(always)]
pub(super) unsafe fn multiply<L: Lanes>(
    left: Left<'_>,
    right: Right<'_>,
    finish: Finish,
    out: &mut [f32],
    stride: usize,
) {
    check(&left, &right, finish, out, stride);
    let job = Job { left, right, finish, out: out.as_mut_ptr(), stride };
    // SAFETY: the caller promises the instructions, `check` the lengths.
    unsafe {
        match right.format {
            Format::F32 => job.run::<L, DotF32>(),
            Format::Bf16 => job.run::<L, DotBf16>(),
            Format::Int16 => job.run::<L, DotInt16>(),
            Format::Int8 => job.run::<L, DotInt8>(),
        }
    }
}

/// Everything the pointers rely on.
fn check(left: &Left<'_>, right: &Right<'_>, finish: Finish, out: &[f32], stride: usize) {
    let spans = |length: usize, stride: usize, row: usize| {
        left.rows == 0 || (row <= stride && (left.rows - 1) * stride + row <= length)
    };
    let per_column = |length: usize, needed: bool| length == if needed { right.columns } else { 0 };
    let written = if finish == Finish::GatedSilu { right.columns / 2 } else { right.columns };
    assert!(right.columns.is_multiple_of(PANEL), "columns come in panels");
    assert!(right.words.len() == right.columns * right.depth, "every column is whole");
    assert!(spans(left.words.len(), left.stride, right.depth), "every row is as long as a column");
    assert!(left.units.is_empty() || left.units.len() >= left.rows, "every row has its unit");
    assert!(right.bias.is_empty() || right.bias.len() == right.columns, "all or no bias");
    assert!(per_column(right.units.len(), right.format.is_integer()), "integers have units");
    assert!(per_column(right.offsets.len(), right.format == Format::Int8), "bytes have offsets");
    assert!(spans(out.len(), stride, written), "the output takes every row");
}

struct Job<'a> {
    left: Left<'a>,
    right: Right<'a>,
    finish: Finish,
    out: *mut f32,
    stride: usize,
}

impl Job<'_> {
    /// # Safety
    /// The processor has the instructions of `L`, and [`check`] has passed.
    #[inline(always)]
    unsafe fn run<L: Lanes, D: Dot>(&self) {
        for column in (0..self.right.columns).step_by(2 * L::WIDTH) {
            let mut row = 0;
            while row < self.left.rows {
                // SAFETY: the caller's promise; no tile reaches past the rows or columns.
                row += unsafe {
                    match self.left.rows - row {
                        12.. if L::ROWS >= 12 => self.tile::<L, D, 12>(row, column),
                        8.. if L::ROWS >= 8 => self.tile::<L, D, 8>(row, column),
                        6.. if L::ROWS >= 6 => self.tile::<L, D, 6>(row, column),
                        4.. => self.tile::<L, D, 4>(row, column),
                        2.. => self.tile::<L, D, 2>(row, column),
                        _ => self.tile::<L, D, 1>(row, column),
                    }
                };
            }
        }
    }

    /// Computes a tile of `ROWS` rows and two vectors of columns; returns `ROWS`.
    ///
    /// # Safety
    /// As for [`Job::run`]; the tile lies within the rows and columns.
    #[expect(clippy::needless_range_loop, reason = "indexed by constants, sums stay in registers")]
    #[inline(always)]
    unsafe fn tile<L: Lanes, D: Dot, const ROWS: usize>(&self, row: usize, column: usize) -> usize {
        // SAFETY: the words of a row and of a panel are within the slices that `check` measured.
        unsafe {
            let depth = self.right.depth;
            let left = self.left.words.as_ptr().add(row * self.left.stride);
            let panel = self.right.words.as_ptr().add(column / PANEL * PANEL * depth);
            let mut right = panel.add(column % PANEL);
            // Weights come from far away: all tiles of a panel together ask for the next panel.
            let share = |rows: usize| PANEL * size_of::<u32>() * rows / self.left.rows;
            let mut next = panel.add(PANEL * depth).cast::<u8>().wrapping_add(depth * share(row));
            let mut sums = [[L::splat_word(0); 2]; ROWS];
            for word in 0..depth {
                let columns = [L::load_words(right), L::load_words(right.add(L::WIDTH))];
                right = right.add(PANEL);
                L::prefetch(next);
                next = next.wrapping_add(share(ROWS));
                for row in 0..ROWS {
                    let activation = L::splat_word(*left.add(row * self.left.stride + word));
                    for half in 0..2 {
                        sums[row][half] = D::dot::<L>(sums[row][half], activation, columns[half]);
                    }
                }
            }
            self.finish::<L, D, ROWS>(row, column, sums);
        }
        ROWS
    }

    /// Makes numbers of the sums and does with them what is asked.
    ///
    /// # Safety
    /// As for [`Job::tile`].
    #[expect(clippy::needless_range_loop, reason = "indexed by constants, sums stay in registers")]
    #[inline(always)]
    unsafe fn finish<L: Lanes, D: Dot, const ROWS: usize>(
        &self,
        row: usize,
        column: usize,
        sums: [[L::Words; 2]; ROWS],
    ) {
        // SAFETY: `check` has seen that the output takes every row and column written here.
        unsafe {
            let places = [column, column + L::WIDTH];
            let units = [self.unit::<L, D>(places[0]), self.unit::<L, D>(places[1])];
            let offsets = [self.offset::<L, D>(places[0]), self.offset::<L, D>(places[1])];
            let bias = [self.bias::<L>(places[0]), self.bias::<L>(places[1])];
            for at in 0..ROWS {
                let unit = self.left.units.get(row + at).map_or(1.0, |unit| *unit);
                let mut numbers = [L::splat(unit); 2];
                for half in 0..2 {
                    let sum = if D::FORMAT.is_integer() {
                        L::mul(
                            L::to_floats(L::sub_words(sums[at][half], offsets[half])),
                            units[half],
                        )
                    } else {
                        L::from_bits(sums[at][half])
                    };
                    numbers[half] = L::fma(sum, numbers[half], bias[half]);
                }
                self.put::<L>(row + at, column, numbers);
            }
        }
    }

    /// # Safety
    /// As for [`Job::tile`].
    #[inline(always)]
    unsafe fn unit<L: Lanes, D: Dot>(&self, column: usize) -> L::Floats {
        // SAFETY: `check` has seen that integers have a unit for each column.
        unsafe {
            match D::FORMAT.is_integer() {
                true => L::load(self.right.units.as_ptr().add(column)),
                false => L::splat(1.0),
            }
        }
    }

    /// # Safety
    /// As for [`Job::tile`].
    #[inline(always)]
    unsafe fn offset<L: Lanes, D: Dot>(&self, column: usize) -> L::Words {
        // SAFETY: `check` has seen that bytes have an offset for each column.
        unsafe {
            match D::FORMAT {
                Format::Int8 => L::load_words(self.right.offsets.as_ptr().add(column)),
                Format::F32 | Format::Bf16 | Format::Int16 => L::splat_word(0),
            }
        }
    }

    /// # Safety
    /// As for [`Job::tile`].
    #[inline(always)]
    unsafe fn bias<L: Lanes>(&self, column: usize) -> L::Floats {
        // SAFETY: `check` has seen that there is a bias for each column or none.
        unsafe {
            match self.right.bias.is_empty() {
                true => L::splat(0.0),
                false => L::load(self.right.bias.as_ptr().add(column)),
            }
        }
    }

    /// Puts the numbers of one row of a tile where they belong.
    ///
    /// # Safety
    /// As for [`Job::tile`].
    #[inline(always)]
    unsafe fn put<L: Lanes>(&self, row: usize, column: usize, numbers: [L::Floats; 2]) {
        let [first, second] = numbers;
        // SAFETY: `check` has seen that the output takes every row and column written here.
        unsafe {
            let start = self.out.add(row * self.stride);
            let spot = start.add(column);
            match self.finish {
                Finish::Store => {
                    L::store(spot, first);
                    L::store(spot.add(L::WIDTH), second);
                }
                Finish::Add => {
                    L::store(spot, L::add(L::load(spot), first));
                    let beside = spot.add(L::WIDTH);
                    L::store(beside, L::add(L::load(beside), second));
                }
                Finish::Gelu => {
                    L::store(spot, gelu::<L>(first));
                    L::store(spot.add(L::WIDTH), gelu::<L>(second));
                }
                Finish::GatedSilu => {
                    L::store(start.add(column / 2), L::mul(first, silu::<L>(second)));
                }
            }
        }
    }
}
