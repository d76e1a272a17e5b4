//! Vectors in plain Rust: the reference for the others, and the code for other processors.

use super::lanes::{SimdLanes, widened_dot_bf16};

const WIDTH: usize = 8;
/// 1.5 * 2^23: adding it to a float of less than 22 bits leaves the nearest integer in the low bits.
const ROUNDING: f32 = 12_582_912.0;

pub(super) struct Portable;

#[inline(always)]
fn map_lanes<A: Copy, B>(a: [A; WIDTH], b: [A; WIDTH], function: impl Fn(A, A) -> B) -> [B; WIDTH] {
    std::array::from_fn(|lane| function(a[lane], b[lane]))
}

fn split_halves(word: u32) -> [i32; 2] {
    [i32::from(word as u16 as i16), i32::from((word >> 16) as u16 as i16)]
}

impl SimdLanes for Portable {
    const WIDTH: usize = WIDTH;
    const ROWS: usize = 4;
    type Floats = [f32; WIDTH];
    type Words = [u32; WIDTH];

    #[inline(always)]
    unsafe fn load_floats(from: *const f32) -> [f32; WIDTH] {
        // SAFETY: the caller's pointer is valid for one vector.
        unsafe { from.cast::<[f32; WIDTH]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_floats(to: *mut f32, floats: [f32; WIDTH]) {
        // SAFETY: the caller's pointer is valid for one vector.
        unsafe { to.cast::<[f32; WIDTH]>().write_unaligned(floats) }
    }

    #[inline(always)]
    unsafe fn splat_float(float: f32) -> [f32; WIDTH] {
        [float; WIDTH]
    }

    #[inline(always)]
    unsafe fn add(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        map_lanes(a, b, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn sub(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        map_lanes(a, b, |a, b| a - b)
    }

    #[inline(always)]
    unsafe fn mul(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        map_lanes(a, b, |a, b| a * b)
    }

    #[inline(always)]
    unsafe fn div(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        map_lanes(a, b, |a, b| a / b)
    }

    #[inline(always)]
    unsafe fn max(a: [f32; WIDTH], b: [f32; WIDTH]) -> [f32; WIDTH] {
        map_lanes(a, b, |a, b| if a > b { a } else { b })
    }

    /// Not fused: without the instruction that would be a call for each lane.
    #[inline(always)]
    unsafe fn fma(a: [f32; WIDTH], b: [f32; WIDTH], c: [f32; WIDTH]) -> [f32; WIDTH] {
        std::array::from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    unsafe fn reduce_sum(floats: [f32; WIDTH]) -> f32 {
        floats.iter().sum()
    }

    #[inline(always)]
    unsafe fn reduce_max(floats: [f32; WIDTH]) -> f32 {
        floats.into_iter().fold(f32::MIN, f32::max)
    }

    #[inline(always)]
    unsafe fn load_words(from: *const u32) -> [u32; WIDTH] {
        // SAFETY: the caller's pointer is valid for one vector.
        unsafe { from.cast::<[u32; WIDTH]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store_words(to: *mut u32, words: [u32; WIDTH]) {
        // SAFETY: the caller's pointer is valid for one vector.
        unsafe { to.cast::<[u32; WIDTH]>().write_unaligned(words) }
    }

    #[inline(always)]
    unsafe fn splat_word(word: u32) -> [u32; WIDTH] {
        [word; WIDTH]
    }

    #[inline(always)]
    unsafe fn add_words(a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        map_lanes(a, b, u32::wrapping_add)
    }

    #[inline(always)]
    unsafe fn sub_words(a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        map_lanes(a, b, u32::wrapping_sub)
    }

    #[inline(always)]
    unsafe fn and(a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        map_lanes(a, b, |a, b| a & b)
    }

    #[inline(always)]
    unsafe fn or(a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        map_lanes(a, b, |a, b| a | b)
    }

    #[inline(always)]
    unsafe fn shift_left<const BITS: u32>(words: [u32; WIDTH]) -> [u32; WIDTH] {
        words.map(|word| word << BITS)
    }

    #[inline(always)]
    unsafe fn shift_right<const BITS: u32>(words: [u32; WIDTH]) -> [u32; WIDTH] {
        words.map(|word| word >> BITS)
    }

    #[inline(always)]
    unsafe fn store_16(to: *mut u16, words: [u32; WIDTH]) {
        // SAFETY: the caller's pointer is valid for as many numbers as there are lanes.
        unsafe { to.cast::<[u16; WIDTH]>().write_unaligned(words.map(|word| word as u16)) }
    }

    #[inline(always)]
    unsafe fn store_8(to: *mut u8, words: [u32; WIDTH]) {
        // SAFETY: the caller's pointer is valid for as many numbers as there are lanes.
        unsafe { to.cast::<[u8; WIDTH]>().write_unaligned(words.map(|word| word as u8)) }
    }

    #[inline(always)]
    unsafe fn prefetch_line(_address: *const u8) {}

    #[inline(always)]
    unsafe fn to_bits(floats: [f32; WIDTH]) -> [u32; WIDTH] {
        floats.map(f32::to_bits)
    }

    #[inline(always)]
    unsafe fn from_bits(words: [u32; WIDTH]) -> [f32; WIDTH] {
        words.map(f32::from_bits)
    }

    #[inline(always)]
    unsafe fn round_to_words(floats: [f32; WIDTH]) -> [u32; WIDTH] {
        floats.map(|float| (float + ROUNDING).to_bits().wrapping_sub(ROUNDING.to_bits()))
    }

    #[inline(always)]
    unsafe fn to_floats(words: [u32; WIDTH]) -> [f32; WIDTH] {
        words.map(|word| word.cast_signed() as f32)
    }

    #[inline(always)]
    unsafe fn dot_i16(sum: [u32; WIDTH], a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        std::array::from_fn(|lane| {
            let ([a0, a1], [b0, b1]) = (split_halves(a[lane]), split_halves(b[lane]));
            sum[lane].wrapping_add_signed(a0 * b0).wrapping_add_signed(a1 * b1)
        })
    }

    #[inline(always)]
    unsafe fn dot_i8(sum: [u32; WIDTH], a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        std::array::from_fn(|lane| {
            let pairs = a[lane].to_le_bytes().into_iter().zip(b[lane].to_le_bytes());
            let products = pairs.map(|(a, b)| i32::from(a) * i32::from(b.cast_signed()));
            sum[lane].wrapping_add_signed(products.sum())
        })
    }

    #[inline(always)]
    unsafe fn dot_bf16(sum: [u32; WIDTH], a: [u32; WIDTH], b: [u32; WIDTH]) -> [u32; WIDTH] {
        // SAFETY: this set asks nothing of the processor.
        unsafe { widened_dot_bf16::<Self>(sum, a, b) }
    }
}
