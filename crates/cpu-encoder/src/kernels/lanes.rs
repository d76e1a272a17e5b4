//! The operations of an instruction set: on vectors of 32-bit lanes, as floats and as words.
//!
//! The algorithms in this folder are written once over this trait and compiled once for each set,
//! inside a function that enables the set's instructions.

/// A vector of [`SimdLanes::WIDTH`] lanes.
///
/// # Safety
/// Every method may be called only on a processor that has the set's instructions. Pointers must be
/// valid for one vector (`store_16` and `store_8`: for `WIDTH` numbers of that size) and need no
/// alignment.
pub(super) trait SimdLanes {
    /// Lanes in a vector.
    const WIDTH: usize;
    /// Rows of a product that are computed together; two vectors of sums for each fit in registers: of AVX2 12 of 16,
    /// of AVX-512 24 of 32, which leaves room for operands. With more, sums would be stored and loaded in every step.
    const ROWS: usize;
    /// A vector of 32-bit floats.
    type Floats: Copy;
    /// A vector of 32-bit words.
    type Words: Copy;

    unsafe fn load_floats(from: *const f32) -> Self::Floats;
    unsafe fn store_floats(to: *mut f32, floats: Self::Floats);
    unsafe fn splat_float(float: f32) -> Self::Floats;
    unsafe fn add(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn sub(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn mul(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn div(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    unsafe fn max(a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// `a * b + c`.
    unsafe fn fma(a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    /// The sum of all lanes.
    unsafe fn reduce_sum(floats: Self::Floats) -> f32;
    /// The greatest lane.
    unsafe fn reduce_max(floats: Self::Floats) -> f32;

    unsafe fn load_words(from: *const u32) -> Self::Words;
    unsafe fn store_words(to: *mut u32, words: Self::Words);
    unsafe fn splat_word(word: u32) -> Self::Words;
    unsafe fn add_words(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn sub_words(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn and(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn or(a: Self::Words, b: Self::Words) -> Self::Words;
    unsafe fn shift_left<const BITS: u32>(words: Self::Words) -> Self::Words;
    /// A logical shift: the high bits become zero.
    unsafe fn shift_right<const BITS: u32>(words: Self::Words) -> Self::Words;
    /// Stores the low 16 bits of each word.
    unsafe fn store_16(to: *mut u16, words: Self::Words);
    /// Stores the low 8 bits of each word.
    unsafe fn store_8(to: *mut u8, words: Self::Words);

    /// Prefetches the cache line at an address, which need not be valid.
    unsafe fn prefetch_line(address: *const u8);

    /// The same bits as words.
    unsafe fn to_bits(floats: Self::Floats) -> Self::Words;
    /// The same bits as floats.
    unsafe fn from_bits(words: Self::Words) -> Self::Floats;
    /// The nearest integer, ties to even; unspecified beyond 32 bits.
    unsafe fn round_to_words(floats: Self::Floats) -> Self::Words;
    /// Signed integers as floats.
    unsafe fn to_floats(words: Self::Words) -> Self::Floats;

    /// The nearest integer as a float, ties to even.
    #[inline(always)]
    unsafe fn round_to_floats(floats: Self::Floats) -> Self::Floats {
        // SAFETY: the caller promises the instructions.
        unsafe { Self::to_floats(Self::round_to_words(floats)) }
    }
    /// `floats` times two to the power of `exponents`, which are integers between -126 and 127.
    #[inline(always)]
    unsafe fn scale_by_power(floats: Self::Floats, exponents: Self::Floats) -> Self::Floats {
        // SAFETY: the caller promises the instructions.
        unsafe {
            // A 32-bit float has its exponent above 23 bits of fraction, with a bias of 127.
            let biased = Self::add_words(Self::round_to_words(exponents), Self::splat_word(127));
            Self::mul(floats, Self::from_bits(Self::shift_left::<23>(biased)))
        }
    }

    /// Adds the products of two signed 16-bit pairs in each lane to a signed sum, which wraps.
    unsafe fn dot_i16(sum: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Adds the products of four unsigned bytes of `a` with four signed ones of `b` in each lane to
    /// a signed sum, which wraps.
    unsafe fn dot_i8(sum: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Adds the products of two bfloat16 pairs in each lane to a 32-bit float.
    unsafe fn dot_bf16(sum: Self::Words, a: Self::Words, b: Self::Words) -> Self::Words;
}

/// The products of the even and of the odd bfloat16 numbers, by 32-bit arithmetic: a bfloat16 is
/// the upper half of a 32-bit float.
///
/// # Safety
/// As for the methods of [`SimdLanes`].
#[inline(always)]
pub(super) unsafe fn widened_dot_bf16<L: SimdLanes>(
    sum: L::Words,
    a: L::Words,
    b: L::Words,
) -> L::Words {
    // SAFETY: the caller's promise is the one these methods ask for.
    unsafe {
        let upper = L::splat_word(0xffff_0000);
        let even = |words| L::from_bits(L::shift_left::<16>(words));
        let odd = |words| L::from_bits(L::and(words, upper));
        let sum = L::fma(even(a), even(b), L::from_bits(sum));
        L::to_bits(L::fma(odd(a), odd(b), sum))
    }
}
